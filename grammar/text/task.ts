/**
 * Work that is done a piece at a time: a task yields after each piece, so that its driver can let other work of the
 * thread in between and continue later. Knows nothing of what is done.
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
