/** Turns of the thread for work that many do at once in small steps, none of which is long by itself. */
import { otherWork } from "./task.ts";

/** Milliseconds of work between two turns of other work. */
const TURN_MS = 5;

export class Turns {
  readonly #clock: { now(): number };
  readonly #turn: (then: () => void) => void;
  #since: number;
  #other: Promise<void> | null = null;

  constructor(clock: { now(): number }, turn: (then: () => void) => void) {
    this.#clock = clock;
    this.#turn = turn;
    this.#since = clock.now();
  }

  /** To be awaited before each step: at once, or after other work where the steps before this one took long enough together. */
  async next(): Promise<void> {
    while (this.#clock.now() - this.#since >= TURN_MS) {
      if (this.#other === null) {
        this.#other = this.#letOthersWork();
        return this.#other;
      }
      // Those that waited along take their steps one after another, and may be long together again.
      await this.#other;
    }
  }

  async #letOthersWork(): Promise<void> {
    await otherWork(this.#turn);
    this.#since = this.#clock.now();
    this.#other = null;
  }
}
