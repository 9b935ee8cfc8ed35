/**
 * A log of JSON lines, and what it tells of a run from level info on: that it begins, every call, how it ended. Surfaces that log to stderr
 * share it, so their events have the same names, fields and redaction. No line holds a frame, an argument or a result.
 */
import { createHash } from "node:crypto";
import type { Json } from "../compiler/json.ts";
import { surfaceWord } from "../vm/error-codes.ts";
import type { RunAnswer } from "../vm/host.ts";
import type { Prepared } from "../vm/preparation.ts";
import type { CallObserver, Clock } from "../vm/run.ts";
import { LOG_LEVELS, type LogLevel } from "./host-config.ts";
import type { Redaction } from "./redaction.ts";
import {
  adapterCallFields,
  runCompleteFields,
  runFailedFields,
  runStartFields,
  thousandths,
  type ValueHash,
} from "./run-events.ts";

type Fields = { readonly [name: string]: Json | undefined };

export interface JsonLog {
  enabled(level: LogLevel): boolean;
  write(level: LogLevel, event: string, fields?: Fields): void;
}

export type JsonLogOptions = {
  /** The least level that is written. */
  readonly level: LogLevel;
  readonly clock: Pick<Clock, "wall">;
  /** Takes one whole line. */
  readonly emit: (line: string) => void;
};

export function createJsonLog({ level: least, clock, emit }: JsonLogOptions): JsonLog {
  const enabled = (level: LogLevel): boolean => LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least);
  return {
    enabled,
    write(level, event, fields = {}) {
      if (!enabled(level)) return;
      const ts = new Date(clock.wall()).toISOString();
      emit(`${JSON.stringify({ level, event, ts, schema_version: "1", ...fields })}\n`);
    },
  };
}

export type RunLogDeps = {
  readonly log: JsonLog;
  /** Of arguments and results. */
  readonly valueHash: ValueHash;
  readonly redaction: Redaction;
};

export type BegunRun = {
  readonly traceId: string;
  readonly prepared: Prepared;
  /** The entry label in its written form. */
  readonly label: string;
  /** null: the program came as IR. */
  readonly source: string | null;
  readonly policyPresent: boolean;
  readonly replay: boolean;
};

export type LoggedRun = {
  /** To be told of every call of the run; undefined: nobody would read it. */
  readonly observer: CallObserver | undefined;
  ended(answer: RunAnswer, durationMs: number): void;
};

/** Writes that a run begins; what comes of it is told to the answer of this. */
export function logRun({ log, valueHash, redaction }: RunLogDeps, run: BegunRun): LoggedRun {
  const trace_id = run.traceId;
  const told = log.enabled("info");
  if (told) log.write("info", "run_start", { trace_id, ...startFields(run) });
  let seq = 0;
  return {
    observer: told
      ? (call) => {
          seq += 1;
          log.write("info", "adapter_call", { trace_id, ...adapterCallFields(seq, call, valueHash) });
        }
      : undefined,
    ended(answer, durationMs) {
      const duration_ms = thousandths(durationMs);
      const { usage, label_written: label } = answer;
      if (answer.ok) {
        log.write("info", "run_complete", { trace_id, ...runCompleteFields({ label, duration_ms, usage }) });
        return;
      }
      const { error } = answer;
      // Programs that fail are their authors' affair; defects are the operator's.
      const defect = error.code === "RUNTIME_INTERNAL";
      const fields = runFailedFields({
        error: surfaceWord(error.code, error.data),
        message: redaction.text(error.message),
        duration_ms,
        usage,
        place: error,
      });
      const details = defect ? { data: redaction.data(error.data) } : {};
      log.write(defect ? "error" : "info", "run_failed", { trace_id, ...fields, ...details });
    },
  };
}

function startFields({ prepared, label, source, policyPresent, replay }: BegunRun): Fields {
  const { ir, admission } = prepared;
  const { limits, allowed } = admission;
  const sourceHash = source === null ? null : `sha256:${createHash("sha256").update(source, "utf8").digest("hex")}`;
  return runStartFields({ limits, policyPresent, label, checksum: ir.checksum, sourceHash, allowed, replay });
}
