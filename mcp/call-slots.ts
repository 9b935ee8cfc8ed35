/**
 * How many tool calls run at once: so many, a line of those that wait, and no more. A cancelled call gives its place back, at the latest
 * a second after it was asked to end, whatever it still waits for.
 */
import type { Clock } from "../vm/run.ts";

export type SlotBounds = { readonly most: number; readonly waitingMost: number };

/** More calls than may wait. */
export class ServerBusy extends Error {
  constructor() {
    super("too many calls at once; try again when some of them are answered");
    this.name = "ServerBusy";
  }
}

const HARD_STOP_MS = 1000;

export class CallSlots {
  readonly #bounds: SlotBounds;
  readonly #clock: Clock;
  readonly #line = new Set<() => void>();
  #active = 0;

  constructor(bounds: SlotBounds, clock: Clock) {
    this.#bounds = bounds;
    this.#clock = clock;
  }

  /** Runs `work` when it is its turn. Rejects with ServerBusy, or with the signal's reason when it fires first. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(signal);
    const stopped = this.#hardStop(signal);
    try {
      return await Promise.race([work(), stopped.promise]);
    } finally {
      stopped.forget();
      this.#leave();
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#active < this.#bounds.most) {
      this.#active += 1;
      return;
    }
    if (this.#line.size >= this.#bounds.waitingMost) throw new ServerBusy();
    await new Promise<void>((resolve, reject) => {
      const leaveLine = (act: () => void): void => {
        signal.removeEventListener("abort", onAbort);
        this.#line.delete(go);
        act();
      };
      const onAbort = (): void => leaveLine(() => reject(signal.reason));
      // The place of whoever left is taken over.
      const go = (): void => leaveLine(resolve);
      this.#line.add(go);
      signal.addEventListener("abort", onAbort);
    });
  }

  #leave(): void {
    const [next] = this.#line;
    if (next === undefined) this.#active -= 1;
    else next();
  }

  #hardStop(signal: AbortSignal): { readonly promise: Promise<never>; forget(): void } {
    let forget = (): void => {};
    const promise = new Promise<never>((_, reject) => {
      const onAbort = (): void => {
        const stop = this.#clock.wait(HARD_STOP_MS, () => reject(signal.reason));
        forget = stop;
      };
      signal.addEventListener("abort", onAbort, { once: true });
      forget = () => signal.removeEventListener("abort", onAbort);
    });
    // Nobody listens any more when the work is done first.
    promise.catch(() => undefined);
    return { promise, forget: () => forget() };
  }
}
