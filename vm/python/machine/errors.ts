/** The error of a run from an exception that nothing caught, or from a limit or denial. */
import type { PyCode, PyRoutine, PySite } from "../../../compiler/bytecode/python/code.ts";
import type { Json } from "../../../compiler/json.ts";
import { causeOf } from "../../calls/call-errors.ts";
import type { FailureCause } from "../../errors/failures.ts";
import { CallFailure } from "../../machine/call-checks.ts";
import type { RunError } from "../../run.ts";
import type { PyException } from "../exceptions.ts";
import { text } from "../operations.ts";
import { type Frame, FunctionFrame, type NativeFrame } from "./frames.ts";
import type { PyState } from "./state.ts";
import { exceptionOf } from "./unwind.ts";

/** Throws what is not a failure of a run: a defect. */
export function errorOf(s: PyState, thrown: unknown, entry: PyRoutine): RunError {
  const exception = exceptionOf(thrown);
  const cause = thrown instanceof CallFailure ? thrown.failure : causeOf(thrown);
  if (cause === null && exception === null) throw thrown;
  const { code, message, data } = cause ?? causeOfException(s, exception as PyException);
  const frames = functionFrames((exception?.raisedIn ?? s.frame) as Frame | null);
  const [innermost] = frames;
  const place = innermost === undefined ? null : siteAt(s.program.code, exception?.raisedAt ?? innermost.pc);
  const stack = frames.map(({ routine }) => routine.label).reverse();
  return {
    code,
    ...(exception === null ? {} : { exception: exception.type.name }),
    message,
    label: place?.label ?? entry.label,
    node: place?.node ?? null,
    op: null,
    line: place?.line ?? null,
    ...(place === null || place.file === null ? {} : { file: place.file }),
    step_index: 0,
    stack: stack.length === 0 ? [entry.label] : stack,
    data: exception === null ? data : { ...data, exception: exception.type.name },
  };
}

/** From the innermost one outwards. */
export function functionFrames(from: Frame | null): FunctionFrame[] {
  const frames: FunctionFrame[] = [];
  for (let frame: FunctionFrame | NativeFrame | null = from; frame !== null; frame = frame.parent)
    if (frame instanceof FunctionFrame) frames.push(frame);
  return frames;
}

/** A failed call that nothing caught gives what it gives in every form of a program. */
export function causeOfException(s: PyState, exception: PyException): FailureCause {
  if (exception.failure !== null) return { ...exception.failure, message: messageOf(s, exception) };
  const data: { [key: string]: Json } = { cause_type: "exception", retryable: false };
  return { code: codeOf(exception), message: messageOf(s, exception), data };
}

/** `KeyError: 'a'`, as the last line of a traceback. */
export function messageOf(s: PyState, exception: PyException): string {
  const { name } = exception.type;
  try {
    const [about = ""] = exception.args.items;
    const said = exception.isTextUnknown ? String(about) : text(exception, s);
    return said === "" ? name : `${name}: ${said}`;
  } catch {
    // Its text cannot be made; the name says what happened.
    return name;
  }
}

/** By name of a type; one of the file's own has that of the type it is made from. */
const CODES: Readonly<Record<string, FailureCause["code"]>> = {
  KeyError: "RUNTIME_KEY_ERROR",
  IndexError: "RUNTIME_INDEX_ERROR",
  ValueError: "RUNTIME_VALUE_ERROR",
  TypeError: "RUNTIME_TYPE_ERROR",
  AttributeError: "RUNTIME_ATTRIBUTE_ERROR",
  NameError: "RUNTIME_NAME_ERROR",
  ZeroDivisionError: "RUNTIME_ZERO_DIVISION_ERROR",
  OverflowError: "RUNTIME_OVERFLOW_ERROR",
  AssertionError: "RUNTIME_ASSERTION_ERROR",
};

function codeOf({ type }: PyException): FailureCause["code"] {
  for (const one of [type, ...type.bases]) {
    const code = CODES[one.name];
    if (code !== undefined) return code;
  }
  return "RUNTIME_EXCEPTION";
}

/** Which step of the IR an instruction belongs to. */
export function siteAt({ siteAt: rows, sites }: PyCode, pc: number): PySite | null {
  let low = 0;
  let high = rows.length / 2 - 1;
  let found = -1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if ((rows[middle * 2] as number) <= pc) {
      found = middle;
      low = middle + 1;
    } else high = middle - 1;
  }
  return found < 0 ? null : (sites[rows[found * 2 + 1] as number] ?? null);
}
