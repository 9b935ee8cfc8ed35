/** Duties around a call that no adapter can skip: opening, deadline, abort, dry run, lost outcomes, and the end of the run. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../compiler/json.ts";
import type { Adapter, AdapterVerb, CallContext, RunScope } from "../../../vm/adapter.ts";
import { plainAdapter } from "../../../vm/calls/plain-adapter.ts";
import { AdapterSession, type StartedCall } from "../../../vm/calls/session.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { type TestClock, testClock } from "../../support/world.ts";

type Act = (args: readonly Json[], context: CallContext, instance: unknown) => unknown;
type Shape = {
  readonly run: Act;
  readonly open?: (scope: RunScope) => unknown;
  readonly close?: (instance: unknown) => void | Promise<void>;
  readonly timeoutMs?: number;
  readonly repeatable?: boolean;
  readonly effectTier?: AdapterVerb["effectTier"];
};

/** An adapter with one verb, `act`. */
function one(name: string, shape: Shape): Adapter {
  const verb: AdapterVerb = {
    name: "act",
    effectTier: shape.effectTier ?? "io-read",
    bind(args) {
      if (args.includes("bad")) throw new AdapterError("ADAPTER_BAD_ARGS", "no", { retryable: false });
      return {
        timeoutMs: shape.timeoutMs ?? null,
        maxResultBytes: null,
        repeatable: shape.repeatable ?? true,
        run: (instance, context) => shape.run(args, context, instance),
      };
    },
  };
  return {
    name,
    verb: (word) => (word === "act" ? verb : undefined),
    ...(shape.open === undefined ? {} : { open: shape.open }),
    ...(shape.close === undefined ? {} : { close: shape.close }),
  };
}

type Bench = {
  readonly session: AdapterSession;
  readonly clock: TestClock;
  start(adapter?: string, args?: readonly Json[], runEndsAt?: number): StartedCall;
};

function benchOf(adapters: readonly Adapter[], dryRun = false): Bench {
  const clock = testClock();
  const session = new AdapterSession({
    adapters: new Map(adapters.map((adapter) => [adapter.name, adapter])),
    clock,
    facts: { uuid: () => "id", env: () => undefined, random: () => 0.25 },
    traceId: "t1",
    dryRun,
  });
  return {
    session,
    clock,
    start: (adapter = "a", args = [], runEndsAt = Number.POSITIVE_INFINITY) =>
      session.start(adapter, "act", args, { callId: "t1/1/n1/1", attempt: 2, runEndsAt }),
  };
}

const never = (): Promise<never> => new Promise(() => {});
const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (thrown) {
    return thrown;
  }
};
const elapse = (clock: TestClock, ms: number): Promise<void> => new Promise((done) => void clock.wait(ms, done));

describe("before an adapter is asked", () => {
  it("adapters that are not there and unknown verbs are refused, and nothing is opened", () => {
    let opened = 0;
    const { session, start } = benchOf([one("a", { run: () => 1, open: () => ++opened })]);
    expect(thrownBy(() => start("b"))).toMatchObject({ code: "ADAPTER_NOT_CONFIGURED", retryable: false });
    const place = { callId: "c", attempt: 1, runEndsAt: Number.POSITIVE_INFINITY };
    expect(thrownBy(() => session.start("a", "other", [], place))).toMatchObject({ code: "ADAPTER_UNKNOWN_VERB" });
    expect(thrownBy(() => start("a", ["bad"]))).toMatchObject({ code: "ADAPTER_BAD_ARGS" });
    expect(opened).toBe(0);
    expect(session.idle).toBe(true);
  });

  it("arguments are copies", () => {
    const given: Json[] = [{ list: [1] }];
    const { start } = benchOf([
      one("a", {
        run: ([first]) => {
          (first as { list: number[] }).list.push(2);
          return null;
        },
      }),
    ]);
    start("a", given);
    expect(given).toEqual([{ list: [1] }]);
  });

  it("a dry run checks writes without acting, and reads act", () => {
    let acted = 0;
    const act = (): number => ++acted;
    const adapters = [one("w", { run: act, effectTier: "io-write" }), one("r", { run: act })];
    const { session, start } = benchOf(adapters, true);
    expect(start("w").answer).toEqual({ dry_run: true });
    expect(start("w").bound).toBeNull();
    expect(acted).toBe(0);
    expect(start("r").answer).toBe(1);
    expect(thrownBy(() => start("w", ["bad"]))).toMatchObject({ code: "ADAPTER_BAD_ARGS" });
    expect(session.warnings).toHaveLength(1);
    expect(session.warnings[0]).toMatch(/^dry_run: /);
  });

  it.each([true, false])("a missing configuration is reported before arguments are read, dry run %s", (dryRun) => {
    const { session, start } = benchOf(
      [{ ...one("w", { run: () => 1, effectTier: "io-write" }), lacks: "set w.url" }],
      dryRun,
    );
    const refused = { code: "ADAPTER_NOT_CONFIGURED", message: "set w.url", retryable: false };
    expect(thrownBy(() => start("w"))).toMatchObject(refused);
    expect(thrownBy(() => start("w", ["bad"]))).toMatchObject(refused);
    expect(session.warnings).toEqual([]);
  });
});

describe("the context of a call", () => {
  it("has place, time and randomness of the run", () => {
    let seen: object = {};
    const { start, clock } = benchOf([
      one("a", {
        timeoutMs: 500,
        run: (_args, context) => {
          const { callId, attempt, traceId, deadlineMs } = context;
          const rest = [context.remainingMs(), context.now(), context.uuid(), context.random()];
          seen = { callId, attempt, traceId, deadlineMs, rest };
          return null;
        },
      }),
    ]);
    clock.advance(100);
    const call = start();
    const wall = Date.UTC(2030, 0, 1) + 100;
    expect(seen).toEqual({
      callId: "t1/1/n1/1",
      attempt: 2,
      traceId: "t1",
      deadlineMs: 600,
      rest: [500, wall, "id", 0.25],
    });
    expect(call.endsAt()).toBe(600);
  });

  it.each([
    ["the call's own time", 500, 2000, 500],
    ["the run's end", 500, 200, 200],
    ["the run's end alone", undefined, 200, 200],
    ["nothing", undefined, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ])("is bounded by %s", (_what, timeoutMs, runEndsAt, deadline) => {
    let context: CallContext | undefined;
    const run: Act = (_args, given) => {
      context = given;
      return null;
    };
    const { start, clock } = benchOf([one("a", timeoutMs === undefined ? { run } : { run, timeoutMs })]);
    start("a", [], runEndsAt);
    expect(context?.deadlineMs).toBe(deadline);
    clock.advance(deadline === Number.POSITIVE_INFINITY ? 9 : deadline + 1);
    expect(context?.remainingMs()).toBe(deadline === Number.POSITIVE_INFINITY ? deadline : 0);
  });

  it("has a signal that fires on abort, asked for before or after", () => {
    const signals: AbortSignal[] = [];
    let late: CallContext | undefined;
    const { start } = benchOf([
      one("a", {
        run: (_args, context) => {
          signals.push(context.signal, context.signal);
          return never();
        },
      }),
      one("b", {
        run: (_args, context) => {
          late = context;
          return never();
        },
      }),
    ]);
    start("a").abort();
    start("b").abort();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(signals[0]).toBe(signals[1]);
    expect(late?.signal.aborted).toBe(true);
  });
});

describe("opening", () => {
  it("happens once per run, also for calls that begin while it is under way", async () => {
    let opened = 0;
    const { session, start } = benchOf([
      one("a", {
        open: async () => ({ n: ++opened }),
        run: (_args, _context, instance) => (instance as { n: number }).n,
      }),
    ]);
    const both = await Promise.all([start().answer, start().answer]);
    expect([...both, await start().answer, opened]).toEqual([1, 1, 1, 1]);
    expect(session.idle).toBe(false);
    await session.close();
    expect(session.idle).toBe(true);
  });

  it("that failed is tried again by the next call", async () => {
    let tries = 0;
    const open = async (): Promise<string> => {
      tries += 1;
      if (tries === 1) throw new AdapterError("ADAPTER_UNAVAILABLE", "not yet");
      return "open";
    };
    const { start, session } = benchOf([one("a", { open, run: (_args, _context, instance) => instance })]);
    await expect(start().answer).rejects.toMatchObject({ code: "ADAPTER_UNAVAILABLE" });
    expect(session.idle).toBe(true);
    expect(await start().answer).toBe("open");
  });

  it("that ends too late starts no call", async () => {
    const acted: string[] = [];
    let finish = (_instance: string): void => {};
    const open = (): Promise<string> =>
      new Promise((done) => {
        finish = done;
      });
    const { session, start } = benchOf([one("a", { open, run: () => acted.push("ran") })]);
    const call = start();
    expect(session.expire(call)).toMatchObject({ code: "ADAPTER_TIMEOUT" });
    finish("late");
    await expect(call.answer).rejects.toMatchObject({ code: "ADAPTER_CANCELLED" });
    expect(acted).toEqual([]);
  });

  it("that outlives the session is closed when it ends, and the session does not wait for it", async () => {
    const closed: unknown[] = [];
    let finish = (_instance: string): void => {};
    const open = (): Promise<string> =>
      new Promise((done) => {
        finish = done;
      });
    const { session, start } = benchOf([one("a", { open, close: (one) => void closed.push(one), run: () => 1 })]);
    const call = start();
    session.abandon(call);
    await session.close();
    expect(closed).toEqual([]);
    finish("late");
    await expect(call.answer).rejects.toMatchObject({ code: "ADAPTER_CANCELLED" });
    await new Promise(setImmediate);
    expect(closed).toEqual(["late"]);
    expect(session.idle).toBe(true);
  });

  it("of one adapter can ask for another's instance", async () => {
    const { start } = benchOf([
      one("a", { open: (scope) => scope.instanceOf("b"), run: (_args, _context, instance) => instance }),
      one("b", { open: () => "b's", run: () => 1 }),
    ]);
    expect(await start("a").answer).toBe("b's");
    let missing: unknown = "unset";
    const { start: alone } = benchOf([
      one("a", {
        open: (scope) => {
          missing = scope.instanceOf("b");
          return 1;
        },
        run: () => 1,
      }),
    ]);
    alone();
    expect(missing).toBeUndefined();
  });
});

describe("a call that is given up", () => {
  it("loses its instance when it continues, and the next call gets a fresh one", async () => {
    let opened = 0;
    const closed: unknown[] = [];
    const adapter = one("a", {
      open: () => `i${++opened}`,
      close: (instance) => void closed.push(instance),
      run: ([wait], _context, instance) => (wait === true ? never() : instance),
    });
    const { session, start, clock } = benchOf([adapter]);
    session.abandon(start("a", [true]));
    expect(start().answer).toBe("i1");
    await elapse(clock, 1001);
    expect(closed).toEqual(["i1"]);
    expect(start().answer).toBe("i2");
    await session.close();
    expect(closed).toEqual(["i1", "i2"]);
  });

  it("keeps its instance when it settles in time", async () => {
    const closed: unknown[] = [];
    const { session, start, clock } = benchOf([
      one("a", {
        open: () => "i1",
        close: (instance) => void closed.push(instance),
        run: (_args, { signal }) =>
          new Promise((_done, fail) => signal.addEventListener("abort", () => fail(new Error("aborted")))),
      }),
    ]);
    session.abandon(start());
    await elapse(clock, 2000);
    expect(closed).toEqual([]);
  });
});

describe("what a failed call means", () => {
  const failing = (repeatable: boolean) => benchOf([one("a", { run: () => never(), repeatable })]);

  it.each(["ADAPTER_TIMEOUT", "ADAPTER_TRANSPORT"])("%s of a write with lost outcome is not retried", (code) => {
    const { session, start } = failing(false);
    const thrown = new AdapterError(code, "lost", { retryAfterMs: 5, data: { part: 1 } });
    expect(session.failure(start(), thrown)).toMatchObject({
      code,
      message: "lost",
      retryable: false,
      retryAfterMs: 5,
      data: { part: 1, outcome: "unknown" },
    });
    expect(session.expire(start())).toMatchObject({ code: "ADAPTER_TIMEOUT", retryable: false });
  });

  it("is unchanged when repeating is harmless or the outcome is known", () => {
    const lost = new AdapterError("ADAPTER_TIMEOUT", "lost");
    const known = new AdapterError("ADAPTER_BUSY", "busy");
    const crash = new TypeError("crash");
    const repeatable = failing(true);
    expect(repeatable.session.failure(repeatable.start(), lost)).toBe(lost);
    expect(repeatable.session.expire(repeatable.start())).toMatchObject({ retryable: true });
    const once = failing(false);
    expect(once.session.failure(once.start(), known)).toBe(known);
    expect(once.session.failure(once.start(), crash)).toBe(crash);
  });
});

describe("the end of a run", () => {
  it("releases the last registered first, then closes instances, whatever fails", async () => {
    const order: string[] = [];
    const noted = (word: string) => async (): Promise<void> => {
      order.push(word);
      throw new Error(word);
    };
    const { session, start } = benchOf([
      one("a", { open: () => 1, close: noted("close a"), run: () => 1 }),
      one("b", { open: () => 1, close: noted("close b"), run: () => 1 }),
    ]);
    start("a");
    start("b");
    session.onEnd(noted("first"));
    session.onEnd(() => {
      order.push("second");
      session.onEnd(() => void order.push("registered at the end"));
      throw new Error("second");
    });
    await session.close();
    expect(order).toEqual(["second", "registered at the end", "first", "close b", "close a"]);
    await session.close();
    expect(order).toHaveLength(5);
  });

  it("does not wait for ever for an instance that hangs", async () => {
    const closed: string[] = [];
    const { session, start } = benchOf([
      one("a", { open: () => 1, close: never, run: () => 1 }),
      one("b", { open: () => 1, close: () => void closed.push("b"), run: () => 1 }),
    ]);
    start("b");
    start("a");
    session.onEnd(never);
    await session.close();
    expect(closed).toEqual(["b"]);
  });
});

describe("two runs", () => {
  it("share no instance", () => {
    const adapter = plainAdapter("a", { act: (_args, _context, mine: number[]) => mine.push(1) }, { open: () => [] });
    const [first, second] = [benchOf([adapter]), benchOf([adapter])];
    expect([first.start().answer, first.start().answer, second.start().answer]).toEqual([1, 2, 1]);
  });
});

describe("the time of a call", () => {
  it("can be extended while the call is under way, and taken back, but not beyond the run", () => {
    let context: CallContext | undefined;
    const act: Act = (_args, given) => {
      context = given;
      return never();
    };
    const { clock, start } = benchOf([one("a", { run: act, timeoutMs: 100 })]);
    const call = start("a", [], 500);
    expect(call.endsAt()).toBe(100);
    context?.extend?.(1000);
    expect(call.endsAt()).toBe(1100);
    expect(context?.remainingMs()).toBe(500);
    clock.advance(40);
    context?.extend?.(-950);
    expect([call.endsAt(), context?.deadlineMs, context?.remainingMs()]).toEqual([150, 150, 110]);
  });
});
