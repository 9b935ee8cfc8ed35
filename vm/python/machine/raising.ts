/** What `raise` throws. */
import { BASE_EXCEPTION, PyException, Raised, raised, TYPE_ERROR } from "../exceptions.ts";
import { EMPTY_TUPLE } from "../kinds/list.ts";
import { PyType, type Value } from "../object.ts";

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
