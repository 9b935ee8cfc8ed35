/** What a job is and when it ran, on one line; everything that is known of it, folded; and what can be done with it. */
import { send } from "../../api.ts";
import type { Job } from "../../data.ts";
import { Time } from "../../look/time.tsx";
import { ActButton } from "../../parts/act.tsx";
import { Fact } from "../../parts/fact.tsx";
import { Status } from "../../parts/status.tsx";
import type { StepWords } from "../../parts/step-words.ts";
import { Tags } from "../../parts/tables/jobs-table.tsx";
import { address, go } from "../../router.ts";
import { duration, exact } from "../../words.ts";

const HELD_BY = {
  time: "its time: ",
  unique: "the job that it replaces",
  concurrency: "jobs that run",
  rate: "a rate",
};

type HeadOf = {
  readonly job: Job;
  readonly over: boolean;
  /** The program has another version by now. */
  readonly outdated: boolean;
  readonly changed: () => void;
  readonly steps: StepWords;
};

export const titleOfJob = ({ name, program }: Pick<Job, "name" | "program">): string => name ?? program ?? "Job";

export function JobHead({ job, over, outdated, changed, steps }: HeadOf) {
  const id = job.job_id;
  const failed = over && job.status !== "succeeded";
  return (
    <>
      <div class="title">
        <h1>
          {titleOfJob(job)} <Status status={job.status} />
        </h1>
        <p class="actions">
          {over ? null : (
            <ActButton
              text="Cancel"
              kind="danger"
              confirm="Cancel this job?"
              run={() => send("DELETE", `/result/${id}`)}
              done={changed}
            />
          )}
          {failed && hasRecord(job) ? <RetryButton id={id} way="from the failure" sent={{ from: "failure" }} /> : null}
          {failed ? <RetryButton id={id} way="from the start" sent={{ from: "start" }} isMain={!outdated} /> : null}
          {failed && outdated ? (
            <RetryButton id={id} way="with the current version" sent={{ current: true }} isMain />
          ) : null}
        </p>
      </div>
      <ul class="lead">
        {job.program === undefined ? null : (
          <li>
            <a href={address(["programs", job.program])}>
              {job.program}@{job.version}
            </a>
          </li>
        )}
        <li>
          {job.started_at === undefined ? "queued" : "started"} <Time at={job.started_at ?? job.queued_at} />
          {job.position === undefined ? null : `, ${job.position} before it`}
        </li>
        {job.running_ms === undefined && job.duration_ms === undefined ? null : (
          <li>ran {duration(job.running_ms ?? job.duration_ms ?? 0)}</li>
        )}
        {job.waiting_ms ? <li>waited {duration(job.waiting_ms)}</li> : null}
        {job.held_by === undefined ? null : (
          <li>
            held back by {HELD_BY[job.held_by.kind]}
            {job.held_by.until === undefined ? null : <Time at={job.held_by.until} />}
          </li>
        )}
        {job.round === undefined ? null : <li>round {job.round}</li>}
        {job.retry_of === undefined ? null : (
          <li>
            repeats <a href={address(["jobs", job.retry_of])}>{job.retry_of.slice(-8)}</a>
          </li>
        )}
        {job.schedule === undefined ? null : (
          <li>
            schedule <a href={address(["schedules", ...job.schedule.split("/")])}>{job.schedule}</a>
          </li>
        )}
        {Object.keys(job.tags ?? {}).length === 0 ? null : (
          <li>
            <Tags tags={job.tags} />
          </li>
        )}
      </ul>
      <details class="more">
        <summary>Id, times and trace</summary>
        <Facts job={job} over={over} steps={steps} />
        <Rounds rounds={job.rounds ?? []} />
      </details>
    </>
  );
}

function Facts({ job, over, steps }: Pick<HeadOf, "job" | "over" | "steps">) {
  return (
    <dl class="facts">
      <Fact term="Id">
        <code>{job.job_id}</code>
      </Fact>
      <Fact term="Begins at">{steps.name(steps.id(job.label))}</Fact>
      <Fact term="Queued">{exact(job.queued_at)}</Fact>
      <Fact term="Started">
        {job.started_at === undefined ? "not yet" : exact(job.started_at)}
        {job.attempt > 1 ? `, ${job.attempt} times` : ""}
        {job.resumes ? `, continued ${job.resumes === 1 ? "once" : `${job.resumes} times`}` : ""}
      </Fact>
      <Fact term="Ended">
        {job.finished_at === undefined ? "not yet" : exact(job.finished_at)}
        {job.duration_ms === undefined ? null : `, after ${duration(job.duration_ms)}`}
      </Fact>
      {over || job.lifetime_ends_at === undefined ? null : (
        <Fact term="Ends at the latest">{exact(job.lifetime_ends_at)}</Fact>
      )}
      <Fact term="Trace">
        <code>{job.trace_id}</code>
      </Fact>
    </dl>
  );
}

/** Those that are over, the last one first (`job.again`). */
function Rounds({ rounds }: { readonly rounds: NonNullable<Job["rounds"]> }) {
  if (rounds.length === 0) return null;
  return (
    <section aria-label="Rounds">
      <h2>Rounds before</h2>
      <ol reversed start={rounds[0]?.round}>
        {rounds.map(({ round, trace_id, began_at, ended_at, waited }) => (
          <li key={round}>
            <Time at={began_at} />, for {duration(Date.parse(ended_at) - Date.parse(began_at))}
            {waited ? ", with waits" : ""}, trace <code>{trace_id}</code>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Only what was written down can be taken over by another job. */
const hasRecord = ({ durable, result }: Job): boolean =>
  durable === true || (result !== undefined && "record" in result && result.record !== undefined);

type Retry = { readonly id: string; readonly way: string; readonly sent: object; readonly isMain?: boolean };

function RetryButton({ id, way, sent, isMain = false }: Retry) {
  const retry = async () => {
    const { job_id: fresh } = await send<{ job_id: string }>("POST", `/result/${id}/retry`, sent);
    go(address(["jobs", fresh]));
  };
  return (
    <ActButton
      text={`Retry ${way}`}
      kind={isMain ? "primary" : "normal"}
      said="A new job is queued; this is its page."
      run={retry}
      done={() => {}}
    />
  );
}
