/** Requests per client address in a window of time (WF_RATE_LIMIT). Bounded in addresses: when there are too many, the oldest is forgotten. */
import type { Clock } from "../vm/run.ts";
import { later } from "./errors.ts";

export type RateRule = { readonly requests: number; readonly seconds: number };

const MOST_CLIENTS = 100_000;

type Bucket = { tokens: number; filledAt: number };

/** Throws ServiceFault rate_limited when `client` has used up its share. */
export function createRateLimit(rule: RateRule, clock: Pick<Clock, "now">): (client: string) => void {
  const buckets = new Map<string, Bucket>();
  const perMs = rule.requests / (rule.seconds * 1000);
  return (client) => {
    const now = clock.now();
    const bucket = buckets.get(client) ?? { tokens: rule.requests, filledAt: now };
    bucket.tokens = Math.min(rule.requests, bucket.tokens + (now - bucket.filledAt) * perMs);
    bucket.filledAt = now;
    // Most recently seen last.
    buckets.delete(client);
    buckets.set(client, bucket);
    const [oldest] = buckets.keys();
    if (buckets.size > MOST_CLIENTS && oldest !== undefined) buckets.delete(oldest);
    if (bucket.tokens < 1)
      throw later(
        "rate_limited",
        "too many requests of this client",
        Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1000)),
      );
    bucket.tokens -= 1;
  };
}
