/**
 * Queues over the SQLite service. Waiting takers are woken by the next put of the same service; messages of other processes,
 * and those that become visible later, are found by polling.
 */
import { exactJson } from "../../../vm/inputs/exact-text.ts";
import type { SqliteDatabase } from "../../engine/sqlite/sqlite.ts";
import type { StoreCall } from "../call.ts";
import { argsHash } from "../ledger.ts";
import type {
  Delivery,
  LeasedMessage,
  PeekedMessages,
  PeekRequest,
  PutMessage,
  QueueLength,
  QueueStore,
  RequeueRequest,
  TakeRequest,
} from "../queue.ts";
import { storedJson } from "../stored-json.ts";
import { WaitingTakers } from "../waiting-takers.ts";
import { type CallsOf, callsOf } from "./program.ts";
import type { queueOperations, Taken } from "./queue-program.ts";

export class SqliteQueueStore implements QueueStore {
  readonly #calls: CallsOf<typeof queueOperations>;
  readonly #takers = new WaitingTakers();

  constructor(database: SqliteDatabase) {
    this.#calls = callsOf(database);
  }

  async put({ payload, once, ...message }: PutMessage, call: StoreCall): Promise<string> {
    const now = call.now();
    const keyed = { ...once, scope: "queue.put", now };
    const id = await this.#calls("put", { ...message, text: exactJson(payload), once: keyed, now }, call);
    this.#takers.wake(message.queue);
    return id;
  }

  length(queue: string, call: StoreCall): Promise<QueueLength> {
    return this.#calls("length", { queue, now: call.now() }, call);
  }

  names(request: { readonly after: string; readonly max: number }, call: StoreCall): Promise<readonly string[]> {
    return this.#calls("names", request, call);
  }

  async peek(request: PeekRequest, call: StoreCall): Promise<PeekedMessages> {
    const { messages, next } = await this.#calls("peek", { ...request, now: call.now() }, call);
    return { messages: messages.map(({ text, ...seen }) => ({ ...seen, payload: storedJson(text) })), next };
  }

  async requeue(request: RequeueRequest, call: StoreCall): Promise<number> {
    const moved = await this.#calls("requeue", { ...request, now: call.now() }, call);
    if (moved > 0) this.#takers.wake(request.queue);
    return moved;
  }

  take({ waitMs, ...request }: TakeRequest, call: StoreCall): Promise<readonly Delivery[]> {
    return this.#takers.take({ queue: request.queue, waitMs }, call, async () => {
      const { messages, nextMs } = await this.#calls("take", { ...request, now: call.now() }, call);
      return { messages: messages.map(delivery), visibleInMs: nextMs === null ? null : nextMs - call.now() };
    });
  }

  async acknowledge(message: LeasedMessage, call: StoreCall): Promise<void> {
    await this.#calls("acknowledge", { ...message, ...settling("queue.ack", message, call) }, call);
  }

  async release(message: LeasedMessage & { readonly delayMs: number }, call: StoreCall): Promise<void> {
    await this.#calls("release", { ...message, ...settling("queue.nack", message, call) }, call);
    this.#takers.wake(message.queue);
  }
}

function settling(scope: string, { queue, id, lease }: LeasedMessage, call: StoreCall) {
  const now = call.now();
  return { now, once: { scope, key: `${id} ${lease}`, argsHash: argsHash([queue]), now } };
}

function delivery({ id, text, attempts, lease }: Taken["messages"][number]): Delivery {
  return { id, payload: storedJson(text), attempts, lease };
}
