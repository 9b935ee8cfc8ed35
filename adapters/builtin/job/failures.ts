/** Why a call of `job` fails. */
import type { AdapterError } from "../../../vm/errors/failures.ts";
import { adapterError } from "../../errors.ts";

export const NEEDS_JOB =
  "durable jobs start others: queue the program (wf jobs submit) at a service that keeps its jobs";

export function tooLate(message: string, job: string): AdapterError {
  return adapterError("ADAPTER_TIMEOUT", message, { retryable: false, data: { job_id: job } });
}
