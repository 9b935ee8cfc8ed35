/** Why a durable job waits, and what a person can do about it: send a signal, or say whether a call happened. */
import { useState } from "preact/hooks";
import { Refused, send } from "../../api.ts";
import type { Approval, JobWait, JobWaits, JournalPage } from "../../data.ts";
import { type Loaded, useData } from "../../loading.ts";
import { Card } from "../../look/card.tsx";
import { Field } from "../../look/field.tsx";
import { Time } from "../../look/time.tsx";
import { ActButton } from "../../parts/act.tsx";
import { useCallWords } from "../../parts/calls.ts";
import { FaultNotice } from "../../parts/fault.tsx";
import { readJson } from "../../parts/json.ts";
import type { StepWords } from "../../parts/step-words.ts";
import { address } from "../../router.ts";
import { RULES } from "../../rules.ts";
import { exact } from "../../words.ts";
import { Question, titleOf } from "../question.tsx";

type WaitsOf = {
  readonly id: string;
  readonly loaded: Loaded<JobWaits>;
  /** The job may have moved on. */
  readonly changed: () => void;
  readonly steps: StepWords;
};

/** Of a job that is not over: a row for everything that it waits for, which opens with the form that answers it. */
export function Waits({ id, loaded: { data, fault, again }, changed, steps }: WaitsOf) {
  const open = (data?.waits ?? []).filter((wait) => wait.ended_at === null);
  const unread = Object.entries(data?.unread ?? {});
  const done = () => {
    again();
    changed();
  };
  if (open.length + unread.length === 0 && fault === null) return <SignalForm id={id} waits={open} done={done} />;
  return (
    <Card title="What it waits for" label="Waits">
      <FaultNotice fault={fault} />
      {open.map((wait, at) => (
        <details key={wait.wait} class="row" open={at === 0}>
          <summary>
            Waits for <Subject wait={wait} />
            {wait.until === null ? null : (
              <>
                , until {exact(wait.until)} (<Time at={wait.until} />)
              </>
            )}
          </summary>
          <p class="quiet small">
            Began <Time at={wait.since} />
            {wait.label === undefined ? null : ` at ${steps.place(wait)}`}
            {wait.jobs?.map((job) => (
              <>
                {" "}
                <a href={address(["jobs", job])}>{job.slice(-12)}</a>
              </>
            ))}
          </p>
          {wait.of === undefined ? null : <Outcome id={id} of={wait.of} done={done} steps={steps} />}
          {wait.approval === undefined ? null : <Asked id={wait.approval} done={done} />}
          {wait.kind === "signal" ? <SignalForm id={id} waits={[wait]} done={done} /> : null}
        </details>
      ))}
      {unread.length === 0 ? null : (
        <p>Signals that it has not read: {unread.map(([name, count]) => `${count} of ${name}`).join(", ")}</p>
      )}
      {open.some(({ kind }) => kind === "signal") ? null : <SignalForm id={id} waits={[]} done={done} />}
    </Card>
  );
}

function Subject({ wait: { kind, names = [], jobs = [], keyed, of } }: { readonly wait: JobWait }) {
  if (kind === "timer") return <strong>a time</strong>;
  if (kind === "job") return <>the end of {jobs.length === 1 ? "the job" : "one of the jobs"}</>;
  if (kind === "event") return <code>{names[0]}</code>;
  if (kind === "approval") return <strong>the decision of a person</strong>;
  if (kind === "outcome")
    return (
      <>
        <strong>a person</strong>, who says whether the call of record {of} happened
      </>
    );
  return (
    <>
      the signal <strong>{names.join(" or ")}</strong>
      {keyed ? " under its key" : ""}
    </>
  );
}

/** The question of the job, which can be decided here. */
function Asked({ id, done }: { readonly id: string; readonly done: () => void }) {
  const { data, fault, again } = useData<Approval>(`/approvals/${encodeURIComponent(id)}`);
  if (data === null) return <FaultNotice fault={fault} />;
  const decided = () => {
    again();
    done();
  };
  return (
    <section aria-label="Question">
      <h3>
        <a href={address(["approvals", id])}>{titleOf(data)}</a>
      </h3>
      <Question approval={data} done={decided} />
    </section>
  );
}

/** A signal may come before the job waits for it; then the form is folded. */
function SignalForm({
  id,
  waits,
  done,
}: {
  readonly id: string;
  readonly waits: readonly JobWait[];
  readonly done: () => void;
}) {
  const [typed, setName] = useState<string | null>(null);
  const [key, setKey] = useState("");
  const [value, setValue] = useState("null");
  if (!RULES.act) return null;
  const names = waits.flatMap((wait) => wait.names ?? []);
  const name = typed ?? names[0] ?? "";
  // The service tells nobody the key: it may be a person's number.
  const isKeyed = waits.some((wait) => wait.keyed === true);
  const post = async () => {
    if (name === "") throw new Refused(0, { message: "the signal needs a name" });
    if (isKeyed && key === "") throw new Refused(0, { message: "the job hears this signal only under its key" });
    const data = readJson(value, "the value is");
    const path = `/signals/${encodeURIComponent(name)}`;
    return isKeyed ? send("POST", path, { key, data }) : send("POST", `/result/${id}${path}`, { data });
  };
  const sent = () => {
    setName(null);
    setValue("null");
    done();
  };
  const form = (
    <>
      <div class="filters">
        <Field label="Signal">
          {(marks) => (
            <>
              <input
                {...marks}
                list={`${marks.id}-names`}
                value={name}
                onInput={(event) => setName(event.currentTarget.value.trim())}
              />
              <datalist id={`${marks.id}-names`}>
                {names.map((each) => (
                  <option key={each} value={each} />
                ))}
              </datalist>
            </>
          )}
        </Field>
        {isKeyed ? (
          <Field label="Key">
            {(marks) => <input {...marks} value={key} onInput={(event) => setKey(event.currentTarget.value)} />}
          </Field>
        ) : null}
      </div>
      <JsonField title="Value, as JSON" text={value} set={setValue} />
      <p class="actions">
        <ActButton text="Send" kind="primary" said="The signal was sent." run={post} done={sent} />
      </p>
    </>
  );
  return (
    <section aria-label="Send a signal">
      {waits.some(({ kind }) => kind === "signal") ? (
        form
      ) : (
        <details>
          <summary>Send a signal</summary>
          {form}
        </details>
      )}
    </section>
  );
}

type OutcomeOf = {
  readonly id: string;
  /** Number of the record that says that the call was about to be made. */
  readonly of: number;
  readonly done: () => void;
  readonly steps: StepWords;
};

function Outcome({ id, of, done, steps }: OutcomeOf) {
  const { data } = useData<JournalPage>(`/result/${id}/journal?after=${of - 1}&limit=1`, null);
  const words = useCallWords();
  const [result, setResult] = useState("null");
  const call = data?.records[0];
  const decide = (decision: "done" | "make" | "fail", more: object = {}) =>
    send("POST", `/result/${id}/outcome`, { seq: of, decision, ...more });
  return (
    <section aria-label="A call of unknown outcome">
      <p>
        The process ended while record {of}
        {call === undefined ? "" : `, ${words(call).name} at ${steps.place(call)},`} was under way. Look on the other
        side whether it happened.
      </p>
      {RULES.act ? <JsonField title="What it answered, as JSON" text={result} set={setResult} /> : null}
      <p class="actions">
        <ActButton
          text="It happened"
          kind="primary"
          confirm="Continue as if the call had answered this?"
          run={async () => decide("done", { result: readJson(result, "the answer is") })}
          done={done}
        />
        <ActButton
          text="Make it now"
          confirm="Make the call? If it did happen, it acts a second time."
          run={() => decide("make")}
          done={done}
        />
        <ActButton
          text="Let it fail"
          kind="danger"
          confirm="Let the call fail?"
          run={() => decide("fail")}
          done={done}
        />
      </p>
    </section>
  );
}

function JsonField({
  title,
  text,
  set,
}: {
  readonly title: string;
  readonly text: string;
  readonly set: (text: string) => void;
}) {
  return (
    <Field label={title}>
      {(marks) => (
        <textarea
          {...marks}
          rows={2}
          spellcheck={false}
          value={text}
          onInput={(event) => set(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
