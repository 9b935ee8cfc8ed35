/** The way of a store to the rules that the thread of its database performs (`perform.ts`). */
import type { SqliteLine } from "../../jobs/sqlite/call-batching.ts";
import type { CallInput, CallName } from "../../jobs/sqlite/calls.ts";
import type { Ask, Clocks, Rules } from "../port.ts";

export function asking<R extends Rules>(line: SqliteLine, { now, wall }: Clocks): Ask<R> {
  const ask = (name: CallName, input: unknown) =>
    line.call(name, { input, now: now(), wall: wall() } as CallInput<CallName>);
  return ask as unknown as Ask<R>;
}
