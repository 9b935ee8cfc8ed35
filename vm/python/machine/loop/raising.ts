/** What `raise` throws. */
import { madeException } from "../../exception-members.ts";
import { BASE_EXCEPTION, PyException, Raised, raised, TYPE_ERROR } from "../../exceptions.ts";
import { PyType, type Value } from "../../object.ts";

/** `raise value from cause`. */
export function raisedFrom(value: Value, cause: Value): Raised {
  const exception = instance(value, "exceptions must derive from BaseException");
  if (cause !== null) exception.cause = instance(cause, "exception causes must derive from BaseException");
  return new Raised(exception);
}

function instance(value: Value, otherwise: string): PyException {
  if (value instanceof PyException) return value;
  if (value instanceof PyType && value.isA(BASE_EXCEPTION)) return madeException(value, [], null);
  throw raised(TYPE_ERROR, otherwise);
}
