/**
 * What a failed adapter call means: the mapping of whatever an adapter threw to the code, message and data of a run error, and
 * the dispatcher's own refusals. Shared by every executor. Knows no concrete adapter and no machine.
 */
import type { Json } from "../../compiler/json.ts";
import { AdapterError, type FailureCause, FatalFailure, OperationFailure } from "../errors/failures.ts";
import { jsonBytes } from "../values/json-size.ts";
import { checkedJson } from "../values/values.ts";
import { exactlyAs } from "./take-answer.ts";

const MAX_DETAIL_BYTES = 65_536;

/** Cause of a failure of an op, a function or the run itself; null for any other value (a defect). */
export function causeOf(thrown: unknown): FailureCause | null {
  if (thrown instanceof OperationFailure) {
    return {
      code: "RUNTIME_OP_ERROR",
      message: thrown.message,
      data: { cause_type: thrown.causeType, retryable: true },
    };
  }
  if (thrown instanceof FatalFailure) {
    return {
      code: thrown.code,
      message: thrown.message,
      data: { cause_type: thrown.causeType, retryable: false, ...thrown.data },
    };
  }
  return null;
}

/** Cause of a failed call. What a crashing adapter threw never shows: it goes to the operator's log only. */
export function callCauseOf(thrown: unknown, adapter: string, verb: string): FailureCause {
  if (thrown instanceof AdapterError) return adapterCause(thrown, adapter, verb);
  return (
    causeOf(thrown) ?? {
      code: "RUNTIME_OP_ERROR",
      message: `adapter ${adapter} failed`,
      data: { cause_type: "adapter_crash", retryable: true },
    }
  );
}

function adapterCause(error: AdapterError, adapter: string, verb: string): FailureCause {
  const details = boundedDetails(error.data);
  return {
    code: "RUNTIME_ADAPTER_ERROR",
    message: error.message,
    data: {
      cause_type: "adapter",
      retryable: error.retryable,
      adapter,
      verb,
      adapter_code: error.code,
      retry_after_ms: error.retryAfterMs,
      details: details ?? null,
      ...(details === undefined ? { details_truncated: true } : {}),
    },
  };
}

/** undefined: no JSON value, or too large to carry. */
function boundedDetails(value: unknown): Json | undefined {
  try {
    const copy = checkedJson(value);
    return jsonBytes(copy) <= MAX_DETAIL_BYTES ? exactlyAs(value, copy) : undefined;
  } catch (failure) {
    if (failure instanceof OperationFailure) return undefined;
    throw failure;
  }
}

export function notConfigured(adapter: string, message = `adapter ${adapter} is not configured`): AdapterError {
  return new AdapterError("ADAPTER_NOT_CONFIGURED", message, { retryable: false });
}

export function unknownVerb(adapter: string, verb: string): AdapterError {
  return new AdapterError("ADAPTER_UNKNOWN_VERB", `adapter ${adapter} has no verb ${verb}`, { retryable: false });
}

export function unknownCoreFunction(verb: string): OperationFailure {
  return new OperationFailure(`unknown core function ${verb}`, "value_error");
}

/** Whether the call ends the run where it stands: what is left around it would not come to its end. */
export function endsRun(adapter: string, verb: string): boolean {
  return adapter.toLowerCase() === "job" && verb.toLowerCase() === "again";
}

/** `around`: what the run stands in. */
export function notHere(around: string): AdapterError {
  const message = `job.again ends the run, and is not possible inside ${around}: leave it first`;
  return new AdapterError("ADAPTER_CONFLICT", message, { retryable: false });
}
