/** What the compiler may compute ahead: the function table over constants, bounded in size. */
import type { Json } from "../compiler/json.ts";
import { OperationFailure } from "./errors.ts";
import { jsonBytes } from "./frame-size.ts";
import { functionOf, type WorkMeter } from "./functions/table.ts";

/** Larger results are built by the run, under its meters. */
const MOST_BYTES = 4096;

/** Work beyond what a small result can cost is left to the run as well. */
const cheap: WorkMeter = {
  charge() {
    throw new OperationFailure("too much work to fold");
  },
};

export function foldCall(fn: string, args: readonly Json[]): Json | undefined {
  const pure = functionOf(fn, "call");
  if (pure === undefined) return undefined;
  try {
    const value = pure(args, cheap);
    return jsonBytes(value) < MOST_BYTES ? value : undefined;
  } catch (failure) {
    if (failure instanceof OperationFailure) return undefined;
    throw failure;
  }
}
