/**
 * The events of the service, one JSON object a line: what began, every adapter call, how it ended. Hashes stand for arguments and results;
 * no event holds a value of a program, a header or a variable of the environment (docs/http.md, log events).
 */
import type { FastifyBaseLogger } from "fastify";
import type { AdapterLog } from "../../adapters/definition/effect.ts";
import type { LogLevel } from "../../adapters/operator/host-config.ts";
import {
  adapterCallFields,
  createValueHash,
  type RunEnd,
  type RunFailure,
  type RunStart,
  runCompleteFields,
  runFailedFields,
  runStartFields,
} from "../../adapters/run-log/fields.ts";
import { createLogger, foreignFields, levelIn } from "../../adapters/run-log/logger.ts";
import { shownText } from "../../compiler/hidden-characters.ts";
import type { Json } from "../../compiler/json.ts";
import type { CallEvent, Clock } from "../../vm/run.ts";
import type { LogOutput } from "./log-output.ts";

/** What ties the events of one request together. */
export type EventContext = {
  readonly trace_id: string;
  readonly request_id?: string;
  readonly parent_trace_id?: string;
  readonly job_id?: string;
  /** The deployment, its version and its endpoint. */
  readonly program?: string;
  readonly version?: number;
  readonly endpoint?: string;
};

type Fields = { readonly [name: string]: Json | undefined };

export type { RunStart } from "../../adapters/run-log/fields.ts";

type HttpExchange = {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly duration_ms: number;
  readonly bytes_in: number;
  readonly bytes_out: number;
};

export interface Events {
  /** The logger of the HTTP server: what it reports by itself, from level warn on, is the event `http_server`. */
  readonly server: FastifyBaseLogger;
  /** `frames`: of a batch; null: not known yet. */
  runStart(context: EventContext, run: RunStart, frames?: number | null): void;
  /** `seq` counts the calls of a run from 1. Returns the length of the line; 0 when none is written. */
  adapterCall(context: EventContext, seq: number, call: CallEvent): number;
  runComplete(context: EventContext, end: RunEnd): void;
  /** Also of a request that was refused before anything ran. */
  runFailed(context: EventContext, failure: RunFailure): void;
  policyRejected(context: EventContext, codes: readonly string[]): void;
  httpRequest(context: EventContext, exchange: HttpExchange): void;
  /** Everything else: life of the server, faults, jobs. */
  note(level: LogLevel, event: string, fields?: Fields, context?: EventContext): void;
  /** What stands for a text that the log must not have. */
  hash(text: string): string;
  /** What adapters and plugins report. */
  readonly adapters: AdapterLog;
  /** Resolves when what was emitted so far is out. */
  flush(): Promise<void>;
}

export type EventDeps = {
  readonly output: LogOutput;
  readonly clock: Pick<Clock, "wall">;
  readonly level: LogLevel;
  readonly format: "json" | "pretty";
  readonly hashKey: string | null;
  /** Takes secrets out of messages. */
  readonly redact: (text: string) => string;
};

/** Probes ask for these all day. */
const QUIET_ROUTES: readonly string[] = ["/health", "/ready", "/metrics"];

export function createEvents({ output, clock, level, format, hashKey, redact }: EventDeps): Events {
  let written = 0;
  const logger = createLogger({
    level,
    redact,
    ...(format === "pretty" ? { format: prettyLine } : {}),
    write(line) {
      written = line.length;
      output.write(line);
    },
  });
  const ts = createTimestamps(clock);
  const emit = (at: LogLevel, event: string, context: EventContext | undefined, fields: object): void => {
    if (!logger.isLevelEnabled(at)) return;
    const { trace_id, request_id, parent_trace_id, job_id, program, version, endpoint } = context ?? NO_CONTEXT;
    const line: { [member: string]: unknown } = { event, ts: ts(), trace_id, schema_version: "1" };
    for (const name in fields) line[name] = (fields as Fields)[name];
    line["request_id"] = request_id;
    line["parent_trace_id"] = parent_trace_id;
    line["job_id"] = job_id;
    if (program !== undefined) Object.assign(line, { program, version, endpoint });
    logger[at](line);
  };
  const hash = createValueHash(hashKey);
  const events: Events = {
    server: serverLogger((error) => events.note("warn", "http_server", { error })),
    runStart: (context, run, frames) =>
      emit("info", "run_start", context, frames === undefined ? startFields(run) : { ...startFields(run), frames }),
    adapterCall(context, seq, call) {
      if (!logger.isLevelEnabled("info")) return 0;
      emit("info", "adapter_call", context, adapterCallFields(seq, call, hash));
      return written;
    },
    runComplete: (context, end) => emit("info", "run_complete", context, runCompleteFields(end)),
    runFailed: (context, failure) => emit("warn", "run_failed", context, runFailedFields(failure)),
    policyRejected: (context, codes) =>
      emit("warn", "policy_rejected", context, { codes: [...new Set(codes)], violations: codes.length }),
    httpRequest: (context, exchange) =>
      emit(QUIET_ROUTES.includes(exchange.route) ? "debug" : "info", "http_request", context, exchange),
    note: (at, event, fields = {}, context = undefined) => emit(at, event, context, fields),
    hash,
    adapters: (event, fields = {}) => emit(levelIn(fields, "info"), event, undefined, foreignFields(fields)),
    flush: () => output.flush(),
  };
  output.onRelief((lines) => events.note("warn", "logs_dropped", { dropped_logs: lines }));
  return events;
}

const NO_CONTEXT: Partial<EventContext> = {};

/** What the framework reports by itself, from level warn on. Its messages may quote a URL, so only codes are passed on. */
function serverLogger(report: (code: string) => void): FastifyBaseLogger {
  const told = (fault: unknown): void => {
    const cause = typeof fault === "object" && fault !== null && "err" in fault ? fault.err : fault;
    report(cause instanceof Error ? String("code" in cause ? cause.code : cause.name) : "unknown");
  };
  const silent = (): void => {};
  const logger: FastifyBaseLogger = {
    level: "warn",
    ...{ fatal: told, error: told, warn: told, info: silent, debug: silent, trace: silent, silent },
    child: () => logger,
  };
  return logger;
}

/** By what is logged: a program that is run again and again starts with the same. */
const startedFields = new WeakMap<RunStart, ReturnType<typeof runStartFields>>();

function startFields(run: RunStart): ReturnType<typeof runStartFields> {
  const known = startedFields.get(run) ?? runStartFields(run);
  startedFields.set(run, known);
  return known;
}

/** The time of the clock as text, made once a millisecond. */
function createTimestamps(clock: Pick<Clock, "wall">): () => string {
  let at = Number.NaN;
  let text = "";
  return () => {
    const now = clock.wall();
    if (now !== at) {
      at = now;
      text = new Date(now).toISOString();
    }
    return text;
  };
}

const NAMED: readonly string[] = ["level", "event", "ts", "trace_id", "schema_version"];

/** Longer objects and lists say nothing at a glance. */
const MAX_PRETTY_VALUE = 80;

/** A line for people: time, level, event, then the rest that is known as `name=value`. What a terminal would obey is shown. */
export function prettyLine(line: string): string {
  const given: { readonly [name: string]: unknown } = JSON.parse(line);
  const rest = Object.entries(given)
    .filter(([name, value]) => !NAMED.includes(name) && value !== null)
    .map(([name, value]) => `${name}=${prettyValue(value)}`);
  const time = String(given["ts"]).slice(11, 23);
  const trace = typeof given["trace_id"] === "string" ? [given["trace_id"].slice(0, 8)] : [];
  return `${shownText([time, String(given["level"]).padEnd(5), given["event"], ...trace, ...rest].join(" "))}\n`;
}

function prettyValue(value: unknown): string {
  if (typeof value === "string") return value;
  const text = JSON.stringify(value);
  return typeof value === "object" && text.length > MAX_PRETTY_VALUE ? "…" : text;
}
