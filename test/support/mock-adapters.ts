/**
 * The adapters of the run cases (ext, cache, queue, txn), a clock whose time is virtual, and host facts. All of it is
 * deterministic and made fresh for each run.
 */
import type { Json } from "../../compiler/json.ts";
import type { Adapter, AdapterVerb, CallContext, RunScope } from "../../vm/adapter.ts";
import { type PlainVerb, plainAdapter } from "../../vm/calls/plain-adapter.ts";
import { AdapterError, OperationFailure } from "../../vm/errors/failures.ts";
import type { Clock, HostFacts } from "../../vm/run.ts";
import { extEntry, WRITES } from "./ext-entry.ts";

export type FakeClock = Clock & { advance(ms: number): void };

/** Time passes only in waits and by `advance`. A wait ends once nothing else is left to do, the earliest first. */
export function fakeClock(): FakeClock {
  let now = 1000;
  let pumping = false;
  const timers = new Set<{ readonly at: number; readonly then: () => void }>();
  const pump = () => {
    pumping = false;
    let first: { readonly at: number; readonly then: () => void } | undefined;
    for (const timer of timers) if (first === undefined || timer.at < first.at) first = timer;
    if (first === undefined) return;
    timers.delete(first);
    now = Math.max(now, first.at);
    first.then();
    schedule();
  };
  const schedule = () => {
    if (pumping || timers.size === 0) return;
    pumping = true;
    setImmediate(pump);
  };
  return {
    now: () => now,
    wall: () => 1_700_000_000_000 + now,
    wait(ms, then) {
      const timer = { at: now + Math.max(0, ms), then };
      timers.add(timer);
      schedule();
      return () => {
        timers.delete(timer);
      };
    },
    advance(ms) {
      now += ms;
    },
  };
}

export function fakeFacts(): HostFacts {
  let ids = 0;
  return {
    uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
    env: (name) => (name === "WEFT_TOWN" ? "Lund" : undefined),
  };
}

type VerbRun = (args: readonly Json[], context: CallContext) => unknown;
type Verbs = { readonly [verb: string]: VerbRun };

/** `open` makes the verbs anew for every run. */
function adapter(name: string, open: () => Verbs): Adapter {
  const act = (verb: string): PlainVerb<Verbs> => {
    return (args, context, instance) => instance[verb]?.(args, context);
  };
  return plainAdapter<Verbs>(name, Object.fromEntries(Object.keys(open()).map((verb) => [verb, act(verb)])), { open });
}

/** The same adapter; every call goes through `around`, which makes it with `make`. */
export function wrapped(
  adapter: Adapter,
  around: (verb: AdapterVerb, args: readonly Json[], make: () => unknown) => unknown,
): Adapter {
  return {
    ...adapter,
    verb(word) {
      const verb = adapter.verb(word);
      if (verb === undefined) return undefined;
      return {
        ...verb,
        bind(args) {
          const bound = verb.bind(args);
          return { ...bound, run: (instance, context) => around(verb, args, () => bound.run(instance, context)) };
        },
      };
    },
  };
}

/** In addition to the six verbs of the cases: LATER v (a promise), SLOW ms v (takes its time), TARDY ms v (blocks), CRASH, ODD, NEVER, CALLID. */
const EXT_VERBS = [
  "ECHO",
  "RUN",
  "OP",
  "G",
  "P",
  "NEXT",
  "LATER",
  "SLOW",
  "TARDY",
  "CRASH",
  "ODD",
  "NEVER",
  "CALLID",
  "WAITS",
] as const;

function extAdapter(clock: FakeClock): Adapter {
  return adapter("ext", () => {
    let failures = 0;
    let next = 0;
    return {
      ECHO: (args) => args[0] ?? null,
      RUN: (args) => args,
      OP: ([n = 0, v = null]) => {
        if (failures >= Number(n)) return v;
        failures += 1;
        throw new OperationFailure(`flaky ${failures}`, "value_error");
      },
      G: ([message = null]) => {
        throw new OperationFailure(typeof message === "string" && message !== "" ? message : "boom", "value_error");
      },
      P: () => {
        throw new AdapterError("ADAPTER_FAILED", "denied");
      },
      NEXT: () => ++next,
      LATER: async ([v = null]) => v,
      SLOW: ([ms = 0, v = null]) => new Promise((resolve) => clock.wait(Number(ms), () => resolve(v))),
      TARDY: ([ms = 0, v = null]) => {
        clock.advance(Number(ms));
        return v;
      },
      CRASH: () => {
        throw new TypeError("secret of the adapter");
      },
      ODD: () => ({ list: [undefined, Number.NaN] }),
      NEVER: (_args, context) =>
        new Promise((_resolve, reject) => {
          context.signal.addEventListener("abort", () => reject(new Error("aborted")));
        }),
      CALLID: (_args, context) => [context.callId, context.attempt],
      WAITS: ([ms = 0]) => {
        throw new AdapterError("ADAPTER_BUSY", "busy", { retryable: true, retryAfterMs: Number(ms), data: { n: 1 } });
      },
    };
  });
}

function cacheAdapter(): Adapter {
  return adapter("cache", () => {
    const stored = new Map<string, Json>();
    const keyOf = (args: readonly Json[]) => JSON.stringify([args[0], args[1]]);
    return {
      get: (args) => stored.get(keyOf(args)) ?? null,
      set: (args) => {
        stored.set(keyOf(args), args[2] ?? null);
        return null;
      },
    };
  });
}

function queueAdapter(): Adapter {
  return adapter("queue", () => {
    let messages = 0;
    return { Put: () => `msg-${++messages}` };
  });
}

function txnAdapter(): Adapter {
  return adapter("txn", () => ({ begin: (args) => `tx-${String(args[0])}`, commit: () => null, rollback: () => null }));
}

export function mockAdapters(clock: FakeClock): ReadonlyMap<string, Adapter> {
  const all = [extAdapter(clock), cacheAdapter(), queueAdapter(), txnAdapter()];
  return new Map(all.map((one) => [one.name, one]));
}

export type Fault = "plain" | "adapter" | "final" | "crash" | "odd" | "rejects";

/** The same adapters, but the `index`th call of the run (from 1, all adapters together) fails instead of being made. */
export function failingAt(
  adapters: ReadonlyMap<string, Adapter>,
  index: number,
  fault: Fault,
): ReadonlyMap<string, Adapter> {
  let calls = 0;
  const broken = (_verb: AdapterVerb, _args: readonly Json[], make: () => unknown): unknown => {
    calls += 1;
    if (calls !== index) return make();
    if (fault === "plain") throw new OperationFailure("injected", "value_error");
    if (fault === "adapter") throw new AdapterError("ADAPTER_UNAVAILABLE", "injected", { retryAfterMs: 5 });
    if (fault === "final") throw new AdapterError("ADAPTER_FAILED", "injected", { retryable: false, data: [1, "x"] });
    if (fault === "odd") return { when: new Date(0) };
    if (fault === "rejects") return Promise.reject(new AdapterError("ADAPTER_TRANSPORT", "injected"));
    throw new RangeError("injected crash");
  };
  return new Map([...adapters].map(([name, one]): [string, Adapter] => [name, wrapped(one, broken)]));
}

/** How many adapters of `adapters` are open now: all must be closed after a run. */
export function countOpen(adapters: ReadonlyMap<string, Adapter>): {
  readonly adapters: ReadonlyMap<string, Adapter>;
  open(): number;
} {
  let open = 0;
  const counted = [...adapters].map(([name, one]): [string, Adapter] => [
    name,
    {
      ...one,
      open: (scope) => {
        open += 1;
        return one.open?.(scope);
      },
      close: () => {
        open -= 1;
      },
    },
  ]);
  return { adapters: new Map(counted), open: () => open };
}

/** Its verbs as the compiler knows them. */
export const mockExt = extEntry(EXT_VERBS, WRITES);

/** What an adapter knows is the outside world's: it outlives the process that is replaced. */
export function lasting(adapters: ReadonlyMap<string, Adapter>): ReadonlyMap<string, Adapter> {
  return new Map(
    [...adapters].map(([name, adapter]): [string, Adapter] => {
      let kept: unknown;
      const open = (scope: RunScope): unknown => {
        kept ??= adapter.open?.(scope);
        return kept;
      };
      return [name, { name, verb: (word) => adapter.verb(word), open }];
    }),
  );
}
