/** The last runs of POST /run, which are kept in the memory of the service. */
import type { RecentRunList } from "../data.ts";
import { useData } from "../loading.ts";
import { NoRows } from "../look/empty.tsx";
import { NO_LISTS, Table } from "../look/table.tsx";
import { Time } from "../look/time.tsx";
import { FaultNotice } from "../parts/fault.tsx";
import { Status } from "../parts/status.tsx";
import { address } from "../router.ts";
import { RULES } from "../rules.ts";
import { useTitle } from "../title.ts";
import { duration, number, spaced } from "../words.ts";

const NOTHING = {};

export function RecentRuns() {
  useTitle("Recent runs");
  const { data, fault } = useData<RecentRunList>(RULES.lists ? "/runs?limit=200" : null);
  const runs = data?.runs ?? [];
  return (
    <>
      <h1>Recent runs</h1>
      <p class="quiet">Runs of POST /run and of endpoints. They are kept in memory; jobs have a page of their own.</p>
      <FaultNotice fault={fault} />
      {runs.length === 0 ? (
        <NoRows data={RULES.lists ? data : NOTHING} fault={fault}>
          {RULES.lists ? "No program has run since the service started." : NO_LISTS}
        </NoRows>
      ) : (
        <Table
          label="Recent runs"
          titles={["Trace", "State", "Program", "Name", "Ended", "Took", "Steps", "Calls", "Error"]}
          isStacked
        >
          {runs.map((run) => (
            <tr key={run.trace_id}>
              <td class="name">
                <code>{run.trace_id.slice(0, 12)}</code>
              </td>
              <td>
                <Status status={run.ok ? "succeeded" : "failed"} />
              </td>
              <td>
                {run.program === undefined ? null : (
                  <a href={address(["programs", run.program])}>
                    {run.program}@{run.version}
                  </a>
                )}
              </td>
              <td>{run.name ?? ""}</td>
              <td>
                <Time at={run.ended_at} />
              </td>
              <td class="figure">{duration(run.duration_ms)}</td>
              <td data-title="steps">{number(run.usage.steps)}</td>
              <td data-title="calls">{number(run.usage.adapter_calls)}</td>
              <td class="message-cell">{spaced(run.error ?? "")}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
