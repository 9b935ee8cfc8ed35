/** Things on servers that may be missing. */
import { AdapterError } from "../../vm/errors/failures.ts";

/** What is asked for; null where the server has no such thing (ADAPTER_NOT_FOUND). */
export async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (thrown) {
    if (thrown instanceof AdapterError && thrown.code === "ADAPTER_NOT_FOUND") return null;
    throw thrown;
  }
}
