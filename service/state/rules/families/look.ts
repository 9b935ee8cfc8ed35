/**
 * What the end of a job brings to its family: those that wait for it continue, and the children of one that was cancelled are cancelled. As with the
 * rules about when jobs begin, it may be looked at any moment and any number of times: rows say what is to be done, so what a process that
 * dies leaves is done by the next one that looks.
 */
import { type WaitRow, waitedJobs } from "../../../jobs/durable/wait-rows.ts";
import type { FamilyLooked } from "../../../jobs/families/family-watch.ts";
import type { FlowLook } from "../../../jobs/flow/flow-watch.ts";
import { isTerminal, type Job, type JobStatus, TERMINAL_STATUSES } from "../../../jobs/job.ts";
import type { Wake } from "../../job-port.ts";
import type { Port } from "../../port.ts";
import { rows, type Step } from "../../step.ts";
import { jobChanges } from "../job-moves.ts";
import { openWaits, wakeOf } from "../wakes.ts";

const MOST = 200;
const OPEN = `status NOT IN (${[...TERMINAL_STATUSES, "expired"].map((status) => `'${status}'`).join(", ")})`;
const WAITS = "SELECT * FROM weft.waits WHERE kind = 'job' AND ended_ms IS NULL";
/** Children of jobs that were ended before their time. */
const orphans = (of: string): string => `SELECT f.job AS id FROM weft.families f
  JOIN weft.jobs p ON p.id = f.parent AND p.status IN ('cancelled', 'timed_out')
  JOIN weft.jobs c ON c.id = f.job AND c.${OPEN} AND c.status <> 'cancelling' WHERE NOT f.detached ${of} ORDER BY f.job LIMIT ${MOST}`;

/** `changed`: ids of jobs that ended, or wait for others. `all`: some may have changed without a word. */
export function* lookAtFamilies(port: Port, { changed, all }: FlowLook): Step<FamilyLooked> {
  yield* port.lockKey("families");
  const waits = all ? yield* rows<WaitRow>(WAITS) : yield* waitsAround(changed);
  const over = yield* overOf(waits.flatMap(waitedJobs));
  const ready = waits.filter((wait) => waitedJobs(wait).some((id) => over.has(id)));
  const woken = yield* wakeAll(port, ready, over);
  const ids = all
    ? yield* rows<{ readonly id: string }>(orphans(""))
    : yield* rows<{ readonly id: string }>(orphans("AND f.parent = ANY ($1)"), changed);
  const cancelled: Job[] = [];
  for (const { id } of ids) {
    const done = yield* jobChanges.cancelJob(port, id);
    if (done?.moved === true) cancelled.push(done.job);
  }
  return { woken, cancelled, more: ready.length > MOST || ids.length === MOST };
}

/** Waits for jobs in the families of these. */
function* waitsAround(changed: readonly string[]): Step<readonly WaitRow[]> {
  if (changed.length === 0) return [];
  const roots = yield* rows<{ readonly root: string }>(
    "SELECT DISTINCT root FROM weft.families WHERE job = ANY ($1)",
    changed,
  );
  const of = [...new Set([...changed, ...roots.map(({ root }) => root)])];
  return yield* rows<WaitRow>(`${WAITS} AND key = ANY ($1)`, of);
}

/** Those that are over, with how they ended. One that is forgotten is over. */
export function* overOf(ids: readonly string[]): Step<ReadonlyMap<string, JobStatus>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const found = yield* rows<{ readonly id: string; readonly status: JobStatus }>(
    "SELECT id, status FROM weft.jobs WHERE id = ANY ($1)",
    wanted,
  );
  const statuses = new Map(found.map(({ id, status }) => [id, status]));
  const ended = wanted.map((id): [string, JobStatus] => [id, statuses.get(id) ?? "expired"]);
  return new Map(ended.filter(([, status]) => isTerminal(status)));
}

/** Those of the jobs that are over, or forgotten. */
export function* overJobs(_: Port, ids: readonly string[]): Step<readonly string[]> {
  return [...(yield* overOf(ids)).keys()];
}

/** Locked rows are read again: another process may have woken them meanwhile. */
function* wakeAll(port: Port, ready: readonly WaitRow[], over: ReadonlyMap<string, JobStatus>): Step<readonly Job[]> {
  const parked = new Map(
    (yield* port.parkedJobs(ready.slice(0, MOST).map(({ job }) => job))).map((found) => [found.key, found]),
  );
  const wakes = new Map<number | string, Wake>();
  for (const wait of yield* openWaits([...parked.keys()])) {
    const found = parked.get(wait.job);
    const first = wait.kind === "job" ? waitedJobs(wait).find((id) => over.has(id)) : undefined;
    if (found === undefined || first === undefined || wakes.has(wait.job)) continue;
    wakes.set(wait.job, wakeOf(found, wait.id, jobArrival(first, over)));
  }
  return yield* port.wake([...wakes.values()], port.now());
}

export function jobArrival(id: string, over: ReadonlyMap<string, JobStatus>) {
  return { why: "job", result: { id, status: over.get(id) ?? "expired" } } as const;
}
