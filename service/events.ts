/**
 * The events of the service, one JSON object a line: what began, every adapter call, how it ended. Hashes stand for arguments and results;
 * no event holds a value of a program, a header or a variable of the environment (docs/http.md, log events).
 */
import { LOG_LEVELS, type LogLevel } from "../adapters/host-config.ts";
import {
  adapterCallFields,
  createValueHash,
  type RunEnd,
  type RunFailure,
  type RunStart,
  runFailedFields,
  runStartFields,
} from "../adapters/run-events.ts";
import type { Json } from "../compiler/json.ts";
import type { CallEvent, Clock } from "../vm/run.ts";
import { type LogSink, prettyLine } from "./log-sink.ts";
import { exchangeText, membersText, quoted, runCompleteText } from "./run-text.ts";

/** What ties the events of one request together. */
export type EventContext = {
  readonly trace_id: string;
  readonly request_id?: string;
  readonly parent_trace_id?: string;
  readonly job_id?: string;
};

type Fields = { readonly [name: string]: Json | undefined };

export type { RunStart } from "../adapters/run-events.ts";
export { thousandths } from "../adapters/run-events.ts";

export type HttpExchange = {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly duration_ms: number;
  readonly bytes_in: number;
  readonly bytes_out: number;
};

export interface Events {
  /** `frames`: of a batch; null: not known yet. */
  runStart(context: EventContext, run: RunStart, frames?: number | null): void;
  /** `seq` counts the calls of a run from 1. */
  adapterCall(context: EventContext, seq: number, call: CallEvent): void;
  runComplete(context: EventContext, end: RunEnd): void;
  /** Also of a request that was refused before anything ran. */
  runFailed(context: EventContext, failure: RunFailure): void;
  policyRejected(context: EventContext, codes: readonly string[]): void;
  httpRequest(context: EventContext, exchange: HttpExchange): void;
  /** `members` as `membersText` gives them, of words and numbers of our own: what is told of thousands of jobs is made into text once. */
  jobMoved(level: LogLevel, event: string, context: EventContext, members: string): void;
  /** Everything that belongs to no request: life of the server, faults, jobs, adapters. */
  note(level: LogLevel, event: string, fields?: Fields, context?: EventContext): void;
  /** What was emitted so far is out. */
  flush(): Promise<void>;
}

export type EventDeps = {
  readonly sink: LogSink;
  readonly clock: Pick<Clock, "wall">;
  readonly level: LogLevel;
  readonly format: "json" | "pretty";
  readonly hashKey: string | null;
  /** Takes secrets out of messages. */
  readonly redact: (text: string) => string;
};

/** Probes are asked all day. */
const QUIET_ROUTES: readonly string[] = ["/health", "/ready", "/metrics"];

export function createEvents({ sink, clock, level, format, hashKey, redact }: EventDeps): Events {
  const enabled = new Set(LOG_LEVELS.slice(LOG_LEVELS.indexOf(level)));
  const headOf = createHeads(clock);
  /** `members`: as `membersText` gives them. Lines are put together as text: one object of it all takes longer to make than to write. */
  const write = (
    at: LogLevel,
    event: string,
    context: EventContext | undefined,
    members: string,
    mayDrop = false,
  ): void => {
    const dropped = mayDrop ? 0 : sink.takeDropped();
    const traced = context === undefined ? "" : `,"trace_id":"${context.trace_id}"`;
    const ties = context === undefined ? "" : tiesText(context);
    const lost = dropped === 0 ? "" : `,"dropped_logs":${dropped}`;
    const line = `${headOf(at, event)}${traced},"schema_version":"1"${members}${ties}${lost}}\n`;
    sink.write(format === "pretty" ? prettyLine(line) : line, mayDrop);
  };
  const emit = (
    at: LogLevel,
    event: string,
    context: EventContext | undefined,
    fields: Fields,
    mayDrop = false,
  ): void => {
    if (enabled.has(at)) write(at, event, context, onOneLine(membersText(fields)), mayDrop);
  };
  // Whatever is told first once the log is read again says how much is missing.
  sink.onRelief(() => emit("warn", "logs_dropped", undefined, {}));
  const hash = createValueHash(hashKey);
  return {
    runStart(context, run, frames) {
      if (!enabled.has("info")) return;
      const batch = frames === undefined ? "" : `,"frames":${frames}`;
      write("info", "run_start", context, runStartText(run) + batch);
    },
    adapterCall(context, seq, call) {
      if (!enabled.has("info")) return;
      emit("info", "adapter_call", context, adapterCallFields(seq, call, hash));
    },
    runComplete(context, end) {
      if (enabled.has("info")) write("info", "run_complete", context, runCompleteText(end));
    },
    runFailed: (context, failure) =>
      emit("warn", "run_failed", context, runFailedFields({ ...failure, message: redact(failure.message) })),
    policyRejected: (context, codes) =>
      emit("warn", "policy_rejected", context, { codes: [...new Set(codes)], violations: codes.length }),
    httpRequest(context, exchange) {
      const at = QUIET_ROUTES.includes(exchange.route) ? "debug" : "info";
      if (enabled.has(at)) write(at, "http_request", context, exchangeText(exchange), true);
    },
    jobMoved(at, event, context, members) {
      if (enabled.has(at)) write(at, event, context, members);
    },
    note: (at, event, fields = {}, context = undefined) => emit(at, event, context, fields, at === "debug"),
    flush: () => sink.flush(),
  };
}

/** JSON admits these in texts, though some readers end a line at them, and terminals obey others. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029]/g;

function onOneLine(json: string): string {
  return json.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** By what is told: a plan that is run again and again tells the same. */
const startTexts = new WeakMap<RunStart, string>();

function runStartText(run: RunStart): string {
  const known = startTexts.get(run);
  if (known !== undefined) return known;
  const text = membersText(runStartFields(run));
  startTexts.set(run, text);
  return text;
}

function tiesText({ request_id, parent_trace_id, job_id }: EventContext): string {
  let text = "";
  if (request_id !== undefined) text += `,"request_id":${quoted(request_id)}`;
  if (parent_trace_id !== undefined) text += `,"parent_trace_id":${quoted(parent_trace_id)}`;
  // The form of an id of a job needs no escapes.
  if (job_id !== undefined) text += `,"job_id":"${job_id}"`;
  return text;
}

const MOST_HEADS = 64;

/** How a line begins, with its time: made anew once a millisecond for each kind of event. */
function createHeads(clock: Pick<Clock, "wall">): (level: LogLevel, event: string) => string {
  const heads = new Map<string, { at: number; level: LogLevel; text: string }>();
  let at = Number.NaN;
  let time = "";
  return (level, event) => {
    const now = clock.wall();
    if (now !== at) {
      at = now;
      time = new Date(now).toISOString();
    }
    let head = heads.get(event);
    if (head === undefined) {
      head = { at: Number.NaN, level, text: "" };
      // Plugins name events as they like.
      if (heads.size < MOST_HEADS) heads.set(event, head);
    }
    if (head.at !== at || head.level !== level) {
      head.at = at;
      head.level = level;
      head.text = `{"level":"${level}","event":"${event}","ts":"${time}"`;
    }
    return head.text;
  };
}
