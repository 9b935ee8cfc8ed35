/**
 * A log of JSON lines, and its events for a run at level info: the start, every call, and the end. Surfaces that log to stderr
 * share it, so their events have the same names, fields and redaction. No line holds a frame, an argument or a result.
 */

import { createHash } from "node:crypto";
import type { Json } from "../../compiler/json.ts";
import type { Prepared } from "../../vm/admission/prepare.ts";
import { surfaceWord } from "../../vm/errors/error-codes.ts";
import type { RunAnswer } from "../../vm/host.ts";
import type { CallObserver, Clock } from "../../vm/run.ts";
import { thousandths } from "../../vm/values/durations.ts";
import type { LogLevel } from "../operator/host-config.ts";
import {
  adapterCallFields,
  RUN_LOG_MAX_BYTES,
  RunCallLog,
  runCompleteFields,
  runFailedFields,
  runStartFields,
  type ValueHash,
} from "./fields.ts";
import { createLogger, foreignFields, levelIn } from "./logger.ts";
import type { Redaction } from "./redaction.ts";

type Fields = { readonly [name: string]: Json | undefined };

export interface JsonLog {
  enabled(level: LogLevel): boolean;
  /** Returns the length of the line; 0 when none is written. */
  write(level: LogLevel, event: string, fields?: Fields): number;
}

export type JsonLogOptions = {
  /** The least level that is written. */
  readonly level: LogLevel;
  readonly clock: Pick<Clock, "wall">;
  /** Takes one whole line. */
  readonly emit: (line: string) => void;
};

export function createJsonLog({ level, clock, emit }: JsonLogOptions): JsonLog {
  let written = 0;
  const logger = createLogger({
    level,
    write(line) {
      written = line.length;
      emit(line);
    },
  });
  return {
    enabled: (one) => logger.isLevelEnabled(one),
    write(otherwise, event, fields = {}) {
      const at = levelIn(fields, otherwise);
      if (!logger.isLevelEnabled(at)) return 0;
      const ts = new Date(clock.wall()).toISOString();
      logger[at]({ event, ts, schema_version: "1", ...foreignFields(fields) });
      return written;
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
  /** Logs every call of the run; undefined when the level excludes it. */
  readonly observer: CallObserver | undefined;
  ended(answer: RunAnswer, durationMs: number): void;
};

/** Logs that a run starts, and returns the logger of its calls and its end. */
export function logRun({ log, valueHash, redaction }: RunLogDeps, run: BegunRun): LoggedRun {
  const trace_id = run.traceId;
  const told = log.enabled("info");
  if (told) log.write("info", "run_start", { trace_id, ...startFields(run) });
  const calls = new RunCallLog(RUN_LOG_MAX_BYTES, (seq, call) =>
    log.write("info", "adapter_call", { trace_id, ...adapterCallFields(seq, call, valueHash) }),
  );
  return {
    observer: told ? (call) => void calls.called(call) : undefined,
    ended(answer, durationMs) {
      const duration_ms = thousandths(durationMs);
      const { usage, label_written: label } = answer;
      const { unlogged } = calls;
      if (answer.ok) {
        log.write("info", "run_complete", { trace_id, ...runCompleteFields({ label, duration_ms, usage, unlogged }) });
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
        unlogged,
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
