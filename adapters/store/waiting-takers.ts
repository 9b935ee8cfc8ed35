/**
 * Takers that wait for messages of a queue in this process. A put of the same process, or a notification of another,
 * wakes them; messages without a notification, and those that become visible later, are found by polling.
 */
import type { StoreCall } from "./call.ts";
import type { Delivery } from "./queue.ts";

const POLL_MS = 2_000;
/** Waiting ends so long before the call's deadline that the last answer still arrives. */
const RESERVE_MS = 500;

export type Asked = {
  readonly messages: readonly Delivery[];
  /** When none was ready: how long until one will be, if any is there. */
  readonly visibleInMs: number | null;
};

export class WaitingTakers {
  readonly #wakers = new Map<string, Set<() => void>>();

  /** Asks until there are messages or `waitMs` are over, whichever comes first. */
  async take(
    { queue, waitMs }: { readonly queue: string; readonly waitMs: number },
    call: StoreCall,
    ask: () => Promise<Asked>,
  ): Promise<readonly Delivery[]> {
    const endsMs = Math.max(RESERVE_MS, call.remainingMs() - waitMs);
    for (;;) {
      const arrival = this.#arrival(queue);
      try {
        const { messages, visibleInMs } = await ask();
        const leftMs = call.remainingMs() - endsMs;
        if (messages.length > 0 || !(leftMs > 0) || call.signal.aborted) return messages;
        await arrival.within(Math.max(1, Math.min(leftMs, visibleInMs ?? POLL_MS, POLL_MS)), call.signal);
      } finally {
        arrival.leave();
      }
    }
  }

  wake(queue: string): void {
    for (const arrived of this.#wakers.get(queue) ?? []) arrived();
  }

  wakeAll(): void {
    for (const queue of this.#wakers.keys()) this.wake(queue);
  }

  /** Listens for messages from here on, so that none between asking and waiting is missed. */
  #arrival(queue: string) {
    let arrived = (): void => {};
    const came = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const listeners = this.#wakers.get(queue) ?? new Set();
    this.#wakers.set(queue, listeners.add(arrived));
    return {
      async within(ms: number, signal: AbortSignal): Promise<void> {
        const timer = setTimeout(arrived, ms);
        signal.addEventListener("abort", arrived);
        await came;
        signal.removeEventListener("abort", arrived);
        clearTimeout(timer);
      },
      leave: (): void => {
        listeners.delete(arrived);
        if (listeners.size === 0 && this.#wakers.get(queue) === listeners) this.#wakers.delete(queue);
      },
    };
  }
}
