/**
 * The way to end a run from outside, without the cost of an AbortController: every request has two of them, and nearly none is used. As
 * many runs may wait on one as there are: the platform takes more than ten for a leak. What listens hears of it once.
 */
import type { Cancellation } from "../run.ts";

export class Cancelling implements Cancellation {
  #aborted = false;
  #reason: unknown;
  /** Nearly none has more than one listener, and a batch as many as frames that wait. */
  #first: (() => void) | null = null;
  #others: Set<() => void> | null = null;

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  /** The first reason stays. */
  abort(reason: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    const [first, others] = [this.#first, this.#others];
    this.#first = null;
    this.#others = null;
    first?.();
    if (others !== null) for (const listener of others) listener();
  }

  addEventListener(_type: "abort", listener: () => void): void {
    if (this.#aborted || listener === this.#first) return;
    if (this.#first === null) this.#first = listener;
    else {
      this.#others ??= new Set();
      this.#others.add(listener);
    }
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    if (this.#first === listener) this.#first = null;
    else this.#others?.delete(listener);
  }
}

/** Ends when one of them does. */
export function anyOf(first: Cancellation, second: Cancellation): Cancellation {
  const either = new Cancelling();
  for (const one of [first, second]) {
    if (one.aborted) either.abort(one.reason);
    else one.addEventListener("abort", () => either.abort(one.reason));
  }
  return either;
}
