/**
 * A file of the reader: a program, a record of a run, a journal, or a trace. Nothing of it is sent. Whatever it holds is data: members of
 * another type are left out, and what is too large is refused.
 */
import type { TraceStep } from "../trace-step.ts";

export type OpenedFile =
  | { readonly kind: "program"; readonly code: string }
  | {
      readonly kind: "run";
      /** What the file is, in words. */
      readonly what: string;
      readonly steps: readonly TraceStep[];
      /** Of the program that ran; null: the file does not say. */
      readonly code: string | null;
      readonly checksum: string | null;
      /** Entries that were left out. */
      readonly dropped: number;
    };
export type Unreadable = { readonly kind: "unreadable"; readonly why: string };

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_PROGRAM_BYTES = 4 * 1024 * 1024;
const MAX_STEPS = 100_000;

export async function openedFile(file: File): Promise<OpenedFile | Unreadable> {
  if (file.size > MAX_BYTES) return unreadable("the file is larger than 64 MiB");
  const text = await file.text();
  const start = text.trimStart()[0];
  if (start === "{" || start === "[") return openedText(text);
  return file.size > MAX_PROGRAM_BYTES
    ? unreadable("the program is larger than 4 MiB")
    : { kind: "program", code: text };
}

/** `text`: of a JSON document. */
function openedText(text: string): OpenedFile | Unreadable {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return unreadable("the file is not valid JSON");
  }
  if (Array.isArray(document)) return runOf("a trace", document, traceStep, {});
  if (!isObject(document)) return unreadable("the file is not a record, a journal or a trace");
  const { format, calls, records, trace } = document;
  if (format === "weft-record" && Array.isArray(calls)) return runOf("a record", calls, callStep, document);
  if (format === "weft-journal" && Array.isArray(records)) return runOf("a journal", records, journalStep, document);
  if (Array.isArray(trace)) return runOf("a trace", trace, traceStep, document);
  if (isObject(document["record"])) return openedText(JSON.stringify(document["record"]));
  return unreadable("the file is not a record, a journal or a trace");
}

const unreadable = (why: string): Unreadable => ({ kind: "unreadable", why });

type Members = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function runOf(
  what: string,
  entries: readonly unknown[],
  stepOf: (entry: Members, at: number) => TraceStep | null,
  document: Members,
): OpenedFile | Unreadable {
  const steps: TraceStep[] = [];
  for (const [at, entry] of entries.slice(0, MAX_STEPS).entries()) {
    const step = isObject(entry) ? stepOf(entry, at) : null;
    if (step !== null) steps.push(step);
  }
  if (steps.length === 0) return unreadable(`the file is ${what} without a step`);
  const job = isObject(document["job"]) ? document["job"] : {};
  return {
    kind: "run",
    what,
    steps,
    code: text(document["code"]),
    checksum: text(document["program_checksum"]) ?? text(job["checksum"]),
    dropped: entries.length - steps.length,
  };
}

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
const figure = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);

/** Members that a step has only where they are known. */
function known(members: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined));
}

function traceStep(entry: Members, at: number): TraceStep | null {
  if (entry["kind"] !== "step") return null;
  return {
    seq: figure(entry["seq"]) ?? at,
    kind: "step",
    ...known({
      label: text(entry["label"]),
      node_id: text(entry["node_id"]),
      op: text(entry["op"]),
      lineno: figure(entry["lineno"]),
      duration_ms: figure(entry["duration_ms"]),
      port_taken: text(entry["port_taken"]),
      step: figure(entry["step"]),
      depth: figure(entry["depth"]),
      in_branch: text(entry["in_branch"]),
      variables: isObject(entry["variables"]) ? entry["variables"] : null,
      out: entry["out"],
      error: entry["error"],
    }),
  };
}

function callStep(entry: Members, at: number): TraceStep | null {
  const [adapter, verb] = [text(entry["adapter"]), text(entry["verb"])];
  if (adapter === null || verb === null) return null;
  return {
    seq: figure(entry["seq"]) ?? at,
    kind: "step",
    op: `${adapter}.${verb}`,
    ...known({
      label: text(entry["label_id"]) ?? text(entry["label"]),
      node_id: text(entry["node_id"]) ?? text(entry["node"]),
      duration_ms: figure(entry["ms"]),
      out: entry["result"],
      error: entry["error"],
    }),
  };
}

/** Waits, wakings and decisions are steps too. */
function journalStep(entry: Members, at: number): TraceStep | null {
  const kind = text(entry["kind"]);
  if (kind === null || kind === "intent") return null;
  const call = callStep(entry, at);
  if (call !== null) return kind === "call" ? call : { ...call, op: `${kind} ${call.op}` };
  return { seq: figure(entry["seq"]) ?? at, kind: "step", op: kind, ...known({ label: text(entry["label"]) }) };
}
