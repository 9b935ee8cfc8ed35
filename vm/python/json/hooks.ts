/**
 * Hooks of `json.loads`, such as `parse_float=Decimal`. The reader leaves a place for what each of them gives, and they are called after it in the order
 * of the text. A fault of the text is raised after the calls of what stands before it.
 */
import { Raised } from "../exceptions.ts";
import { PyList } from "../kinds/list.ts";
import type { Calling, Value } from "../object.ts";

/** null: the hook is absent. */
type Hooks = {
  readonly object: Value;
  readonly pairs: Value;
  readonly float: Value;
  readonly int: Value;
  readonly constant: Value;
};

/** Stands in a value until its hook was called; no program sees it. */
export class Later extends PyList {
  put: (value: Value) => void = () => {};
}

/** Calls that the reader leaves. */
export class HookCalls {
  readonly hooks: Hooks;
  readonly #calls: { readonly hook: Value; readonly argument: () => Value; readonly place: Later }[] = [];

  constructor(hooks: Hooks) {
    this.hooks = hooks;
  }

  later(hook: Value, argument: () => Value): Later {
    const place = new Later([]);
    this.#calls.push({ hook, argument, place });
    return place;
  }

  *run(read: () => Value): Calling {
    let whole: Value = null;
    let fault: Raised | null = null;
    try {
      whole = read();
    } catch (error) {
      if (!(error instanceof Raised)) throw error;
      fault = error;
    }
    if (whole instanceof Later)
      whole.put = (value) => {
        whole = value;
      };
    for (const { hook, argument, place } of this.#calls) place.put(yield { callee: hook, args: [argument()] });
    if (fault !== null) throw fault;
    return whole;
  }
}
