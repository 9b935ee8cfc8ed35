/**
 * Durable queues of messages with leases: a message that was taken is invisible until its lease ends, and gone once it was acknowledged in
 * time. Delivery is at least once. Implementations: `sqlite/queue.ts` and `postgres/queue.ts`; each must pass
 * test/adapters/store/queue-suite.ts.
 */
import type { Json } from "../../compiler/json.ts";
import type { AdapterError } from "../../vm/errors/failures.ts";
import { adapterError } from "../errors.ts";
import type { Idempotency, StoreCall } from "./call.ts";

/** Number of deliveries without acknowledgement after which a message becomes a dead letter. */
export const MAX_ATTEMPTS = 10;

/** Bytes of payloads in one answer; a first message is given whatever its size. */
export const ANSWER_BYTES = 8 * 1024 * 1024;

/** How long the end of a lease is remembered: as long as a caller may repeat what it said. */
export const SETTLED_MS = 3_600_000;

/** The failure of a put into a queue that holds `maxDepth` messages. */
export function fullQueue(maxDepth: number): AdapterError {
  const message = `the queue may hold ${maxDepth} messages (queue.max_depth), its dead letters included, and holds them`;
  return adapterError("ADAPTER_QUOTA", message);
}

const DEAD = ".dead";

/** Name of the queue that holds the dead letters of `queue`; its own stay where they are. */
export function deadLettersOf(queue: string): string {
  return queue.endsWith(DEAD) ? queue : `${queue}${DEAD}`;
}

export type PutMessage = {
  readonly queue: string;
  /** Given by the caller, so that ids can be made in order of time. */
  readonly id: string;
  readonly payload: Json;
  /** Higher ones are delivered first. */
  readonly priority: number;
  readonly delayMs: number;
  /** Not delivered any more after this; null: kept. */
  readonly ttlMs: number | null;
  /** Seen within `windowMs` in this queue: nothing is put, the first message's id is the answer. */
  readonly dedupe: { readonly key: string; readonly windowMs: number } | null;
  /** Messages of the queue and its dead letters; at this many ADAPTER_QUOTA. */
  readonly maxDepth: number;
  readonly once: Idempotency;
};

export type QueueLength = {
  readonly ready: number;
  readonly delayed: number;
  readonly leased: number;
  readonly dead: number;
};

export type TakeRequest = {
  readonly queue: string;
  readonly max: number;
  readonly leaseMs: number;
  /** The token of this delivery, new for every call. */
  readonly lease: string;
  /** How long to wait for a first message. */
  readonly waitMs: number;
};
export type Delivery = {
  readonly id: string;
  readonly payload: Json;
  /** This one included. */
  readonly attempts: number;
  readonly lease: string;
};

/** `dead`: its last lease ran out, and the next take moves it to the dead letters. */
export type MessageState = "ready" | "delayed" | "leased" | "dead";

/** A message as somebody sees it who only looks. */
export type QueuedMessage = {
  readonly id: string;
  readonly payload: Json;
  readonly state: MessageState;
  readonly priority: number;
  /** Deliveries so far. */
  readonly attempts: number;
  readonly createdMs: number;
  /** Not delivered before; for a leased one the end of its lease. */
  readonly visibleMs: number;
  readonly expiresMs: number | null;
};

/** Where a message stands in the order of delivery. */
export type MessagePlace = { readonly priority: number; readonly visibleMs: number; readonly seq: number };

/** Before all messages: no priority is as high. */
export const FIRST_PLACE: MessagePlace = { priority: 2 ** 31 - 1, visibleMs: 0, seq: 0 };

export type PeekRequest = { readonly queue: string; readonly max: number; readonly after: MessagePlace };
export type PeekedMessages = {
  readonly messages: readonly QueuedMessage[];
  /** Where to continue; null at the end. */
  readonly next: MessagePlace | null;
};

export type RequeueRequest = {
  readonly queue: string;
  /** Only these; null: whichever come first. */
  readonly ids: readonly string[] | null;
  readonly max: number;
};

export type LeasedMessage = { readonly queue: string; readonly id: string; readonly lease: string };

export interface QueueStore {
  /** The message's id. An answered put survives a power cut. */
  put(message: PutMessage, call: StoreCall): Promise<string>;
  length(queue: string, call: StoreCall): Promise<QueueLength>;
  /** Names of queues that contain messages, after `after` in the order of their bytes, at most `max`. */
  names(request: { readonly after: string; readonly max: number }, call: StoreCall): Promise<readonly string[]>;
  /** Messages in the order of their delivery, none of them claimed: as many as asked for, and no more than fit an answer. */
  peek(request: PeekRequest, call: StoreCall): Promise<PeekedMessages>;
  /** Moves dead letters that are not leased back into their queue, as if they had never been delivered. Returns their number. */
  requeue(request: RequeueRequest, call: StoreCall): Promise<number>;
  /** By priority, then time. Empty when none came in time. */
  take(request: TakeRequest, call: StoreCall): Promise<readonly Delivery[]>;
  /** Removes the message. ADAPTER_CONFLICT when the lease is over; saying it again is harmless. */
  acknowledge(message: LeasedMessage, call: StoreCall): Promise<void>;
  /** Makes it visible again after `delayMs`. ADAPTER_CONFLICT when the lease is over; saying it again is harmless. */
  release(message: LeasedMessage & { readonly delayMs: number }, call: StoreCall): Promise<void>;
}
