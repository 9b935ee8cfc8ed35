/** The journal of a durable job, a page at a time: failures, writes and waits first, and reads below, folded. */
import { useEffect, useState } from "preact/hooks";
import type { JournalPage, JournalRecord } from "../../data.ts";
import { useData } from "../../loading.ts";
import { ActionButton } from "../../parts/act.tsx";
import { type CallWords, stepText, useCallWords } from "../../parts/calls.ts";
import { FaultNotice } from "../../parts/fault.tsx";
import { Status } from "../../parts/status.tsx";
import { Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { Value } from "../../parts/value.tsx";
import { RULES } from "../../rules.ts";
import { duration, exact, number } from "../../words.ts";
import { exportJournal } from "./export-journal.ts";

const PAGE = 200;

type JournalOf = {
  readonly id: string;
  /** Nothing is added any more. */
  readonly over: boolean;
  /** Source of its program, as far as it is known. */
  readonly code: string | undefined;
};

export function Journal({ id, over, code }: JournalOf) {
  /** The record before each page that was opened, the last one shown. */
  const [pages, setPages] = useState<readonly number[]>([0]);
  const [values, setValues] = useState(false);
  /** Kept here, because another page of records or their values make the list anew. */
  const [isUnfolded, setUnfolded] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const after = pages.at(-1) ?? 0;
  const path = `/result/${id}/journal?after=${after}&limit=${PAGE}${values ? "&values=1" : ""}`;
  const { data, fault } = useData<JournalPage>(path, over ? null : undefined);
  const words = useCallWords();
  useEffect(() => {
    if (fault?.code !== "values_hidden") return;
    setRefusal(fault.message);
    setValues(false);
  }, [fault]);
  const records = data?.records ?? [];
  const reads = records.filter((record) => isRead(record, words(record)));
  const others = records.filter((record) => !isRead(record, words(record)) && !isAnswered(record, records));
  const next = data?.next_after ?? null;
  return (
    <section aria-label="Journal">
      <h2>Journal</h2>
      <FaultNotice fault={fault} />
      {RULES.values ? (
        <label class="check">
          <input type="checkbox" checked={values} onChange={(event) => setValues(event.currentTarget.checked)} />
          Show values
        </label>
      ) : null}
      <ActionButton text="Export the journal" run={() => exportJournal(id, { values, code })} />
      {refusal === null ? null : <p role="alert">{refusal}</p>}
      {data !== null && records.length === 0 ? <p class="quiet">no records</p> : null}
      <Records title="Failures, writes and waits" records={others} values={values} words={words} />
      {reads.length === 0 ? null : (
        <details open={isUnfolded} onToggle={(event) => setUnfolded(event.currentTarget.open)}>
          <summary>
            {number(reads.length)} {reads.length === 1 ? "read" : "reads"}
          </summary>
          <Records title="Reads" records={reads} values={values} words={words} />
        </details>
      )}
      <p class="pager">
        {pages.length === 1 ? null : (
          <button type="button" onClick={() => setPages(pages.slice(0, -1))}>
            earlier records
          </button>
        )}
        {next === null ? null : (
          <button type="button" onClick={() => setPages([...pages, next])}>
            later records
          </button>
        )}
      </p>
    </section>
  );
}

/** A call that came back well and changed nothing outside. Of an adapter that is not known, a call may have written. */
function isRead({ kind, ok, adapter }: JournalRecord, { effect }: CallWords): boolean {
  if (kind !== "call" || ok !== true) return false;
  return adapter === "core" || (effect !== undefined && effect !== "io-write");
}

/** It says that a call was about to be made, and the page has what came of it. */
function isAnswered({ kind, ...about }: JournalRecord, records: readonly JournalRecord[]): boolean {
  if (kind !== "intent") return false;
  const isSame = (other: JournalRecord) =>
    (["label", "node", "visit", "attempt", "branch"] as const).every((name) => other[name] === about[name]);
  return records.some((other) => other.kind === "call" && other.seq > about.seq && isSame(other));
}

type Shown = {
  readonly title: string;
  readonly records: readonly JournalRecord[];
  readonly values: boolean;
  readonly words: (record: JournalRecord) => CallWords;
};

function Records({ title, records, values, words }: Shown) {
  if (records.length === 0) return null;
  const titles = ["#", "When", "Record", "Step", "State", "Took", ...(values ? ["Value"] : [])];
  return (
    <Table label={title} titles={titles}>
      {records.map((record) => (
        <tr key={record.seq}>
          <td>{record.seq}</td>
          <td>
            <Time at={record.at} />
          </td>
          <td>{textOf(record, words(record).name)}</td>
          <td>{stepText(record)}</td>
          <td>
            {record.ok === undefined ? null : <Status status={record.ok ? "succeeded" : "failed"} />}{" "}
            {record.error_code ?? ""}
          </td>
          <td>{record.ms === undefined ? "" : duration(record.ms)}</td>
          {values ? (
            <td>
              {record["result"] === undefined && record["error"] === undefined ? null : (
                <Value value={record["result"] ?? record["error"] ?? null} />
              )}
            </td>
          ) : null}
        </tr>
      ))}
    </Table>
  );
}

function textOf(record: JournalRecord, call: string): string {
  const { kind, why, until, of, decision } = record;
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
