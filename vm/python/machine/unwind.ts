/** Where what is raised continues: the handlers of the frames, from the innermost one outwards. */

import type { Json } from "../../../compiler/json.ts";
import { CallFailure } from "../../machine/call-checks.ts";
import { entered } from "../borders.ts";
import { ADAPTER_ERROR, PyException, Raised } from "../exceptions.ts";
import { PyTuple } from "../kinds/list.ts";
import type { CallRequest, Context, Value } from "../object.ts";
import { FunctionFrame } from "./frames.ts";
import type { PyState } from "./state.ts";

/** The exception of what was thrown; null: it is not one of Python, and ends the run. */
export function exceptionOf(thrown: unknown): PyException | null {
  if (thrown instanceof Raised) return thrown.exception;
  if (thrown instanceof CallFailure) return adapterError(thrown);
  return null;
}

function adapterError({ failure }: CallFailure): PyException | null {
  if (failure.code !== "RUNTIME_ADAPTER_ERROR" && failure.code !== "RUNTIME_OP_ERROR") return null;
  const { data } = failure;
  const text = (name: string): Value => (typeof data[name] === "string" ? data[name] : null);
  const members = new Map<string, Value>([
    ["code", text("adapter_code")],
    ["adapter", text("adapter")],
    ["verb", text("verb")],
    ["retryable", data["retryable"] === true],
    ["retry_after_ms", typeof data["retry_after_ms"] === "number" ? data["retry_after_ms"] : null],
    ["message", failure.message],
    ["details", detailsOf(data["details"])],
    ["status", statusOf(data["details"])],
  ]);
  return new PyException(ADAPTER_ERROR, new PyTuple([failure.message]), false, members);
}

/** What the adapter said besides: a record; None where it said nothing. */
function detailsOf(details: Json | undefined): Value {
  return details === undefined || details === null ? null : entered(details, NO_RUN, "record");
}

/** The status of an HTTP answer. */
function statusOf(details: Json | undefined): Value {
  if (typeof details !== "object" || details === null || Array.isArray(details)) return null;
  const { status } = details as { readonly [name: string]: Json };
  return typeof status === "number" ? status : null;
}

/** Details are small, and counted with the failure. */
const NO_RUN: Context = { charge() {}, alloc() {}, room() {}, open: new Set() };

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
