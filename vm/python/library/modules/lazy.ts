/** Iterators that are written as generator functions. They ask the machine for calls with `yield`, and give an element with `yield give(x)`. */
import {
  type Calling,
  type CallRequest,
  type Context,
  END,
  type Next,
  PyIterator,
  type PyType,
  type Value,
} from "../../object.ts";
import { iteratorType } from "../../types/elements.ts";

class Given {
  readonly value: Value;
  constructor(value: Value) {
    this.value = value;
  }
}

export function give(value: Value): Given {
  return new Given(value);
}

export type Elements = Generator<CallRequest | null | Given, void, Value>;

export class PyLazy extends PyIterator {
  override readonly type: PyType;
  override readonly isDirect: boolean;
  readonly #elements: Elements;
  /** `isDirect`: its elements come without calls, because all that it takes from is direct. */
  constructor(type: PyType, elements: Elements, isDirect: boolean) {
    super();
    this.type = type;
    this.#elements = elements;
    this.isDirect = isDirect;
  }
  next(ctx: Context): Next {
    ctx.charge(1);
    for (;;) {
      const step = this.#elements.next(null);
      if (step.done === true) return END;
      if (step.value instanceof Given) return step.value.value;
    }
  }
  override *pull(ctx: Context): Calling<Next> {
    ctx.charge(1);
    let step = this.#elements.next(null);
    for (;;) {
      if (step.done === true) return END;
      if (step.value instanceof Given) return step.value.value;
      let result: Value;
      try {
        result = yield step.value;
      } catch (error) {
        step = this.#elements.throw(error);
        continue;
      }
      step = this.#elements.next(result);
    }
  }
}

/** A type of iterators of a module. */
export function lazyType(name: string): PyType {
  return iteratorType(name);
}
