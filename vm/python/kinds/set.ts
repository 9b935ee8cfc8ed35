/** Sets and frozensets: the data. Their order is private to CPython, so showing it ends the run with RUNTIME_NOT_EXACT. */
import { type Key, PyObject, PyType, setType, type Value } from "../object.ts";

export class PySet extends PyObject {
  declare readonly type: PyType;
  /** Look-up key to the member as it was first added. */
  readonly members = new Map<Key, Value>();
}
export const SET_TYPE = setType(PySet, new PyType("set"));

export class PyFrozenSet extends PySet {}
export const FROZENSET_TYPE = setType(PyFrozenSet, new PyType("frozenset"));
