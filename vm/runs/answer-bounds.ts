/**
 * How large an answer may be: result, record and trace together. The result comes first, then the record, then the trace; what does not fit
 * is cut, and a warning says so. A result that is too large by itself is a failure of the run (`vm/admission/bounded-result.ts`).
 */
import type { Json } from "../../compiler/json.ts";
import { counted } from "../../grammar/text/english.ts";
import type { RecordLog } from "../recording/record-log.ts";
import type { Outcome, TraceEvent } from "../run.ts";
import { jsonBytes, sharedJsonBytes } from "../values/json-size.ts";

export type AnswerBounds = {
  /** Bytes of result, record and trace as JSON. */
  readonly maxBytes: number;
  /** How often the calls of the record stand in the answer. */
  readonly recordCopies: number;
};

/** The outcome within `bounds`, and what to say about what was cut. `maxEvents`: that the caller asked for. */
export function boundOutcome(
  outcome: Outcome,
  { maxBytes, recordCopies }: AnswerBounds,
  maxEvents: number,
): { readonly outcome: Outcome; readonly warnings: readonly string[] } {
  const { record, trace } = outcome;
  if (record === undefined && trace === undefined) return { outcome, warnings: [] };
  const warnings: string[] = [];
  let left = maxBytes - resultBytes(outcome, maxBytes);
  let bounded = outcome;
  if (record !== undefined) {
    const cut = cutRecord(record, left / recordCopies);
    left -= cut.bytes * recordCopies;
    bounded = { ...bounded, record: cut.record };
    if (cut.record.dropped !== undefined) warnings.push(recordWarning(cut.record.dropped));
  }
  if (trace !== undefined) {
    const cut = cutTrace(trace, left);
    bounded = { ...bounded, trace: cut };
    const dropped = cut.at(-1)?.["dropped"];
    if (typeof dropped === "number" && dropped > 0 && cut.length <= maxEvents) warnings.push(traceWarning(dropped));
  }
  return { outcome: bounded, warnings };
}

/** Bytes that the result takes of the answer; one that is too large will not be sent. */
function resultBytes(outcome: Outcome, maxBytes: number): number {
  if (!outcome.ok) return 0;
  const bytes = sharedJsonBytes(outcome.out, maxBytes);
  return bytes > maxBytes ? 0 : bytes;
}

/** The first calls that fit: one that is missing would make all after it useless. */
function cutRecord(record: RecordLog, maxBytes: number): { readonly record: RecordLog; readonly bytes: number } {
  let bytes = 0;
  let fit = 0;
  for (const call of record.calls) {
    const more = jsonBytes(call as unknown as Json) + 1;
    if (bytes + more > maxBytes) break;
    bytes += more;
    fit += 1;
  }
  if (fit === record.calls.length) return { record, bytes };
  const dropped = (record.dropped ?? 0) + record.calls.length - fit;
  return { record: { ...record, complete: false, dropped, calls: record.calls.slice(0, fit) }, bytes };
}

/** The first and the last events that fit, and the end, which counts those between. */
function cutTrace(trace: readonly TraceEvent[], maxBytes: number): readonly TraceEvent[] {
  const end = trace.at(-1);
  if (end === undefined) return trace;
  const sizes = trace.map((event) => jsonBytes(event as unknown as Json) + 1);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= maxBytes) return trace;
  const head = fitting(sizes, 0, 1, maxBytes / 2);
  const tail = fitting(sizes, sizes.length - 2, -1, maxBytes / 2);
  const kept = [...trace.slice(0, head), ...trace.slice(trace.length - 1 - tail, -1)];
  const dropped = Number(end["dropped"]) + trace.length - 1 - kept.length;
  return [...kept, { ...end, dropped }];
}

/** How many events from `start` on take at most `maxBytes`. */
function fitting(sizes: readonly number[], start: number, step: 1 | -1, maxBytes: number): number {
  let count = 0;
  let bytes = 0;
  for (let at = start; at >= 0 && at < sizes.length - 1; at += step) {
    bytes += sizes[at] as number;
    if (bytes > maxBytes) break;
    count += 1;
  }
  return count;
}

export function recordWarning(dropped: number): string {
  return `record_cut: ${counted(dropped, "call")} did not fit and are missing at the end of the record, which cannot be replayed as a whole`;
}

function traceWarning(dropped: number): string {
  return `trace_cut: ${counted(dropped, "event")} in the middle of the trace did not fit and are left out`;
}
