/**
 * Durable queues of messages with leases: a message that was taken is invisible until its lease ends, and gone once it was acknowledged in
 * time. Delivery is at least once. Implementations: `sqlite-queue.ts`; each must pass test/adapters/store/queue-suite.ts.
 */
import type { Json } from "../../compiler/json.ts";
import type { Idempotency, StoreCall } from "./call.ts";

/** After so many deliveries without acknowledgement a message goes to the queue of dead letters. */
export const MAX_ATTEMPTS = 10;

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

export type LeasedMessage = { readonly queue: string; readonly id: string; readonly lease: string };

export interface QueueStore {
  /** The message's id. An answered put survives a power cut. */
  put(message: PutMessage, call: StoreCall): Promise<string>;
  length(queue: string, call: StoreCall): Promise<QueueLength>;
  /** By priority, then time. Empty when none came in time. */
  take(request: TakeRequest, call: StoreCall): Promise<readonly Delivery[]>;
  /** Removes the message. ADAPTER_CONFLICT when the lease is over; saying it again is harmless. */
  acknowledge(message: LeasedMessage, call: StoreCall): Promise<void>;
  /** Makes it visible again after `delayMs`. ADAPTER_CONFLICT when the lease is over; saying it again is harmless. */
  release(message: LeasedMessage & { readonly delayMs: number }, call: StoreCall): Promise<void>;
}
