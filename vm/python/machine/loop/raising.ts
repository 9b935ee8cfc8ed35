/** What `raise` throws. */
import { FatalFailure } from "../../../errors/failures.ts";
import { BASE_EXCEPTION, PyException, Raised, raised, TYPE_ERROR } from "../../exceptions.ts";
import { EMPTY_TUPLE } from "../../kinds/list.ts";
import { PyType, type Value } from "../../object.ts";

/** `raise value from cause`. */
export function raisedFrom(value: Value, cause: Value): Raised {
  const exception = instance(value);
  if (cause !== null) exception.cause = instance(cause);
  return new Raised(exception);
}

function instance(value: Value): PyException {
  if (value instanceof PyException) return value;
  if (value instanceof PyType && value.isA(BASE_EXCEPTION)) return new PyException(value, EMPTY_TUPLE);
  throw raised(TYPE_ERROR, "exceptions must derive from BaseException");
}

/** Of a graph that no compiler made. */
export function badProgram(what: string): FatalFailure {
  return new FatalFailure("RUNTIME_BAD_PROGRAM", what, "program");
}
