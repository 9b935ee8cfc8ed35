/** One record of a journal: all that is known of it, its value where values are shown, and a new job that continues after it. */
import { useEffect, useRef, useState } from "preact/hooks";
import { get, send } from "../../../api.ts";
import type { Job, JournalPage, JournalRecord, RetryRehearsed } from "../../../data.ts";
import { Time } from "../../../look/time.tsx";
import { ActButton, ActionButton } from "../../../parts/act.tsx";
import { Fact } from "../../../parts/fact.tsx";
import type { StepWords } from "../../../parts/step-words.ts";
import { Value } from "../../../parts/value.tsx";
import { address, go } from "../../../router.ts";
import { RULES } from "../../../rules.ts";
import { counted, duration, exact, number } from "../../../words.ts";
import { recordText, type WordsOf } from "./record-words.ts";

type RecordOf = {
  readonly job: Job;
  readonly record: JournalRecord;
  readonly words: WordsOf;
  readonly steps: StepWords;
  /** The job has ended. */
  readonly over: boolean;
  readonly close: () => void;
};

export function RecordView({ job, record, words, steps, over, close }: RecordOf) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [read, setRead] = useState<{ readonly value: unknown } | null>(null);
  useEffect(() => heading.current?.focus(), []);
  const { seq, at, branch, visit, attempt, ms, error_code: code } = record;
  const path = `/result/${job.job_id}/journal?after=${seq - 1}&limit=1&values=1`;
  return (
    <section aria-label={`Record ${seq}`} class="panel">
      <h3 ref={heading} tabIndex={-1}>
        Record {number(seq)}: {recordText(record, words)}
      </h3>
      <dl class="facts">
        <Fact term="When">
          {exact(at)} (<Time at={at} />)
        </Fact>
        {record.label === undefined ? null : (
          <Fact term="Step">
            {steps.place(record)} <code>{steps.source(record) ?? ""}</code>
          </Fact>
        )}
        {branch === undefined ? null : <Fact term="Branch">{branch}</Fact>}
        {visit === undefined ? null : <Fact term="Visit of the step">{number(visit)}</Fact>}
        {attempt === undefined ? null : <Fact term="Attempt">{number(attempt)}</Fact>}
        {ms === undefined ? null : <Fact term="Took">{duration(ms)}</Fact>}
        {code === undefined ? null : (
          <Fact term="Error">
            <code>{code}</code>
          </Fact>
        )}
      </dl>
      {read === null ? null : <Value value={read.value} />}
      <p class="actions">
        {RULES.values && read === null ? (
          <ActionButton
            text="Show its value"
            run={async () => {
              const { records } = await get<JournalPage>(path);
              setRead({ value: records[0] === undefined ? undefined : recordedValue(records[0]) });
            }}
          />
        ) : null}
        {over && job.status !== "succeeded" ? (
          <RetryFrom id={job.job_id} seq={seq} words={words} steps={steps} />
        ) : null}
        <button type="button" onClick={close}>
          Close the record
        </button>
      </p>
    </section>
  );
}

/** What a call answered, how it failed, or what a wait brought; undefined: the record has no value. */
export const recordedValue = ({ result, error }: JournalRecord): unknown => (result === undefined ? error : result);

type RetryFrom = { readonly id: string; readonly seq: number; readonly words: WordsOf; readonly steps: StepWords };

/** The service first says where the new job would continue, and queues it only then. */
function RetryFrom({ id, seq, words, steps }: RetryFrom) {
  const [tried, setTried] = useState<RetryRehearsed | null>(null);
  const retry = <T,>(more: object) => send<T>("POST", `/result/${id}/retry`, { from: { seq }, ...more });
  if (tried === null)
    return (
      <ActButton
        text="Retry from this record …"
        run={async () => setTried(await retry<RetryRehearsed>({ dry_run: true }))}
        done={() => {}}
      />
    );
  const { next, records } = tried;
  return (
    <span class="act" role="status">
      A new job takes {counted(records, "record")}
      {next === null
        ? " and makes no further call. "
        : `, then calls ${words({ adapter: next.adapter, verb: next.verb }).name} at ${steps.place({ ...next, label: steps.id(next.label) })}. `}
      <ActButton
        text="Queue the job"
        run={async () => {
          const { job_id: fresh } = await retry<{ job_id: string }>({});
          go(address(["jobs", fresh]));
        }}
        done={() => {}}
      />
      <button type="button" onClick={() => setTried(null)}>
        Do not
      </button>
    </span>
  );
}
