/**
 * Exceptions: the closed tree of their types (python-rules.md 6.5), exceptions as values, and how natives raise them. Limits and
 * denials are not exceptions of Python; they pass every handler (`vm/errors/failures.ts`).
 */

import type { FailureCause } from "../errors/failures.ts";
import { PyTuple } from "./kinds/list.ts";
import { PyObject, PyType, type Value } from "./object.ts";

function type(name: string, ...bases: PyType[]): PyType {
  const all = bases.flatMap((base) => [base, ...base.bases]);
  return new PyType(name, [...new Set(all)]);
}

export const BASE_EXCEPTION = type("BaseException");
export const EXCEPTION = type("Exception", BASE_EXCEPTION);
export const ARITHMETIC_ERROR = type("ArithmeticError", EXCEPTION);
export const ZERO_DIVISION_ERROR = type("ZeroDivisionError", ARITHMETIC_ERROR);
export const OVERFLOW_ERROR = type("OverflowError", ARITHMETIC_ERROR);
export const LOOKUP_ERROR = type("LookupError", EXCEPTION);
export const KEY_ERROR = type("KeyError", LOOKUP_ERROR);
export const INDEX_ERROR = type("IndexError", LOOKUP_ERROR);
export const VALUE_ERROR = type("ValueError", EXCEPTION);
const UNICODE_ERROR = type("UnicodeError", VALUE_ERROR);
export const UNICODE_ENCODE_ERROR = type("UnicodeEncodeError", UNICODE_ERROR);
export const UNICODE_DECODE_ERROR = type("UnicodeDecodeError", UNICODE_ERROR);
export const JSON_DECODE_ERROR = type("JSONDecodeError", VALUE_ERROR);
export const TYPE_ERROR = type("TypeError", EXCEPTION);
export const ATTRIBUTE_ERROR = type("AttributeError", EXCEPTION);
export const NAME_ERROR = type("NameError", EXCEPTION);
export const UNBOUND_LOCAL_ERROR = type("UnboundLocalError", NAME_ERROR);
export const RUNTIME_ERROR = type("RuntimeError", EXCEPTION);
export const NOT_IMPLEMENTED_ERROR = type("NotImplementedError", RUNTIME_ERROR);
export const RECURSION_ERROR = type("RecursionError", RUNTIME_ERROR);
const ASSERTION_ERROR = type("AssertionError", EXCEPTION);
export const STOP_ITERATION = type("StopIteration", EXCEPTION);
export const OS_ERROR = type("OSError", EXCEPTION);
export const TIMEOUT_ERROR = type("TimeoutError", OS_ERROR);
export const CONNECTION_ERROR = type("ConnectionError", OS_ERROR);
export const FILE_NOT_FOUND_ERROR = type("FileNotFoundError", OS_ERROR);
export const FILE_EXISTS_ERROR = type("FileExistsError", OS_ERROR);
export const PERMISSION_ERROR = type("PermissionError", OS_ERROR);
/** What CPython makes of numbers of the system besides. */
export const OTHER_OS_ERRORS = {
  blocked: null,
  brokenPipe: type("BrokenPipeError", CONNECTION_ERROR),
  child: type("ChildProcessError", OS_ERROR),
  aborted: type("ConnectionAbortedError", CONNECTION_ERROR),
  refused: type("ConnectionRefusedError", CONNECTION_ERROR),
  reset: type("ConnectionResetError", CONNECTION_ERROR),
  interrupted: type("InterruptedError", OS_ERROR),
  isFolder: type("IsADirectoryError", OS_ERROR),
  noFolder: type("NotADirectoryError", OS_ERROR),
  noProcess: type("ProcessLookupError", OS_ERROR),
};
export const IMPORT_ERROR = type("ImportError", EXCEPTION);
export const SYNTAX_ERROR = type("SyntaxError", EXCEPTION);
const MEMORY_ERROR = type("MemoryError", EXCEPTION);
const EOF_ERROR = type("EOFError", EXCEPTION);
export const SYSTEM_EXIT = type("SystemExit", BASE_EXCEPTION);
const KEYBOARD_INTERRUPT = type("KeyboardInterrupt", BASE_EXCEPTION);
/** The run is cancelled: `finally` blocks run, and no handler sees it (amendment 22). Programs have no name for it. */
export const CANCELLED = type("Cancelled", BASE_EXCEPTION);
/** A failed call of an adapter (python-effects.md K-16). */
export const ADAPTER_ERROR = type("AdapterError", RUNTIME_ERROR);

export const EXCEPTION_TYPES: readonly PyType[] = [
  BASE_EXCEPTION,
  EXCEPTION,
  ARITHMETIC_ERROR,
  ZERO_DIVISION_ERROR,
  OVERFLOW_ERROR,
  LOOKUP_ERROR,
  KEY_ERROR,
  INDEX_ERROR,
  VALUE_ERROR,
  UNICODE_ERROR,
  UNICODE_ENCODE_ERROR,
  UNICODE_DECODE_ERROR,
  TYPE_ERROR,
  ATTRIBUTE_ERROR,
  NAME_ERROR,
  UNBOUND_LOCAL_ERROR,
  RUNTIME_ERROR,
  NOT_IMPLEMENTED_ERROR,
  RECURSION_ERROR,
  ASSERTION_ERROR,
  STOP_ITERATION,
  OS_ERROR,
  TIMEOUT_ERROR,
  CONNECTION_ERROR,
  FILE_NOT_FOUND_ERROR,
  FILE_EXISTS_ERROR,
  PERMISSION_ERROR,
  ...Object.values(OTHER_OS_ERRORS).filter((one) => one !== null),
  IMPORT_ERROR,
  type("ModuleNotFoundError", IMPORT_ERROR),
  type("BufferError", EXCEPTION),
  type("FloatingPointError", ARITHMETIC_ERROR),
  type("ReferenceError", EXCEPTION),
  type("SystemError", EXCEPTION),
  SYNTAX_ERROR,
  MEMORY_ERROR,
  EOF_ERROR,
  SYSTEM_EXIT,
  KEYBOARD_INTERRUPT,
];

export class PyException extends PyObject {
  readonly type: PyType;
  args: PyTuple;
  /** CPython made its text, and it is not known here: reading it ends the run with RUNTIME_NOT_EXACT. */
  readonly isTextUnknown: boolean;
  /** Members besides `args` (`code`, `status` of an AdapterError; `pos` of a JSONDecodeError). */
  readonly members: ReadonlyMap<string, Value> | null;
  cause: Value = null;
  /** The frame in which it was first raised, which only the machine reads; null: nowhere yet. */
  raisedIn: object | null = null;
  /** Where in the code; null: nowhere yet. */
  raisedAt: number | null = null;
  /** What a run fails with that does not catch it, where its type does not say (AdapterError); null: it does. */
  failure: FailureCause | null = null;
  constructor(type: PyType, args: PyTuple, isTextUnknown = false, members: ReadonlyMap<string, Value> | null = null) {
    super();
    this.type = type;
    this.args = args;
    this.isTextUnknown = isTextUnknown;
    this.members = members;
  }
}

/** How an exception travels through natives to the machine. Not an Error: its stack is not needed, and taking one costs more than all the rest. */
export class Raised {
  readonly exception: PyException;
  constructor(exception: PyException) {
    this.exception = exception;
  }
}

/** `throw raised(TYPE_ERROR, "…")`, with exactly CPython's text. */
export function raised(type: PyType, ...args: readonly Value[]): Raised {
  return new Raised(new PyException(type, new PyTuple(args)));
}

/** The same where CPython's text is not known. `about` tells people what happened; programs cannot read it. */
export function raisedLoosely(type: PyType, about: string): Raised {
  return new Raised(new PyException(type, new PyTuple([about]), true));
}
