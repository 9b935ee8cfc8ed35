/** Whether what a store gave back is a journal. */
import type { JournalRecord } from "./records.ts";

/** A journal that cannot be one: records are missing, or cannot be read. */
export class JournalUnreadable extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = "JournalUnreadable";
  }
}

/** In order and whole. `lastSeq`: of the last record that the store knows to have kept. Throws JournalUnreadable. */
export function checkedRecords(given: Iterable<JournalRecord>, lastSeq = 0): readonly JournalRecord[] {
  const records = [...given];
  records.forEach((record, at) => {
    if (record.seq !== at + 1) throw missing(at + 1);
  });
  if (records.length < lastSeq) throw missing(records.length + 1);
  return records;
}

function missing(seq: number): JournalUnreadable {
  return new JournalUnreadable(`the journal has no record ${seq}`);
}

/** Whether another version wrote its end: what a program does, or how it is laid out, may have changed since. */
export function isOfOtherVersion(
  records: readonly JournalRecord[],
  { semantics, layout }: { readonly semantics: number; readonly layout: string },
): boolean {
  const last = records.findLast((record) => record.kind === "start" || record.kind === "resume");
  return last !== undefined && (last.semantics !== semantics || last.layout !== layout);
}
