/** Runs of a host whose programs are built at once, against those of a host in which everything runs in the loop. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { flatten } from "../../../compiler/bytecode/flatten.ts";
import { compile } from "../../../compiler/compile.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { JsonObject } from "../../../compiler/json.ts";
import { runBatch } from "../../../vm/batch.ts";
import { foldCall } from "../../../vm/functions/fold-constants.ts";
import { createHost, type Host, type HostDeps, type HostRunRequest } from "../../../vm/host.ts";
import type { Limits } from "../../../vm/run.ts";
import { ShortRuns } from "../../../vm/tier/enter.ts";
import { setTierDefaults, type TierPolicy } from "../../../vm/tier/policy.ts";
import { catalog, testClock } from "../../support/world.ts";

type Made = { readonly host: Host; readonly now: { ms: number } };

function hostWith(deps: Partial<HostDeps> = {}): Made {
  const now = { ms: 0 };
  const clock = { ...testClock(), now: () => now.ms };
  const facts = { uuid: () => "00000000-0000-4000-8000-000000000000", env: () => undefined };
  return { host: createHost({ clock, facts, catalog, adapters: new Map(), traceId: () => "id", ...deps }), now };
}

const before = setTierDefaults({});
const made: Record<"loop" | "generated" | "off", Made> = {} as never;
beforeAll(() => {
  setTierDefaults({ isDisabled: true });
  made.loop = hostWith();
  setTierDefaults({ isDisabled: false, heat: 1 });
  made.generated = hostWith({ tier: "auto" });
  made.off = hostWith({ tier: "off" });
});
afterAll(() => setTierDefaults(before));

function irOf(source: string): Ir {
  const { ir, diagnostics } = compile(source, { strict: false, catalog });
  if (ir === null) throw new Error(JSON.stringify(diagnostics));
  return ir;
}

const PRICE = irOf(`# frame: price: number
# frame: count: number
L1:
  X total mul price count
  If (gt total 100) ->L2 ->L3
L2:
  X total sub total 10
  X o obj "total" total
  X o put o "note" "discount"
  J o
L3:
  X o obj "total" total
  J o
`);
const GREETING = irOf('L1:\n  X text concat "Hello, " name "!"\n  J text\n');

/** The answer, or what was thrown. */
function answered(host: Host, request: HostRunRequest): unknown {
  try {
    return host.runSync(request);
  } catch (thrown) {
    return String(thrown);
  }
}

const CASES: readonly (readonly [title: string, ir: Ir, request: Omit<HostRunRequest, "ir">])[] = [
  ["a result", PRICE, { frame: { price: 5, count: 3 } }],
  ["the other way", PRICE, { frame: { price: 50, count: 3 } }],
  ["a fraction and minus zero", PRICE, { frame: { price: 0.1, count: -0 } }],
  [
    "all limits",
    PRICE,
    { frame: { price: 50, count: 3 }, limits: { max_steps: 100, max_depth: 9, max_frame_bytes: 999, max_time_ms: 50 } },
  ],
  ["too few steps", PRICE, { frame: { price: 50, count: 3 }, limits: { max_steps: 3 } }],
  ["too little depth", PRICE, { frame: { price: 50, count: 3 }, limits: { max_depth: 1 } }],
  ["too few bytes", PRICE, { frame: { price: 50, count: 3 }, limits: { max_frame_bytes: 60 } }],
  ["no bytes at all", PRICE, { frame: { price: 50, count: 3 }, limits: { max_frame_bytes: 1 } }],
  ["a missing input", PRICE, { frame: { price: 50 } }],
  ["a missing input that is let pass", PRICE, { frame: { price: 50 }, inputs: "loose" }],
  ["an input of another type", PRICE, { frame: { price: 50, count: "3" } }],
  ["an input of another type that is let pass", PRICE, { frame: { price: 50, count: "3" }, inputs: "loose" }],
  ["an input that is not declared", PRICE, { frame: { price: 50, count: 3, other: 1 } }],
  ["a number that is not finite", PRICE, { frame: { price: Number.POSITIVE_INFINITY, count: 3 } }],
  ["a member without value", PRICE, { frame: { price: 50, count: 3, other: undefined } as never }],
  ["inherited members", PRICE, { frame: Object.create({ price: 50, count: 3 }) as JsonObject }],
  ["a frame without prototype", PRICE, { frame: Object.assign(Object.create(null), { price: 50, count: 3 }) }],
  ["another entry label", PRICE, { frame: { price: 1, count: 2, total: 3 }, label: "L3" }],
  ["a trace", PRICE, { frame: { price: 50, count: 3 }, trace: true }],
  ["the final frame", PRICE, { frame: { price: 50, count: 3 }, finalFrame: true }],
  ["a record", PRICE, { frame: { price: 50, count: 3 }, record: true }],
  ["a run that was cancelled before", PRICE, { frame: { price: 50, count: 3 }, signal: AbortSignal.abort("stop") }],
  ["no adapter allowed", PRICE, { frame: { price: 50, count: 3 }, allowedAdapters: [] }],
  ["adapters that are not a list", PRICE, { frame: { price: 50, count: 3 }, allowedAdapters: 1 as never }],
  ["a string", GREETING, { frame: { name: "Ada" } }],
  ["a value that is not a string", GREETING, { frame: { name: [1, { a: null }] } }],
  ["an unset variable", GREETING, {}],
  ["a name that objects inherit", irOf("L1:\n  J constructor\n"), { frame: { constructor: 1 } as never }],
  ["a name that objects inherit and no frame has", irOf("L1:\n  J $toString\n"), {}],
  ["a member that objects inherit", irOf('L1:\n  X v get o "valueOf"\n  J v\n'), { frame: { o: {} } }],
  [
    "the member __proto__",
    irOf('L1:\n  X o put o "__proto__" 1\n  J o\n'),
    { frame: { o: JSON.parse('{"__proto__": 2}') } },
  ],
  ["an input named __proto__", irOf("L1:\n  J $a\n"), { frame: JSON.parse('{"__proto__": 2, "a": 1}') }],
  ["a constant that is handed out twice", irOf("L1:\n  Set a [[1], [2]]\n  J a\n"), {}],
  ["a failure", irOf("L1:\n  X a div 1 n\n  J a\n"), { frame: { n: 0 } }],
  ["a handled failure", irOf("L1:\n  X a div 1 n\n  Err ->L2\n  J a\nL2:\n  J _error\n"), { frame: { n: 0 } }],
];

describe("a run in the tier", () => {
  it.each(CASES)("with %s answers as in the loop", (_title, ir, request) => {
    const expected = answered(made.loop.host, { ...request, ir });
    for (const { host } of [made.generated, made.off])
      for (let run = 0; run < 3; run++) expect(answered(host, { ...request, ir })).toEqual(expected);
  });

  it("hands out a result of its own each time", () => {
    const ir = irOf("L1:\n  Set a [[1], [2]]\n  Set b $a\n  J [$a, $b]\n");
    for (const { host } of [made.generated, made.off]) {
      const first = host.runSync({ ir }) as unknown as { out: number[][][] };
      first.out[0]?.push([3]);
      expect(host.runSync({ ir })).toMatchObject({
        ok: true,
        out: [
          [[1], [2]],
          [[1], [2]],
        ],
      });
      expect(first.out[1]).toEqual([[1], [2]]);
    }
  });

  it("leaves the frame as it is, and keeps nothing of it", () => {
    const ir = irOf('L1:\n  X o put o "k" 2\n  J [$o, $xs]\n');
    const frame = { o: { k: 1 }, xs: [1, [2]] };
    for (const { host } of [made.generated, made.off]) {
      const answer = host.runSync({ ir, frame }) as unknown as { out: [unknown, unknown[]] };
      expect(frame).toEqual({ o: { k: 1 }, xs: [1, [2]] });
      expect(Object.getOwnPropertySymbols(frame.o)).toEqual([]);
      expect(answer.out[1]).toEqual(frame.xs);
      expect(answer.out[1]).not.toBe(frame.xs);
    }
  });

  it("that is late fails as in the loop", () => {
    const frame = { price: 50, count: 3 };
    for (const { host, now } of Object.values(made)) {
      let reads = 0;
      const late = {
        get price() {
          // Time passes while the frame is read.
          reads += 1;
          now.ms += 20;
          return frame.price;
        },
        count: 3,
      };
      const answer = host.runSync({ ir: PRICE, frame: late, limits: { max_time_ms: 10 } });
      expect(answer).toMatchObject({ ok: false, error: { code: "RUNTIME_MAX_TIME" } });
      expect(reads).toBeGreaterThan(0);
    }
  });

  it("takes frames of other shapes after some that left", () => {
    const ir = irOf("L1:\n  X n add n 1\n  J n\n");
    for (const { host } of [made.generated, made.off])
      for (const frame of [{ n: 1 }, { n: "2" }, {}, { n: [1] }, { n: 3 }] as JsonObject[])
        for (let run = 0; run < 40; run++)
          expect(answered(host, { ir, frame })).toEqual(answered(made.loop.host, { ir, frame }));
  });
});

describe("a prepared program", () => {
  const frames = [
    { price: 5, count: 3 },
    { price: 50, count: 3 },
    { price: 1, count: 1 },
  ];

  it.each(["loop", "generated", "off"] as const)("answers as single runs do: %s", async (name) => {
    const { host } = made[name];
    const limits = { max_steps: 100, max_frame_bytes: 1000 };
    const program = host.prepare(PRICE, { limits });
    for (const frame of frames) {
      const expected = made.loop.host.runSync({ ir: PRICE, frame, limits });
      expect(program.runSync(frame)).toEqual(expected);
      expect(await program.run(frame)).toEqual(expected);
    }
    const results: unknown[] = [];
    for await (const result of program.batch(frames, { ordered: true })) results.push(result);
    const expected: unknown[] = [];
    for await (const result of runBatch(PRICE, frames, { host: made.loop.host, limits, ordered: true }))
      expected.push(result);
    expect(results).toEqual(expected);
  });

  it("keeps its limits, label and allowlist", () => {
    const limits = { max_steps: 2 };
    const program = made.generated.host.prepare(PRICE, { limits, label: "->L3" });
    expect(program.runSync({ price: 1, count: 1, total: 7 })).toMatchObject({
      ok: true,
      out: { total: 7 },
      label: "3",
    });
    limits.max_steps = 1;
    expect(program.runSync({ price: 1, count: 1, total: 7 })).toMatchObject({ ok: true, limits: { max_steps: 2 } });
    expect(
      made.generated.host.prepare(PRICE, { limits: { max_steps: 2 } }).runSync({ price: 1, count: 1 }),
    ).toMatchObject({
      ok: false,
      error: { code: "RUNTIME_MAX_STEPS", data: { source: "request" } },
    });
  });

  it("refuses what single runs refuse, when it is prepared", () => {
    const { host } = made.generated;
    expect(() => host.prepare(PRICE, { label: "nowhere" })).toThrow(/nowhere/);
    expect(() => host.prepare(PRICE, { limits: { max_steps: "1" as never } })).toThrow(/max_steps/);
    expect(() => host.prepare(PRICE, { allowedAdapters: 1 as never })).toThrow(/allowedAdapters/);
    expect(() => host.prepare(PRICE).runSync({ price: "x", count: 1 })).toThrow(/price/);
    expect(() => host.prepare(PRICE).runSync(1 as never)).toThrow(/frame/);
  });

  it("rejects a frame that is not an object", async () => {
    await expect(made.generated.host.prepare(PRICE).run(1 as never)).rejects.toThrow(/frame/);
  });
});

it("a host says how short programs run", () => {
  expect(made.loop.host.tier).toBe("none");
  expect(made.generated.host.tier).toBe("generated");
  expect(made.off.host.tier).toBe("none");
});

describe("a program", () => {
  const clock = { ...testClock(), now: () => 0 };
  const INCREASE = irOf("L1:\n  X n add n 1\n  J n\n");
  const policy: TierPolicy = {
    ...{ heat: 30, hotSlices: 2, maxSliceFactor: 16 },
    ...{ quantum: 10_000, frameCeiling: 1_000_000, refused: () => {} },
  };
  const runsOf = (ir: Ir): ShortRuns => new ShortRuns(flatten(ir, ir.entry as string, foldCall), null, policy);
  const attempt = (runs: ShortRuns, frame: JsonObject, limits: Limits = {}) =>
    runs.attempt({ frame, limits, check: null, startedAt: 0, signal: undefined }, clock);

  it("is built at its 30th run", () => {
    const runs = runsOf(INCREASE);
    for (let run = 1; run < 30; run++) expect(attempt(runs, { n: run })).toBeNull();
    expect(attempt(runs, { n: 30 })).toMatchObject({ ok: true, out: 31, usage: { steps: 2, depth: 1 } });
  });

  it("stays in the loop when no run of it can end in the tier", () => {
    const runs = runsOf(irOf("L1:\n  Loop xs x ->L2 ->L3\nL2:\n  J x\nL3:\n  J 1\n"));
    for (let run = 0; run < 30; run++) expect(attempt(runs, { xs: [1] })).toBeNull();
    expect(runs.isGivenUp).toBe(true);
  });

  it("is built for other frames too, and given up when they do not fit", () => {
    const runs = runsOf(GREETING);
    for (let run = 0; run < 30; run++) attempt(runs, { name: 1 });
    for (let run = 0; run < 40; run++) attempt(runs, { name: "Ada" });
    expect(attempt(runs, { name: "Ada" })).toMatchObject({ out: "Hello, Ada!" });
    expect(attempt(runs, { name: 1 })).toMatchObject({ out: "Hello, 1!" });
    for (let run = 0; run < 200; run++) attempt(runs, { name: 1, other: run });
    expect(runs.isGivenUp).toBe(true);
  });

  it("leaves at every limit below what it uses", () => {
    const runs = runsOf(PRICE);
    const frame = { price: 50, count: 3 };
    for (let run = 0; run < 30; run++) attempt(runs, frame);
    const { usage } = attempt(runs, frame, { max_frame_bytes: 1000 }) ?? expect.fail("it did not run");
    for (let run = 0; run < 400; run++) attempt(runs, frame);
    for (let max_steps = 1; max_steps < usage.steps; max_steps++)
      expect(attempt(runs, frame, { max_steps })).toBeNull();
    for (let max_depth = 1; max_depth < usage.depth; max_depth++)
      expect(attempt(runs, frame, { max_depth })).toBeNull();
    for (let max_frame_bytes = 1; max_frame_bytes < Number(usage.frame_bytes); max_frame_bytes++)
      expect(attempt(runs, frame, { max_frame_bytes })).toBeNull();
  });
});
