/** Schedules, and one of them with its next times and what came of the last ones. */
import { useState } from "preact/hooks";
import { Refused, send } from "../api.ts";
import type { Backfilled, NextTimes, Schedule as ScheduleData, ScheduleList } from "../data.ts";
import { useData } from "../loading.ts";
import { ActButton } from "../parts/act.tsx";
import { FaultNotice } from "../parts/fault.tsx";
import { JobsTable } from "../parts/tables/jobs-table.tsx";
import { Pager } from "../parts/tables/pager.tsx";
import { NoRows, Table } from "../parts/tables/table.tsx";
import { Time } from "../parts/time.tsx";
import { address, place } from "../router.ts";
import { RULES } from "../rules.ts";
import { useTitle } from "../title.ts";
import { exact, inZone, number } from "../words.ts";
import { useJobs } from "./found-jobs.ts";

const PAGE = "100";

export function Schedules() {
  useTitle("Schedules");
  const cursor = place.value.query.get("cursor") ?? "";
  const query = { limit: PAGE, ...(cursor === "" ? {} : { cursor }) };
  const { data, fault } = useData<ScheduleList>(`/schedules?${new URLSearchParams(query)}`);
  const schedules = data?.schedules ?? [];
  return (
    <>
      <h1>Schedules</h1>
      <FaultNotice fault={fault} />
      {schedules.length === 0 ? (
        <NoRows data={data} fault={fault}>
          No deployed program has a schedule. A line such as <code>Cr L_nightly 0 2 * * *</code> makes one.
        </NoRows>
      ) : (
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
              <td>{isActive(schedule) ? <Time at={schedule.next_at} /> : null}</td>
              <td>{stateOf(schedule)}</td>
            </tr>
          ))}
        </Table>
      )}
      <Pager path={["schedules"]} query={{ cursor }} next={data?.next_cursor} titles={["first", "next"]} />
    </>
  );
}

/** What came of a due time, where its name does not say it. */
const OUTCOMES: Readonly<Record<string, string>> = {
  skipped_overlap: "skipped, because the job before it had not ended",
  missed: "missed, because the service was away",
  paused: "nothing, because it was paused",
};

export const isActive = ({ paused, enabled }: ScheduleData): boolean => enabled && !paused;

export function stateOf({ paused, paused_because: because, enabled }: ScheduleData): string {
  if (paused) return because ? `paused: ${because}` : "paused";
  return enabled ? "active" : "its program is disabled";
}

export function Schedule({ id }: { readonly id: string }) {
  useTitle(id, "Schedules");
  const base = `/schedules/${id.split("/").map(encodeURIComponent).join("/")}`;
  const { data: schedule, fault, again } = useData<ScheduleData>(base);
  const next = useData<NextTimes>(`${base}/next?count=10`, 60_000);
  const jobs = useJobs({ schedule: id, limit: "10" });
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
      <Backfill base={base} done={again} />
      <h2>Next times</h2>
      {isActive(schedule) ? null : (
        <p class="notice waits">
          {schedule.paused ? "While it is paused" : "While its program is disabled"}, nothing runs at these times.
        </p>
      )}
      <Table label="Next times" titles={[...(schedule.tz === "UTC" ? [] : [schedule.tz]), "UTC", "From now"]}>
        {(next.data?.next ?? []).map(({ at }) => (
          <tr key={at}>
            {schedule.tz === "UTC" ? null : <td>{inZone(at, schedule.tz)}</td>}
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
            {exact(due)}: {OUTCOMES[outcome] ?? outcome} {job == null ? null : <a href={address(["jobs", job])}>job</a>}
          </li>
        ))}
      </ul>
      <h2>Jobs</h2>
      <JobsTable jobs={jobs.data?.jobs ?? []} empty="no job yet" />
    </>
  );
}

/** Queues a job for each due time of a span that has not fired. Times are UTC, as everywhere on the page. */
function Backfill({ base, done }: { readonly base: string; readonly done: () => void }) {
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const [came, setCame] = useState<Backfilled | null>(null);
  if (!RULES.act) return null;
  const fill = async () => {
    if (from === "" || to === "") throw new Refused(0, { message: "choose both times" });
    const span = { from: new Date(`${from}Z`).toISOString(), to: new Date(`${to}Z`).toISOString() };
    setCame(await send<Backfilled>("POST", `${base}/backfill`, span));
  };
  return (
    <section aria-label="Backfill">
      <h2>Backfill</h2>
      <div class="filters">
        <label>
          From (UTC)
          <input type="datetime-local" value={from} onInput={(event) => setFrom(event.currentTarget.value)} />
        </label>
        <label>
          To (UTC)
          <input type="datetime-local" value={to} onInput={(event) => setTo(event.currentTarget.value)} />
        </label>
        <ActButton
          text="Backfill"
          confirm="Queue a job for each due time of this span that has not fired?"
          run={fill}
          done={done}
        />
      </div>
      {came === null ? null : (
        <p role="status">
          {number(came.count)} queued, {number(came.already_fired)} had fired
          {came.more_from === null ? "" : `; more remain from ${exact(came.more_from)}`}
        </p>
      )}
    </section>
  );
}
