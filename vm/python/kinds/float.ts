/** Floats that a plain number cannot tell from an int, or that JSON cannot hold: 5.0, -0.0, 1e300, inf, nan. */
import { FLOAT_TYPE, PyObject, setType } from "../object.ts";

export class PyFloat extends PyObject {
  declare readonly type: typeof FLOAT_TYPE;
  readonly value: number;
  constructor(value: number) {
    super();
    this.value = value;
  }
}
setType(PyFloat, FLOAT_TYPE);

/** The float of a JavaScript number. */
export function floatOf(value: number): number | PyFloat {
  return Number.isInteger(value) || value - value !== 0 ? new PyFloat(value) : value;
}

/** The int of a whole JavaScript number below 2^53, or of a BigInt. */
export function intOf(value: bigint): number | bigint {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}
