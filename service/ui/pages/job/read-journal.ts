/** The journal of a job, read from its beginning to its end, and on while the job runs. */
import { useEffect, useRef, useState } from "preact/hooks";
import { get, type Refused } from "../../api.ts";
import type { JournalPage, JournalRecord } from "../../data.ts";
import { askAgain, EVERY_MS, isPassing } from "../../loading.ts";

/** Records of one answer, and those that the page keeps. */
const PAGE = 1000;
export const MAX_RECORDS = 100_000;

export type JournalRead = {
  readonly records: readonly JournalRecord[];
  /** Further records are there, and on their way. */
  readonly isReading: boolean;
  readonly fault: Refused | null;
};
const NOTHING: JournalRead = { records: [], isReading: true, fault: null };

/** `id` null: the job has no journal. `over`: nothing is added any more. */
export function useJournal(id: string | null, over: boolean): JournalRead {
  const [read, setRead] = useState<JournalRead & { readonly id: string | null }>({ ...NOTHING, id });
  const kept = useRef(read);
  useEffect(() => {
    if (id === null) return;
    if (kept.current.id !== id) kept.current = { ...NOTHING, id };
    const show = (changes: Partial<JournalRead>) => {
      kept.current = { ...kept.current, ...changes };
      setRead(kept.current);
    };
    const { stop } = askAgain(async (signal) => {
      const { records } = kept.current;
      const path = `/result/${id}/journal?after=${records.at(-1)?.seq ?? 0}&limit=${PAGE}`;
      try {
        const page = await get<JournalPage>(path, signal);
        const more = [...records, ...page.records];
        const isReading = page.next_after !== null && more.length < MAX_RECORDS;
        if (page.records.length > 0 || kept.current.isReading !== isReading || kept.current.fault !== null)
          show({ records: more, isReading, fault: null });
        if (isReading) return 0;
        return over || more.length >= MAX_RECORDS ? null : EVERY_MS;
      } catch (fault) {
        if (signal.aborted) return null;
        show({ fault: fault as Refused });
        return isPassing(fault as Refused) || !over ? EVERY_MS : null;
      }
    });
    return stop;
  }, [id, over]);
  return read.id === id ? read : NOTHING;
}
