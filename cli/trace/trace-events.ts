/**
 * Events of a trace as this surface reads them: from a run, from the file of `wf run --trace-out` or `--trace-jsonl`, from an answer
 * with `trace` in it, or from a bare list. Members that nothing here shows are dropped.
 */
import * as z from "zod/mini";
import { readTextFile } from "../input/input.ts";
import { shellWord } from "../output/terminal/shell-word.ts";
import { CliFault, EXIT } from "../session/faults.ts";

const place = {
  seq: z.number(),
  label: z.string(),
  node_id: z.string(),
  op: z.string(),
  lineno: z.nullish(z.number()),
  in_branch: z.optional(z.string()),
};
const timed = {
  ...place,
  step: z.number(),
  start_ms: z.number(),
  duration_ms: z.number(),
};
const Step = z.object({
  kind: z.literal("step"),
  ...timed,
  depth: z.number(),
  out: z.json(),
  port_taken: z.optional(z.string()),
  branch: z.optional(z.object({ port: z.string(), condition: z.json() })),
  iterations: z.optional(z.number()),
  branches: z.optional(z.number()),
});
const Failure = z.object({
  kind: z.literal("error"),
  ...timed,
  code: z.string(),
  message: z.string(),
  handler: z.nullable(z.string()),
});
const Retry = z.object({
  kind: z.literal("retry"),
  ...place,
  attempt: z.number(),
  count: z.number(),
  delay_ms: z.number(),
});
const End = z.object({ kind: z.literal("end"), seq: z.number(), events: z.number(), dropped: z.number() });
const Events = z.array(z.discriminatedUnion("kind", [Step, Failure, Retry, End]));
const Document = z.looseObject({
  trace: z.array(z.unknown()),
  label: z.nullish(z.string()),
  trace_id: z.nullish(z.string()),
  ok: z.nullish(z.boolean()),
});

export type StepEvent = z.output<typeof Step>;
export type FailureEvent = z.output<typeof Failure>;
export type RetryEvent = z.output<typeof Retry>;
export type Trace = {
  readonly traceId: string | null;
  /** Written form of the entry label, when it is known. */
  readonly label: string | null;
  /** null: not known. */
  readonly ok: boolean | null;
  readonly events: readonly (StepEvent | FailureEvent | RetryEvent)[];
  /** Events that the run made, and those of them that were not kept. */
  readonly total: number;
  readonly dropped: number;
};

const MAX_TRACE_BYTES = 256 * 1024 * 1024;

export function readTraceFile(cwd: string, file: string): Trace {
  const trace = traceOf(parsed(readTextFile(cwd, file, MAX_TRACE_BYTES)));
  if (trace === null) throw notATrace(file);
  return trace;
}

/** The trace in a file; null when the file is not a trace, but a program for example. */
export function traceFileOf(cwd: string, file: string): Trace | null {
  return /\.(json|jsonl|ndjson)$/i.test(file) ? traceOf(parsed(readTextFile(cwd, file, MAX_TRACE_BYTES))) : null;
}

/** The parsed content of a file as a trace; null when it is not one. */
export function traceOf(value: unknown): Trace | null {
  const document = Document.safeParse(value);
  const events = Events.safeParse(document.success ? document.data.trace : value);
  if (!events.success) return null;
  const kept = events.data.filter((event) => event.kind !== "end");
  const end = events.data.find((event) => event.kind === "end");
  const facts = document.success ? document.data : { trace_id: null, label: null, ok: null };
  return {
    traceId: facts.trace_id ?? null,
    label: facts.label ?? null,
    ok: facts.ok ?? null,
    events: kept,
    total: end?.events ?? kept.length,
    dropped: end?.dropped ?? 0,
  };
}

/** One JSON document, or one event per line; undefined when it is neither. */
function parsed(given: string): unknown {
  const text = given.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text);
  } catch {
    // Not one document.
  }
  try {
    return text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line): unknown => JSON.parse(line));
  } catch {
    return undefined;
  }
}

function notATrace(file: string): CliFault {
  return new CliFault(`${file} is not a trace; wf run FILE --trace-out ${shellWord(file)} writes one`, {
    error: "invalid_trace",
    exitCode: EXIT.usage,
  });
}
