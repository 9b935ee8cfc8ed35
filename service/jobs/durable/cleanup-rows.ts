/** What rows of a durable job say of its cleanup, which runs when it is cancelled or its lifetime is over (docs/durable.md, cancellation and cleanup). */
import type { JournalRecord } from "../../../vm/durable/records.ts";
import { isUnreadable, unpacked } from "./journal-rows.ts";
import type { WaitRow } from "./wait-rows.ts";

/** A job whose lifetime is over is not ended by others for so long, because its cleanup may run. */
export const CLEANUP_GRACE_MS = 30_000;

export const CANCELLED_BY_REQUEST = "the job was cancelled";
export const TIMEOUT_OVER = "the job ran for longer than its timeout";
export const LIFETIME_OVER = "the lifetime of the job is over";

/** Whether the first record of a journal is of a program that may have a cleanup. `first` undefined: nothing was written yet. */
export function hasCleanup(first: Uint8Array | undefined): boolean {
  if (first === undefined) return false;
  try {
    const record = JSON.parse(unpacked(first)) as JournalRecord;
    return record.kind === "start" && record.cleans === true;
  } catch (thrown) {
    if (!isUnreadable(thrown)) throw thrown;
    return false;
  }
}

/** The wait that a cancellation ends so that the cleanup around it runs; undefined: nothing is to be cleaned up. */
export function waitToClean<T extends Pick<WaitRow, "place">>(waits: readonly T[]): T | undefined {
  return waits.find(({ place }) => (JSON.parse(place) as { readonly cleans?: boolean }).cleans === true);
}
