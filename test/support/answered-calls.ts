/** Adapters whose calls a test answers itself, call by call, on a clock that stands still. */
import type { Json } from "../../compiler/json.ts";
import type { Adapter, CallContext } from "../../vm/adapter.ts";
import { type FakeClock, mockAdapters } from "./mock-adapters.ts";

/** A clock that stands still, so that skipped waits change nothing. */
export const still: FakeClock = {
  now: () => 1000,
  wall: () => 1_700_000_000_000,
  wait(_ms, then) {
    const handle = setImmediate(then);
    return () => clearImmediate(handle);
  },
  advance() {},
};
export const facts = { uuid: () => "00000000-0000-4000-8000-000000000001", env: () => undefined };

/** How one attempt of one visit ended, by call id and attempt. */
export type Ends = Map<string, { readonly value: unknown } | { readonly thrown: unknown }>;

export const nameOf = ({ callId, attempt }: CallContext): string => `${callId}#${attempt}`;

/** The mock adapters; every call is answered by `act`. */
export function answeredBy(act: (context: CallContext, make: () => unknown) => unknown): ReadonlyMap<string, Adapter> {
  return new Map(
    [...mockAdapters(still)].map(([name, adapter]): [string, Adapter] => [
      name,
      {
        ...adapter,
        verb(word) {
          const verb = adapter.verb(word);
          if (verb === undefined) return undefined;
          const bind = (args: readonly Json[]) => {
            const bound = verb.bind(args);
            return {
              ...bound,
              run: (instance: unknown, context: CallContext) => act(context, () => bound.run(instance, context)),
            };
          };
          return { ...verb, bind };
        },
      },
    ]),
  );
}
