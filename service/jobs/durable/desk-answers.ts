/** What a desk of the service answers a run: failures of its call, which it may catch. */
import { AdapterError } from "../../../vm/errors/failures.ts";
import { ServiceFault } from "../../wire/errors.ts";

export function failed(code: string, message: string): AdapterError {
  return new AdapterError(code, message, { retryable: false });
}

/** A store that cannot answer is a failure that Retry may repeat. */
export async function stored<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (thrown) {
    if (!(thrown instanceof ServiceFault)) throw thrown;
    throw new AdapterError("ADAPTER_UNAVAILABLE", "the job store does not answer", { retryable: true });
  }
}
