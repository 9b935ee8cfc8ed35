/** What the runs of a host may hold together: none that stays below its own limit can exhaust the process with others. */
import { describe, expect, it, vi } from "vitest";
import { createHost, type RunAnswer } from "../../../vm/host.ts";
import { Machine } from "../../../vm/machine/machine.ts";
import type { MachineOptions } from "../../../vm/machine/options.ts";
import { FrameShare } from "../../../vm/memory/shared-budget.ts";
import { restore, snapshot } from "../../../vm/offload/snapshot.ts";
import { drive } from "../../../vm/runs/driver.ts";
import { HeapCount } from "../../../vm/values/heap-size.ts";
import { fakeClock, fakeFacts } from "../../support/mock-adapters.ts";
import { verifies } from "../../support/requirements.ts";
import { compileForTest, testCatalog } from "../../support/run-case.ts";
import { type Run, run, type World, world } from "../../support/world.ts";

const MIB = 1024 * 1024;
const TEXT = { t: "x".repeat(8 * MIB) };
const HOLD = "L1:\n  R ext.Hold t ->r\n  J r\n";

/** A place whose runs hold their frames until they are let go. */
function holding(framesTotalBytes: number) {
  const held: ((value: null) => void)[] = [];
  const place = world({ ext: { Hold: () => new Promise((resolve) => held.push(resolve)) } }, { framesTotalBytes });
  return { place, held };
}

const attempt = (place: World, more: Run = {}): Promise<RunAnswer> =>
  run(HOLD, { in: place, frame: TEXT, strict: false, ...more });

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
}

describe("what all runs hold", () => {
  it("is bounded by exact sizes, and freed when runs end", async () => {
    const { place, held } = holding(25 * MIB);
    const first = [attempt(place), attempt(place), attempt(place)];
    await turns();
    expect(held.length).toBe(3);
    const fourth = await attempt(place);
    expect(fourth).toMatchObject({
      ok: false,
      error: {
        code: "RUNTIME_MAX_FRAME_BYTES",
        message: expect.stringContaining("may together hold 26214400 bytes; try again later"),
        data: { meter: "max_frame_bytes", limit: 25 * MIB, over: "all_runs", source: "default" },
      },
    });
    const { used } = (fourth as Extract<RunAnswer, { ok: false }>).error.data;
    expect(used).toBeGreaterThan(25 * MIB);
    held.shift()?.(null);
    await first[0];
    const fifth = attempt(place);
    await turns();
    for (const release of held) release(null);
    for (const answer of await Promise.all([...first, fifth])) expect(answer.ok).toBe(true);
  });

  it("is measured exactly when the estimate does not fit", async () => {
    const a = "x".repeat(600_000);
    const place = world({}, { framesTotalBytes: 5 * MIB });
    const limits = { max_frame_bytes: 64 * MIB };
    const answer = await run("L1:\n  X b concat a a\n  J 1\n", { in: place, frame: { a }, limits });
    expect(answer).toMatchObject({ ok: true, usage: { frame_bytes: JSON.stringify({ a, b: a + a }).length } });
  });

  it("does not count what is small", async () => {
    const { place, held } = holding(MIB);
    const many = Array.from({ length: 40 }, () => attempt(place, { frame: { t: "x".repeat(100_000) } }));
    await turns();
    expect(held.length).toBe(40);
    for (const release of held) release(null);
    for (const answer of await Promise.all(many)) expect(answer.ok).toBe(true);
  });

  it("counts growth during a run", async () => {
    const place = world({}, { framesTotalBytes: 2 * MIB });
    const grows =
      'L1:\n  X l range 0 1000\n  X t join l ","\n  Loop l i ->L2 ->L3\nL2:\n  X t concat t t\nL3:\n  J 1\n';
    expect(await run(grows, { in: place, strict: false })).toMatchObject({
      ok: false,
      error: { code: "RUNTIME_MAX_FRAME_BYTES", data: { variable: "t", over: "all_runs", limit: 2 * MIB } },
    });
  });
});

describe("looking at what a run holds", () => {
  const grows =
    'L1:\n  Set rows []\n  Loop ids i ->L2 ->L3\nL2:\n  X r obj "id" i\n  X rows push rows r\nL3:\n  X n len rows\n  J n\n';
  const ids = Array.from({ length: 20_000 }, (_, index) => index);

  it.each([
    ["takes no time while there is plenty", 1024 * MIB, false],
    ["is done where there is not", 8 * MIB, true],
  ])("%s", async (_what, framesTotalBytes, isLooked) => {
    const look = vi.spyOn(HeapCount.prototype, "add");
    try {
      const place = world({}, { framesTotalBytes });
      expect(await run(grows, { in: place, frame: { ids }, strict: false })).toMatchObject({
        ok: true,
        out: 20_000,
      });
      expect(look.mock.calls.length > 0).toBe(isLooked);
    } finally {
      look.mockRestore();
    }
  });
});

describe("a run gives back what it held", () => {
  const ends: readonly (readonly [how: string, source: string, more: Run, code: string | null])[] = [
    ["with its result", "L1:\n  J 1\n", {}, null],
    ["with a failure of the program", "L1:\n  X a nosuch 1 2\n  J a\n", {}, "RUNTIME_X_UNKNOWN_FN"],
    [
      "at a limit",
      'L1:\n  X u concat t "y"\n  J 1\n',
      { limits: { max_frame_bytes: 9 * MIB } },
      "RUNTIME_MAX_FRAME_BYTES",
    ],
    ["before its first step", "L1:\n  J 1\n", { limits: { max_frame_bytes: 2 * MIB } }, "RUNTIME_MAX_FRAME_BYTES"],
    ["after a wait", "L1:\n  R core.SLEEP 5\n  J 1\n", {}, null],
    ["late", "L1:\n  R core.SLEEP 5\n  J 1\n", { limits: { max_time_ms: 2 } }, "RUNTIME_MAX_TIME"],
    ["after a failed call", "L1:\n  R ext.Fail ->r\n  J 1\n", {}, "RUNTIME_OP_ERROR"],
  ];

  it.each(ends)("that ends %s", async (_how, source, more, code) => {
    const fail = () => Promise.reject(new Error("no"));
    const place = world({ ext: { Fail: fail } }, { framesTotalBytes: 13 * MIB });
    for (let round = 0; round < 3; round++) {
      const answer = await run(source, { in: place, strict: false, frame: TEXT, ...more });
      expect(answer.ok ? null : answer.error.code).toBe(code);
      if (!answer.ok) expect(answer.error.data["over"]).toBe(undefined);
    }
  });

  it("that is cancelled", async () => {
    const { place } = holding(13 * MIB);
    for (let round = 0; round < 3; round++) {
      const controller = new AbortController();
      const underWay = attempt(place, { signal: controller.signal });
      await turns();
      controller.abort();
      expect(await underWay).toMatchObject({ ok: false, error: { code: "RUNTIME_CANCELLED" } });
    }
  });
});

describe("a run that continues from a snapshot", () => {
  it("is counted from its beginning, and gives back what it held", async () => {
    const frames = new FrameShare(13 * MIB);
    const base = {
      clock: fakeClock(),
      facts: fakeFacts(),
      catalog: testCatalog,
      adapters: new Map(),
      traceId: () => "t",
    };
    const program = createHost(base).program(compileForTest("L1:\n  R core.SLEEP 5\n  J 1\n", false, ["t"]));
    const more = { traceId: "t", limits: {}, allowed: null, trace: null, signal: undefined, quantum: 10_000 };
    const options: MachineOptions = { deps: { ...base, frames }, ...more };
    let stored: unknown = null;
    await drive(new Machine(program, TEXT, options), setImmediate, (m) => {
      stored ??= snapshot(m);
      return m;
    });
    expect(stored).not.toBe(null);
    const second = restore(program, stored, options);
    expect(() => restore(program, stored, options)).toThrow(/may together hold 13631488 bytes/);
    frames.giveBack(second);
    expect(restore(program, stored, options).frameBytes).toBe(second.frameBytes);
  });
});

describe("a limit of its own", () => {
  const source = 'L1:\n  X l range 0 200000\n  X t join l ","\n  X u concat t t\n  X m push l u\n  J 1\n';

  it("is as exact where the frame has drawn on what all share", async () => {
    verifies("limit.frame-bytes.exact");
    const usual = await run(source, { strict: false, limits: { max_frame_bytes: 64 * MIB } });
    const { frame_bytes: bytes } = usual.usage;
    expect(bytes).toBeGreaterThan(2 * MIB);
    const exact = await run(source, { strict: false, limits: { max_frame_bytes: bytes as number } });
    expect(exact).toMatchObject({ ok: true, usage: { frame_bytes: bytes } });
    const limit = (bytes as number) - 1;
    const short = await run(source, { strict: false, limits: { max_frame_bytes: limit } });
    expect(short).toMatchObject({ ok: false, error: { data: { limit, used: bytes, variable: "m" } } });
  });

  it("counts a variable once that is written over while the frame draws on what all share", async () => {
    const a = "x".repeat(600_000);
    const doubling = "L1:\n  X b concat a a\n  X b concat b b\n  X b concat b b\n  X b concat a a\n  J 1\n";
    const answer = await run(doubling, { frame: { a }, limits: { max_frame_bytes: 64 * MIB } });
    expect(answer).toMatchObject({ ok: true, usage: { frame_bytes: JSON.stringify({ a, b: a + a }).length } });
  });

  it("is exact where numbers have grown shorter, and the figure of a run that it ends is that before the last write", async () => {
    const t = "x".repeat(1000);
    const longest = 1.2345678901234567e-100;
    const steps = ["a upper t", "a upper t", "a upper t", "x sub 0 longest", "x add 1 1", 'b concat "z" t'];
    const lines = steps.map((step) => `  X ${step}\n`).join("");
    const before = { t, longest, a: t.toUpperCase(), x: 2 };
    const limit = JSON.stringify({ ...before, b: `z${t}` }).length;
    const ending = (max: number) =>
      run(`L1:\n${lines}  J 1\n`, { frame: { t, longest }, limits: { max_frame_bytes: max } });
    expect(await ending(limit)).toMatchObject({ ok: true, usage: { frame_bytes: limit } });
    expect(await ending(limit - 1)).toMatchObject({
      ok: false,
      error: { data: { limit: limit - 1, used: limit, variable: "b" } },
      usage: { frame_bytes: JSON.stringify(before).length },
    });
  });
});

describe("what takes much more memory than JSON", () => {
  const SLEEP = "  R ext.Hold 1 ->r\n  J r\n";
  const programs: readonly (readonly [what: string, fit: number, source: string])[] = [
    ["a list of empty lists", 4, `L1:\n  X l parse t\n${SLEEP}`],
    ["pairs", 3, `L1:\n  X a range 0 100000\n  X l zip a a\n${SLEEP}`],
    [
      "objects that are made one by one",
      4,
      `L1:\n  X l arr\n  X a range 0 100000\n  Loop a i ->L2 ->L3\nL2:\n  X o obj "k" i\n  X l push l o\nL3:\n${SLEEP}`,
    ],
    [
      "a text that is joined piece by piece",
      8,
      `L1:\n  X s ""\n  X a range 0 60000\n  Loop a i ->L2 ->L3\nL2:\n  X s concat s "x"\nL3:\n${SLEEP}`,
    ],
    ["numbers", 3, `L1:\n  X l range 0 1000000\n${SLEEP}`],
  ];
  const frame = { t: `[${"[],".repeat(100_000)}[]]` };

  it.each(programs)("is counted by its memory: %s", async (_what, fit, source) => {
    const { place, held } = holding(32 * MIB);
    const answers: Promise<RunAnswer>[] = [];
    let ended = 0;
    for (let count = 0; count < 8; count++) {
      const before = held.length;
      let over = false;
      const answer = run(source, { in: place, strict: false, frame });
      answers.push(answer);
      answer.then(() => {
        over = true;
        ended += 1;
      });
      while (!over && held.length === before) await new Promise(setImmediate);
    }
    await turns();
    const waiting = answers.length - ended;
    for (const release of held) release(null);
    for (const answer of await Promise.all(answers)) {
      if (!answer.ok)
        expect(answer.error).toMatchObject({ code: "RUNTIME_MAX_FRAME_BYTES", data: { over: "all_runs" } });
    }
    expect(waiting).toBeGreaterThanOrEqual(Math.min(fit, 2));
    expect(waiting).toBeLessThanOrEqual(fit);
  });
});
