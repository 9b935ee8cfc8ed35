/** Telling log and figures of work that was refused before it ran. */
import type { FastifyRequest } from "fastify";
import type { ServiceFault } from "./errors.ts";
import { thousandths } from "./events.ts";
import type { Services } from "./services.ts";

export function refused(
  { events, metrics, clock }: Pick<Services, "events" | "metrics" | "clock">,
  { call }: Pick<FastifyRequest, "call">,
  { error, message, members }: ServiceFault,
): void {
  // The run that a defect ended was counted when it ended.
  if (error === "internal_error") return;
  metrics.runRefused(error);
  if (error === "policy_violation") {
    const codes = (members.policy_errors ?? []).map(({ code }) => code);
    metrics.policyRejected(codes);
    events.policyRejected(call.context, codes);
    return;
  }
  events.runFailed(call.context, { error, message, duration_ms: thousandths(clock.now() - call.receivedAt) });
}
