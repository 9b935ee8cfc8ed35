/**
 * Machines are used again: a run must not notice, nothing of a run may stay, and any number of runs leaves the heap as it was.
 */
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { JsonObject } from "../../../compiler/json.ts";
import { createHost, type Host } from "../../../vm/host.ts";
import { Machine } from "../../../vm/machine/machine.ts";
import type { MachineOptions } from "../../../vm/machine/options.ts";
import type { Clock } from "../../../vm/run.ts";
import { firstSlice, isOver } from "../../../vm/runs/driver.ts";
import { MachinePool } from "../../../vm/runs/machine-pool.ts";
import { comparable } from "../../support/executors.ts";
import { FRAME_CEILING, type GeneratedRun, runs } from "../../support/generators.ts";
import { fakeClock, fakeFacts, mockAdapters } from "../../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../../support/run-case.ts";

const SEED = Number(process.env["WEFT_SEED"] ?? 20264);

/** A host whose clock and adapters begin anew with every run. */
function renewedHost(): { readonly host: Host; readonly run: (ir: Ir, run: GeneratedRun) => Promise<string> } {
  let current = fakeClock();
  let facts = fakeFacts();
  const clock: Clock = {
    now: () => current.now(),
    wall: () => current.wall(),
    wait: (ms, then) => current.wait(ms, then),
  };
  const host = createHost({
    clock,
    facts: { uuid: () => facts.uuid(), env: (name) => facts.env(name) },
    catalog: testCatalog,
    adapters: new Map(),
    traceId: () => "pool",
    frameCeilingBytes: FRAME_CEILING,
  });
  const run = async (ir: Ir, { frame, limits, allowedAdapters }: GeneratedRun): Promise<string> => {
    current = fakeClock();
    facts = fakeFacts();
    const adapters = mockAdapters(current);
    return comparable(await host.run({ ir, frame, limits, allowedAdapters, adapters, finalFrame: true }));
  };
  return { host, run };
}

const SECRET = "kept-from-an-earlier-run";

const SOURCE = [
  "L1:",
  "  Set rows []",
  "  Loop xs x ->L2 ->L3",
  "L2:",
  "  X r obj x text",
  "  X rows push rows r",
  "  X both concat text x",
  "L3:",
  "  Call L4 ->n",
  '  J {"rows": rows, "n": n}',
  "L4:",
  "  While n < 3 ->L5 ->L6",
  "L5:",
  "  X n add n 1",
  "L6:",
  "  J text",
  "",
].join("\n");

function poolOf(source: string, inputs: readonly string[]) {
  const clock = fakeClock();
  const deps = { clock, facts: fakeFacts(), catalog: testCatalog, adapters: new Map(), traceId: () => "pool" };
  const idle: MachineOptions = {
    ...{ deps, traceId: "", limits: { max_frame_bytes: 100_000 }, allowed: null, trace: null },
    ...{ signal: undefined, quantum: 10_000 },
  };
  const program = createHost(deps).program(compileForTest(source, false, inputs));
  return { idle, pool: new MachinePool({ program, executor: null }, idle) };
}

/** A pool whose program has run once: from then on machines are kept. */
function usedPoolOf(source: string, inputs: readonly string[]) {
  const { idle, pool } = poolOf(source, inputs);
  const first = pool.take({}, idle);
  firstSlice(first);
  pool.give(first);
  return { idle, pool, first };
}

/** Whether `text` can be reached from `root`. */
function holds(root: object, text: string): boolean {
  const seen = new Set<object>();
  const open: unknown[] = [root];
  for (let next = open.pop(); open.length > 0 || next !== undefined; next = open.pop()) {
    if (typeof next === "string" && next.includes(text)) return true;
    if (typeof next !== "object" || next === null || seen.has(next) || ArrayBuffer.isView(next)) continue;
    seen.add(next);
    if (next instanceof Map) open.push(...next.keys(), ...next.values());
    open.push(...Object.keys(next), ...Object.values(next));
  }
  return false;
}

describe("a machine that was used before", () => {
  it("14: behaves like a new one after any other run", { timeout: 60_000 }, async () => {
    const used = renewedHost();
    await fc.assert(
      fc.asyncProperty(runs, async (run) => {
        const ir = compileForTest(run.source, false, Object.keys(run.frame));
        const alone = await renewedHost().run(ir, run);
        const without: GeneratedRun = { ...run, frame: {} };
        expect(await used.run(ir, run), run.source).toBe(alone);
        await used.run(ir, without);
        const tight: GeneratedRun = { ...run, limits: { max_steps: 3, max_frame_bytes: 40 } };
        await used.run(ir, tight);
        expect(await used.run(ir, run), run.source).toBe(alone);
        expect(await used.run(ir, without), run.source).toBe(await renewedHost().run(ir, without));
      }),
      { seed: SEED, numRuns: 150 },
    );
  });

  it.each<readonly [string, JsonObject]>([
    ["ended", { xs: ["a", "b"], text: SECRET, n: 0, more: { text: SECRET } }],
    ["failed in the middle", { xs: ["a", SECRET], text: SECRET, n: [SECRET] }],
    ["broke the frame limit", { xs: ["a", "b"], text: SECRET.repeat(3000), n: 0 }],
  ])("holds nothing of a run that %s", (_how, frame) => {
    const { idle, pool } = usedPoolOf(SOURCE, ["xs", "text", "n"]);
    const m = pool.take(frame, { ...idle, traceId: SECRET, signal: AbortSignal.timeout(60_000) });
    expect(isOver(m, firstSlice(m))).toBe(true);
    const fresh = new Machine(m.program, {}, idle);
    expect(holds(m, SECRET)).toBe(true);
    pool.give(m);
    expect(holds(m, SECRET)).toBe(false);
    expect(m.options).toBe(idle);
    expect({ V: m.V, SZ: m.SZ, OWN: m.OWN, frameBytes: m.frameBytes }).toEqual({
      ...{ V: fresh.V, SZ: fresh.SZ, OWN: fresh.OWN, frameBytes: fresh.frameBytes },
    });
    expect(pool.take({}, idle)).toBe(m);
  });

  it("is not kept after the first run of a program, which may be its only one", () => {
    const { idle, pool, first } = usedPoolOf("L1:\n  J 1\n", []);
    const second = pool.take({}, idle);
    expect(second).not.toBe(first);
    firstSlice(second);
    pool.give(second);
    expect(pool.take({}, idle)).toBe(second);
  });

  it("is given to one run at a time", () => {
    const { idle, pool } = usedPoolOf("L1:\n  J 1\n", []);
    const first = pool.take({}, idle);
    const second = pool.take({}, idle);
    expect(second).not.toBe(first);
    firstSlice(first);
    pool.give(first);
    expect(pool.take({}, idle)).toBe(first);
  });
});

it("18: what runs held is collected when they are over", { timeout: 120_000 }, async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const host = createHost({
    ...{ clock: fakeClock(), facts: fakeFacts(), catalog: testCatalog, adapters: new Map(), traceId: () => "many" },
  });
  const ir = compileForTest(SOURCE, false, ["xs", "text", "n"]);
  const limits = { max_steps: 1000, max_frame_bytes: 10_000 };
  const held: WeakRef<object>[] = [];
  const run = async (k: number): Promise<void> => {
    const frame = { xs: ["a", `b${k}`], text: `text ${k}`, n: 0 };
    const answer = await host.run({ ir, frame, limits });
    if (!answer.ok) throw new Error(answer.error.message);
    held.push(new WeakRef(frame), new WeakRef(frame.xs), new WeakRef(answer));
  };
  for (let k = 0; k < 2_000; k++) await run(k);
  // What was looked at in this turn stays until it is over.
  await setImmediate();
  collect();
  const left = held.filter((reference) => reference.deref() !== undefined);
  // The last run may still be on the stack or in a register.
  expect(left.length).toBeLessThanOrEqual(3);
});
