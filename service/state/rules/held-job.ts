/** The job of a claim, with its row locked. */
import { type Claim, isHeldBy } from "../../jobs/job.ts";
import type { Found, JobPort } from "../job-port.ts";
import type { Step } from "../step.ts";

/** Null: another claim has the job, or it is over. */
export function* heldJob(port: JobPort, writer: Claim): Step<Found | null> {
  const found = yield* port.lockedJob(writer.id);
  return found !== null && isHeldBy(found.job, writer) ? found : null;
}
