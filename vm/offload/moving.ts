/**
 * Which runs move to a worker thread: those that have used much, at the end of a slice, when a thread is free and their state is small enough to
 * be copied quickly. All others end where they started. The answer is the same either way.
 */

import type { Ir } from "../../compiler/ir/graph.ts";
import type { Machine } from "../machine/machine.ts";
import { usageOf } from "../machine/outcome.ts";
import type { Stop } from "../machine/slices/stop.ts";
import type { Usage } from "../run.ts";
import { driveOn, resume, type Turn } from "../runs/driver.ts";
import { toldOutcome } from "../runs/told-outcome.ts";
import { finishAway, type RunPlace } from "./away.ts";
import type { RunEnd } from "./messages.ts";
import { stateBytes } from "./snapshot.ts";

export type MovingOptions = {
  /** A free thread; null when all are busy, and the run continues where it is. */
  readonly take: () => RunPlace | null;
  /** Steps after which a run is moved. */
  readonly afterSteps: number;
  /** Milliseconds that its long slices took together: its operations are long ones. */
  readonly afterLongSlicesMs: number;
};

type MovableRun = {
  readonly ir: Ir;
  readonly finalFrame: boolean;
  readonly progress: ((usage: Usage) => void) | undefined;
};

/** Larger states take longer to copy than it takes to let other work in between. About the bytes of their JSON. */
const MAX_STATE_BYTES = 4 * 1024 * 1024;
/** Milliseconds. A slice of steps takes a fraction of one. */
const LONG_SLICE_MS = 5;
/** Steps until a run that had to stay tries again. */
const AGAIN_STEPS = 1_000_000;

/**
 * Drives a machine to its end, here or elsewhere. Its first slice is over and ended in `stop`. It may have neither trace nor journal:
 * they are not part of the state.
 */
export type DriveMovable = (m: Machine, stop: Stop, turn: Turn, run: MovableRun) => Promise<RunEnd>;

export function createMoving(options: MovingOptions): DriveMovable {
  return (m, stop, turn, run) => driveAnywhere(m, stop, turn, run, new Departure(options));
}

async function driveAnywhere(
  m: Machine,
  stop: Stop,
  turn: Turn,
  run: MovableRun,
  departure: Departure,
): Promise<RunEnd> {
  const { progress } = run;
  await driveOn(m, stop, turn, (at, ranMs) => {
    progress?.(usageOf(at));
    return departure.leaves(at, ranMs) ? null : at;
  });
  if (departure.place !== null) {
    const end = await finishAway(m, departure.place, { ...run, turn });
    if (end !== null) return end;
    await resume(m, turn, (at) => {
      progress?.(usageOf(at));
      return at;
    });
  }
  return { outcome: toldOutcome(m, run.ir, run.finalFrame), callTimes: m.callTimes };
}

class Departure {
  /** Where the run continues after it has moved. */
  place: RunPlace | null = null;
  readonly #options: MovingOptions;
  #nextSteps: number;
  #longSlicesMs = 0;

  constructor(options: MovingOptions) {
    this.#options = options;
    this.#nextSteps = options.afterSteps;
  }

  leaves(m: Machine, ranMs: number): boolean {
    const { afterSteps, afterLongSlicesMs, take } = this.#options;
    if (ranMs >= LONG_SLICE_MS) this.#longSlicesMs += ranMs;
    // What runs it instead of the loop has a state of its own, which stays.
    if (m.executor !== null) return false;
    // A call under way belongs to this side, and is not made twice.
    if (m.pending !== null || (this.#longSlicesMs <= afterLongSlicesMs && m.steps() < this.#nextSteps)) return false;
    if (stateBytes(m) <= MAX_STATE_BYTES) this.place = take();
    this.#longSlicesMs = 0;
    this.#nextSteps = Math.max(afterSteps, m.steps() + AGAIN_STEPS);
    return this.place !== null;
  }
}
