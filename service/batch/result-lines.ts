/** What a batch says of each frame, as the JSON of its line; each is counted as it is said. */

import { redactedTrace } from "../../adapters/run-log/redaction.ts";
import type { FrameEnd } from "../../vm/batch/frame-runner.ts";
import { type BatchResult, frameResult, successLine } from "../../vm/batch/result.ts";
import { documentText, heldOutText } from "../../vm/inputs/exact-text.ts";
import { NO_USAGE, type Outcome } from "../../vm/run.ts";
import { thousandths } from "../../vm/values/durations.ts";
import { outcomeOf, recordMembers } from "../run/answer-body.ts";
import type { RunPlan } from "../run/plan.ts";
import type { Services } from "../services.ts";
import type { ServiceFault } from "../wire/errors.ts";
import type { BatchTally, FrameFailure } from "./totals.ts";

/** A result of rows as it may leave: without secrets, and within the bytes that the service sends. */
export function shownResult(
  result: BatchResult,
  plan: RunPlan,
  { redaction, maxResultBytes }: Pick<Services, "redaction" | "maxResultBytes">,
): BatchResult {
  if (!("usage" in result)) return result;
  const { index, usage, duration_ms, warnings = [] } = result;
  const about = { label: plan.entry, usage };
  const text = heldOutText(result);
  const answer: Outcome = result.ok
    ? { ok: true, out: result.out, ...(text === undefined ? {} : { out_text: text }), ...about }
    : { ok: false, error: result.error_structured, ...about };
  return frameResult(index, outcomeOf({ answer, plan, redaction, maxResultBytes }), { usage, duration_ms, warnings });
}

type LineDeps = Pick<Services, "metrics" | "redaction" | "maxResultBytes">;

export class FrameLines {
  readonly #services: LineDeps;
  readonly #plan: RunPlan;
  readonly #tally: BatchTally;

  constructor(services: LineDeps, plan: RunPlan, tally: BatchTally) {
    this.#services = services;
    this.#plan = plan;
    this.#tally = tally;
  }

  /** Of a run. `startedAt` and `endedAt` are milliseconds of the clock. */
  ended(index: number, { outcome: answer, startedAt, endedAt, warnings }: Omit<FrameEnd, "callTimes">): string {
    const { metrics, redaction, maxResultBytes } = this.#services;
    const plan = this.#plan;
    const outcome = outcomeOf({ answer, plan, redaction, maxResultBytes });
    const { usage, trace, record } = answer;
    const failure: FrameFailure | null = "out" in outcome ? null : outcome;
    this.#tally.frameEnded(failure, usage);
    metrics.runEnded(failure === null ? "ok" : failure.error, endedAt - startedAt, endedAt);
    const known = plan.prepared.warnings;
    const news = warnings.length === 0 ? warnings : warnings.filter((warning) => !known.includes(warning));
    const duration_ms = thousandths(endedAt - startedAt);
    const isPlain = trace === undefined && record === undefined;
    if (isPlain && news.length === 0 && "out" in outcome)
      return successLine(index, outcome.out_text ?? JSON.stringify(outcome.out), usage, duration_ms);
    const result = frameResult(index, outcome, { usage, duration_ms, warnings: news });
    if (isPlain) return documentText(result);
    return documentText({
      ...result,
      ...(trace === undefined ? {} : { trace: redactedTrace(trace, redaction) }),
      ...(record === undefined ? {} : recordMembers(record)),
    });
  }

  /** The result line of an input line that is not a frame. */
  broken(index: number, { error, message }: ServiceFault): string {
    this.#tally.frameEnded({ error, message }, NO_USAGE);
    return JSON.stringify({ index, ok: false, error, message });
  }
}
