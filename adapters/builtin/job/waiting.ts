/** How calls of `job` wait for others, and how that fails. */
import type { Json } from "../../../compiler/json.ts";
import type { AdapterError } from "../../../vm/errors/failures.ts";
import type { VerbContext } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import { cannotWait } from "../timer/waiting.ts";

export const NEEDS_JOB =
  "durable jobs start others: queue the program (wf jobs submit) at a service that keeps its jobs";

export function tooLate(message: string, job: string): AdapterError {
  return adapterError("ADAPTER_TIMEOUT", message, { retryable: false, data: { job_id: job } });
}

/** What came: `{"id": …}` of the first one that is over, and something else when the time is. `span`: milliseconds; null: as long as it takes. */
export async function waited(jobs: readonly string[], span: number | null, ctx: VerbContext): Promise<Json> {
  const times = span === null ? { until: null } : { until: ctx.now() + span, span };
  const came = ctx.run.wait?.({ kind: "job", jobs, ...times });
  if (came === undefined) throw cannotWait(NEEDS_JOB);
  return came;
}
