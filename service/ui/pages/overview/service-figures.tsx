/** How the service itself is: figures of the last hour, latencies, adapters, and why it takes no work. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { adapterName } from "../../../../compiler/diagram/host-words.ts";
import type { Metrics } from "../../data.ts";
import { type Loaded, useData } from "../../loading.ts";
import { Skeleton } from "../../look/empty.tsx";
import { Table } from "../../look/table.tsx";
import { Chart } from "../../parts/chart.tsx";
import { FaultNotice } from "../../parts/fault.tsx";
import { counted, duration, mebibytes, number } from "../../words.ts";
import type { Ready } from "../readiness.ts";

type Reading = { readonly at: number; readonly runs: number; readonly failures: number; readonly depth: number };

/** One hour of readings, in the memory of this page. */
const MAX_READINGS = 1800;
/** Of a chart: there is nothing to draw between two readings. */
const MIN_READINGS = 3;
const readings = signal<readonly Reading[]>([]);

export function ServiceFigures({ ready }: { readonly ready: Loaded<Ready> }) {
  const { data, fault } = useData<Metrics>("/metrics?format=json");
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
  return (
    <>
      <FaultNotice fault={fault} />
      {data === null ? fault === null ? <Skeleton /> : null : <Cards data={data} queue={ready.data?.queue} />}
      {readings.value.length < MIN_READINGS ? (
        <p class="quiet chart">The chart of runs, failures and the queue begins in a few seconds.</p>
      ) : (
        <Chart readings={readings.value} />
      )}
      {data === null || Object.keys(data.adapter_p95_duration_ms).length === 0 ? null : (
        <>
          <h2>Adapters</h2>
          <Table label="Adapters" titles={["Adapter", "Calls", "95 % of calls within"]}>
            {Object.entries(data.adapter_p95_duration_ms).map(([name, ms]) => (
              <tr key={name}>
                <td>{adapterName(name)}</td>
                <td>{number(data.adapter_counts[name] ?? 0)}</td>
                <td>{duration(ms)}</td>
              </tr>
            ))}
          </Table>
        </>
      )}
    </>
  );
}

/** Why the service takes no work now. A service that cannot be reached at all is said above. */
export function NotReady({ ready: { fault } }: { readonly ready: Loaded<Ready> }) {
  const { status, reason } = fault?.body ?? {};
  if (typeof status !== "string" || typeof reason !== "string") return null;
  return (
    <p class="notice bad" role="alert">
      <strong>The service is {status}</strong>: {reason}
    </p>
  );
}

function Cards({ data, queue }: { readonly data: Metrics; readonly queue: string | undefined }) {
  const oldest = data.oldest_queued_age_ms;
  const sleeping = data.jobs_by_state["sleeping"] ?? 0;
  return (
    <ul class="cards">
      <Card title="runs" value={number(data.runs_total)} more={`${number(data.failures_total)} failed`} />
      <Card
        title="running now"
        value={number(data.runs_in_flight)}
        more={`${data.workers_busy} of ${counted(data.workers, "thread")} busy`}
      />
      <Card
        title="queued jobs"
        value={number(data.queue_depth)}
        more={oldest === null ? "nothing is queued" : `oldest ${duration(oldest)}`}
      />
      <Card
        title="waiting jobs"
        value={number(data.jobs_by_state["waiting"] ?? 0)}
        more={`${number(sleeping)} ${sleeping === 1 ? "sleeps" : "sleep"}`}
      />
      <Card
        title="95 % of runs within"
        value={data.runs_total === 0 ? "–" : duration(data.p95_duration_ms)}
        more={`event loop late by ${duration(data.event_loop_lag_ms_p99)}`}
      />
      <Card
        title="95 % of wakes within"
        value={data.wake_lag_ms_p95 === null ? "–" : duration(data.wake_lag_ms_p95)}
        more="after what a job waited for"
      />
      <Card
        title="95 % of commits within"
        value={data.journal_commit_ms_p95 === null ? "–" : duration(data.journal_commit_ms_p95)}
        more="of journals of durable jobs"
      />
      <Card
        title="memory"
        value={mebibytes(data.memory_rss_bytes)}
        more={queue === undefined ? "" : `${queue} queue`}
      />
    </ul>
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
