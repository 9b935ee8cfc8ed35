/**
 * Loops in generated code give what the loop and the reference interpreter give: result, error with its place, usage and final frame, at every value of
 * every limit, wherever slices end, and wherever generated code leaves. Programs are built in front of their first block. WEFT_TIER_PROGRAMS says how
 * many are drawn, WEFT_TIER_CUTS at how many values of each limit they are compared, WEFT_SEED which.
 */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { JsonObject } from "../../../compiler/json.ts";
import { createHost, type Host } from "../../../vm/host.ts";
import type { Limits, Outcome } from "../../../vm/run.ts";
import { setTierDefaults } from "../../../vm/tier/policy.ts";
import { comparable } from "../../support/executors.ts";
import { loopPrograms } from "../../support/loop-programs.ts";
import { fakeClock, fakeFacts, mockAdapters } from "../../support/mock-adapters.ts";
import { randomLeaves } from "../../support/random-leaves.ts";
import { interpret } from "../../support/reference/interpreter.ts";
import { compileForTest, testCatalog } from "../../support/run-case.ts";

const PROGRAMS = Number(process.env["WEFT_TIER_PROGRAMS"] ?? 12);
const CUTS = Number(process.env["WEFT_TIER_CUTS"] ?? 12);
/** Of the places where generated code may leave, how many it does leave at. */
const SHARE = 0.2;
const MINUTES = 60_000;
const LIMITS = { max_steps: 2500, max_depth: 60, max_loop_iters: 50, max_frame_bytes: 20_000 } as const;

const before = setTierDefaults({});
const FORCED = { isDisabled: false, setting: "auto", hotSlices: 0, maxSliceFactor: 1, heat: 1e9 } as const;
afterAll(() => void setTierDefaults(before));

type Chosen = Parameters<typeof setTierDefaults>[0];

function hostWith(quantum: number, chosen: Chosen): Host {
  setTierDefaults({ ...FORCED, leaves: undefined, ...chosen });
  const clock = fakeClock();
  const tierRefused = (entry: string, reason: string): never => expect.fail(`${entry}: ${reason}`);
  const deps = { clock, facts: fakeFacts(), catalog: testCatalog, adapters: mockAdapters(clock), quantum, tierRefused };
  return createHost({ ...deps, traceId: () => "reference" });
}

/** Runs that were compared. */
let runs = 0;

/** Compares a program with the reference. */
class Comparison {
  readonly #ir: Ir;
  readonly #frame: JsonObject;
  readonly #hosts: readonly Host[];

  /** Hosts keep what they built from one run to the next. */
  constructor(source: string, frame: JsonObject, quanta: readonly number[]) {
    this.#ir = compileForTest(source, false, Object.keys(frame));
    this.#frame = frame;
    const leaves = randomLeaves(SHARE);
    this.#hosts = [
      hostWith(10_000, { isDisabled: true }),
      ...quanta.flatMap((quantum) => [hostWith(quantum, {}), hostWith(quantum, { leaves })]),
    ];
  }

  async at(limits: Limits, what: string): Promise<Outcome> {
    const clock = fakeClock();
    const world = {
      frame: this.#frame,
      limits,
      clock,
      facts: fakeFacts(),
      adapters: mockAdapters(clock),
      finalFrame: true,
    };
    const reference = await interpret(this.#ir, world);
    const expected = comparable(reference);
    runs += this.#hosts.length;
    for (const host of this.#hosts) {
      const outcome = comparable(await host.run({ ir: this.#ir, frame: this.#frame, limits, finalFrame: true }));
      if (outcome !== expected) expect(outcome, `${what} ${JSON.stringify(limits)}`).toBe(expected);
    }
    return reference;
  }
}

/** Values from 1 to `most`, at most `count` of them. */
function upTo(most: number, count: number): number[] {
  const step = Math.max(1, Math.floor(most / count));
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => 1 + at * step);
}

async function compareAtLimits(comparison: Comparison, what: string, count = Number.POSITIVE_INFINITY): Promise<void> {
  const { usage } = await comparison.at(LIMITS, what);
  const bytes = usage.frame_bytes ?? 2;
  for (const max_steps of upTo(usage.steps, count)) await comparison.at({ ...LIMITS, max_steps }, what);
  for (const max_depth of upTo(usage.depth, count)) await comparison.at({ ...LIMITS, max_depth }, what);
  for (const max_loop_iters of upTo(usage.loop_iters, count)) await comparison.at({ ...LIMITS, max_loop_iters }, what);
  for (const more of upTo(Math.min(bytes * 2, 1500), count))
    await comparison.at({ ...LIMITS, max_frame_bytes: more + 1 }, what);
}

const workload = (name: string): string => readFileSync(`benchmarks/workloads/${name}.wf`, "utf8");

describe("a workload of the benchmark, made small", () => {
  it.each<[string, string, JsonObject]>([
    ["W1", workload("W1").replaceAll("1000000", "25"), {}],
    ["W2", workload("W2"), { xs: [0, 1, 2.5, -4], ys: [1, 10, 1e9, 7] }],
    ["W3", workload("W3").replace("Set n 25", "Set n 5"), {}],
    ["W4", workload("W4"), { ids: [0, 1, 2, 7.5, 1e10, -3] }],
    ["W4 with a string among its numbers", workload("W4"), { ids: [0, 1, "4", 5, 6] }],
  ])("%s agrees at every limit", { timeout: 5 * MINUTES }, async (name, source, frame) => {
    await compareAtLimits(new Comparison(source, frame, [1, 7, 10_000]), name, 150);
  });
});

it("generated loops agree", { timeout: 60 * MINUTES }, async () => {
  let ended = 0;
  await fc.assert(
    fc.asyncProperty(loopPrograms, async ({ source, frame }) => {
      const comparison = new Comparison(source, frame, [1, 5, 10_000]);
      if ((await comparison.at(LIMITS, source)).ok) ended += 1;
      await compareAtLimits(comparison, source, CUTS);
    }),
    { numRuns: PROGRAMS },
  );
  if (process.env["WEFT_TIER_PROGRAMS"] !== undefined) console.log({ programs: PROGRAMS, ended, runs });
  // Failures at the first step would say little of loops.
  expect(ended).toBeGreaterThan(PROGRAMS / 4);
});
