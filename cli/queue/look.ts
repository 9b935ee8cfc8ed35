/** What `wf queue ls` and `wf queue peek` show: queues with their lengths, and messages with a cursor for the next page. */
import { FIRST_PLACE, type MessagePlace, type QueueLength } from "../../adapters/store/queue.ts";
import type { Json } from "../../compiler/json.ts";
import { usageFault } from "../session/faults.ts";
import type { Queues } from "./store.ts";

const NAMES_AT_ONCE = 500;

export type QueueRow = QueueLength & { readonly queue: string };

/** Queues by name. One whose messages have all expired holds none. */
export async function* queueRows({ store, call }: Queues): AsyncGenerator<QueueRow, void> {
  for (let after = ""; ; ) {
    const names = await store.names({ after, max: NAMES_AT_ONCE }, call());
    for (const queue of names) {
      const length = await store.length(queue, call());
      if (Object.values(length).some((count) => count > 0)) yield { queue, ...length };
      after = queue;
    }
    if (names.length < NAMES_AT_ONCE) return;
  }
}

type MessageRow = {
  readonly message_id: string;
  readonly state: string;
  readonly priority: number;
  readonly attempts: number;
  readonly created_at: string;
  readonly visible_at: string;
  readonly expires_at: string | null;
  readonly payload: Json;
};
export type MessagePage = { readonly messages: readonly MessageRow[]; readonly next_cursor: string | null };

export async function messagePage(
  { store, call }: Queues,
  queue: string,
  max: number,
  cursor: string | undefined,
): Promise<MessagePage> {
  const { messages, next } = await store.peek({ queue, max, after: placeOf(cursor) }, call());
  return {
    messages: messages.map(({ id, state, priority, attempts, createdMs, visibleMs, expiresMs, payload }) => ({
      message_id: id,
      state,
      priority,
      attempts,
      created_at: timeText(createdMs),
      visible_at: timeText(visibleMs),
      expires_at: expiresMs === null ? null : timeText(expiresMs),
      payload,
    })),
    next_cursor: next === null ? null : `${next.priority}_${next.visibleMs}_${next.seq}`,
  };
}

function placeOf(cursor: string | undefined): MessagePlace {
  if (cursor === undefined) return FIRST_PLACE;
  const [, priority, visibleMs, seq] = /^(-?\d{1,9})_(\d{1,15})_(\d{1,15})$/.exec(cursor) ?? [];
  if (seq === undefined) throw usageFault("option --cursor needs the cursor of a previous page");
  return { priority: Number(priority), visibleMs: Number(visibleMs), seq: Number(seq) };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
