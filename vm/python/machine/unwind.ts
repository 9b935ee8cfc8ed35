/** Where what is raised continues: the handlers of the frames, from the innermost one outwards. */

import { Py } from "../../../compiler/bytecode/python/instructions.ts";
import { CallFailure } from "../../machine/call-checks.ts";
import { adapterError } from "../adapter-errors.ts";
import { CANCELLED, type PyException, Raised, RUNTIME_ERROR, raised, STOP_ITERATION } from "../exceptions.ts";
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
      const isCancelled = current.type === CANCELLED;
      const target = handlerAt(s, frame, isCancelled);
      s.trace?.failed(frame, current, target >= 0);
      if (target >= 0) {
        if (s.cleanup !== null && !isCancelled && isCleanup(s, target)) s.cleanup.failed ??= current;
        s.raised = current;
        frame.pc = frame.resume = target;
        frame.after = -1;
        return true;
      }
      if (frame.generator !== null) {
        frame.generator.frame = null;
        frame.generator.isRunning = false;
        // A generator that ended so would look like one that has no more items (PEP 479).
        if (current.type.isA(STOP_ITERATION)) thrown = raised(RUNTIME_ERROR, "generator raised StopIteration");
      } else s.depth -= 1;
      s.frame = frame.parent;
    } else {
      try {
        const step = frame.calling.throw(thrown);
        if (isCancellation(thrown)) s.frame = frame.parent;
        else return step.done === true ? { done: true, value: step.value } : { done: false, request: step.value };
      } catch (again) {
        s.frame = frame.parent;
        if (exceptionOf(again) === null) throw again;
        if (!isCancellation(thrown)) thrown = again;
      }
    }
  }
  throw thrown;
}

/** No native keeps a cancellation, nor makes another exception of it. */
export function isCancellation(thrown: unknown): boolean {
  return thrown instanceof Raised && thrown.exception.type === CANCELLED;
}

/** Where what is raised in a frame continues; -1: outside of it. `isCancelled`: at a `finally`, past every `except`. */
export function handlerAt(s: PyState, { routine: { handlers }, pc }: FunctionFrame, isCancelled: boolean): number {
  let target = handlerOf(handlers, pc);
  while (isCancelled && target >= 0 && !isCleanup(s, target)) target = handlerOf(handlers, target);
  return target;
}

function isCleanup(s: PyState, target: number): boolean {
  return s.program.code.code[target] === Py.Cleanup;
}

function handlerOf(handlers: Int32Array, pc: number): number {
  for (let at = 0; at < handlers.length; at += 3)
    if (pc >= (handlers[at] as number) && pc < (handlers[at + 1] as number)) return handlers[at + 2] as number;
  return -1;
}
