/** The shapes of a run: what a surface asks for and what it gets. */
import type { Json } from "../compiler/json.ts";
import type { RuntimeCode } from "./errors/error-codes.ts";
import type { RecordLog, ReplayFigures } from "./recording/record-log.ts";
import type { BudgetUse, ModelUsage } from "./usage.ts";

/** Effective limits; an absent key means no limit (built-in ceilings still hold). All whole numbers ≥ 1, those of calls ≥ 0. */
export type Limits = {
  readonly max_steps?: number;
  readonly max_depth?: number;
  readonly max_adapter_calls?: number;
  readonly max_time_ms?: number;
  readonly max_frame_bytes?: number;
  readonly max_loop_iters?: number;
  /** Of the cleanup of a cancelled run; absent: 50 calls and 10,000 ms. */
  readonly cleanup_calls?: number;
  readonly cleanup_ms?: number;
};
/** The names of all limits. */
export const LIMIT_KEYS = [
  "max_steps",
  "max_depth",
  "max_adapter_calls",
  "max_time_ms",
  "max_frame_bytes",
  "max_loop_iters",
  "cleanup_calls",
  "cleanup_ms",
] as const;
export type LimitKey = (typeof LIMIT_KEYS)[number];

/** What a run used (docs/runtime.md, usage). */
export type Usage = {
  readonly steps: number;
  /** The deepest that labels stood inside one another. */
  readonly depth: number;
  readonly adapter_calls: number;
  /** Whole milliseconds, waits included. */
  readonly time_ms: number;
  /** Of the variables as compact JSON in UTF-8; null where no limit asks for it. */
  readonly frame_bytes: number | null;
  /** The most of one loop. */
  readonly loop_iters: number;
  /** Of runs that asked language models. */
  readonly llm?: ModelUsage;
  /** What jobs used of it that shared its budget. */
  readonly shared?: BudgetUse;
};

/** Of a run that never began. */
export const NO_USAGE: Usage = { steps: 0, depth: 0, adapter_calls: 0, time_ms: 0, frame_bytes: null, loop_iters: 0 };

/** A failed run (docs/runtime.md, errors). */
export type RunError = {
  readonly code: RuntimeCode;
  /** The class of a Python exception that nothing caught. */
  readonly exception?: string;
  readonly message: string;
  readonly label: string | null;
  readonly node: string | null;
  readonly op: string | null;
  readonly line: number | null;
  readonly file?: string;
  readonly step_index: number | null;
  readonly stack: readonly string[];
  readonly data: { readonly [key: string]: Json };
};

/** One entry of a trace (docs/runtime.md, trace). */
export type TraceEvent = {
  readonly seq: number;
  readonly kind: "step" | "retry" | "error" | "end";
  readonly [member: string]: Json;
};

/** What an executor (machine or reference interpreter) reports of one run. */
export type Outcome = (
  | { readonly ok: true; readonly label: string; readonly out: Json }
  | { readonly ok: false; readonly label: string; readonly error: RunError }
) & {
  readonly usage: Usage;
  readonly trace?: readonly TraceEvent[];
  /** The calls of the run, when they were recorded. */
  readonly record?: RecordLog;
  /** Of a replay. */
  readonly replay?: ReplayFigures;
  /** Final variables; only on request, for tests and debugging. */
  readonly frame?: { readonly [name: string]: Json };
  /** The JSON text of `out`, where it says more than the value does and the caller takes one. */
  readonly out_text?: string;
} & Printed;

/** What a Python program printed; nothing where it printed nothing. */
export type Printed = {
  readonly printed?: string;
  /** Characters after the first 65,536, which are left out. */
  readonly printed_dropped?: number;
};

/** Sources of everything impure. Tests replace them all. */
export type Clock = {
  /** Monotonic milliseconds, for durations and deadlines. */
  now(): number;
  /** Wall time in milliseconds since 1970, for NOW and ISO. */
  wall(): number;
  /** Calls `then` after `ms`; returns the way to cancel it. */
  wait(ms: number, then: () => void): () => void;
  /** Milliseconds, from any beginning, in which the machine slept: `now` leaves them out. Absent: not known. */
  slept?(): number;
};
/** Facts of the host that programs can ask for. */
export type HostFacts = {
  uuid(): string;
  /** Exposed host variables only. */
  env(name: string): string | undefined;
  /** From 0 up to 1, for adapters; default: the platform's. */
  random?(): number;
};

/** What ends a run from outside. Every AbortSignal is one; hosts that start many short runs have cheaper ones. */
export interface Cancellation {
  readonly aborted: boolean;
  /** Told to the program's caller when it is a text. */
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** One call that is over. Milliseconds of the run's clock; the values are the run's own and must not be changed. */
export type CallEvent = {
  readonly adapter: string;
  /** As the program spells it. */
  readonly verb: string;
  readonly args: readonly Json[];
  /** The canonical JSON of arguments that say more than JavaScript's values (5.0, long ints); undefined: of any other. */
  readonly args_text?: string | undefined;
  /** Label and node id of the step, and which attempt of Retry it was. */
  readonly label: string;
  readonly node: string;
  readonly attempt: number;
  /** The branch that made it (`1/n2/1#3`); empty outside of branches. */
  readonly branch: string;
  /** `denied`: the gate refused it, or its count was used up; `replayed`: the log answered. */
  readonly status: "ok" | "error" | "denied" | "replayed";
  readonly result: Json;
  /** The canonical JSON of a large result, which takes long to make, and of one that says more than JavaScript's values; undefined: of any other. */
  readonly result_text?: string | undefined;
  /** Of a failure: the adapter's code, else the run's. */
  readonly code: string | null;
  readonly duration_ms: number;
};
/** Called for every adapter call when it has ended. Must not throw, and must not change the result. */
export type CallObserver = (event: CallEvent) => void;

export type TraceOptions = {
  readonly max_events?: number;
  readonly max_value_bytes?: number;
  readonly frame_keys?: boolean;
  /** The variables of the function with each step, in Python programs; of large ones only their size. */
  readonly variables?: boolean;
};

/** A function that is under way, for people who look at a run that waits, or that failed. Variables that the compiler made are left out, and those that hold functions. */
export type RunPlace = {
  /** Of the function; null: of a run in the opcode form, whose labels share their variables. */
  readonly name: string | null;
  /** null: it is not known. */
  readonly line: number | null;
  readonly file: string | null;
  readonly variables: { readonly [name: string]: Json };
};

/** What a branch was begun for: its outermost function that has a name, with what its parameters hold. */
export type BegunCall = { readonly name: string; readonly args: readonly Json[] };
