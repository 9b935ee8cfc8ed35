/**
 * Queues over the SQLite service. Whoever waits for a message is woken by the next put of the same service; messages of other processes,
 * and those that become visible by time, are seen by asking again.
 */
import type { SqliteDatabase } from "../engine/sqlite.ts";
import type { StoreCall } from "./call.ts";
import { argsHash } from "./ledger.ts";
import type { Delivery, LeasedMessage, PutMessage, QueueLength, QueueStore, TakeRequest } from "./queue.ts";
import { type CallsOf, callsOf } from "./sqlite/program.ts";
import type { queueOperations, Taken } from "./sqlite/queue.ts";
import { storedJson } from "./stored-json.ts";

const POLL_MS = 2_000;
/** Waiting ends so long before the call's deadline that the last answer still arrives. */
const RESERVE_MS = 500;

export class SqliteQueueStore implements QueueStore {
  readonly #calls: CallsOf<typeof queueOperations>;
  /** Wakes whoever waits, by queue. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(database: SqliteDatabase) {
    this.#calls = callsOf(database);
  }

  async put({ payload, once, ...message }: PutMessage, call: StoreCall): Promise<string> {
    const now = call.now();
    const keyed = { ...once, scope: "queue.put", now };
    const id = await this.#calls("put", { ...message, text: JSON.stringify(payload), once: keyed, now }, call);
    this.#wake(message.queue);
    return id;
  }

  length(queue: string, call: StoreCall): Promise<QueueLength> {
    return this.#calls("length", { queue, now: call.now() }, call);
  }

  async take({ waitMs, ...request }: TakeRequest, call: StoreCall): Promise<readonly Delivery[]> {
    const endsMs = Math.max(RESERVE_MS, call.remainingMs() - waitMs);
    for (;;) {
      const arrival = this.#arrival(request.queue);
      try {
        const { messages, nextMs } = await this.#take(request, call);
        const leftMs = call.remainingMs() - endsMs;
        if (messages.length > 0 || !(leftMs > 0) || call.signal.aborted) return messages.map(delivery);
        const visibleInMs = nextMs === null ? POLL_MS : nextMs - call.now();
        await arrival.within(Math.max(1, Math.min(leftMs, visibleInMs, POLL_MS)), call.signal);
      } finally {
        arrival.leave();
      }
    }
  }

  async acknowledge(message: LeasedMessage, call: StoreCall): Promise<void> {
    await this.#calls("acknowledge", { ...message, ...settling("queue.ack", message, call) }, call);
  }

  async release(message: LeasedMessage & { readonly delayMs: number }, call: StoreCall): Promise<void> {
    await this.#calls("release", { ...message, ...settling("queue.nack", message, call) }, call);
    this.#wake(message.queue);
  }

  #take(request: Omit<TakeRequest, "waitMs">, call: StoreCall): Promise<Taken> {
    return this.#calls("take", { ...request, now: call.now() }, call);
  }

  /** Listens for messages from here on, so that none between asking and waiting is missed. */
  #arrival(queue: string) {
    let arrived = (): void => {};
    const came = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const listeners = this.#waiting.get(queue) ?? new Set();
    this.#waiting.set(queue, listeners.add(arrived));
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
        if (listeners.size === 0 && this.#waiting.get(queue) === listeners) this.#waiting.delete(queue);
      },
    };
  }

  #wake(queue: string): void {
    for (const arrived of this.#waiting.get(queue) ?? []) arrived();
  }
}

function settling(scope: string, { queue, id, lease }: LeasedMessage, call: StoreCall) {
  const now = call.now();
  return { now, once: { scope, key: `${id} ${lease}`, argsHash: argsHash([queue]), now } };
}

function delivery({ id, text, attempts, lease }: Taken["messages"][number]): Delivery {
  return { id, payload: storedJson(text), attempts, lease };
}
