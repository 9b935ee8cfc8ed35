/** Schedules, and one of them with its next times and what came of the last ones. */
import { send } from "../api.ts";
import type { JobList, NextTimes, Schedule as ScheduleData, ScheduleList } from "../data.ts";
import { useData } from "../loading.ts";
import { ActButton } from "../parts/act.tsx";
import { FaultNotice } from "../parts/fault.tsx";
import { JobsTable } from "../parts/jobs-table.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { address } from "../router.ts";
import { exact, inZone } from "../words.ts";

export function Schedules() {
  const { data, fault } = useData<ScheduleList>("/schedules");
  const schedules = data?.schedules ?? [];
  return (
    <>
      <h1>Schedules</h1>
      <FaultNotice fault={fault} />
      {data !== null && schedules.length === 0 ? (
        <p class="quiet">
          No deployed program has a schedule. A line such as <code>Cr L_nightly 0 2 * * *</code> makes one.
        </p>
      ) : null}
      <Table label="Schedules" titles={["Schedule", "Times", "Zone", "Next", "State"]}>
        {schedules.map((schedule) => (
          <tr key={schedule.id}>
            <td>
              <a href={address(["schedules", ...schedule.id.split("/")])}>{schedule.id}</a>
            </td>
            <td>
              <code>{schedule.cron}</code>
            </td>
            <td>{schedule.tz}</td>
            <td>
              <Time at={schedule.next_at} />
            </td>
            <td>{stateOf(schedule)}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function stateOf({ paused, paused_because: because, enabled }: ScheduleData): string {
  if (paused) return because ? `paused: ${because}` : "paused";
  return enabled ? "active" : "its program is disabled";
}

export function Schedule({ id }: { readonly id: string }) {
  const base = `/schedules/${id.split("/").map(encodeURIComponent).join("/")}`;
  const { data: schedule, fault, again } = useData<ScheduleData>(base);
  const next = useData<NextTimes>(`${base}/next?count=10`, 60_000);
  const jobs = useData<JobList>(`/jobs?${new URLSearchParams({ schedule: id, limit: "10" })}`);
  if (schedule === null)
    return (
      <>
        <h1>{id}</h1>
        <FaultNotice fault={fault} />
      </>
    );
  return (
    <>
      <h1>{id}</h1>
      <FaultNotice fault={fault} />
      <p>
        <code>{schedule.cron}</code> in {schedule.tz}, runs {schedule.label} of{" "}
        <a href={address(["programs", schedule.program])}>
          {schedule.program}@{schedule.version}
        </a>
        . State: {stateOf(schedule)}.
      </p>
      <p class="actions">
        <ActButton text="Run now" run={() => send("POST", `${base}/run`)} done={again} />
        <ActButton
          text={schedule.paused ? "Resume" : "Pause"}
          run={() => send("PATCH", base, { paused: !schedule.paused })}
          done={again}
        />
      </p>
      <h2>Next times</h2>
      <Table label="Next times" titles={[schedule.tz, "UTC", "From now"]}>
        {(next.data?.next ?? []).map(({ at }) => (
          <tr key={at}>
            <td>{inZone(at, schedule.tz)}</td>
            <td>{exact(at)}</td>
            <td>
              <Time at={at} />
            </td>
          </tr>
        ))}
      </Table>
      <h2>Last times</h2>
      {(schedule.fires ?? []).length === 0 ? <p class="quiet">it has not fired yet</p> : null}
      <ul>
        {(schedule.fires ?? []).map(({ due_at: due, outcome, job_id: job }) => (
          <li key={due}>
            {exact(due)}: {outcome.replaceAll("_", " ")} {job == null ? null : <a href={address(["jobs", job])}>job</a>}
          </li>
        ))}
      </ul>
      <h2>Jobs</h2>
      <JobsTable jobs={jobs.data?.jobs ?? []} empty="no job yet" />
    </>
  );
}
