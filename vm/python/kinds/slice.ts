/** Ranges and slices: the data. */
import { PyObject, PyType, setType, type Value } from "../object.ts";

/** Bounds are ints below 2^53; larger ones are refused where a range is made. */
export class PyRange extends PyObject {
  declare readonly type: PyType;
  readonly start: number;
  readonly stop: number;
  readonly step: number;
  readonly length: number;
  constructor(start: number, stop: number, step: number) {
    super();
    this.start = start;
    this.stop = stop;
    this.step = step;
    this.length = Math.max(0, Math.ceil((stop - start) / step));
  }
}
export const RANGE_TYPE = setType(PyRange, new PyType("range"));

export class PySlice extends PyObject {
  declare readonly type: PyType;
  readonly start: Value;
  readonly stop: Value;
  readonly step: Value;
  constructor(start: Value, stop: Value, step: Value) {
    super();
    this.start = start;
    this.stop = stop;
    this.step = step;
  }
}
export const SLICE_TYPE = setType(PySlice, new PyType("slice"));
