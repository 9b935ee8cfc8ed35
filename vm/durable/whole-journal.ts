/** Whether what a store gave back is a journal. */
import type { JournalRecord } from "./records.ts";

/** A journal that cannot be one: records are missing. */
export class JournalUnreadable extends Error {
  constructor(seq: number) {
    super(`the journal has no record ${seq}`);
    this.name = "JournalUnreadable";
  }
}

/** In order and whole. Throws JournalUnreadable. */
export function checkedRecords(given: Iterable<JournalRecord>): readonly JournalRecord[] {
  const records = [...given];
  records.forEach((record, at) => {
    if (record.seq !== at + 1) throw new JournalUnreadable(at + 1);
  });
  return records;
}

/** Whether another version wrote its end: what a program does, or how it is laid out, may have changed since. */
export function isOfOtherVersion(
  records: readonly JournalRecord[],
  { semantics, layout }: { readonly semantics: number; readonly layout: string },
): boolean {
  const last = records.findLast((record) => record.kind === "start" || record.kind === "resume");
  return last !== undefined && (last.semantics !== semantics || last.layout !== layout);
}
