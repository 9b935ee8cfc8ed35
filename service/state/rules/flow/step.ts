/**
 * What time and ends of jobs bring to those who wait: one transaction, which one process makes at a time. It may be made at any moment and any number of
 * times: it reads from the rows what is to be done. So whatever a process that dies leaves is done by the next one that looks.
 */
import { notBegunResult } from "../../../jobs/answers/bodies.ts";
import type { FlowLook } from "../../../jobs/flow/flow-watch.ts";
import { isTerminal, type Job, type JobStatus, moved, PARKED } from "../../../jobs/job.ts";
import { BEGIN_BY, GAVE_BACK, LATER, LINE, TAKEN, TIME, WAITS } from "../../flow-port.ts";
import type { JobKey } from "../../job-port.ts";
import type { Port } from "../../port.ts";
import { rows, run, type Step } from "../../step.ts";
import { advance, fill, forget, giveBackParked, keys, Moving, nextTime } from "./advance.ts";

export type FlowLooked = {
  /** Ids of jobs that may be claimed from now on. */
  readonly begun: readonly string[];
  /** Jobs whose time to begin is over. */
  readonly ended: readonly Job[];
  /** More is to be done at once. */
  readonly more: boolean;
  /** When time brings something next, in milliseconds from now; null: it does not. */
  readonly nextMs: number | null;
};

const MOST = 500;
const DUE = `SELECT job FROM weft.flow_jobs WHERE gate = $1 AND state = ${WAITS} AND rank <= $2 ORDER BY rank LIMIT ${MOST}`;

type Changed = { readonly job: JobKey; readonly status: JobStatus | null };

export function* lookAtFlow(port: Port, { changed, all }: FlowLook): Step<FlowLooked> {
  yield* port.lockFlow();
  const now = port.now();
  const moving = new Moving(port, now);
  yield* afterChanges(moving, yield* changedJobs(port, changed, all));
  const due = yield* rows<{ readonly job: JobKey }>(DUE, TIME, now);
  yield* advance(
    moving,
    due.map(({ job }) => job),
  );
  const late = yield* rows<{ readonly job: JobKey }>(DUE, BEGIN_BY, now);
  const ended = yield* endLate(
    moving,
    late.map(({ job }) => job),
    now,
  );
  const gates = yield* rows<{ readonly number: number }>(
    `SELECT number FROM weft.flow_gates WHERE next_ms <= $1 ORDER BY next_ms LIMIT ${MOST}`,
    now,
  );
  moving.opened(gates.map(({ number }) => number));
  const isOpen = yield* fill(moving);
  const more = isOpen || [due, late, gates].some(({ length }) => length === MOST);
  return { begun: moving.begun, ended, more, nextMs: more ? 0 : yield* nextTime(now) };
}

/** When `all`: those who changed without a word, and those whose rows were left. */
function* changedJobs({ jobKey }: Port, changed: readonly string[], all: boolean): Step<readonly Changed[]> {
  const named =
    changed.length === 0
      ? []
      : yield* rows<Changed>(`SELECT ${jobKey} AS job, status FROM weft.jobs WHERE flow AND id = ANY ($1)`, changed);
  if (!all) return named;
  const found = yield* rows<Changed>(
    `SELECT DISTINCT f.job, j.status FROM weft.flow_jobs f LEFT JOIN weft.jobs j ON j.${jobKey} = f.job
     WHERE (f.state = ${TAKEN} AND (j.status IS NULL OR j.status NOT IN ('queued', 'running', 'cancelling')))
     OR (f.state = ${GAVE_BACK} AND (j.status IS NULL OR j.status NOT IN ('waiting', 'sleeping')))`,
  );
  return [...named, ...found];
}

function* afterChanges(moving: Moving, changed: readonly Changed[]): Step<void> {
  const of = (is: (status: JobStatus | null) => boolean): readonly JobKey[] => [
    ...new Set(changed.filter(({ status }) => is(status)).map(({ job }) => job)),
  ];
  yield* forget(
    moving,
    of((status) => status === null || isTerminal(status)),
  );
  yield* giveBackParked(
    moving,
    of((status) => status !== null && PARKED.includes(status)),
  );
  const again = of((status) => status === "queued");
  if (again.length > 0) yield* backInLine(moving, again);
}

/** Jobs that were woken need what they gave back; others were claimed and are in the line again. */
function* backInLine(moving: Moving, jobs: readonly JobKey[]): Step<void> {
  yield* run(
    `UPDATE weft.flow_jobs SET state = ${WAITS} WHERE gate = ${LINE} AND state = ${TAKEN} AND job = ANY ($1)
     AND NOT EXISTS (SELECT 1 FROM weft.flow_jobs g WHERE g.job = flow_jobs.job AND g.state IN (${LATER}, ${GAVE_BACK}))`,
    keys(jobs),
  );
  const gave = yield* rows<{ readonly job: JobKey }>(
    `UPDATE weft.flow_jobs SET state = ${LATER} WHERE state = ${GAVE_BACK} AND job = ANY ($1) RETURNING job`,
    keys(jobs),
  );
  const woken = [...new Set(gave.map(({ job }) => job))];
  if (woken.length === 0) return;
  yield* run(`UPDATE weft.flow_jobs SET state = ${LATER} WHERE gate = ${LINE} AND job = ANY ($1)`, keys(woken));
  yield* advance(moving, woken);
}

/** A job that was not begun in time is over; one that was is left alone from now on. */
function* endLate(moving: Moving, jobs: readonly JobKey[], now: number): Step<readonly Job[]> {
  const { port } = moving;
  const ended: Job[] = [];
  if (jobs.length === 0) return ended;
  yield* run(`DELETE FROM weft.flow_jobs WHERE gate = ${BEGIN_BY} AND job = ANY ($1)`, keys(jobs));
  for (const key of jobs) {
    const found = yield* port.lockedJobOf(key);
    if (found === null || found.job.status !== "queued" || found.job.startedMs !== null) continue;
    const result = notBegunResult(found.job.traceId, yield* port.requestOf(found));
    ended.push(yield* port.move(found, moved(found.job, "timed_out", now), result, now, null));
    yield* forget(moving, [key]);
  }
  return ended;
}
