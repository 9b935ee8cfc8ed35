/**
 * The events of the service, one JSON object a line: what began, every adapter call, how it ended. Hashes stand for arguments and results;
 * no event holds a value of a program, a header or a variable of the environment (docs/http.md, log events).
 */
import { createHash, createHmac } from "node:crypto";
import { pino } from "pino";
import { canonicalJson } from "../compiler/ir/canonical.ts";
import type { Json } from "../compiler/json.ts";
import type { CallEvent, Clock, Limits, RunError, Usage } from "../vm/run.ts";
import { type LogSink, prettyLine } from "./log-sink.ts";

/** What ties the events of one request together. */
export type EventContext = {
  readonly trace_id: string;
  readonly request_id?: string;
  readonly parent_trace_id?: string;
  readonly job_id?: string;
};

type Level = "debug" | "info" | "warn" | "error";
type Fields = { readonly [name: string]: Json | undefined };

export type RunStart = {
  readonly limits: Limits;
  readonly policyPresent: boolean;
  readonly label: string;
  readonly checksum: string;
  readonly sourceHash: string | null;
  readonly allowed: readonly string[] | null;
  readonly replay: boolean;
  /** Of a batch. */
  readonly frames?: number | null;
};

export type RunEnd = { readonly label: string; readonly duration_ms: number; readonly usage: Usage };

export type Failure = {
  readonly error: string;
  readonly message: string;
  readonly duration_ms: number;
  readonly usage?: Usage;
  readonly place?: Pick<RunError, "code" | "label" | "node" | "line">;
};

export type HttpExchange = {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly duration_ms: number;
  readonly bytes_in: number;
  readonly bytes_out: number;
};

export interface Events {
  runStart(context: EventContext, run: RunStart): void;
  /** `seq` counts the calls of a run from 1. */
  adapterCall(context: EventContext, seq: number, call: CallEvent): void;
  runComplete(context: EventContext, end: RunEnd): void;
  /** Also of a request that was refused before anything ran. */
  runFailed(context: EventContext, failure: Failure): void;
  policyRejected(context: EventContext, codes: readonly string[]): void;
  httpRequest(context: EventContext, exchange: HttpExchange): void;
  /** Everything that belongs to no request: life of the server, faults, jobs, adapters. */
  note(level: Level, event: string, fields?: Fields, context?: EventContext): void;
  /** What was emitted so far is out. */
  flush(): Promise<void>;
}

export type EventDeps = {
  readonly sink: LogSink;
  readonly clock: Pick<Clock, "wall">;
  readonly level: Level;
  readonly format: "json" | "pretty";
  readonly hashKey: string | null;
  /** Takes secrets out of messages. */
  readonly redact: (text: string) => string;
};

/** Probes are asked all day. */
const QUIET_ROUTES: readonly string[] = ["/health", "/ready", "/metrics"];

export function createEvents({ sink, clock, level, format, hashKey, redact }: EventDeps): Events {
  let droppable = false;
  const destination = {
    write: (line: string): void => sink.write(format === "pretty" ? prettyLine(line) : line, droppable),
  };
  const logger = pino(
    { level, base: null, timestamp: false, formatters: { level: (label) => ({ level: label }) } },
    destination,
  );
  const emit = (at: Level, event: string, context: EventContext | undefined, fields: Fields, mayDrop = false): void => {
    const { trace_id, ...ties } = context ?? {};
    const dropped = mayDrop ? 0 : sink.takeDropped();
    droppable = mayDrop;
    logger[at]({
      event,
      ts: new Date(clock.wall()).toISOString(),
      ...(trace_id === undefined ? {} : { trace_id }),
      schema_version: "1",
      ...fields,
      ...ties,
      ...(dropped === 0 ? {} : { dropped_logs: dropped }),
    });
    droppable = false;
  };
  const hash = (value: Json): string => hashed(value, hashKey);
  return {
    runStart(context, run) {
      emit("info", "run_start", context, {
        limits_summary: { ...run.limits },
        policy_present: run.policyPresent,
        label: run.label,
        ir_checksum: run.checksum,
        ...(run.sourceHash === null ? {} : { source_sha256: run.sourceHash }),
        allowed_adapters: run.allowed,
        replay: run.replay,
        ...(run.frames === undefined ? {} : { frames: run.frames }),
      });
    },
    adapterCall(context, seq, call) {
      if (!logger.isLevelEnabled("info")) return;
      emit("info", "adapter_call", context, {
        adapter: call.adapter,
        verb: call.verb,
        status: call.status,
        duration_ms: thousandths(call.duration_ms),
        result_hash: call.code === null ? hash(call.result) : null,
        seq,
        label_id: call.label,
        node_id: call.node,
        attempt: call.attempt,
        arg_count: call.args.length,
        args_hash: hash(call.args),
        ...(call.code === null ? {} : { error_code: call.code }),
      });
    },
    runComplete(context, { label, duration_ms, usage }) {
      const { steps, adapter_calls } = usage;
      emit("info", "run_complete", context, { label, duration_ms, steps, adapter_calls, usage });
    },
    runFailed(context, { error, message, duration_ms, usage, place }) {
      emit("warn", "run_failed", context, {
        ok: false,
        error,
        error_code: place?.code ?? null,
        label_id: place?.label ?? null,
        node_id: place?.node ?? null,
        line: place?.line ?? null,
        duration_ms,
        adapter_calls: usage?.adapter_calls ?? 0,
        usage: usage ?? null,
        message: redact(message),
      });
    },
    policyRejected: (context, codes) =>
      emit("warn", "policy_rejected", context, { codes: [...new Set(codes)], violations: codes.length }),
    httpRequest: (context, exchange) =>
      emit(QUIET_ROUTES.includes(exchange.route) ? "debug" : "info", "http_request", context, exchange, true),
    note: (at, event, fields = {}, context = undefined) => emit(at, event, context, fields, at === "debug"),
    flush: () => sink.flush(),
  };
}

/** Equal exactly when the canonical JSON of the values is equal. */
function hashed(value: Json, key: string | null): string {
  let text: string;
  try {
    text = canonicalJson(value);
  } catch {
    text = "nested too deeply";
  }
  if (key !== null) return `hmac-sha256:${createHmac("sha256", key).update(text, "utf8").digest("hex")}`;
  return `sha256:${createHash("sha256").update(text, "utf8").digest("hex")}`;
}

/** Milliseconds with three decimals. */
export function thousandths(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
