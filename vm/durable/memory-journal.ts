/** A journal in memory: for tests, and for hosts that only want to stop a run and continue in the same process. */
import type { JournalRecord, RunJournal } from "./records.ts";

/** `snapshots`: the newest first. Both are what a store would have: texts of JSON. */
export type MemoryJournal = RunJournal & {
  readonly records: readonly string[];
  readonly snapshots: readonly string[];
};

const KEPT_SNAPSHOTS = 2;

/** A journal that ends with its process; give it what another one had to continue from there. */
export function memoryJournal(records: readonly string[] = [], snapshots: readonly string[] = []): MemoryJournal {
  const kept = [...records];
  const stored = [...snapshots];
  return {
    records: kept,
    snapshots: stored,
    load: async () => ({
      records: kept.map((text) => JSON.parse(text) as JournalRecord),
      snapshots: stored.map((text) => JSON.parse(text) as unknown),
    }),
    async append(some) {
      for (const record of some) if (record.seq > kept.length) kept.push(JSON.stringify(record));
      return "kept";
    },
    keep(snapshot) {
      stored.unshift(JSON.stringify(snapshot));
      stored.length = Math.min(stored.length, KEPT_SNAPSHOTS);
    },
  };
}
