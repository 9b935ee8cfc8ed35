/**
 * Findings about supplied IR (docs/ir.md, IR from outside): codes, their order and their bound. Messages quote names and ids, never
 * values. Knows nothing of how an IR is read.
 */

export const ISSUE_CODES = [
  "schema",
  "too_large",
  "forbidden_member",
  "unknown_member",
  "unknown_op",
  "unknown_kind",
  "unknown_port",
  "bad_id",
  "bad_name",
  "bad_number",
  "duplicate_node",
  "missing_label",
  "missing_node",
  "port_not_allowed",
  "missing_edge",
  "duplicate_edge",
  "next_cycle",
  "data_edge_mismatch",
  "annotation_mismatch",
  "checksum_mismatch",
  "nested_host_function",
  "nothing_to_run",
  "unsupported_ir_version",
] as const;

export type IssueCode = (typeof ISSUE_CODES)[number];

export type IrIssue = {
  /** JSON pointer into the input. */
  readonly path: string;
  readonly code: IssueCode;
  readonly message: string;
  readonly label_id?: string;
  readonly node_id?: string;
};

/** Where a finding belongs, besides its pointer. */
export type IssuePlace = { readonly label?: string; readonly node?: string };

const MAX_REPORTED = 100;
/** Collected before sorting: enough that the first by path are among them for any real input, bounded for hostile ones. */
const MAX_COLLECTED = 10_000;

export class IssueList {
  private readonly found: IrIssue[] = [];
  private readonly notes = new Set<string>();

  get empty(): boolean {
    return this.found.length === 0;
  }

  add(code: IssueCode, path: string, message: string, place: IssuePlace = {}): void {
    if (this.found.length >= MAX_COLLECTED) return;
    this.found.push({
      path,
      code,
      message,
      ...(place.label === undefined ? {} : { label_id: place.label }),
      ...(place.node === undefined ? {} : { node_id: place.node }),
    });
  }

  /** A remark that does not refuse the input. */
  warn(text: string): void {
    if (this.notes.size < MAX_REPORTED) this.notes.add(text);
  }

  warnings(): string[] {
    return [...this.notes];
  }

  /** At most 100, ordered by path (list positions by number), then code. */
  reported(): IrIssue[] {
    const keyed = this.found.map((issue) => ({ issue, segments: issue.path.split("/") }));
    keyed.sort((a, b) => comparePaths(a.segments, b.segments) || compare(a.issue.code, b.issue.code));
    return keyed.slice(0, MAX_REPORTED).map(({ issue }) => issue);
  }
}

function comparePaths(a: readonly string[], b: readonly string[]): number {
  for (let position = 0; position < a.length && position < b.length; position += 1) {
    const left = a[position] ?? "";
    const right = b[position] ?? "";
    if (left === right) continue;
    const numeric = isPosition(left) && isPosition(right);
    return numeric ? Number(left) - Number(right) : compare(left, right);
  }
  return a.length - b.length;
}

function isPosition(segment: string): boolean {
  return /^(0|[1-9][0-9]{0,9})$/.test(segment);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A name may be as long as the input, and stand in the pointer of everything below it. */
const MAX_SEGMENT = 200;

/** One more segment of a JSON pointer; a very long one is cut. */
export function pointer(path: string, member: string | number): string {
  if (typeof member === "number") return `${path}/${member}`;
  const name = member.length > MAX_SEGMENT ? `${member.slice(0, MAX_SEGMENT)}…` : member;
  return `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** A name for a message: short, on one line. */
export function quoted(name: string): string {
  return `'${name.length > 60 ? `${name.slice(0, 60)}…` : name}'`;
}
