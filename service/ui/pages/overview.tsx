/** How the service is, and what needs a person now. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ApprovalPage, JobList, Metrics, ScheduleList } from "../data.ts";
import { useData } from "../loading.ts";
import { Chart } from "../parts/chart.tsx";
import { FaultNotice } from "../parts/fault.tsx";
import { JobsTable } from "../parts/tables/jobs-table.tsx";
import { Table } from "../parts/tables/table.tsx";
import { address } from "../router.ts";
import { duration, mebibytes, number } from "../words.ts";
import { useJobs } from "./found-jobs.ts";
import { titleOf } from "./question.tsx";

type Ready = { readonly status: string; readonly queue: string; readonly warnings?: readonly string[] };
type Reading = { readonly at: number; readonly runs: number; readonly failures: number; readonly depth: number };

/** One hour of readings, in the memory of this page. */
const MAX_READINGS = 1800;
/** The service may look through all jobs for it. */
const RARELY_MS = 10_000;
/** The newest ones that need a person; their own pages have the others. */
const SHOWN = 5;
/** Of a chart: there is nothing to draw between two readings. */
const MIN_READINGS = 3;
const readings = signal<readonly Reading[]>([]);

export function Overview() {
  const figures = useData<Metrics>("/metrics?format=json");
  const ready = useData<Ready>("/ready");
  const failed = useJobs({ status: "failed,timed_out,interrupted,rejected", limit: "5" });
  const unknown = useData<JobList>(`/jobs?waits=outcome&limit=${SHOWN}`, RARELY_MS);
  const schedules = useData<ScheduleList>("/schedules");
  const open = useData<ApprovalPage>(`/approvals?limit=${SHOWN}`);
  const { data } = figures;
  useEffect(() => {
    if (data === null) return;
    const reading = {
      at: Date.now() / 1000,
      runs: data.runs_total,
      failures: data.failures_total,
      depth: data.queue_depth,
    };
    readings.value = [...readings.value, reading].slice(-MAX_READINGS);
  }, [data]);
  const outcomes = unknown.data?.jobs ?? [];
  const paused = (schedules.data?.schedules ?? []).filter((each) => each.paused);
  const warnings = ready.data?.warnings ?? [];
  const questions = open.data?.approvals ?? [];
  return (
    <>
      <h1>Overview</h1>
      <FaultNotice fault={figures.fault} />
      {data === null ? null : (
        <ul class="cards">
          <Card title="runs" value={number(data.runs_total)} more={`${number(data.failures_total)} failed`} />
          <Card
            title="running now"
            value={number(data.runs_in_flight)}
            more={`${data.workers_busy} of ${data.workers} threads busy`}
          />
          <Card
            title="queued jobs"
            value={number(data.queue_depth)}
            more={
              data.oldest_queued_age_ms === null ? "nothing waits" : `oldest ${duration(data.oldest_queued_age_ms)}`
            }
          />
          <Card
            title="waiting jobs"
            value={number(data.jobs_by_state["waiting"] ?? 0)}
            more={`${number(data.jobs_by_state["sleeping"] ?? 0)} sleep`}
          />
          <Card
            title="95 % of runs within"
            value={data.p95_duration_ms === null ? "–" : duration(data.p95_duration_ms)}
            more={`event loop late by ${duration(data.event_loop_lag_ms_p99 ?? 0)}`}
          />
          <Card title="memory" value={mebibytes(data.memory_rss_bytes)} more={`${ready.data?.queue ?? ""} queue`} />
        </ul>
      )}
      {readings.value.length < MIN_READINGS ? (
        <p class="quiet chart">The chart of runs, failures and the queue begins in a few seconds.</p>
      ) : (
        <Chart readings={readings.value} />
      )}
      <h2>Needs a person</h2>
      {warnings.length + paused.length + outcomes.length + questions.length > 0 ? null : (
        <p class="quiet">{ready.data === null ? "loading" : "nothing"}</p>
      )}
      <ul>
        {outcomes.map((job) => (
          <li key={job.job_id}>
            <a href={address(["jobs", job.job_id])}>{job.name ?? job.job_id}</a> asks whether a call happened
          </li>
        ))}
        {(unknown.data?.next_cursor ?? null) === null ? null : (
          <li>
            <a href={address(["jobs"], { waits: "outcome" })}>further jobs</a> ask whether a call happened
          </li>
        )}
        {questions.map((question) => (
          <li key={question.approval_id}>
            <a href={address(["approvals", question.approval_id])}>{titleOf(question)}</a> waits for a decision
          </li>
        ))}
        {(open.data?.next_cursor ?? null) === null ? null : (
          <li>
            <a href={address(["approvals"])}>further questions</a> wait for a decision
          </li>
        )}
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
        {paused.map(({ id, paused_because: because }) => (
          <li key={id}>
            schedule <a href={address(["schedules", ...id.split("/")])}>{id}</a> is paused
            {because ? `: ${because}` : ""}
          </li>
        ))}
      </ul>
      <h2>Last failures</h2>
      <FaultNotice fault={failed.fault} />
      <JobsTable jobs={failed.data?.jobs ?? []} empty={failed.data === null ? "loading" : "no job has failed"} />
      {data === null || Object.keys(data.adapter_p95_duration_ms).length === 0 ? null : (
        <>
          <h2>Adapters</h2>
          <Table label="Adapters" titles={["Adapter", "95 % of calls within"]}>
            {Object.entries(data.adapter_p95_duration_ms).map(([name, ms]) => (
              <tr key={name}>
                <td>{name}</td>
                <td>{duration(ms)}</td>
              </tr>
            ))}
          </Table>
        </>
      )}
    </>
  );
}

function Card({ title, value, more }: { readonly title: string; readonly value: string; readonly more: string }) {
  return (
    <li>
      <span class="quiet">{title}</span>
      <strong>{value}</strong>
      <span class="quiet">{more}</span>
    </li>
  );
}
