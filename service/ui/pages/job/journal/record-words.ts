/** What a record of a journal is, in words, and which records are mere reads. */
import type { JournalRecord } from "../../../data.ts";
import type { CallWords, useCallWords } from "../../../parts/calls.ts";
import { exact } from "../../../words.ts";

export type WordsOf = ReturnType<typeof useCallWords>;

export function recordText(record: JournalRecord, words: WordsOf): string {
  const { kind, why, until, of, decision } = record;
  const call = words(record).name;
  switch (kind) {
    case "start":
      return "began";
    case "intent":
      return `about to make ${call}`;
    case "call":
      return call;
    case "backoff":
      return `pause of Retry${until == null ? "" : ` until ${exact(new Date(until).toISOString())}`}`;
    case "wait":
      return record.wait_kind === "outcome" ? "waits for a person" : `waits: ${call}`;
    case "woken":
      return `woken: ${why}`;
    case "decision":
      return `a person said of record ${of}: ${decision}`;
    case "resume":
      return `continued: ${why}`;
    default:
      return kind;
  }
}

export type Sorted = { readonly reads: readonly JournalRecord[]; readonly others: readonly JournalRecord[] };

/** Records that contain a text in their words, step or error; intents whose call is there are left out. */
export function sortedRecords(
  records: readonly JournalRecord[],
  words: WordsOf,
  hasText: (record: JournalRecord) => boolean,
): Sorted {
  const answered = new Map<string, number>();
  for (const record of records) if (record.kind === "call") answered.set(siteOf(record), record.seq);
  const isAnswered = (record: JournalRecord) =>
    record.kind === "intent" && (answered.get(siteOf(record)) ?? 0) > record.seq;
  const [reads, others]: [JournalRecord[], JournalRecord[]] = [[], []];
  for (const record of records) {
    if (isAnswered(record) || !hasText(record)) continue;
    (isRead(record, words(record)) ? reads : others).push(record);
  }
  return { reads, others };
}

/** A call that came back well and changed nothing outside. Of an adapter that is not known, a call may have written. */
function isRead({ kind, ok, adapter }: JournalRecord, { effect }: CallWords): boolean {
  if (kind !== "call" || ok !== true) return false;
  return adapter === "core" || (effect !== undefined && effect !== "io-write");
}

/** The same for an intent and its call. */
const siteOf = ({ label, node, visit, attempt, branch }: JournalRecord): string =>
  [label, node, visit, attempt, branch].join("\n");
