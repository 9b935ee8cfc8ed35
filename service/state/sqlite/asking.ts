/** The way of a store to the rules that the thread of its database performs (`perform.ts`). */
import type { SqliteLine } from "../../jobs/sqlite/call-batching.ts";
import type { CallInput, CallName } from "../../jobs/sqlite/calls.ts";
import type { Ask, Rules } from "../port.ts";

/** `now`: milliseconds since 1970; the thread has no clock. */
export function asking<R extends Rules>(line: SqliteLine, now: () => number): Ask<R> {
  const ask = (name: CallName, input: unknown) => line.call(name, { input, now: now() } as CallInput<CallName>);
  return ask as unknown as Ask<R>;
}
