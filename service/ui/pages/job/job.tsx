/** One job: its state and why, what it waits for, its meters, its graph with what it called or learned, its program with the place of a failure, and its result. */
import { useMemo } from "preact/hooks";
import { send } from "../../api.ts";
import type { Job as JobData, JobWaits, ProgramVersion } from "../../data.ts";
import { useData } from "../../loading.ts";
import { ActButton } from "../../parts/act.tsx";
import { Fact } from "../../parts/fact.tsx";
import { FaultNotice } from "../../parts/fault.tsx";
import { Meters } from "../../parts/meters.tsx";
import { Source } from "../../parts/source.tsx";
import { Status } from "../../parts/status.tsx";
import { Tags } from "../../parts/tables/jobs-table.tsx";
import { Time } from "../../parts/time.tsx";
import { Value } from "../../parts/value.tsx";
import { address, go } from "../../router.ts";
import { useTitle } from "../../title.ts";
import { duration, exact } from "../../words.ts";
import { callsOf, useCallEvents } from "./job-calls.ts";
import { JournalExtent } from "./job-extent.tsx";
import { JobFailure } from "./job-failure.tsx";
import { Family } from "./job-family.tsx";
import { JobGraph } from "./job-graph.tsx";
import { Input } from "./job-input.tsx";
import { Journal } from "./job-journal.tsx";
import { Timeline } from "./job-timeline.tsx";
import { State, Variables } from "./job-variables.tsx";
import { Waits } from "./job-waits.tsx";
import { useJournal } from "./read-journal.ts";

const HELD_BY = {
  time: "its time: ",
  unique: "the job that it replaces",
  concurrency: "jobs that run",
  rate: "a rate",
};
const OVER = new Set(["succeeded", "failed", "timed_out", "cancelled", "interrupted", "rejected", "expired"]);

export function Job({ id }: { readonly id: string }) {
  const { data: job, fault, again } = useData<JobData>(`/result/${id}`);
  useTitle(job === null ? "Job" : `${job.name ?? "Job"}, ${job.status.replaceAll("_", " ")}`, "Jobs");
  const version = useData<ProgramVersion>(
    job?.program === undefined || job.version == null ? null : `/programs/${job.program}/versions/${job.version}`,
    null,
  );
  const durable = job?.durable === true;
  const over = job !== null && OVER.has(job.status);
  const journal = useJournal(durable ? id : null, over);
  const events = useCallEvents(id, { durable, over });
  const recorded = useMemo(() => callsOf(journal.records), [journal.records]);
  const calls = durable ? recorded : events;
  const waits = useData<JobWaits>(durable ? `/result/${id}/waits` : null, over ? null : undefined);
  if (job === null)
    return (
      <>
        <h1>Job</h1>
        <FaultNotice fault={fault} />
      </>
    );
  const { result } = job;
  const failed = result?.ok === false ? result.error_structured : undefined;
  const code = version.data?.code;
  return (
    <>
      <h1>
        {job.name ?? "Job"} <Status status={job.status} />
      </h1>
      <FaultNotice fault={fault} />
      <dl class="facts">
        <Fact term="Id">
          <code>{job.job_id}</code>
        </Fact>
        {job.program === undefined ? null : (
          <Fact term="Program">
            <a href={address(["programs", job.program])}>
              {job.program}@{job.version}
            </a>
          </Fact>
        )}
        <Fact term="Label">{job.label}</Fact>
        {job.schedule === undefined ? null : (
          <Fact term="Schedule">
            <a href={address(["schedules", ...job.schedule.split("/")])}>{job.schedule}</a>
          </Fact>
        )}
        {Object.keys(job.tags ?? {}).length === 0 ? null : (
          <Fact term="Tags">
            <Tags tags={job.tags} />
          </Fact>
        )}
        <Fact term="Queued">
          <Time at={job.queued_at} />
          {job.position === undefined ? null : `, ${job.position} before it`}
        </Fact>
        {job.held_by === undefined ? null : (
          <Fact term="Held back by">
            {HELD_BY[job.held_by.kind]}
            {job.held_by.until === undefined ? null : <Time at={job.held_by.until} />}
          </Fact>
        )}
        <Fact term="Started">
          {job.started_at === undefined ? <span class="quiet">not yet</span> : <Time at={job.started_at} />}
          {job.attempt > 1 ? `, ${job.attempt} times` : ""}
          {job.resumes ? `, continued ${job.resumes === 1 ? "once" : `${job.resumes} times`}` : ""}
        </Fact>
        <Fact term="Ended">
          {job.finished_at === undefined ? <span class="quiet">not yet</span> : <Time at={job.finished_at} />}
          {job.duration_ms === undefined ? null : `, after ${duration(job.duration_ms)}`}
        </Fact>
        {job.waiting_ms === undefined ? null : (
          <Fact term="Time">
            {job.running_ms === undefined ? "" : `ran ${duration(job.running_ms)}, `}waited {duration(job.waiting_ms)}
          </Fact>
        )}
        {over || job.lifetime_ends_at === undefined ? null : (
          <Fact term="Ends at the latest">{exact(job.lifetime_ends_at)}</Fact>
        )}
        {job.retry_of === undefined ? null : (
          <Fact term="Repeats">
            <a href={address(["jobs", job.retry_of])}>{job.retry_of}</a>
          </Fact>
        )}
        <Fact term="Trace">
          <code>{job.trace_id}</code>
        </Fact>
      </dl>
      <p class="actions">
        {over ? null : (
          <ActButton
            text="Cancel"
            confirm="Cancel this job?"
            run={() => send("DELETE", `/result/${id}`)}
            done={again}
          />
        )}
        {over && job.status !== "succeeded" ? <RetryButton id={id} from="start" /> : null}
        {over && job.status !== "succeeded" && hasRecord(job) ? <RetryButton id={id} from="failure" /> : null}
      </p>
      {durable && !over ? <Waits id={id} loaded={waits} changed={again} /> : null}
      {durable || job.parent !== undefined ? <Family id={id} over={over} /> : null}
      <State id={id} over={over} />
      <Input job={job} />
      {result === undefined ? null : (
        <section>
          <h2>{result.ok ? "Result" : "Failure"}</h2>
          {result.ok ? <Value value={result.out} /> : <JobFailure result={result} version={version.data} />}
          <Meters usage={result.usage} limits={result.limits} />
        </section>
      )}
      <JournalExtent journal={journal} />
      <JobGraph job={job} calls={calls} waits={waits.data} />
      <Timeline calls={calls} isPartial={durable && journal.before > 0} />
      {durable && !over ? <Variables id={id} /> : null}
      {durable ? <Journal job={job} journal={journal} over={over} code={code} /> : null}
      {code === undefined ? null : (
        <section>
          <h2>Program</h2>
          <Source code={code} line={failed?.file === undefined ? (failed?.line ?? undefined) : undefined} />
        </section>
      )}
    </>
  );
}

/** Only what was written down can be taken over by another job. */
const hasRecord = ({ durable, result }: JobData): boolean =>
  durable === true || (result !== undefined && "record" in result && result.record !== undefined);

function RetryButton({ id, from }: { readonly id: string; readonly from: "start" | "failure" }) {
  const retry = async () => {
    const { job_id: fresh } = await send<{ job_id: string }>("POST", `/result/${id}/retry`, { from });
    go(address(["jobs", fresh]));
  };
  return <ActButton text={`Retry from the ${from}`} run={retry} done={() => {}} />;
}
