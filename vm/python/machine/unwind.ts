/** Where what is raised continues: the handlers of the frames, from the innermost one outwards. */

import { CallFailure } from "../../machine/call-checks.ts";
import { adapterError } from "../adapter-errors.ts";
import { type PyException, Raised } from "../exceptions.ts";
import type { CallRequest, Value } from "../object.ts";
import { FunctionFrame } from "./frames.ts";
import type { PyState } from "./state.ts";

/** The exception of what was thrown; null: it is not one of Python, and ends the run. */
export function exceptionOf(thrown: unknown): PyException | null {
  if (thrown instanceof Raised) return thrown.exception;
  if (thrown instanceof CallFailure) return adapterError(thrown.failure);
  return null;
}

export type NativeStep =
  | { readonly done: true; readonly value: Value }
  | { readonly done: false; readonly request: CallRequest | null };

/**
 * Raises `exception` in the current frame. True: a handler of a function continues. Else a native that was asked to call has answered, and its
 * frame is the current one. Throws it when nothing handles it.
 */
export function unwind(s: PyState, exception: PyException): true | NativeStep {
  let thrown: unknown = new Raised(exception);
  while (s.frame !== null) {
    const { frame } = s;
    if (frame instanceof FunctionFrame) {
      const current = exceptionOf(thrown);
      if (current === null) throw thrown;
      const target = handlerAt(frame);
      if (target >= 0) {
        s.raised = current;
        frame.pc = frame.resume = target;
        frame.after = -1;
        return true;
      }
      if (frame.generator !== null) {
        frame.generator.frame = null;
        frame.generator.isRunning = false;
      } else s.depth -= 1;
      s.frame = frame.parent;
    } else {
      try {
        const step = frame.calling.throw(thrown);
        return step.done === true ? { done: true, value: step.value } : { done: false, request: step.value };
      } catch (again) {
        thrown = again;
        s.frame = frame.parent;
        if (exceptionOf(again) === null) throw again;
      }
    }
  }
  throw thrown;
}

function handlerAt({ routine: { handlers }, pc }: FunctionFrame): number {
  for (let at = 0; at < handlers.length; at += 3)
    if (pc >= (handlers[at] as number) && pc < (handlers[at + 1] as number)) return handlers[at + 2] as number;
  return -1;
}
