/**
 * The way to end a run from outside, without the cost of an AbortController: every request has two of them, and nearly none is used. As
 * many runs may wait on one as there are: the platform takes more than ten for a leak. What listens hears of it once.
 */
import type { Cancellation } from "./run.ts";

/** Nearly none has more than one listener: a list that grows takes room for seventeen. */
const NONE: readonly (() => void)[] = [];

export class Cancelling implements Cancellation {
  #aborted = false;
  #reason: unknown;
  #listeners: readonly (() => void)[] = NONE;

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
    const listeners = this.#listeners;
    this.#listeners = NONE;
    for (const listener of listeners) listener();
  }

  addEventListener(_type: "abort", listener: () => void): void {
    if (this.#aborted) return;
    this.#listeners = this.#listeners === NONE ? [listener] : [...this.#listeners, listener];
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    const at = this.#listeners.indexOf(listener);
    if (at >= 0) this.#listeners = this.#listeners.toSpliced(at, 1);
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
