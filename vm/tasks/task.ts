/**
 * How tasks are cut (`grammar/text/task.ts`): a task of the machine charges each piece to its meter, which looks at the clock, and then yields;
 * every other task is driven by `inTurns`. Knows nothing of machines.
 */
import type { Task } from "../../grammar/text/task.ts";
import { charge, type WorkMeter } from "./work-meter.ts";

export { completed, type Task } from "../../grammar/text/task.ts";

/** Milliseconds by the clock after which a run gives other work its turn, however little it has done. */
export const SLICE_MS = 10;
/** The same for other tasks: what a service does for a request. */
const TURN_MS = 5;

/** Runs a task to its end, and lets other work of the thread in between. */
export async function inTurns<T>(
  task: Task<T>,
  clock: { now(): number },
  turn: (then: () => void) => void,
): Promise<T> {
  for (let since = clock.now(); ; ) {
    const step = task.next();
    if (step.done === true) return step.value;
    if (clock.now() - since < TURN_MS) continue;
    await otherWork(turn);
    since = clock.now();
  }
}

/** Lets other work of the thread in between. */
export function otherWork(turn: (then: () => void) => void): Promise<void> {
  return new Promise((resolve) => turn(resolve));
}

/** A task that knows nothing of a pace, each of whose pieces takes about as long as one here. */
export function* paced<T>(task: Task<T>, pace: Pace): Task<T> {
  for (let step = task.next(); ; step = task.next()) {
    if (step.done === true) return step.value;
    if (pace.add(PIECE)) yield;
  }
}

/** Work of one piece: about a fifth of a millisecond. */
const PIECE = 16_384;

/** Adds up the work of a task and charges it a piece at a time. */
export class Pace {
  readonly #meter: WorkMeter;
  #pending = 0;
  #due = false;

  constructor(meter: WorkMeter) {
    this.#meter = meter;
  }

  /** Notes work; true when a piece is full, and the task should yield. */
  add(units: number): boolean {
    this.note(units);
    return this.isDue();
  }

  /** The same for work below the task itself, which asks `isDue` later. */
  note(units: number): void {
    this.#pending += units;
    if (this.#pending < PIECE) return;
    this.end();
    this.#due = true;
  }

  /** True once after each full piece. */
  isDue(): boolean {
    const due = this.#due;
    this.#due = false;
    return due;
  }

  /** Whether a piece is full: what works below the task should return to it. */
  get isFull(): boolean {
    return this.#due;
  }

  /** Notes containers that the task made, as an estimate of heap bytes. */
  created(bytes: number): void {
    this.#meter.created?.(bytes);
  }

  /** Throws when the task may not create values of this many bytes of heap. Called before they are made. */
  checkRoom(bytes: number): void {
    this.#meter.checkRoom?.(bytes);
  }

  /** Charges what is left. Call it before the task returns. */
  end(): void {
    const units = this.#pending;
    this.#pending = 0;
    charge(this.#meter, units);
  }
}
