/** Bytes: immutable, and never data outside of a run. */
import { PyObject, PyType, setType } from "../object.ts";

export class PyBytes extends PyObject {
  declare readonly type: PyType;
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    super();
    this.bytes = bytes;
  }
}
export const BYTES_TYPE = setType(PyBytes, new PyType("bytes"));
