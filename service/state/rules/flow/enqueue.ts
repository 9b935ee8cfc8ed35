/** Queueing jobs that rules hold back: with what they wait for, in the transaction that queues them. */
import { unbegunResult } from "../../../jobs/answers/bodies.ts";
import { type GateAsked, isControlled, type JobFlow } from "../../../jobs/flow/job-flow.ts";
import { type Job, moved, type Submission } from "../../../jobs/job.ts";
import type { Enqueued } from "../../../jobs/store.ts";
import {
  BEGIN_BY,
  type FlowRow,
  type GateRow,
  LATER,
  LINE,
  NOTHING,
  TIME,
  UNTIL_OVER,
  UNTIL_PARKED,
  WAITS,
} from "../../flow-port.ts";
import type { JobKey } from "../../job-port.ts";
import type { Port } from "../../port.ts";
import { row, rows, run, type Step } from "../../step.ts";
import { advance, fill, forget, Moving, nextTime } from "./advance.ts";

/** `submission`: what was queued of it. `queued`: jobs in line before. */
export type QueuedJobs = {
  readonly answer: Extract<Enqueued, { state: "queued" | "full" | "dropped" | "no_journal" }>;
  readonly submission: Submission;
  readonly queued: number;
  /** Jobs that others take the place of. */
  readonly ended: readonly Job[];
  /** When rules have more to do, in milliseconds; null: that did not change. */
  readonly nextMs: number | null;
};

/** Jobs that wait and are ended for a new one, at most. */
const MOST_REPLACED = 1000;

/** All of the jobs, or none, but for those that rules drop. */
export function* queueJobs(port: Port, submission: Submission, most: number): Step<QueuedJobs> {
  const { flow } = submission;
  if (flow === undefined) {
    const { queued, state } = yield* port.enqueue(submission, most);
    const answer = state === "queued" ? { state, position: queued } : { state };
    return { answer, submission, queued, ended: [], nextMs: null };
  }
  yield* port.lockFlow();
  const moving = new Moving(port, port.now());
  const gates = yield* port.gates(gatesOf(flow));
  const kept = new Set<number>();
  const planned = new Map<number, number>();
  const replaced = new Set<number>();
  for (const [at, one] of flow.entries())
    if (one === null || !(yield* isDropped(one.gates, { gates, planned, replaced }))) kept.add(at);
  if (kept.size === 0) return { answer: { state: "dropped" }, submission, queued: 0, ended: [], nextMs: null };
  const wanted = kept.size === flow.length ? submission : chosen(submission, [...kept]);
  const { queued, state } = yield* port.enqueue(wanted, most);
  if (state !== "queued") return { answer: { state }, submission, queued, ended: [], nextMs: null };
  const ended: Job[] = [];
  for (const gate of replaced) yield* endWaiting(moving, gate, ended);
  yield* addRows(moving, wanted, gates);
  const more = yield* fill(moving);
  const nextMs = more ? 0 : isTimed(wanted) ? yield* nextTime(moving.now) : null;
  const ids = submission.jobs.map(({ id }, at) => (kept.has(at) ? id : null));
  return { answer: { state: "queued", position: queued, ids }, submission: wanted, queued, ended, nextMs };
}

function isTimed({ flow = [] }: Submission): boolean {
  return flow.some(
    (one) =>
      one !== null && (one.afterMs !== null || one.byMs !== null || one.gates.some(({ kind }) => kind === "tokens")),
  );
}

function chosen(submission: Submission, kept: readonly number[]): Submission {
  const { jobs, flow = [], search = [] } = submission;
  const places = new Map(kept.map((at, place) => [at, place]));
  return {
    ...submission,
    search: search.flatMap(({ at, ...one }) => (places.has(at) ? [{ ...one, at: places.get(at) ?? 0 }] : [])),
    jobs: kept.flatMap((at) => jobs[at] ?? []),
    flow: kept.map((at) => flow[at] ?? null),
  };
}

/** Of all jobs together, each once. */
function gatesOf(flow: readonly (JobFlow | null)[]): readonly GateRow[] {
  const found = new Map<string, GateRow>();
  for (const one of flow) {
    for (const { id, kind, limit, perMs } of one?.gates ?? []) found.set(id, { id, kind, lim: limit, perMs });
    if (one?.fair != null) found.set(one.fair.group, { id: one.fair.group, kind: "turns", lim: 0, perMs: 0 });
  }
  return [...found.values()];
}

const FREE = `SELECT lim - used AS free FROM weft.flow_gates WHERE number = $1`;

/** `planned`: places that other jobs of the request will take. */
type Deciding = {
  readonly gates: ReadonlyMap<string, number>;
  readonly planned: Map<number, number>;
  /** Gates at which those that wait are ended for new ones. */
  readonly replaced: Set<number>;
};

/** Whether a rule has no place for a job and says that there is to be none. */
function* isDropped(asked: readonly GateAsked[], { gates, planned, replaced }: Deciding): Step<boolean> {
  const decided = asked.filter(({ onFull }) => onFull !== "queue");
  const numbers = decided.map(({ id }) => gates.get(id) ?? 0);
  for (const [at, { onFull }] of decided.entries()) {
    const number = numbers[at] ?? 0;
    const gate = yield* row<{ readonly free: number }>(FREE, number);
    if ((gate?.free ?? 0) > (planned.get(number) ?? 0)) continue;
    if (onFull === "drop") return true;
    replaced.add(number);
  }
  for (const number of numbers) planned.set(number, (planned.get(number) ?? 0) + 1);
  return false;
}

function* endWaiting(moving: Moving, gate: number, ended: Job[]): Step<void> {
  const { port, now } = moving;
  const waiting = yield* rows<{ readonly job: JobKey }>(
    `SELECT job FROM weft.flow_jobs WHERE gate = $1 AND state = ${WAITS} ORDER BY rank LIMIT ${MOST_REPLACED}`,
    gate,
  );
  for (const { job } of waiting) {
    const found = yield* port.lockedJobOf(job);
    // One that was begun has done something.
    if (found?.job.status !== "queued" || found.job.startedMs !== null) continue;
    const result = unbegunResult("cancelled", found.job.traceId, yield* port.requestOf(found));
    ended.push(yield* port.move(found, moved(found.job, "cancelled", now), result, now, null));
    yield* forget(moving, [job]);
  }
}

function* addRows(moving: Moving, { jobs, flow = [] }: Submission, numbers: ReadonlyMap<string, number>): Step<void> {
  const { port } = moving;
  const controlled = jobs.flatMap(({ id }, at) => {
    const one = flow[at] ?? null;
    return one === null || !isControlled(one) ? [] : [{ id, one }];
  });
  const found = yield* rows<{ readonly id: string; readonly key: JobKey }>(
    `SELECT id, ${port.jobKey} AS key FROM weft.jobs WHERE id = ANY ($1)`,
    controlled.map(({ id }) => id),
  );
  const keyOf = new Map(found.map(({ id, key }) => [id, key]));
  const turns = new Turns();
  const all: FlowRow[] = [];
  for (const { id, one } of controlled) {
    const turn = one.fair === null ? null : yield* turns.next(numbers.get(one.fair.group) ?? 0, one.fair.key);
    all.push(...rowsOf(keyOf.get(id) ?? 0, one, numbers, turn));
  }
  yield* port.addFlowRows(all);
  yield* turns.write();
  yield* advance(moving, [...keyOf.values()]);
}

type Turn = { readonly grp: number; readonly turn: number };

function rowsOf(
  job: JobKey,
  { rank, gates, afterMs, byMs, fair }: JobFlow,
  numbers: ReadonlyMap<string, number>,
  turn: Turn | null,
): readonly FlowRow[] {
  const own = { job, state: LATER, rank, grp: turn?.grp ?? null, turn: turn?.turn ?? null };
  const all: FlowRow[] = gates.map(({ id, kind, hold }, at) => ({
    ...own,
    ...{ place: at + 1, gate: numbers.get(id) ?? 0 },
    keeps: kind === "tokens" ? NOTHING : hold ? UNTIL_OVER : UNTIL_PARKED,
  }));
  const free = { ...own, keeps: NOTHING };
  // Not of a group: times come in their order.
  const timed = { ...free, grp: null, turn: null };
  if (afterMs !== null) all.unshift({ ...timed, place: 0, gate: TIME, rank: afterMs });
  if (byMs !== null) all.push({ ...timed, place: -1, gate: BEGIN_BY, state: WAITS, rank: byMs });
  if (fair !== null) all.push({ ...free, place: gates.length + 1, gate: LINE });
  return all;
}

/** Turns of keys within their groups: each key has the next one after its last, and none before the group's. */
class Turns {
  readonly #last = new Map<string, Turn & { readonly key: string }>();

  *next(grp: number, key: string): Step<Turn> {
    const name = `${grp} ${key}`;
    const known = this.#last.get(name);
    const turn = known === undefined ? yield* this.#first(grp, key) : known.turn + 1;
    this.#last.set(name, { grp, turn, key });
    return { grp, turn };
  }

  *write(): Step<void> {
    const put = `INSERT INTO weft.flow_turns (grp, key, turn) VALUES ($1, $2, $3)
      ON CONFLICT (grp, key) DO UPDATE SET turn = excluded.turn`;
    for (const { grp, key, turn } of this.#last.values()) yield* run(put, grp, key, turn);
  }

  *#first(grp: number, key: string): Step<number> {
    const found = yield* row<{ readonly now: number; readonly last: number | null }>(
      `SELECT at_ms AS now, (SELECT turn FROM weft.flow_turns WHERE grp = $1 AND key = $2) AS last
       FROM weft.flow_gates WHERE number = $1`,
      ...[grp, key],
    );
    return Math.max(found?.now ?? 0, (found?.last ?? -1) + 1);
  }
}
