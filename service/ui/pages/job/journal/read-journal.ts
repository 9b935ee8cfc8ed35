/** The journal of a job: its newest records, earlier ones when they are asked for, and those that are added while the job runs. */
import { useEffect, useRef, useState } from "preact/hooks";
import { get, type Refused } from "../../../api.ts";
import type { JournalPage, JournalRecord } from "../../../data.ts";
import { askAgain, EVERY_MS, isPassing } from "../../../loading.ts";

/** Records of one answer. */
const PAGE = 1000;
/** Records that are read by themselves, the newest ones. */
const MAX_FIRST = 2000;
/** Earlier records that are read on request. */
export const MORE = 25_000;
/** Records that the page keeps. */
export const MAX_RECORDS = 100_000;

type Kept = {
  /** In order, without a gap. */
  readonly records: readonly JournalRecord[];
  /** Records before the first one that is kept. null: not known yet. */
  readonly before: number | null;
  /** Records of the whole journal. */
  readonly total: number;
  /** Further records were asked for, and are on their way. */
  readonly isReading: boolean;
  readonly fault: Refused | null;
};
export type JournalRead = Omit<Kept, "before"> & {
  readonly before: number;
  /** Reads earlier records. */
  readonly readEarlier: () => void;
};
const NOTHING: Kept = { records: [], before: null, total: 0, isReading: true, fault: null };

/** `id` null: the job has no journal. `over`: nothing is added any more. */
export function useJournal(id: string | null, over: boolean): JournalRead {
  const [read, setRead] = useState<Kept & { readonly id: string | null }>({ ...NOTHING, id });
  const kept = useRef(read);
  /** Records are wanted from here on. */
  const wanted = useRef(0);
  const asking = useRef<{ readonly again: () => void } | null>(null);
  useEffect(() => {
    if (id === null) return;
    if (kept.current.id !== id) kept.current = { ...NOTHING, id };
    const show = (changes: Partial<Kept>) => {
      kept.current = { ...kept.current, ...changes };
      setRead(kept.current);
    };
    const page = (after: number, limit: number, signal: AbortSignal) =>
      get<JournalPage>(`/result/${id}/journal?after=${after}&limit=${limit}`, signal);
    const asked = askAgain(async (signal) => {
      try {
        const changes = await nextPage(kept.current, wanted.current, (after, limit) => page(after, limit, signal));
        const before = changes.before ?? kept.current.before ?? 0;
        // The first records of all, or records that had to make room for new ones.
        if (before > (kept.current.before ?? -1)) wanted.current = before;
        const isReading = (changes.isReading ?? false) || before > wanted.current;
        if (changes.records !== undefined || kept.current.isReading !== isReading || kept.current.fault !== null)
          show({ ...changes, isReading, fault: null });
        if (isReading) return 0;
        return over ? null : EVERY_MS;
      } catch (fault) {
        if (signal.aborted) return null;
        show({ fault: fault as Refused });
        return isPassing(fault as Refused) || !over ? EVERY_MS : null;
      }
    });
    asking.current = asked;
    return asked.stop;
  }, [id, over]);
  const shown = read.id === id ? read : NOTHING;
  const readEarlier = () => {
    const { before, records } = kept.current;
    if (before === null) return;
    wanted.current = Math.max(0, before - Math.min(MORE, MAX_RECORDS - records.length));
    asking.current?.again();
  };
  return { ...shown, before: shown.before ?? 0, readEarlier };
}

type Page = (after: number, limit: number) => Promise<JournalPage>;

/** Earlier records first, as far as they are wanted, then those that were added. Without `records`: there is nothing new. */
async function nextPage({ records, before }: Kept, wanted: number, page: Page): Promise<Partial<Kept>> {
  if (before !== null && before > wanted) {
    const after = Math.max(wanted, before - PAGE);
    const earlier = await page(after, before - after);
    return { records: [...earlier.records, ...records], before: after, total: earlier.last_seq };
  }
  const after = records.at(-1)?.seq ?? before ?? 0;
  const came = await page(after, PAGE);
  const { last_seq: total } = came;
  // The journal is long: its beginning is not what is looked at first.
  if (before === null && total > MAX_FIRST) return { before: total - MAX_FIRST, records: [], total, isReading: true };
  const isReading = came.next_after !== null;
  if (came.records.length === 0) return { isReading, ...(before === null ? { before: 0 } : {}) };
  const all = [...records, ...came.records];
  const dropped = Math.max(0, all.length - MAX_RECORDS);
  return { records: all.slice(dropped), before: (before ?? 0) + dropped, total, isReading };
}
