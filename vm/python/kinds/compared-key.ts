/** What `functools.cmp_to_key(compare)` makes of a value: a key whose order a function of the program decides. */
import { notExact } from "../not-exact.ts";
import { PyObject, PyType, setType, type Value } from "../object.ts";

export class PyComparedKey extends PyObject {
  declare readonly type: PyType;
  readonly compare: Value;
  readonly value: Value;
  constructor(compare: Value, value: Value) {
    super();
    this.compare = compare;
    this.value = value;
  }
}
function onlyOrdered(): never {
  throw notExact("keys of cmp_to_key are only compared by sorted, list.sort, min and max");
}

setType(
  PyComparedKey,
  new PyType("functools.KeyWrapper", [], {
    attribute: (self: PyComparedKey, name: string) => (name === "obj" ? self.value : undefined),
    equals: onlyOrdered,
    order: onlyOrdered,
  }),
);
