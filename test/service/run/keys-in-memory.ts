/** Idempotency keys for services without a job store: kept for ever, in this process. */
import type { IdempotencyStore, StoredAnswer } from "../../../service/run/idempotency-store.ts";

export function keysInMemory(): IdempotencyStore {
  const known = new Map<string, { readonly bodyHash: string; answer: StoredAnswer | null }>();
  return {
    async claim({ scope, key }, bodyHash, traceId) {
      const name = `${scope} ${key}`;
      const entry = known.get(name);
      if (entry === undefined) {
        const own: { readonly bodyHash: string; answer: StoredAnswer | null } = { bodyHash, answer: null };
        known.set(name, own);
        return {
          state: "first",
          finish: async (answer) => {
            own.answer = { ...answer, traceId };
          },
          release: async () => {
            known.delete(name);
          },
        };
      }
      if (entry.bodyHash !== bodyHash) return { state: "other_body" };
      return entry.answer === null ? { state: "running" } : { state: "finished", answer: entry.answer };
    },
    body: async ({ scope, key }) => known.get(`${scope} ${key}`)?.answer?.body ?? null,
  };
}
