/** The last runs of POST /run, which are kept in the memory of the service. */

import { useData } from "../loading.ts";
import { FaultNotice } from "../parts/fault.tsx";
import { Status } from "../parts/status.tsx";
import { Time } from "../parts/time.tsx";
import { duration, number } from "../words.ts";

type RecentRun = {
  readonly trace_id: string;
  readonly at?: string;
  readonly started_at?: string;
  readonly ok: boolean;
  readonly error?: string | null;
  readonly program?: string;
  readonly version?: number | null;
  readonly name?: string;
  readonly label?: string;
  readonly duration_ms?: number;
  readonly usage?: Readonly<Record<string, number | null>>;
};

export function RecentRuns() {
  const { data, fault } = useData<{ readonly runs: readonly RecentRun[] }>("/runs?limit=200");
  const runs = data?.runs ?? [];
  return (
    <>
      <h1>Recent runs</h1>
      <p class="quiet">Runs of POST /run and of endpoints. They are kept in memory; jobs have a page of their own.</p>
      <FaultNotice fault={fault} />
      {runs.length === 0 ? <p class="quiet">{data === null ? "loading" : "no run yet"}</p> : null}
      <section class="wide" tabIndex={0} aria-label="Recent runs">
        <table>
          <thead>
            <tr>
              {["Trace", "State", "Program", "Name", "Started", "Took", "Steps", "Calls", "Error"].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <tr key={run.trace_id}>
                <td>
                  <code>{run.trace_id.slice(0, 12)}</code>
                </td>
                <td>
                  <Status status={run.ok ? "succeeded" : "failed"} />
                </td>
                <td>{run.program === undefined ? "" : `${run.program}@${run.version}`}</td>
                <td>{run.name ?? ""}</td>
                <td>
                  <Time at={run.started_at ?? run.at} />
                </td>
                <td>{run.duration_ms === undefined ? "" : duration(run.duration_ms)}</td>
                <td>{number(run.usage?.["steps"] ?? 0)}</td>
                <td>{number(run.usage?.["adapter_calls"] ?? 0)}</td>
                <td>{run.error ?? ""}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
