import type { ServiceApp } from "./http/service-app.ts";
import type { ServicePart, Services } from "./services.ts";
import { within } from "./within.ts";

/** Time for cancelled runs to come to their end. */
const CANCEL_MS = 2000;
/** Time for requests that came before the end to be answered; they need the store, so it goes after them. */
const ANSWER_MS = 2000;

/** Resolves when nothing is under way any more. */
export async function drain(
  app: ServiceApp,
  { readiness, events, slots, clock, config }: Services,
  part: ServicePart | null,
  reason: string,
): Promise<void> {
  readiness.drain();
  const lost = part?.queue === "memory" ? { jobs_lost: part.figures().queue_depth } : {};
  events.note("info", "server_drain", { reason, in_flight: slots.inFlight, ...lost });
  await part?.drain();
  await within(clock, config.drainMs, Promise.all([slots.idle(), part?.settled()]));
  if (slots.inFlight > 0) {
    slots.cancelAll("the service is shutting down");
    await within(clock, CANCEL_MS, slots.idle());
  }
  const closed = app.close();
  await within(clock, ANSWER_MS, closed);
  await part?.close();
  app.server.closeAllConnections();
  await closed;
}
