/** What the compiler may compute ahead: the function table over constants, bounded in size. */
import type { Json } from "../../compiler/json.ts";
import { OperationFailure } from "../errors/failures.ts";
import { jsonBytes } from "../values/json-size.ts";
import { functionOf, type WorkMeter } from "./table.ts";

/** Larger results are built by the run, under its meters. */
const MAX_BYTES = 4096;

/** Units of work beyond which a call is left to the run as well. */
const MAX_WORK = 4096;

function cheapMeter(): WorkMeter {
  let left = MAX_WORK;
  return {
    charge(units) {
      left -= units;
      if (left < 0) throw new OperationFailure("too much work to fold");
    },
  };
}

export function foldCall(fn: string, args: readonly Json[]): Json | undefined {
  const pure = functionOf(fn, "call");
  if (pure === undefined) return undefined;
  try {
    const value = pure(args, cheapMeter());
    return jsonBytes(value) < MAX_BYTES ? value : undefined;
  } catch (failure) {
    if (failure instanceof OperationFailure) return undefined;
    throw failure;
  }
}
