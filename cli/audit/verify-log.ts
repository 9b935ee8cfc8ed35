/**
 * Checks the log of a service (docs/http.md, log events): the shape of every line, the order of the events of each run, and the hashes. A
 * line that was taken out, added or moved shows in the order; with the record of a run its hashes are computed again.
 */
import * as z from "zod/mini";
import { LOG_LEVELS } from "../../adapters/operator/host-config.ts";
import { createValueHash } from "../../adapters/run-log/fields.ts";
import { exactly } from "../../vm/inputs/exact-text.ts";
import type { LoggedCall, ReplayLog } from "../../vm/recording/replay-log.ts";

type AuditIssue = { readonly line: number; readonly message: string };
export type AuditReport = {
  readonly lines: number;
  readonly runs: number;
  readonly calls: number;
  /** Number of lines that the service reports as dropped. When there are any, gaps are not reported as issues. */
  readonly dropped: number;
  readonly issues: readonly AuditIssue[];
};
export type AuditOptions = {
  /** null: the hashes are not keyed. */
  readonly hashKey: string | null;
  /** The record of one of the runs. */
  readonly record: { readonly log: ReplayLog; readonly traceId: string } | null;
};

const LINE = z.looseObject({
  level: z.enum(LOG_LEVELS),
  event: z.string(),
  ts: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)),
  schema_version: z.literal("1"),
  trace_id: z.optional(z.string()),
  dropped_logs: z.optional(z.number()),
  adapter_calls_unlogged: z.optional(z.number()),
  // null: of a batch of lines, whose frames are counted at its end.
  frames: z.optional(z.nullable(z.number())),
});
const HASH = z.string().check(z.regex(/^(hmac-)?sha256:[0-9a-f]{64}$/));
const CALL = z.looseObject({
  adapter: z.string(),
  verb: z.string(),
  status: z.enum(["ok", "error", "denied", "replayed"]),
  seq: z.number(),
  args_hash: HASH,
  result_hash: z.nullable(HASH),
});
const TRACED: readonly string[] = ["run_start", "adapter_call", "run_complete", "run_failed"];

type Line = z.output<typeof LINE>;
/** A run that has begun and is not over. `frames`: a batch, whose calls come as they end. */
type OpenRun = { seq: number; readonly frames: boolean; readonly line: number };

export function verifyLog(text: string, options: AuditOptions): AuditReport {
  const issues: AuditIssue[] = [];
  const open = new Map<string, OpenRun>();
  const times = new Map<string, string>();
  const counts = { lines: 0, runs: 0, calls: 0, dropped: 0 };
  let recorded = 0;
  /** Calls of the recorded run that the log left out to stay within its bound. */
  let unlogged = 0;
  for (const [at, written] of text.split("\n").entries()) {
    if (written.trim() === "") continue;
    counts.lines += 1;
    const line = at + 1;
    const complain = (message: string): void => void issues.push({ line, message });
    const read = LINE.safeParse(parsed(written));
    if (!read.success) {
      complain(`is not an event: ${placeOf(read.error.issues[0]?.path)}`);
      continue;
    }
    const event = read.data;
    counts.dropped += event.dropped_logs ?? 0;
    if (!TRACED.includes(event.event)) continue;
    const { trace_id: trace } = event;
    if (trace === undefined) {
      complain(`${event.event} names no run`);
      continue;
    }
    if ((times.get(trace) ?? "") > event.ts) complain("is older than the event before it of the same run");
    times.set(trace, event.ts);
    if (event.event === "run_start") {
      counts.runs += 1;
      if (open.has(trace)) complain("run_start of a run that has not ended");
      open.set(trace, { seq: 0, frames: event.frames !== undefined, line });
    } else if (event.event === "adapter_call") {
      counts.calls += 1;
      const of = options.record?.traceId === trace ? options.record.log.calls[recorded++] : undefined;
      verifyCall(event, open.get(trace), counts.dropped > 0, options.hashKey, of, complain);
    } else {
      // A request that was refused fails without having begun.
      if (!open.has(trace) && event.event === "run_complete") complain("run_complete of a run that has not started");
      open.delete(trace);
      if (options.record?.traceId === trace) unlogged += event.adapter_calls_unlogged ?? 0;
    }
  }
  for (const { line } of open.values()) issues.push({ line, message: "the run that starts here has no end" });
  const { record } = options;
  if (record !== null && recorded + unlogged !== record.log.calls.length)
    issues.push({ line: 0, message: `${recorded} of the ${record.log.calls.length} recorded calls are in the log` });
  return { ...counts, issues };
}

function verifyCall(
  event: Line,
  run: OpenRun | undefined,
  gaps: boolean,
  hashKey: string | null,
  recorded: LoggedCall | undefined,
  complain: (message: string) => void,
): void {
  const read = CALL.safeParse(event);
  if (!read.success) {
    complain(`adapter_call: ${placeOf(read.error.issues[0]?.path)}`);
    return;
  }
  const call = read.data;
  if (run === undefined) complain("adapter_call of a run that has not started or has ended");
  else {
    if (!run.frames && call.seq <= run.seq) complain(`call ${call.seq} comes after call ${run.seq}`);
    else if (!run.frames && call.seq !== run.seq + 1 && !gaps)
      complain(`call ${run.seq + 1} is missing before call ${call.seq}`);
    run.seq = Math.max(run.seq, call.seq);
  }
  const hashes = [call.args_hash, ...(call.result_hash === null ? [] : [call.result_hash])];
  const keyed = hashKey !== null;
  if (hashes.some((hash) => hash.startsWith("hmac-") !== keyed))
    complain(keyed ? "its hashes are not keyed" : "its hashes are keyed; set WF_AUDIT_HASH_KEY");
  if (recorded !== undefined) compare(call, recorded, hashKey, complain);
}

function compare(
  call: z.output<typeof CALL>,
  recorded: LoggedCall,
  hashKey: string | null,
  complain: (message: string) => void,
): void {
  const hash = createValueHash(hashKey);
  const name = `${recorded.adapter}.${recorded.verb}`;
  if (`${call.adapter}.${call.verb}`.toLowerCase() !== name.toLowerCase()) {
    complain(`is ${call.adapter}.${call.verb}, recorded was ${name}`);
    return;
  }
  if (recorded.args !== null && hash([...recorded.args]) !== call.args_hash)
    complain(`${name}: the hash of the arguments differs from the record`);
  const { result, result_text: text } = recorded.answer;
  const exact = result === undefined || text === undefined ? result : exactly(result, text);
  if (exact !== undefined && call.result_hash !== null && hash(exact) !== call.result_hash)
    complain(`${name}: the hash of the result differs from the record`);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function placeOf(path: readonly PropertyKey[] = []): string {
  return path.length === 0 ? "it must be a JSON object" : `/${path.join("/")} is missing or invalid`;
}
