/**
 * A version next to the current one: `next` has a share of the calls of endpoints and of the fires of schedules (docs/channels.md). Which
 * of the two a call reaches is computed from its key, so that it is the same on every replica and for every call with the key.
 */
import { createHash } from "node:crypto";

/** What makes calls of endpoints alike. */
type ChannelKey = { readonly header: string } | { readonly query: string };

/** Ends `next` by itself when more than this share of its last runs failed. */
export type AbortRule = { readonly failures_percent: number; readonly of: number };

export type NextChannel = {
  readonly version: number;
  /** Percent of calls and fires, 0 to 100. */
  readonly weight: number;
  /** null: the Idempotency-Key of a call. */
  readonly key: ChannelKey | null;
  readonly abort: AbortRule | null;
  /** Since when the version is `next`; milliseconds since 1970. */
  readonly sinceMs: number;
};

/** Parts of a percent that a hash can tell apart. */
const PARTS = 10_000;

/** Whether what has this key belongs to `next`. A larger weight keeps the keys of a smaller one. */
export function isOfNext(
  name: string,
  { version, weight }: Pick<NextChannel, "version" | "weight">,
  key: string,
): boolean {
  const hash = createHash("sha256").update(`${name}\n${version}\n${key}`, "utf8").digest().readUInt32BE(0);
  return hash % (100 * PARTS) < weight * PARTS;
}

/** Calls without a key, shared out exactly: the n-th one is of `next` where the share of n calls grows by one. */
export class KeylessCalls {
  readonly #counts = new Map<string, number>();

  isOfNext(name: string, { version, weight }: Pick<NextChannel, "version" | "weight">): boolean {
    const key = `${name}@${version}`;
    const before = this.#counts.get(key) ?? 0;
    this.#counts.delete(key);
    this.#counts.set(key, (before + 1) % 100);
    if (this.#counts.size > MAX_COUNTED)
      for (const oldest of this.#counts.keys()) {
        this.#counts.delete(oldest);
        break;
      }
    return Math.floor(((before + 1) * weight) / 100) > Math.floor((before * weight) / 100);
  }
}

const MAX_COUNTED = 10_000;

/** Stored outcomes, one character a run. `outcomes`: those before. `isAborted`: the rule ends `next`. */
export function withOutcome(
  outcomes: string,
  failed: boolean,
  { failures_percent, of }: AbortRule,
): { readonly outcomes: string; readonly failures: number; readonly isAborted: boolean } {
  const last = `${outcomes}${failed ? "1" : "0"}`.slice(-of);
  const failures = last.split("1").length - 1;
  return { outcomes: last, failures, isAborted: last.length >= of && failures * 100 > failures_percent * of };
}
