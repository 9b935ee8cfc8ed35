/**
 * Builders of the failures that end a run: limits, denials, program errors, cancellation. One place, so that every executor
 * reports the same message and data (docs/errors.md). Knows nothing of how a run is executed.
 */
import type { Json } from "../../compiler/json.ts";
import { shownLabel } from "../../grammar/text/written-label.ts";
import type { Cancellation } from "../run.ts";
import type { RuntimeCode } from "./error-codes.ts";
import { FatalFailure } from "./failures.ts";

type Data = { readonly [key: string]: Json };

/** `used` is the usage figure, for frame bytes the size that broke the limit. */
export function limitFailure(
  code: RuntimeCode,
  meter: string,
  limit: number,
  used: number,
  more: Data = {},
): FatalFailure {
  return new FatalFailure(code, `${meter} exceeded (limit ${limit})`, "limit", { meter, limit, used, ...more });
}

/** A run kept its own limit, and what all runs hold together would be `used` bytes of `limit` with its next write. */
export function allRunsFailure(limit: number, used: number, variable: string | null): FatalFailure {
  const message = `max_frame_bytes exceeded: the runs under way may together hold ${limit} bytes; try again later`;
  const data = { meter: "max_frame_bytes", limit, used, variable, over: "all_runs" };
  return new FatalFailure("RUNTIME_MAX_FRAME_BYTES", message, "limit", data);
}

/** One step did so much work that other runs would have waited for it. `limit` and `used` are units of work. */
export function stepWorkFailure(limit: number, used: number): FatalFailure {
  const message = `one step did more than ${limit} units of work: handle less at once`;
  return new FatalFailure("RUNTIME_MAX_STEPS", message, "limit", { meter: "max_steps", limit, used, over: "one_step" });
}

/** A While ran its bound and is still true. `own` is the bound the program wrote, `granted` the limit in force. */
export function whileLimitFailure(own: number, granted: number | undefined): FatalFailure {
  const byProgram = granted === undefined || own <= granted;
  const limit = byProgram ? own : granted;
  return limitFailure("RUNTIME_WHILE_LIMIT", byProgram ? "while_limit" : "max_loop_iters", limit, limit, {
    limit_source: byProgram ? "program" : "max_loop_iters",
  });
}

export function notAllowedFailure(adapter: string, verb: string): FatalFailure {
  return new FatalFailure("RUNTIME_ADAPTER_NOT_ALLOWED", `adapter ${adapter} is not allowed`, "denied", {
    adapter,
    verb,
  });
}

export function unknownFunctionFailure(name: string): FatalFailure {
  return new FatalFailure("RUNTIME_X_UNKNOWN_FN", `unknown function ${name}`, "program", { function: name });
}

export function handlerRecursionFailure(handler: string): FatalFailure {
  return new FatalFailure(
    "RUNTIME_ERR_HANDLER_RECURSION",
    `handler ${shownLabel(handler)} is already active`,
    "program",
    {
      handler,
    },
  );
}

/** Why a durable run is cancelled here: another process has it, or will. */
export const LEFT = "the run continues elsewhere";

/** The reason is shown only when the canceller gave a text. */
export function cancelledFailure(signal: Pick<Cancellation, "reason">): FatalFailure {
  const given: unknown = signal.reason;
  return new FatalFailure("RUNTIME_CANCELLED", "run cancelled", "cancelled", {
    reason: typeof given === "string" ? given : "cancelled",
  });
}
