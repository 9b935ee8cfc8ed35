/** How much of a long journal the page has read: the graph, the timeline and the journal show no more than that. */
import { counted, number } from "../../../words.ts";
import { type JournalRead, MAX_RECORDS, MORE } from "./read-journal.ts";

export function JournalExtent({ journal }: { readonly journal: JournalRead }) {
  const { records, total, before, isReading, readEarlier } = journal;
  if (before === 0) return null;
  const more = Math.min(before, MORE, MAX_RECORDS - records.length);
  return (
    <div class="notice" role="status">
      <p>
        This page shows the newest {number(records.length)} of {number(total)} records
        {more > 0 ? "." : "; the export of the journal has all of them."}
        {isReading ? " Reading further." : ""}
      </p>
      {more > 0 ? (
        <button type="button" disabled={isReading} onClick={readEarlier}>
          Read {counted(more, "earlier record")}
        </button>
      ) : null}
    </div>
  );
}
