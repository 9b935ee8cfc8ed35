/**
 * A run on the machine in slices, stored as text and taken up by a fresh machine at each end of one; and the same on the reference
 * interpreter.
 */
import type { Ir } from "../../compiler/ir/graph.ts";
import { createHost, type HostDeps } from "../../vm/host.ts";
import { Machine } from "../../vm/machine/machine.ts";
import type { MachineOptions } from "../../vm/machine/options.ts";
import { outcomeOf } from "../../vm/machine/outcome.ts";
import { restore, snapshot } from "../../vm/offload/snapshot.ts";
import type { Outcome } from "../../vm/run.ts";
import { drive } from "../../vm/runs/driver.ts";
import { executor } from "./executors.ts";
import type { GeneratedRun } from "./generators.ts";
import { fakeClock, fakeFacts, lasting, mockAdapters } from "./mock-adapters.ts";
import { testCatalog } from "./run-case.ts";

const FRAME_CEILING = 1_000_000;

export type Counted = { readonly outcome: Outcome; readonly turns: number; readonly moves: number };

/** Runs on the machine; `moved`: stored as text and restored at each slice end that allows it. */
export async function sliced(ir: Ir, run: GeneratedRun, quantum: number, moved = false): Promise<Counted> {
  const clock = fakeClock();
  const adapters = lasting(mockAdapters(clock));
  const deps: HostDeps = {
    ...{ clock, adapters, facts: fakeFacts(), catalog: testCatalog, traceId: () => "reference" },
    frameCeilingBytes: run.frameCeilingBytes ?? FRAME_CEILING,
  };
  const allowed = run.allowedAdapters === null ? null : new Set(run.allowedAdapters);
  const options: MachineOptions = {
    ...{ deps, traceId: "reference", limits: run.limits, allowed, trace: null, signal: undefined, quantum },
  };
  const program = createHost(deps).program(ir);
  let turns = 0;
  let moves = 0;
  const turn = (then: () => void): void => {
    turns += 1;
    setImmediate(then);
  };
  const store = (m: Machine): Machine => {
    if (m.pending !== null) return m;
    moves += 1;
    return restore(program, JSON.parse(JSON.stringify(snapshot(m))), options);
  };
  const end = await drive(new Machine(program, run.frame, options), turn, moved ? store : undefined);
  return { outcome: outcomeOf(end, true), turns, moves };
}

export async function reference(ir: Ir, run: GeneratedRun): Promise<Outcome> {
  const clock = fakeClock();
  return executor("reference", testCatalog)(ir, {
    ...{ frame: run.frame, limits: run.limits, allowedAdapters: run.allowedAdapters, clock, facts: fakeFacts() },
    ...{ adapters: mockAdapters(clock), finalFrame: true, frameCeilingBytes: FRAME_CEILING },
  });
}
