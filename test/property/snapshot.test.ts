/**
 * A run that is stored and taken up again at every suspension and every slice ends as it would have without: each time as JSON text, in a fresh machine.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Adapter } from "../../vm/adapter.ts";
import { plainAdapter } from "../../vm/calls/plain-adapter.ts";
import { AdapterError, FatalFailure } from "../../vm/errors/failures.ts";
import { createHost, type HostDeps } from "../../vm/host.ts";
import { Machine } from "../../vm/machine/machine.ts";
import type { MachineOptions } from "../../vm/machine/options.ts";
import { outcomeOf } from "../../vm/machine/outcome.ts";
import { restore, snapshot } from "../../vm/offload/snapshot.ts";
import type { Outcome } from "../../vm/run.ts";
import { drive } from "../../vm/runs/driver.ts";
import { comparable } from "../support/executors.ts";
import { FRAME_CEILING, type GeneratedRun, runs } from "../support/generators.ts";
import { fakeClock, fakeFacts, lasting, mockAdapters } from "../support/mock-adapters.ts";
import { verifies } from "../support/requirements.ts";
import { compileForTest, testCatalog } from "../support/run-case.ts";

const SEED = Number(process.env["WEFT_SEED"] ?? 20263);
const turn = (then: () => void): void => void setImmediate(then);

function prepare(ir: Ir, run: GeneratedRun, quantum: number, make = mockAdapters) {
  const clock = fakeClock();
  const deps: HostDeps = {
    clock,
    facts: fakeFacts(),
    catalog: testCatalog,
    adapters: lasting(make(clock)),
    traceId: () => "t",
    frameCeilingBytes: FRAME_CEILING,
  };
  const options: MachineOptions = {
    deps,
    traceId: "t",
    limits: run.limits,
    allowed: run.allowedAdapters === null ? null : new Set(run.allowedAdapters),
    trace: null,
    signal: undefined,
    quantum,
  };
  return { program: createHost(deps).program(ir), options };
}

async function uninterrupted(ir: Ir, run: GeneratedRun, make = mockAdapters): Promise<Outcome> {
  const { program, options } = prepare(ir, run, 10_000, make);
  return outcomeOf(await drive(new Machine(program, run.frame, options), turn), true);
}

async function interrupted(
  ir: Ir,
  run: GeneratedRun,
  quantum: number,
  make = mockAdapters,
): Promise<{ outcome: Outcome; moves: number }> {
  const { program, options } = prepare(ir, run, quantum, make);
  let moves = 0;
  let inFlight = false;
  const moved = (m: Machine): Machine => {
    // The machine that continues repeats a call in flight, and may wait for its answer.
    const waits = m.pending?.kind === "call";
    inFlight = waits && !inFlight;
    if (waits && !inFlight) return m;
    moves += 1;
    return restore(program, JSON.parse(JSON.stringify(snapshot(m))), options);
  };
  const end = await drive(new Machine(program, run.frame, options), turn, moved);
  return { outcome: outcomeOf(end, true), moves };
}

function irOf(run: GeneratedRun): Ir {
  return compileForTest(run.source, false, Object.keys(run.frame));
}

const RECURSIVE: GeneratedRun = {
  source: [
    "L1:",
    "  Set n 6",
    "  Set seen []",
    "  Loop [1, 2] i ->L2 ->L5",
    "L2:",
    "  Call L3 ->r",
    "  X seen push seen r",
    "L3:",
    "  If n ->L4",
    "L4:",
    "  X n sub n 1",
    "  R core.SLEEP 5 ->z",
    "  R ext.OP 2 n ->v",
    "  Retry 3 10",
    "  Call L3",
    '  J {"n": n, "v": v}',
    "L5:",
    "  J seen",
  ].join("\n"),
  frame: {},
  limits: { max_steps: 1000, max_depth: 40 },
  allowedAdapters: null,
};

/** A run that is stored after some steps. */
async function stored() {
  const { program, options } = prepare(irOf(RECURSIVE), RECURSIVE, 3);
  const documents: ReturnType<typeof snapshot>[] = [];
  await drive(new Machine(program, {}, options), turn, (m) => {
    documents.push(snapshot(m));
    return m;
  });
  const good = documents[12];
  if (good === undefined) throw new Error("no snapshot was taken");
  return { program, options, good };
}

describe("snapshot", () => {
  it("continues after every suspension and slice with the same outcome", async () => {
    verifies("runtime.snapshot");
    const ir = irOf(RECURSIVE);
    const plain = await uninterrupted(ir, RECURSIVE);
    expect(plain.ok).toBe(true);
    for (const quantum of [1, 2, 3, 7]) {
      const { outcome, moves } = await interrupted(ir, RECURSIVE, quantum);
      expect(comparable(outcome)).toBe(comparable(plain));
      expect(moves).toBeGreaterThan(5);
    }
  });

  it("makes a call that was in flight again with the same id, at whichever visit and attempt", async () => {
    verifies("runtime.snapshot");
    const source = [
      "L1:",
      "  Set seen []",
      "  Loop [1, 2, 2] i ->L2 ->L3",
      "L2:",
      "  R ext.A i ->v",
      "  Retry 2 0",
      "  X seen push seen v",
      "L3:",
      "  J seen",
    ].join("\n");
    const run: GeneratedRun = { source, frame: {}, limits: { max_steps: 100 }, allowedAdapters: null };
    const make = (): ReadonlyMap<string, Adapter> =>
      new Map([
        [
          "ext",
          plainAdapter("ext", {
            A: ([i], { callId, attempt }) => {
              if (attempt < Number(i)) throw new AdapterError("ADAPTER_BUSY", "busy", { retryable: true });
              return Promise.resolve([callId, attempt]);
            },
          }),
        ],
      ]);
    const expected = [
      ["t/2/n1/1", 1],
      ["t/2/n1/2", 2],
      ["t/2/n1/3", 2],
    ];
    expect(await uninterrupted(irOf(run), run, make)).toMatchObject({ ok: true, out: expected });
    for (const quantum of [1, 10_000])
      expect((await interrupted(irOf(run), run, quantum, make)).outcome).toMatchObject({ ok: true, out: expected });
  });

  it("7: the same for generated programs", async () => {
    await fc.assert(
      fc.asyncProperty(runs, fc.constantFrom(1, 3), async (run, quantum) => {
        const ir = irOf(run);
        const plain = await uninterrupted(ir, run);
        const { outcome } = await interrupted(ir, run, quantum);
        expect(comparable(outcome), run.source).toBe(comparable(plain));
      }),
      { seed: SEED, numRuns: 120, endOnFailure: true },
    );
  });

  it("refuses documents that do not fit the program, and says why", async () => {
    const { program, options, good } = await stored();
    const [root = []] = good.cs;
    const under = (record: readonly number[]) => ({ cs: [root, record] });
    const loop = { list: [1], position: 0, bound: 0, own: 0, kept: [], live: 1 };
    const plan = { record: 0, site: 1_000_000, count: 1, backoff: 0, made: 0 };
    const pending = { kind: "wait", ms: 1, due: 1, then: "retry", pc: good.pc + 1 };
    const broken: readonly (readonly [reason: string, ...changes: object[]])[] = [
      ["not a snapshot of this version", { version: 1 }, { surprise: 1 }, { cs: [] }, { pc: -5 }, { depth: -2 }],
      ["of another program", { program: "sha256:0" }, { entry: "nowhere" }],
      ["position outside the program", { pc: 1_000_000 }],
      ["position is not a suspension point", { pc: good.pc + 2 }],
      ["waits at another position", { pending }],
      ["bad figures", { depth: -1 }, { calls: -1 }, { iterations: -1 }],
      ["bad figures", { fuel: { ...good.fuel, left: -1 } }, { fuel: { ...good.fuel, left: good.fuel.granted + 1 } }],
      ["control stack has no root", { cs: [[1, 2, 0, 1, 0, 0]] }, { cs: [[0, 0, 0, 2, 0, 0]] }],
      ["unknown control record", under([7, 0, 0, 1, 0, 0])],
      ["control record returns to no call", under([1, 3, 0, 2, 0, 0])],
      ["handles an unknown node", under([2, 1_000_000, 0, 1, 0, 0])],
      ["control record out of range", under([2, 0, -1, 1, 0, 0]), under([2, 0, 1_000_000, 1, 0, 0])],
      ["control record out of range", under([2, 0, 0, 0, 0, 0]), under([2, 0, 0, 1, -1, 0])],
      ["control record out of range", under([2, 0, 0, 1, 1_000_000, 0])],
      ["slot out of range", { frame: [[1_000_000, 1]] }, { frame: [[-1, 1]] }, { frame: [[program.names.length, 1]] }],
      ["loop out of range", { loops: [{ ...loop, position: -1 }] }, { loops: [{ ...loop, position: 2 }] }],
      ["retry of an unknown node", { plans: [plan] }],
      ["extra keys are not an object", { extra: [1] }, { extra: null }],
      ["contains something that is not a value", { extra: { a: Number.NaN } }, { frame: [[0, Number.NaN]] }],
    ];
    for (const [reason, ...changes] of broken) {
      for (const change of changes) {
        const said = JSON.stringify(change).slice(0, 80);
        expect(() => restore(program, { ...good, ...change }, options), said).toThrow(`snapshot refused: ${reason}`);
      }
    }
    for (const nothing of [null, {}, [], "snapshot"])
      expect(() => restore(program, nothing, options)).toThrow(FatalFailure);
  });

  it("refuses a run that has used more than the limits of the new place allow", async () => {
    const { program, options, good } = await stored();
    const used = { max_steps: good.fuel.granted - good.fuel.left, max_depth: good.depth, max_loop_iters: 1 };
    expect(() => restore(program, good, { ...options, limits: used })).not.toThrow();
    const tighter = { ...used, max_adapter_calls: good.calls, max_frame_bytes: 10 };
    for (const [limit, figure] of Object.entries(tighter)) {
      const limits = { [limit]: limit === "max_frame_bytes" ? figure : figure - 1 };
      expect(() => restore(program, good, { ...options, limits }), limit).toThrow(`used more than ${limit}`);
    }
  });

  it("counts the steps of the whole run against the limits of the new place, whatever the document grants", async () => {
    const { program, options, good } = await stored();
    const used = good.fuel.granted - good.fuel.left;
    for (const rest of [0, 1_000_000]) {
      const limits = { max_steps: used + 1 };
      const m = restore(program, { ...good, fuel: { ...good.fuel, rest } }, { ...options, limits });
      const { ok, usage } = outcomeOf(await drive(m, turn), false);
      expect({ ok, steps: usage.steps }).toEqual({ ok: false, steps: used + 1 });
    }
  });

  it("ends at the exact step of a tighter limit, also where it was stored in the middle of a block", async () => {
    const source = ["L1:", ...["a", "b", "c", "d", "e"].map((x) => `  X ${x} sort xs`), "  J e"].join("\n");
    const frame = { xs: Array.from({ length: 4200 }, (_, i) => i) };
    const run: GeneratedRun = { source, frame, limits: {}, allowedAdapters: null };
    const { program, options } = prepare(irOf(run), run, 64);
    const roomy = { ...options, deps: { ...options.deps, frameCeilingBytes: 1_000_000 } };
    const documents: ReturnType<typeof snapshot>[] = [];
    await drive(new Machine(program, frame, roomy), turn, (m) => {
      documents.push(JSON.parse(JSON.stringify(snapshot(m))));
      return m;
    });
    expect(documents.length).toBeGreaterThan(2);
    for (const [at, document] of documents.entries()) {
      const used = document.fuel.granted - document.fuel.left;
      for (let max_steps = used; max_steps < 6; max_steps++) {
        const m = restore(program, document, { ...roomy, limits: { max_steps } });
        const { ok, usage } = outcomeOf(await drive(m, turn), false);
        expect({ at, ok, steps: usage.steps }).toEqual({ at, ok: false, steps: max_steps });
      }
    }
  });

  it("holds the limit of a While exactly, also where no word of code does", async () => {
    const source = "L1:\n  While true ->L2 ->L3 limit=3000000000\nL2:\n  R core.SLEEP 5\nL3:\n  J 1\n";
    const run: GeneratedRun = { source, frame: {}, limits: { max_steps: 10 }, allowedAdapters: null };
    const { program, options } = prepare(irOf(run), run, 100);
    const bounds: (number | undefined)[] = [];
    await drive(new Machine(program, {}, options), turn, (m) => {
      bounds.push(snapshot(m).loops[0]?.bound);
      return m;
    });
    expect(new Set(bounds)).toEqual(new Set([3_000_000_000]));
  });
});
