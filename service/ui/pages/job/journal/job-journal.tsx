/** The journal of a durable job: failures, writes and waits first, and reads below, folded. Each record can be opened. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Job, JournalPage, JournalRecord } from "../../../data.ts";
import { useData } from "../../../loading.ts";
import { Table } from "../../../look/table.tsx";
import { Time } from "../../../look/time.tsx";
import { ActionButton } from "../../../parts/act.tsx";
import { useCallWords } from "../../../parts/calls.ts";
import { FaultNotice } from "../../../parts/fault.tsx";
import { Status } from "../../../parts/status.tsx";
import type { StepWords } from "../../../parts/step-words.ts";
import { WindowedTable } from "../../../parts/tables/windowed-table.tsx";
import { Value } from "../../../parts/value.tsx";
import { RULES } from "../../../rules.ts";
import { counted, duration, number } from "../../../words.ts";
import type { ShortCalls } from "../job-calls.ts";
import { exportJournal } from "./export-journal.ts";
import { RecordView, recordedValue } from "./job-record.tsx";
import type { JournalRead } from "./read-journal.ts";
import { recordText, sortedRecords, type WordsOf } from "./record-words.ts";

/** Up to this many records are elements of the page, all of them. */
const MAX_PLAIN = 200;
/** Newest records whose values are shown in the table; those of others are shown when they are opened. */
const MAX_VALUES = 1000;
/** From this many records on, they can be searched. */
const SEARCHED = 20;

type JournalOf = {
  readonly job: Job;
  readonly journal: JournalRead;
  /** Nothing is added any more. */
  readonly over: boolean;
  /** Source of its program, as far as it is known. */
  readonly code: string | undefined;
  readonly steps: StepWords;
  readonly short: ShortCalls;
};

export function Journal({ job, journal, over, code, steps, short }: JournalOf) {
  const { records, before, total, isReading, fault } = journal;
  const id = job.job_id;
  const [sought, setSought] = useState("");
  /** Their values are shown from the record after this one on. null: none are. */
  const [valuesAfter, setValuesAfter] = useState<number | null>(null);
  const [isUnfolded, setUnfolded] = useState(false);
  const [opened, open] = useState<number | null>(null);
  const words = useCallWords(short.calls);
  const { values, refusal } = useValues(id, valuesAfter, over);
  useEffect(() => {
    if (refusal !== null) setValuesAfter(null);
  }, [refusal]);
  const { reads, others } = useMemo(
    () => sortedRecords(records, words, finding(sought, words, steps)),
    [records, words, steps, sought],
  );
  const hasValues = valuesAfter !== null;
  const shown = { values: hasValues ? values : null, words, steps, opened, open };
  const record = opened === null ? undefined : records.find(({ seq }) => seq === opened);
  return (
    <section aria-label="Journal">
      <FaultNotice fault={fault} />
      <p class="quiet" role="status">
        {before === 0 ? "" : `${number(records.length)} of `}
        {counted(total, "record")}
        {isReading && fault === null ? ", reading further" : ""}
      </p>
      <div class="actions">
        {records.length <= SEARCHED ? null : (
          <label>
            Search the journal
            <input value={sought} onInput={(event) => setSought(event.currentTarget.value)} />
          </label>
        )}
        {RULES.values ? (
          <label class="check">
            <input
              type="checkbox"
              checked={hasValues}
              onChange={(event) => setValuesAfter(event.currentTarget.checked ? Math.max(0, total - MAX_VALUES) : null)}
            />
            Show values
          </label>
        ) : null}
        <ActionButton text="Export the journal" run={() => exportJournal(id, { values: hasValues, code })} />
      </div>
      {refusal === null ? null : <p role="alert">{refusal}</p>}
      {sought !== "" && reads.length + others.length === 0 ? (
        <p class="quiet">No record {before === 0 ? "" : "that was read "}has this text.</p>
      ) : null}
      <Records title="Failures, writes and waits" records={others} {...shown} />
      {reads.length === 0 ? null : (
        <details open={isUnfolded} onToggle={(event) => setUnfolded(event.currentTarget.open)}>
          <summary>{counted(reads.length, "read")}</summary>
          {isUnfolded ? <Records title="Reads" records={reads} {...shown} /> : null}
        </details>
      )}
      {record === undefined ? null : (
        <RecordView
          key={record.seq}
          job={job}
          record={record}
          words={words}
          steps={steps}
          over={over}
          close={() => open(null)}
        />
      )}
    </section>
  );
}

/** What stands in the source at a step. */
function SourceOf({ step, steps }: { readonly step: JournalRecord; readonly steps: StepWords }) {
  const text = steps.source(step);
  return text === null ? null : <code class="quiet">{text}</code>;
}

/** Values of records by their numbers, and why they are not shown. */
function useValues(id: string, after: number | null, over: boolean) {
  const path = after === null ? null : `/result/${id}/journal?after=${after}&limit=${MAX_VALUES}&values=1`;
  const { data, fault } = useData<JournalPage>(path, over ? null : undefined);
  const [refusal, setRefusal] = useState<string | null>(null);
  useEffect(() => {
    if (fault !== null) setRefusal(fault.message);
    else if (data !== null) setRefusal(null);
  }, [fault, data]);
  const values = useMemo(
    () => new Map((data?.records ?? []).map((record) => [record.seq, recordedValue(record)])),
    [data],
  );
  return { values, refusal };
}

/** Whether a record has a text in its words, its step or its error. */
function finding(text: string, words: WordsOf, steps: StepWords): (record: JournalRecord) => boolean {
  const sought = text.trim().toLowerCase();
  if (sought === "") return () => true;
  return (record) =>
    [recordText(record, words), steps.place(record), steps.source(record) ?? "", record.error_code ?? ""]
      .join("\n")
      .toLowerCase()
      .includes(sought);
}

type Records = {
  readonly title: string;
  readonly records: readonly JournalRecord[];
  /** By number; null: not shown. */
  readonly values: ReadonlyMap<number, unknown> | null;
  readonly words: WordsOf;
  readonly steps: StepWords;
  readonly opened: number | null;
  readonly open: (seq: number) => void;
};

const COLUMNS = [
  ["#", 80],
  ["When", 140],
  ["Record", 280],
  ["Step", 180],
  ["State", 260],
  ["Took", 100],
] as const;
const VALUE = ["Value", 300] as const;

function Records({ title, records, values, words, steps, opened, open }: Records) {
  if (records.length === 0) return null;
  const columns = values === null ? COLUMNS : [...COLUMNS, VALUE];
  const isPlain = records.length <= MAX_PLAIN;
  const cells = (record: JournalRecord) => (
    <>
      <td class="figure">
        <button
          type="button"
          class="link"
          aria-label={`Open record ${record.seq}`}
          aria-pressed={record.seq === opened}
          onClick={() => open(record.seq)}
        >
          {record.seq}
        </button>
      </td>
      <td>
        <Time at={record.at} />
      </td>
      <td>{recordText(record, words)}</td>
      <td>
        {steps.place(record)} <SourceOf step={record} steps={steps} />
      </td>
      <td>
        {record.ok === undefined ? null : <Status status={record.ok ? "succeeded" : "failed"} />}{" "}
        {record.error_code ?? ""}
      </td>
      <td class="figure">{record.ms === undefined ? "" : duration(record.ms)}</td>
      {values === null ? null : <td>{shownValue(values.get(record.seq), isPlain)}</td>}
    </>
  );
  if (isPlain)
    return (
      <Table label={title} titles={columns.map(([name]) => name)}>
        {records.map((record) => (
          <tr key={record.seq}>{cells(record)}</tr>
        ))}
      </Table>
    );
  return (
    <WindowedTable label={title} columns={columns} rows={records}>
      {cells}
    </WindowedTable>
  );
}

/** Begins of values fit into a row; opening the record shows the whole. */
const MAX_LINE = 200;

function shownValue(value: unknown, isPlain: boolean) {
  if (value === undefined) return null;
  return isPlain ? <Value value={value} /> : <code>{(JSON.stringify(value) ?? "").slice(0, MAX_LINE)}</code>;
}
