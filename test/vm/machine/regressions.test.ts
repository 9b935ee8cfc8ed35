/**
 * Programs on which the machine once differed from the reference interpreter, or kept its host waiting. Found by reading, not by the
 * generators of the property tests.
 */
import { describe, expect, it } from "vitest";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { Adapter } from "../../../vm/adapter.ts";
import { plainAdapter } from "../../../vm/calls/plain-adapter.ts";
import { createHost } from "../../../vm/host.ts";
import type { Clock } from "../../../vm/run.ts";
import { SIZE, truthy } from "../../../vm/values/values.ts";
import { comparable, type ExecutorRequest, executor } from "../../support/executors.ts";
import { fakeClock, fakeFacts, mockAdapters } from "../../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../../support/run-case.ts";

type Found = {
  readonly title: string;
  readonly source: readonly string[];
  readonly request?: Partial<ExecutorRequest>;
  readonly change?: (ir: Ir) => Ir;
};

const DEEP = ["L7:", "  Set n 0", "  Set a 1", "  While n < 600 ->L8 ->L9"];
const DEEPER = [...DEEP, "L8:", "  Set a [a]", "  X n add n 1", "L9:", "  J 1"];

/** IR that comes from outside may leave the after-label out. */
const withoutAfter = (ir: Ir): Ir => ({ ...ir, edges: ir.edges.filter((edge) => edge.port !== "after") });

function adapterOf(verb: () => unknown, close?: () => void): ReadonlyMap<string, Adapter> {
  const released = close === undefined ? {} : { open: () => undefined, close };
  return new Map([["ext", plainAdapter("ext", { DO: verb }, released)]]);
}

const brokenThenable = () => {
  const value: { then?: unknown } = {};
  Object.defineProperty(value, "then", {
    value: () => {
      throw new Error("no promise at all");
    },
  });
  return value;
};

const FOUND: readonly Found[] = [
  {
    title: "a result nested too deeply that a handler of the entry label returns",
    source: ["L1:", "  Call L7", "  X z div 1 0", "  Err ->L4", "L4:", "  J a", ...DEEPER],
  },
  {
    title: "the same from a handler of a handler",
    source: [
      "L1:",
      "  Call L7",
      "  X z div 1 0",
      "  Err ->L3",
      "L3:",
      "  R ext.G",
      "  Err ->L4",
      "L4:",
      "  J a",
      ...DEEPER,
    ],
  },
  {
    title: "equality of a deep value with itself",
    source: ["L1:", "  Call L7", "  Set b $a", "  X same eq $a $b", "  J same", ...DEEPER],
  },
  {
    title: "minus zero in the frame",
    source: ["L1:", "  X y sub x 0", "  Set z [x]", "  J y"],
    request: { frame: { x: -0, unnamed: -0, list: [-0] } },
  },
  {
    title: "an empty loop without after-label at the depth limit",
    source: ["L1:", "  Loop xs x ->L2 ->L3", "L2:", "  J 1", "L3:", "  J 2"],
    request: { frame: { xs: [] }, limits: { max_depth: 1 } },
    change: withoutAfter,
  },
  {
    title: "a While without after-label that is false at once",
    source: ["L1:", "  While c ->L2 ->L3", "L2:", "  J 1", "L3:", "  J 2"],
    request: { frame: { c: false } },
    change: withoutAfter,
  },
  {
    title: "numbers as keys, with a dot in one and shared with another variable",
    source: [
      "L1:",
      "  Set o {}",
      "  Loop [1, 2.5, 1e21, -3, 1, 0] k ->L2 ->L3",
      "L2:",
      "  Set before $o",
      "  X o put o k [k]",
      "L3:",
      "  J [o, before]",
    ],
    request: { limits: { max_frame_bytes: 400 } },
  },
  {
    title: "a While limit beyond 32 bits",
    source: ["L1:", "  Set n 0", "  While n < 5 ->L2 ->L3 limit=4294967298", "L2:", "  X n add n 1", "L3:", "  J n"],
  },
  {
    title: "a While limit with the sign bit of 32",
    source: ["L1:", "  Set n 0", "  While n < 5 ->L2 ->L3 limit=3000000000", "L2:", "  X n add n 1", "L3:", "  J n"],
  },
  {
    title: "a computed adapter that is core",
    source: [
      "L1:",
      '  Set a "core"',
      "  R $a ADD 1 2 ->x",
      "  R $a SLEEP 5 ->y",
      "  R $a NOPE 1 ->z",
      "  Err ->L2",
      "L2:",
      "  J x",
    ],
  },
  {
    title: "a computed adapter that is auth",
    source: [
      "L1:",
      '  Set a "auth"',
      '  R $a ENFORCE p {"role": "x"} {"role": "y"} ->x',
      "  Err ->L2",
      "L2:",
      "  J _error",
    ],
    request: { limits: { max_adapter_calls: 0 } },
  },
  {
    title: "an answer whose then throws",
    source: ["L1:", "  R ext.DO ->x", "  Err ->L2", "L2:", "  J _error"],
    request: { adapters: adapterOf(brokenThenable) },
  },
  {
    title: "an adapter that fails to close",
    source: ["L1:", "  R ext.DO ->x", "  J x"],
    request: {
      adapters: adapterOf(
        () => 1,
        () => {
          throw new Error("stuck");
        },
      ),
    },
  },
  {
    title: "a number as key in a variable that held a text of 24 bytes",
    source: [
      "L1:",
      '  Set k "abcdefghijklmnopqrstuv"',
      "  X k add one 0.5",
      "  X o put {} k 7",
      "  X o put o k 8",
      "  J o",
    ],
    request: { frame: { one: 1 }, limits: { max_frame_bytes: 1000 } },
  },
  {
    title: "a boolean as key in a variable that held a text of 5 bytes",
    source: ["L1:", '  Set k "abc"', "  X k lt one 2", "  X o put {} k 7", "  X o put o k 8", "  J o"],
    request: { frame: { one: 1 }, limits: { max_frame_bytes: 1000 } },
  },
];

describe("machine and reference agree on", () => {
  it.each(FOUND)("$title", async ({ source, request = {}, change = (ir) => ir }) => {
    const text = `${source.join("\n")}\n`;
    const ir = change(compileForTest(text, false, Object.keys(request.frame ?? {})));
    const outcomes: string[] = [];
    for (const name of ["reference", "machine"] as const) {
      const clock = fakeClock();
      const world = { clock, facts: fakeFacts(), adapters: mockAdapters(clock), finalFrame: true };
      outcomes.push(comparable(await executor(name, testCatalog)(ir, { ...world, ...request })));
    }
    expect(outcomes[1]).toBe(outcomes[0]);
  });
});

type Turns = { readonly turns: number; readonly steps: number };

/** Runs on a machine alone and counts how often it lets other work of the process run. */
async function turnsOf(source: readonly string[], frame = {}): Promise<Turns> {
  let turns = 0;
  const clock = fakeClock();
  const host = createHost({
    clock,
    facts: fakeFacts(),
    catalog: testCatalog,
    adapters: new Map(),
    traceId: () => "run",
    turn: (then) => {
      turns += 1;
      setImmediate(then);
    },
  });
  const answer = await host.run({ ir: compileForTest(`${source.join("\n")}\n`, false, Object.keys(frame)), frame });
  expect(answer.ok).toBe(true);
  return { turns, steps: answer.usage.steps };
}

describe("work without steps ends the slice as well", () => {
  const hundredTimes = (...body: string[]): string[] => [
    "L1:",
    "  Set n 0",
    "  While n < 100 ->L2 ->L4",
    "L2:",
    "  X n add n 1",
    ...body,
  ];

  it("functions over many elements", async () => {
    const { turns, steps } = await turnsOf([...hundredTimes("  X r range 50000"), "L4:", "  J 1"]);
    expect(steps).toBeLessThan(1000);
    expect(turns).toBeGreaterThan(4);
  });

  it("copies of large lists", async () => {
    const { turns } = await turnsOf([...hundredTimes("  X r push xs 1"), "L4:", "  J 1"], {
      xs: Array(10_000).fill(1),
    });
    expect(turns).toBeGreaterThan(0);
  });

  it("loops over empty bodies", async () => {
    const { turns } = await turnsOf(
      [...hundredTimes("  Call L3"), "L3:", "  Loop xs x ->L5 ->L6", "L4:", "  J 1", "L5:", "L6:"],
      {
        xs: Array(50_000).fill(1),
      },
    );
    expect(turns).toBeGreaterThan(4);
  });
});

it("tells an empty object from a large one without listing its keys", () => {
  const listed = new Proxy(Object.assign({}, { [SIZE]: 20 }), {
    ownKeys: () => {
      throw new Error("keys were listed");
    },
  });
  expect(truthy(listed)).toBe(true);
});

it("makes waits of several timers when one cannot be that long", async () => {
  const day = 86_400_000;
  const asked: number[] = [];
  let now = 0;
  const clock: Clock = {
    now: () => now,
    wall: () => now,
    wait: (ms, then) => {
      asked.push(ms);
      const timer = setImmediate(() => {
        now += ms;
        then();
      });
      return () => clearImmediate(timer);
    },
  };
  const ir = compileForTest(`L1:\n  R core.SLEEP ${40 * day}\n  J 1\n`, false, []);
  const outcome = await executor("machine", testCatalog)(ir, { clock, facts: fakeFacts(), adapters: new Map() });
  expect(outcome.ok).toBe(true);
  expect(outcome.usage.time_ms).toBe(40 * day);
  expect(Math.max(...asked)).toBeLessThan(2 ** 31);
});
