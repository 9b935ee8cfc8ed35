/**
 * What a running job shows of itself on its way to the store: written at most once a second, and before the job waits or ends. Delivery is
 * best effort, because the program makes it anew when the job continues; what is made anew by a replay is not written again.
 */

import { ShownState } from "../../../vm/recording/shown-state.ts";
import type { Clock } from "../../../vm/run.ts";

const EVERY_MS = 1000;
/** What a program shows at once is written together. */
const GATHER_MS = 50;

export class StateOutbox {
  readonly shown = new ShownState();
  readonly #write: (text: string) => Promise<void>;
  readonly #clock: Pick<Clock, "now" | "wait">;
  #hasChanged = false;
  #stop: (() => void) | null = null;
  #next = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> = Promise.resolve();

  constructor(write: (text: string) => Promise<void>, clock: Pick<Clock, "now" | "wait">) {
    this.#write = write;
    this.#clock = clock;
    this.shown.onChange = () => {
      this.#hasChanged = true;
      this.#plan();
    };
  }

  #plan(): void {
    const inMs = Math.max(GATHER_MS, this.#next - this.#clock.now());
    this.#stop ??= this.#clock.wait(inMs, () => {
      this.#stop = null;
      if (this.shown.isReplaying()) this.#plan();
      else void this.flush();
    });
  }

  /** Writes what has changed. */
  flush(): Promise<void> {
    this.#stop?.();
    this.#stop = null;
    const text = this.#hasChanged && !this.shown.isReplaying() ? this.shown.text() : null;
    if (text === null) return this.#writing;
    this.#hasChanged = false;
    this.#next = this.#clock.now() + EVERY_MS;
    this.#writing = this.#writing.then(() => this.#write(text)).catch(() => {});
    return this.#writing;
  }
}
