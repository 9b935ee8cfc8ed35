/**
 * Work that is done a piece at a time. A *piece* is a bounded number of units of work, after which the task yields. Its driver then
 * looks at the clock, and ends the *slice* after some milliseconds: other work of the thread gets its turn, and the task continues
 * later. So a slow machine does fewer pieces in a slice and not longer slices, and nothing that a task computes depends on where its
 * slices end. Knows nothing of what is done, and of no clock.
 */

/** Yields after each piece; returns its result. */
export type Task<T> = Generator<void, T, void>;

/** Counts the work of a task, and says when a piece of it is done. */
export class Pieces {
  readonly #size: number;
  #done = 0;

  /** `size`: units of work in a piece. */
  constructor(size: number) {
    this.#size = size;
  }

  /** Adds work; true when a piece is full, and the task should yield. */
  add(units = 1): boolean {
    this.#done += units;
    if (this.#done < this.#size) return false;
    this.#done = 0;
    return true;
  }
}

/** Runs a task to its end in one go, for callers that cannot wait. */
export function completed<T>(task: Task<T>): T {
  for (;;) {
    const step = task.next();
    if (step.done === true) return step.value;
  }
}
