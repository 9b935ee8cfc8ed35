/** Lists and tuples: the data. What they do stands in `vm/python/library/`. */
import { PyObject, PyType, setType, type Value } from "../object.ts";

export class PyList extends PyObject {
  declare readonly type: PyType;
  items: Value[];
  constructor(items: Value[]) {
    super();
    this.items = items;
  }
}
export const LIST_TYPE = setType(PyList, new PyType("list"));

/** Never changed once it is made. */
export class PyTuple extends PyObject {
  declare readonly type: PyType;
  readonly items: readonly Value[];
  constructor(items: readonly Value[]) {
    super();
    this.items = items;
  }
}
export const TUPLE_TYPE = setType(PyTuple, new PyType("tuple"));
export const EMPTY_TUPLE = new PyTuple([]);
