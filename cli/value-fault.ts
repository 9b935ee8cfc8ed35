/** What keeps a parsed JSON text from being a value of programs: `1e999` is no number, and values nest 512 deep at most. */
import { OperationFailure } from "../vm/errors.ts";
import { checkedJson } from "../vm/values.ts";

/** null: it is one. */
export function valueFault(value: unknown): string | null {
  try {
    checkedJson(value);
    return null;
  } catch (cause) {
    if (cause instanceof OperationFailure) return cause.message;
    throw cause;
  }
}
