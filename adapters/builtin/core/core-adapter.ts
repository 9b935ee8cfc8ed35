/**
 * `core` as an adapter, for calls from outside a program: single calls by hand, and tests. Inside a program the machine answers these
 * calls itself, from the same function table; failures there are RUNTIME_OP_ERROR, here they have codes of adapters.
 */
import { findFunction, isHostCall } from "../../../compiler/functions.ts";
import type { Json } from "../../../compiler/json.ts";
import type { Adapter, CallContext } from "../../../vm/adapter.ts";
import { answerHostFunction } from "../../../vm/calls/host-functions.ts";
import { plainAdapter } from "../../../vm/calls/plain-adapter.ts";
import { OperationFailure } from "../../../vm/errors/failures.ts";
import { functionOf, unmetered } from "../../../vm/functions/table.ts";
import type { Clock, HostFacts } from "../../../vm/run.ts";
import { type AdapterCode, adapterError } from "../../errors.ts";

export type CoreDeps = { readonly clock: Clock; readonly facts: HostFacts };

export function createCoreAdapter(deps: CoreDeps): Adapter {
  return plainAdapter(
    "core",
    {},
    {
      effectTier: "pure",
      fallback: (word) => {
        const name = findFunction(word)?.name;
        if (name === undefined) return undefined;
        return (args, context) => answered(name, args, context, deps);
      },
    },
  );
}

function answered(name: string, args: readonly Json[], context: CallContext, deps: CoreDeps): Json | Promise<null> {
  try {
    if (isHostCall(name, args.length)) {
      const answer = answerHostFunction(name, args, deps.clock, deps.facts);
      return "value" in answer ? answer.value : waited(answer.wait_ms, deps.clock, context.signal);
    }
    const pure = functionOf(name, "verb");
    if (pure === undefined) throw adapterError("ADAPTER_UNKNOWN_VERB", "core has no such verb");
    return pure(args, unmetered);
  } catch (thrown) {
    if (!(thrown instanceof OperationFailure)) throw thrown;
    throw adapterError(coreCodeOf(thrown.causeType), thrown.message);
  }
}

/** What a failure of a function reads as outside a program. */
export function coreCodeOf(causeType: unknown): AdapterCode {
  switch (causeType) {
    case "division_by_zero":
      return "ADAPTER_DIVISION_BY_ZERO";
    case "number_range":
      return "ADAPTER_NUMERIC_RANGE";
    case "too_large":
      return "ADAPTER_TOO_LARGE";
    default:
      return "ADAPTER_BAD_ARGS";
  }
}

function waited(ms: number, clock: Clock, signal: AbortSignal): Promise<null> {
  return new Promise((resolve, reject) => {
    const stop = clock.wait(ms, () => resolve(null));
    signal.addEventListener(
      "abort",
      () => {
        stop();
        reject(adapterError("ADAPTER_CANCELLED", "the wait was cancelled"));
      },
      { once: true },
    );
  });
}
