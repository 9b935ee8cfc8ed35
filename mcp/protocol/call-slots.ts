/**
 * Bounds the tool calls that run at once and those that wait. A cancelled call releases its place, at the latest
 * a second after it was asked to end, whatever it still waits for.
 */
import { WaitingLine } from "../../adapters/engine/waiting-line.ts";
import type { Clock } from "../../vm/run.ts";

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
  readonly #clock: Clock;
  readonly #slots: WaitingLine<number>;

  constructor({ most, waitingMost }: SlotBounds, clock: Clock) {
    this.#clock = clock;
    this.#slots = new WaitingLine(
      Array.from({ length: most }, (_, slot) => slot),
      {
        waiting: waitingMost,
        busy: () => new ServerBusy(),
        aborted: ({ reason }) => reason,
      },
    );
  }

  /** Runs `work` when it is its turn. Rejects with ServerBusy, or with the signal's reason when it fires first. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const slot = await this.#slots.take(signal);
    const stopped = this.#hardStop(signal);
    try {
      return await Promise.race([work(), stopped.promise]);
    } finally {
      stopped.forget();
      this.#slots.give(slot);
    }
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
    // If the work finishes first, nothing listens for the abort.
    promise.catch(() => undefined);
    return { promise, forget: () => forget() };
  }
}
