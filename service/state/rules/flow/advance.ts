/**
 * How jobs come from gate to gate: each waits at one, takes its place there when it is the first and one is free, and goes to the next. After
 * the last it may be claimed. Gates are passed in the same order by all, so no two jobs wait for each other.
 */
import { BEGIN_BY, GAVE_BACK, LATER, LINE, TAKEN, TIME, WAITS } from "../../flow-port.ts";
import type { JobKey } from "../../job-port.ts";
import type { StorePort } from "../../port.ts";
import { rows, run, type Step, value } from "../../step.ts";

/** Jobs that take a place in one transaction; the rest is looked at in the next one. */
const MOST_A_STEP = 500;

/** What one transaction does to jobs and gates. */
export class Moving {
  readonly port: StorePort;
  readonly now: number;
  /** Ids of jobs that may be claimed from now on. */
  readonly begun: string[] = [];
  /** Gates that may have a free place. */
  readonly open = new Set<number>();
  /** Jobs that may still take a place. */
  left = MOST_A_STEP;

  constructor(port: StorePort, now: number) {
    this.port = port;
    this.now = now;
  }

  opened(gates: readonly number[]): void {
    for (const gate of gates) this.open.add(gate);
  }
}

type Gate = {
  readonly number: number;
  readonly kind: "places" | "tokens";
  readonly lim: number;
  readonly per_ms: number;
  readonly used: number;
  readonly at_ms: number;
};
type Head = {
  readonly job: JobKey;
  readonly grp: number | null;
  readonly turn: number | null;
  readonly status: string | null;
};

const GATES =
  "SELECT number, kind, lim, per_ms, used, at_ms FROM weft.flow_gates WHERE number = ANY ($1) ORDER BY number";
const heads = (
  { jobKey }: StorePort,
  of: string,
): string => `SELECT f.job, f.grp, f.turn, j.status FROM weft.flow_jobs f
  LEFT JOIN weft.jobs j ON j.${jobKey} = f.job WHERE f.gate = $1 AND f.state = ${WAITS} ${of}`;
const NEXT = `UPDATE weft.flow_jobs SET state = ${WAITS} WHERE state = ${LATER} AND job = ANY ($1)
  AND place = (SELECT min(n.place) FROM weft.flow_jobs n WHERE n.job = flow_jobs.job AND n.state = ${LATER}) RETURNING job, gate`;
const FIRST = `SELECT rank FROM weft.flow_jobs WHERE gate = $1 AND state = ${WAITS} ORDER BY rank LIMIT 1`;
const LOOK_AGAIN = "UPDATE weft.flow_gates SET next_ms = 0 WHERE number = ANY ($1)";

/** Jobs that took the place they waited for go to the next gate, or into the line. */
export function* advance(moving: Moving, jobs: readonly JobKey[]): Step<void> {
  if (jobs.length === 0) return;
  const { port } = moving;
  const take = `UPDATE weft.flow_jobs SET state = ${TAKEN} WHERE state = ${WAITS} AND gate >= ${TIME} AND job = ANY ($1)`;
  yield* run(take, keys(jobs));
  const moved = yield* rows<{ readonly job: JobKey; readonly gate: number }>(NEXT, keys(jobs));
  const waiting = moved.filter(({ gate }) => gate !== LINE);
  const held = new Set(waiting.map(({ job }) => job));
  moving.opened(waiting.map(({ gate }) => gate));
  moving.begun.push(...(yield* port.letGo(jobs.filter((job) => !held.has(job)))));
}

/** Gives the free places of open gates to those who wait there. True: more could be given. */
export function* fill(moving: Moving): Step<boolean> {
  const { open, now } = moving;
  while (open.size > 0 && moving.left > 0) {
    const gates = yield* rows<Gate>(GATES, [...open]);
    const taken: JobKey[] = [];
    open.clear();
    for (const gate of gates) {
      if (moving.left <= 0) {
        open.add(gate.number);
        continue;
      }
      const free = gate.kind === "places" ? gate.lim - gate.used : tokensAt(gate, now);
      const first = yield* firstAt(moving, gate.number, Math.min(free, moving.left));
      taken.push(...first);
      moving.left -= first.length;
      if (gate.kind === "places") yield* usePlaces(gate, first.length);
      else yield* useTokens(gate, first.length, now);
      if (moving.left <= 0 && first.length < free) open.add(gate.number);
    }
    yield* advance(moving, taken);
  }
  if (open.size === 0) return false;
  yield* run(LOOK_AGAIN, [...open]);
  return true;
}

function usePlaces({ number }: Gate, count: number): Step<void> {
  return run("UPDATE weft.flow_gates SET used = used + $2, next_ms = NULL WHERE number = $1", number, count);
}

/** A bucket is kept as the time at which it is full again: each token that is taken moves it on. */
function* useTokens({ number, lim, per_ms, at_ms }: Gate, count: number, now: number): Step<void> {
  const each = per_ms / lim;
  const full = Math.max(at_ms, now) + count * each;
  const waits = yield* value<number>(
    `SELECT 1 FROM weft.flow_jobs WHERE gate = $1 AND state = ${WAITS} LIMIT 1`,
    number,
  );
  const next = waits === undefined ? null : Math.ceil(full - per_ms + each);
  yield* run("UPDATE weft.flow_gates SET at_ms = $2, next_ms = $3 WHERE number = $1", number, full, next);
}

function tokensAt({ lim, per_ms, at_ms }: Gate, now: number): number {
  // Sums of parts of milliseconds miss whole tokens by a hair.
  return Math.max(0, Math.floor(((now + per_ms - Math.max(at_ms, now)) * lim) / per_ms + 1e-6));
}

/** The first of those who wait at a gate; they have their places then. Of a group, the one whose turn it is goes in place of the first. */
function* firstAt(moving: Moving, gate: number, most: number): Step<readonly JobKey[]> {
  const { port } = moving;
  const take = `UPDATE weft.flow_jobs SET state = ${TAKEN} WHERE gate = $1 AND job = ANY ($2)`;
  const first: JobKey[] = [];
  while (first.length < most) {
    const found = yield* rows<Head>(heads(port, "ORDER BY f.rank, f.job LIMIT $2"), gate, most - first.length);
    const waiting = found.filter(({ status }) => status === "queued");
    const gone = found.length - waiting.length;
    yield* forgetOver(moving, found);
    const alone = waiting.filter(({ grp }) => grp === null).map(({ job }) => job);
    if (alone.length > 0) yield* run(take, gate, keys(alone));
    first.push(...alone);
    for (const { grp } of waiting) {
      const head = grp === null ? null : yield* ofGroup(moving, gate, grp);
      if (head === null) continue;
      yield* run(take, gate, keys([head]));
      first.push(head);
    }
    if (gone === 0) break;
  }
  return first;
}

/** Whose turn it is; null: none of the group waits. */
function* ofGroup(moving: Moving, gate: number, grp: number): Step<JobKey | null> {
  for (;;) {
    const next = heads(moving.port, "AND f.grp = $2 ORDER BY f.turn, f.rank, f.job LIMIT 1");
    const [head] = yield* rows<Head>(next, gate, grp);
    if (head === undefined) return null;
    if (head.status === "queued") {
      yield* hadTurn(grp, head.turn ?? 0);
      return head.job;
    }
    yield* forgetOver(moving, [head]);
  }
}

/** Who comes later has no turn before this one. */
function hadTurn(grp: number, turn: number): Step<void> {
  return run("UPDATE weft.flow_gates SET at_ms = $2 WHERE number = $1 AND at_ms < $2", grp, turn);
}

function* forgetOver(moving: Moving, found: readonly Pick<Head, "job" | "status">[]): Step<void> {
  yield* forget(
    moving,
    found.filter(({ status }) => status !== "queued").map(({ job }) => job),
  );
}

/** Gives back what jobs have that are over, and forgets what they waited for. */
export function* forget(moving: Moving, jobs: readonly JobKey[]): Step<void> {
  if (jobs.length === 0) return;
  yield* giveBack(moving, jobs, `state = ${TAKEN} AND keeps < 2`);
  yield* run("DELETE FROM weft.flow_jobs WHERE job = ANY ($1)", keys(jobs));
}

/** Jobs that wait for something give their places back, unless they keep them; each needs one again before it continues. */
export function* giveBackParked(moving: Moving, found: readonly JobKey[]): Step<void> {
  if (found.length === 0) return;
  // Locked: one that is woken at this moment keeps its place.
  const jobs = (yield* moving.port.parkedJobs(found)).map(({ key }) => key);
  const which = `state = ${TAKEN} AND keeps = 0`;
  if (jobs.length === 0 || !(yield* giveBack(moving, jobs, which))) return;
  const back = `UPDATE weft.flow_jobs SET state = ${GAVE_BACK} WHERE job = ANY ($1) AND ${which} RETURNING job`;
  const given = yield* rows<{ readonly job: JobKey }>(back, keys(jobs));
  const { jobKey } = moving.port;
  yield* run(`UPDATE weft.jobs SET held = true WHERE ${jobKey} = ANY ($1)`, keys(given.map(({ job }) => job)));
}

/** False: they have nothing of it. */
export function* giveBack(moving: Moving, jobs: readonly JobKey[], which: string): Step<boolean> {
  const held = yield* rows<{ readonly gate: number; readonly places: number }>(
    `SELECT gate, count(*) AS places FROM weft.flow_jobs WHERE job = ANY ($1) AND ${which} AND gate > ${TIME} GROUP BY gate`,
    keys(jobs),
  );
  for (const { gate, places } of held)
    yield* run("UPDATE weft.flow_gates SET used = used - $2 WHERE number = $1", gate, places);
  moving.opened(held.map(({ gate }) => gate));
  return held.length > 0;
}

/** Keys are texts in one database and numbers in the other. */
export function keys(jobs: readonly JobKey[]): readonly string[] {
  return jobs as readonly string[];
}

/** When time brings something next, in milliseconds from now; null: it does not. */
export function* nextTime(now: number): Step<number | null> {
  const times = [
    yield* value<number>(FIRST, TIME),
    yield* value<number>(FIRST, BEGIN_BY),
    yield* value<number>("SELECT next_ms FROM weft.flow_gates WHERE next_ms IS NOT NULL ORDER BY next_ms LIMIT 1"),
  ].flatMap((time) => time ?? []);
  return times.length === 0 ? null : Math.max(0, Math.min(...times) - now);
}
