/** `int | None`: types that a value may have. */
import { PyObject, PyType, setType } from "../object.ts";

export class PyUnion extends PyObject {
  declare readonly type: PyType;
  readonly types: readonly PyType[];
  constructor(types: readonly PyType[]) {
    super();
    this.types = types;
  }
}
export const UNION_TYPE = setType(PyUnion, new PyType("UnionType"));
