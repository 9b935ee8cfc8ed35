/**
 * How failures travel inside the VM. `OperationFailure` is an ordinary failure of an op or function, `AdapterError` what an
 * adapter reports, `FatalFailure` ends the run at once. Codes and classes: `error-codes.ts`.
 */
import type { Json } from "../../compiler/json.ts";
import type { RuntimeCode } from "./error-codes.ts";

export type CauseType =
  | "type_error"
  | "value_error"
  | "division_by_zero"
  | "number_range"
  | "too_large"
  | "too_deep"
  | "missing_argument"
  | "parse_error"
  | "path_error"
  | "comparison"
  | "adapter"
  | "adapter_crash"
  | "limit"
  | "denied"
  | "program"
  | "replay"
  | "cancelled"
  | "not_exact"
  | "internal";

/** A failure of a program, not of its host: no stack is taken, which took 35 µs, nearly all that a failed run costs. */
class ProgramFailure extends Error {
  constructor(message: string) {
    const { stackTraceLimit } = Error;
    // Not assigned: that throws where the host has frozen its globals, and there the stack is taken after all.
    Reflect.set(Error, "stackTraceLimit", 0);
    super(message);
    Reflect.set(Error, "stackTraceLimit", stackTraceLimit);
  }
}

/** Becomes RUNTIME_OP_ERROR. `message` is the cause alone: no location, no values. */
export class OperationFailure extends ProgramFailure {
  readonly causeType: CauseType;
  constructor(message: string, causeType: CauseType = "value_error") {
    super(message);
    this.name = "OperationFailure";
    this.causeType = causeType;
  }
}

export type AdapterErrorOptions = {
  readonly retryable?: boolean;
  readonly retryAfterMs?: number | null;
  readonly data?: Json;
  readonly cause?: unknown;
};

/** Becomes RUNTIME_ADAPTER_ERROR with `adapter_code`. Messages never hold argument values, paths or secrets. */
export class AdapterError extends Error {
  readonly code: string;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  readonly data: Json;
  constructor(code: string, message: string, options: AdapterErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AdapterError";
    this.code = code;
    this.retryable = options.retryable ?? true;
    const wait = options.retryAfterMs ?? -1;
    // The value may come from outside: a wait that is not a number would never end.
    this.retryAfterMs = Number.isFinite(wait) && wait >= 0 ? wait : null;
    this.data = options.data ?? null;
  }
}

/** Ends the run: limits, denials, cancellation, program errors. */
export class FatalFailure extends ProgramFailure {
  readonly code: RuntimeCode;
  readonly causeType: CauseType;
  readonly data: { readonly [key: string]: Json };
  constructor(code: RuntimeCode, message: string, causeType: CauseType, data: { readonly [key: string]: Json } = {}) {
    super(message);
    this.name = "FatalFailure";
    this.code = code;
    this.causeType = causeType;
    this.data = data;
  }
}

/** The part of an error object that does not depend on the place of the failure. */
export type FailureCause = {
  readonly code: RuntimeCode;
  readonly message: string;
  readonly data: { readonly [key: string]: Json };
};

/** Codes of calls whose answer did not come: the other side may have done what was asked all the same. */
const WITHOUT_ANSWER: readonly unknown[] = ["ADAPTER_TIMEOUT", "ADAPTER_TRANSPORT"];

export function isWithoutAnswer(adapterCode: unknown): boolean {
  return WITHOUT_ANSWER.includes(adapterCode);
}
