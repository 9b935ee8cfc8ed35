/** Why a parsed JSON text is not a value of programs: `1e999` is not a finite number, and values nest at most 512 deep. */
import { OperationFailure } from "../../vm/errors/failures.ts";
import { checkedJson } from "../../vm/values/values.ts";

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
