/** Telling log and figures of work that was refused before it ran. */

import { thousandths } from "../../vm/values/durations.ts";
import type { Services } from "../services.ts";
import { type ErrorCode, errorRow, type ServiceFault } from "../wire/errors.ts";
import type { EventContext } from "./events.ts";

/** `receivedAt`: when the request came in, or the job was begun, by the clock of the service. */
export function logRefusal(
  { events, metrics, clock }: Pick<Services, "events" | "metrics" | "clock">,
  context: EventContext,
  receivedAt: number,
  { error, message, members }: ServiceFault,
): void {
  // The run that a defect ended was counted when it ended.
  if (error === "internal_error") return;
  if (isProgramFault(error, context)) metrics.runRefused(error);
  if (error === "policy_violation") {
    const codes = (members.policy_errors ?? []).map(({ code }) => code);
    metrics.policyRejected(codes);
    events.policyRejected(context, codes);
    return;
  }
  events.runFailed(context, { error, message, duration_ms: thousandths(clock.now() - receivedAt) });
}

/** Refused for what was asked before, not for the program. */
const EARLIER_REQUESTS: readonly ErrorCode[] = ["idempotency_key_reused", "job_not_retryable"];

/** A run that did not begin, and not merely a request that could not be read or whose caller gave other inputs than the program takes. */
function isProgramFault(error: ErrorCode, { job_id: job }: EventContext): boolean {
  // The inputs of a job were taken when it was queued, so they do not fit a program that was changed since.
  if (error === "input_invalid") return job !== undefined;
  return error === "policy_violation" || (errorRow(error).status === 422 && !EARLIER_REQUESTS.includes(error));
}
