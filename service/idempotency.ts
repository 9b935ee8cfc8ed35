/**
 * Idempotency keys: the first request of a key runs, its answer is kept, and later ones get that answer. The store is an interface,
 * so that a durable one can stand behind several processes; the one here lives and dies with this process.
 */
import type { Clock } from "../vm/run.ts";
import type { Answer } from "./answers.ts";

/** An answer as it was sent, so that a repetition is the same byte for byte. */
export type StoredAnswer = Answer & { readonly traceId: string };

/** As a claim tells of it. `body` null: it is large, and asked for by itself. */
export type KeptAnswer = Omit<StoredAnswer, "body"> & { readonly body: string | null };

/** Method and path, and the caller's key. */
export type KeyOfRequest = { readonly scope: string; readonly key: string };

export type Claim =
  /** This request runs. Exactly one of the two ends the claim. */
  | { readonly state: "first"; finish(answer: Answer): Promise<void>; release(): Promise<void> }
  | { readonly state: "running" }
  | { readonly state: "finished"; readonly answer: KeptAnswer }
  | { readonly state: "other_body" };

export interface IdempotencyStore {
  /**
   * Atomic: of two claims of one key exactly one is first. `bodyHash`: of the canonical JSON of the body; `traceId`: of the
   * request.
   */
  claim(of: KeyOfRequest, bodyHash: string, traceId: string): Promise<Claim>;
  /** The body of an answer, however large; null: there is no answer, or no longer. */
  body(of: KeyOfRequest): Promise<string | null>;
}

const KEPT_MS = 24 * 60 * 60 * 1000;
const MOST_ENTRIES = 10_000;
const MOST_CHARACTERS = 64 * 1024 * 1024;

type Entry = { readonly bodyHash: string; readonly expires: number; answer: StoredAnswer | null };

/** Keys for 24 hours, fewer when there are very many; the oldest finished ones go first. */
export function createMemoryIdempotencyStore(clock: Pick<Clock, "now">): IdempotencyStore {
  const entries = new Map<string, Entry>();
  let characters = 0;

  const drop = (name: string, entry: Entry): void => {
    entries.delete(name);
    characters -= entry.answer?.body.length ?? 0;
  };
  const makeRoom = (): void => {
    const now = clock.now();
    for (const [name, entry] of entries) {
      const crowded = entries.size > MOST_ENTRIES || characters > MOST_CHARACTERS;
      if (!crowded && entry.expires > now) return;
      if (entry.answer !== null) drop(name, entry);
    }
  };
  return {
    claim: async ({ scope, key }, bodyHash, traceId) => {
      makeRoom();
      const name = `${scope} ${key}`;
      const known = entries.get(name);
      if (known !== undefined) {
        if (known.bodyHash !== bodyHash) return { state: "other_body" };
        return known.answer === null ? { state: "running" } : { state: "finished", answer: known.answer };
      }
      const entry: Entry = { bodyHash, expires: clock.now() + KEPT_MS, answer: null };
      entries.set(name, entry);
      return {
        state: "first",
        finish: async (answer) => {
          entry.answer = { ...answer, traceId };
          characters += answer.body.length;
        },
        release: async () => drop(name, entry),
      };
    },
    body: async ({ scope, key }) => entries.get(`${scope} ${key}`)?.answer?.body ?? null,
  };
}
