/** An event of a trace, or what stands for one in a record or a journal (docs/runtime.md, trace). */
export type TraceStep = {
  readonly seq: number;
  readonly kind: string;
  readonly label?: string;
  readonly node_id?: string;
  readonly op?: string;
  readonly lineno?: number;
  readonly duration_ms?: number;
  readonly out?: unknown;
  readonly port_taken?: string;
  readonly error?: unknown;
  /** Of an event of an error. */
  readonly message?: string;
  readonly code?: string;
  /** Its number in its call, how deep that is, and the branch that it is in. */
  readonly step?: number;
  readonly depth?: number;
  readonly in_branch?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
};
