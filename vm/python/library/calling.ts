/** Natives that call back only sometimes: they run at once until they first ask the machine for something. */
import type { Calling, CallRequest, Value } from "../object.ts";

export function begun(calling: Calling): Value | Calling {
  const step = calling.next(null);
  return step.done === true ? step.value : continued(calling, step.value);
}

function* continued(calling: Calling, first: CallRequest | null): Calling {
  let request = first;
  for (;;) {
    let step: IteratorResult<CallRequest | null, Value>;
    try {
      const result = yield request;
      step = calling.next(result);
    } catch (error) {
      step = calling.throw(error);
    }
    if (step.done === true) return step.value;
    request = step.value;
  }
}
