import type { Cancellation } from "../../run.ts";

/** The cancellation of a run for its branches: one listener at the source, however many of them wait. */
export class BranchSignal implements Cancellation {
  readonly #source: Cancellation | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(source: Cancellation | undefined) {
    this.#source = source;
  }

  get aborted(): boolean {
    return this.#source?.aborted ?? false;
  }

  get reason(): unknown {
    return this.#source?.reason;
  }

  addEventListener(_type: "abort", listener: () => void): void {
    if (this.#listeners.size === 0) this.#source?.addEventListener("abort", this.interrupt);
    this.#listeners.add(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size === 0) this.#source?.removeEventListener("abort", this.interrupt);
  }

  /** Tells everybody that waits to stop. */
  readonly interrupt = (): void => {
    for (const listener of [...this.#listeners]) listener();
  };
}
