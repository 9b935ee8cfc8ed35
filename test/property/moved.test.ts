/**
 * A run that moves after its first slice answers as it would have where it started: outcome, usage, reported calls, warnings.
 * The guest is in this process, so that time and identifiers are the same; every message is a copy, as between threads.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Json } from "../../compiler/json.ts";
import { createHost } from "../../vm/host.ts";
import type { RunPlace } from "../../vm/offload/away.ts";
import { createGuest } from "../../vm/offload/guest.ts";
import { createMoving } from "../../vm/offload/moving.ts";
import type { CallEvent, Clock, HostFacts } from "../../vm/run.ts";
import { comparable } from "../support/executors.ts";
import { FRAME_CEILING, type GeneratedRun, runs, turnRuns } from "../support/generators.ts";
import { fakeClock, fakeFacts, mockAdapters } from "../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../support/run-case.ts";

const SEED = Number(process.env["WEFT_SEED"] ?? 20264);

/** Messages arrive before virtual time continues. */
function inThisProcess(clock: Clock, facts: HostFacts): RunPlace {
  let hear: Parameters<RunPlace["listen"]>[0] = () => {};
  const guest = createGuest({
    clock,
    facts,
    turn: queueMicrotask,
    post(message) {
      const copy = structuredClone(message);
      queueMicrotask(() => hear(copy));
    },
  });
  return {
    post(message) {
      const copy = structuredClone(message);
      queueMicrotask(() => guest(copy));
    },
    listen(heard) {
      hear = heard;
    },
    kill: (reason) => expect.unreachable(`killed: ${reason}`),
    release() {
      hear = () => {};
    },
  };
}

type Told = Omit<CallEvent, "duration_ms">;

type Place = {
  /** Steps of a slice; without it no run is moved. */
  readonly quantum?: number;
  readonly frameCeilingBytes?: number;
  readonly afterSteps?: number;
  readonly afterLongSlicesMs?: number;
};

async function answerOf(ir: Ir, run: GeneratedRun, place: Place = {}) {
  const { quantum, frameCeilingBytes = FRAME_CEILING } = place;
  const { afterSteps = 1, afterLongSlicesMs = Number.POSITIVE_INFINITY } = place;
  const clock = fakeClock();
  const facts = fakeFacts();
  const crashes: string[] = [];
  let moves = 0;
  const driveMovable = createMoving({
    take() {
      moves += 1;
      return inThisProcess(clock, facts);
    },
    afterSteps,
    afterLongSlicesMs,
  });
  const host = createHost({
    clock,
    facts,
    catalog: testCatalog,
    adapters: mockAdapters(clock),
    traceId: () => "t",
    frameCeilingBytes,
    crashed: (adapter, verb, thrown) => crashes.push(`${adapter}.${verb} ${String(thrown)}`),
    ...(quantum === undefined ? {} : { quantum, driveMovable }),
  });
  const told: Told[] = [];
  const answer = await host.run({
    ir,
    frame: run.frame,
    limits: run.limits,
    allowedAdapters: run.allowedAdapters,
    finalFrame: true,
    observer({ duration_ms: _time, ...event }) {
      told.push(structuredClone(event));
    },
  });
  const adapters = Object.keys(answer.adapter_p95_ms).sort();
  return {
    moves,
    text: [comparable(answer), JSON.stringify({ told, crashes, adapters, warnings: answer.warnings })].join("\n"),
  };
}

const VERBS = ["ECHO", "OP", "LATER", "SLOW", "CALLID", "P", "G", "CRASH", "ODD", "WAITS", "UNKNOWN"];

function calling(verb: string): GeneratedRun {
  const source = [
    "L1:",
    "  Set n 1",
    "  Call L2 ->twice",
    "  Call L2 ->twice",
    "  J [n, twice]",
    "L2:",
    "  X n add n 1",
    "  R core.SLEEP 5",
    `  R ext.${verb} 2 n ->v`,
    "  Retry 3 10",
    "  Err ->L3",
    "  R core.UPPER v ->v",
    "  J v",
    "L3:",
    "  R core.UUID ->id",
    '  J {"error": _error_info, "id": id}',
  ].join("\n");
  return { source, frame: {}, limits: { max_steps: 1000 }, allowedAdapters: null };
}

function nested(depth: number): Json {
  let value: Json = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

function irOf(run: GeneratedRun): Ir {
  return compileForTest(run.source, false, Object.keys(run.frame));
}

describe("a moved run", () => {
  it.each(VERBS)("makes its calls where its adapters are: %s", async (verb) => {
    const run = calling(verb);
    const ir = irOf(run);
    const plain = await answerOf(ir, run);
    for (const quantum of [1, 3]) {
      const moved = await answerOf(ir, run, { quantum });
      expect(moved.moves).toBe(1);
      expect(moved.text).toBe(plain.text);
    }
  });

  it.each([
    // Copying it would hold up everything else.
    ["is too large to be copied in passing", "x".repeat(5 * 1024 * 1024), 0],
    // The guest refuses it: operations there could not walk it either.
    ["is nested too deeply", nested(600), 1],
  ])("continues where it started when its state %s", async (_what, held, moves) => {
    const run = { ...calling("ECHO"), frame: { held } };
    const frameCeilingBytes = 64 * 1024 * 1024;
    const ir = irOf(run);
    const moved = await answerOf(ir, run, { quantum: 3, frameCeilingBytes });
    expect(moved.moves).toBe(moves);
    expect(moved.text).toBe((await answerOf(ir, run, { frameCeilingBytes })).text);
  });

  it.each([
    [100, 99, 1],
    [100, 199, 1],
    [100, 200, 0],
    // Slices as long as this tell nothing of operations.
    [4, 7, 0],
  ])("moves after two slices of %i ms with a limit of %i", async (each, afterLongSlicesMs, moves) => {
    const run = calling("TARDY");
    const slow = { ...run, source: run.source.replace("TARDY 2", `TARDY ${each}`) };
    const place = { quantum: 1, afterSteps: Number.POSITIVE_INFINITY, afterLongSlicesMs };
    expect((await answerOf(irOf(slow), slow, place)).moves).toBe(moves);
  });

  it("answers as without moving, for generated programs", async () => {
    let moves = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 3, arbitrary: runs }, { weight: 1, arbitrary: turnRuns }),
        fc.constantFrom(1, 3),
        async (run, quantum) => {
          const ir = irOf(run);
          const moved = await answerOf(ir, run, { quantum });
          moves += moved.moves;
          expect(moved.text, run.source).toBe((await answerOf(ir, run)).text);
        },
      ),
      { seed: SEED, numRuns: 150, endOnFailure: true },
    );
    expect(moves).toBeGreaterThan(50);
  });
});
