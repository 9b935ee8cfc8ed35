/** Schedules, and one of them with its next times and what came of the last ones. */
import { useState } from "preact/hooks";
import { Refused, send } from "../../api.ts";
import type { Backfilled, ListedJob, NextTimes, Schedule as ScheduleData, ScheduleList } from "../../data.ts";
import { useData } from "../../loading.ts";
import { Chip } from "../../look/chip.tsx";
import { NoRows } from "../../look/empty.tsx";
import { Table } from "../../look/table.tsx";
import { Time } from "../../look/time.tsx";
import { ActButton } from "../../parts/act.tsx";
import { FaultNotice } from "../../parts/fault.tsx";
import { toneOf } from "../../parts/status.tsx";
import { JobsTable } from "../../parts/tables/jobs-table.tsx";
import { Pager } from "../../parts/tables/pager.tsx";
import { address, place } from "../../router.ts";
import { RULES } from "../../rules.ts";
import { useTitle } from "../../title.ts";
import { exact, inZone, number, spaced } from "../../words.ts";
import { useJobs } from "../jobs/found-jobs.ts";
import { scheduleWords } from "./schedule-words.ts";

const PAGE = "100";

export function Schedules() {
  useTitle("Schedules");
  const cursor = place.value.query.get("cursor") ?? "";
  const query = { limit: PAGE, ...(cursor === "" ? {} : { cursor }) };
  const { data, fault } = useData<ScheduleList>(`/schedules?${new URLSearchParams(query)}`);
  const schedules = data?.schedules ?? [];
  const results = useLastResults();
  return (
    <>
      <h1>Schedules</h1>
      <FaultNotice fault={fault} />
      {schedules.length === 0 ? (
        <NoRows data={data} fault={fault}>
          No deployed program has a schedule. A line such as <code>Cr L_nightly 0 2 * * *</code> makes one.
        </NoRows>
      ) : (
        <Table label="Schedules" titles={["Schedule", "When", "Next", "Last results", "State"]} isStacked>
          {schedules.map((schedule) => (
            <tr key={schedule.id}>
              <td class="name">
                <a href={address(["schedules", ...schedule.id.split("/")])}>{schedule.id}</a>
              </td>
              <td>
                <span title={schedule.cron}>{scheduleWords(schedule)}</span>
              </td>
              <td data-title="next">{isActive(schedule) ? <Time at={schedule.next_at} /> : null}</td>
              <td data-title="last">
                {results.has(schedule.id) ? <LastResults jobs={results.get(schedule.id) ?? []} /> : null}
              </td>
              <td>{isActive(schedule) ? <Chip tone="good">active</Chip> : <Chip>{stateOf(schedule)}</Chip>}</td>
            </tr>
          ))}
        </Table>
      )}
      <Pager path={["schedules"]} query={{ cursor }} next={data?.next_cursor} titles={["first", "next"]} />
    </>
  );
}

/** Jobs that are looked through for the last results of all schedules, and the dots of one. */
const LOOKED = "200";
const DOTS = 10;

/** By schedule, the newest last. */
function useLastResults(): ReadonlyMap<string, readonly ListedJob[]> {
  const { data } = useJobs({ limit: LOOKED });
  const ran = (data?.jobs ?? []).filter(({ schedule }) => schedule !== undefined);
  return new Map(
    [...Map.groupBy(ran, ({ schedule = "" }) => schedule)].map(([id, jobs]) => [id, jobs.slice(0, DOTS).reverse()]),
  );
}

/** Each a dot with the colour of its state, which leads to the job. */
function LastResults({ jobs }: { readonly jobs: readonly ListedJob[] }) {
  return (
    <span class="dots">
      {jobs.map(({ job_id: id, status, queued_at: at }) => (
        <a key={id} href={address(["jobs", id])} title={`${spaced(status)}, ${exact(at)}`}>
          <span class={`dot ${toneOf(status)}`} />
          <span class="unseen">{spaced(status)}</span>
        </a>
      ))}
    </span>
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
  const words = scheduleWords(schedule);
  return (
    <>
      <div class="title">
        <h1>
          {id} {isActive(schedule) ? <Chip tone="good">active</Chip> : <Chip>{stateOf(schedule)}</Chip>}
        </h1>
        <p class="actions">
          <ActButton
            text="Run now"
            said="A job of the schedule is queued."
            run={() => send("POST", `${base}/run`)}
            done={again}
          />
          <ActButton
            text={schedule.paused ? "Resume" : "Pause"}
            run={() => send("PATCH", base, { paused: !schedule.paused })}
            done={again}
          />
        </p>
      </div>
      <FaultNotice fault={fault} />
      <ul class="lead">
        <li>{words}</li>
        {words.startsWith(schedule.cron) ? null : (
          <li>
            <code>{schedule.cron}</code>
          </li>
        )}
        <li>
          runs {schedule.label} of{" "}
          <a href={address(["programs", schedule.program])}>
            {schedule.program}@{schedule.version}
          </a>
        </li>
      </ul>
      <Backfill base={base} done={again} />
      <h2>Next times</h2>
      {isActive(schedule) ? null : (
        <p class="notice waits">
          {schedule.paused ? "While it is paused" : "While its program is disabled"}, nothing runs at these times.
        </p>
      )}
      <Table label="Next times" titles={[...(schedule.tz === "UTC" ? [] : [schedule.tz]), "UTC", "From now"]} isStacked>
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
