/**
 * The answer of a run as JSON (docs/http.md, answers), written once for every surface. Command line, service and MCP add members of their
 * own or leave some out; none has another shape.
 */

import type { Ir } from "../compiler/ir/graph.ts";
import type { Json } from "../compiler/json.ts";
import { surfaceWord } from "./errors/error-codes.ts";
import { placedMessage } from "./errors/placed-message.ts";
import { outTextOf } from "./inputs/exact-text.ts";
import type { RecordLog } from "./recording/record-log.ts";
import type { RunError } from "./run.ts";
import type { RunAnswer } from "./runs/requests.ts";
import { thousandths } from "./values/durations.ts";
import { RUNTIME_VERSION } from "./version.ts";

/** A run that is over, with what its surface knows of it. */
export type EndedRun = {
  /** Without what its reader may not see. */
  readonly answer: RunAnswer;
  readonly ir: Ir;
  readonly compileMs: number;
  /** The program was compiled before. */
  readonly cached: boolean;
  /** From the request to the result. */
  readonly durationMs: number;
  /** Known before the run. */
  readonly warnings: readonly string[];
};

type RanMembers = Pick<RunAnswer, "duration_ms" | "adapter_p95_ms" | "usage" | "limits" | "warnings"> & {
  readonly label: string;
  readonly runtime_version: string;
  readonly ir_version: string;
  readonly stats: {
    readonly compile_ms: number;
    readonly run_ms: number;
    readonly cache_hit: boolean;
    readonly checksum: string;
  };
};
export type AnswerBody = (
  | { readonly ok: true; readonly trace_id: string; readonly out: Json }
  | ({ readonly ok: false; readonly trace_id: string } & FailedMembers)
) &
  RanMembers &
  AskedMembers;

export function answerOf(run: EndedRun): AnswerBody {
  const { answer, ir } = run;
  const asked = askedMembers(answer);
  const stats = {
    compile_ms: thousandths(run.compileMs),
    run_ms: thousandths(answer.duration_ms),
    cache_hit: run.cached,
    checksum: ir.checksum,
  };
  const warnings = joined(run.warnings, answer.warnings);
  if (!answer.ok) {
    const { label_written, adapter_p95_ms, usage, limits } = answer;
    return {
      ok: false as const,
      trace_id: answer.trace_id,
      ...failedMembers(answer.error),
      label: label_written,
      runtime_version: RUNTIME_VERSION,
      ir_version: ir.ir_version,
      duration_ms: thousandths(run.durationMs),
      ...{ adapter_p95_ms, usage, limits, stats, warnings },
      ...asked,
    };
  }
  // Member by member: spreading takes longer than a short run.
  const body = {
    ok: true as const,
    trace_id: answer.trace_id,
    label: answer.label_written,
    out: answer.out,
    runtime_version: RUNTIME_VERSION,
    ir_version: ir.ir_version,
    duration_ms: thousandths(run.durationMs),
    adapter_p95_ms: answer.adapter_p95_ms,
    usage: answer.usage,
    limits: answer.limits,
    stats,
    warnings,
  };
  return asked === NOTHING_ASKED ? body : { ...body, ...asked, ...outTextOf(answer) };
}

export type FailedMembers = { readonly error: string; readonly message: string; readonly error_structured: RunError };

/** A failure: its word, a sentence with the place, and all that is known. `cause`: in place of the error's own sentence. */
export function failedMembers(error: RunError, cause = error.message): FailedMembers {
  return {
    error: surfaceWord(error.code, error.data),
    message: placedMessage(error, cause),
    error_structured: error,
  };
}

/** A record as it leaves the process, marked as what it is. */
export function sensitiveRecord({ calls, ...head }: RecordLog) {
  return { ...head, sensitive: true as const, calls };
}

type AskedMembers = Pick<RunAnswer, "trace" | "replay" | "printed" | "printed_dropped"> & {
  readonly record?: ReturnType<typeof sensitiveRecord>;
};
const NOTHING_ASKED: AskedMembers = {};

/** Of runs that were asked to report more, or have more to say. */
function askedMembers({ trace, record, replay, printed, printed_dropped, out_text }: RunAnswer): AskedMembers {
  const isAsked = trace !== undefined || record !== undefined || replay !== undefined;
  if (!isAsked && printed === undefined && out_text === undefined) return NOTHING_ASKED;
  return {
    ...(printed === undefined ? {} : { printed }),
    ...(printed_dropped === undefined ? {} : { printed_dropped }),
    ...(trace === undefined ? {} : { trace }),
    ...(record === undefined ? {} : { record: sensitiveRecord(record) }),
    ...(replay === undefined ? {} : { replay }),
  };
}

/** Each once. */
function joined(first: readonly string[], second: readonly string[]): readonly string[] {
  return first.length === 0 ? second : [...new Set([...first, ...second])];
}
