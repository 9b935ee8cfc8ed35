/** Queueing jobs that rules hold back: with what they wait for, in the transaction that queues them. */

import { joinedText } from "../../../jobs/flow/gathered-text.ts";
import { isControlled, type JobFlow } from "../../../jobs/flow/job-flow.ts";
import { isTerminal, type Job, type Submission } from "../../../jobs/job.ts";
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
import type { Enqueued } from "../../store.ts";
import { cancelFound } from "../job-moves.ts";
import { advance, fill, forget, Moving, nextTime } from "./advance.ts";
import { Decisions } from "./decide.ts";

/** `submission`: what was queued of it. `queued`: jobs in line before. */
export type QueuedJobs = {
  readonly answer: Exclude<Enqueued, { state: "key_lost" }>;
  readonly submission: Submission;
  readonly queued: number;
  /** Jobs that others take the place of: they are over, or about to end. */
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
  const decisions = new Decisions(port, submission, gates, moving.now);
  yield* decisions.decide();
  const { kept, ids, taken } = decisions;
  const there = [...decisions.there.values()];
  const wanted = chosen(submission, decisions);
  const nothing = { submission: wanted, queued: 0, ended: [], nextMs: null };
  if (kept.size === 0) {
    if (there.length === 0)
      return { answer: taken === null ? { state: "dropped" } : { state: "taken", by: taken }, ...nothing };
    yield* remember(port, decisions, moving.now);
    const nextMs = decisions.due.size > 0 ? 0 : null;
    return { answer: { state: "queued", position: 0, ids, there }, ...nothing, nextMs };
  }
  const { queued, state } = yield* port.enqueue(wanted, most);
  if (state !== "queued") return { answer: { state }, ...nothing, queued };
  const ended: Job[] = [];
  for (const gate of decisions.emptied) yield* endWaiting(moving, gate, ended);
  for (const [id, by] of decisions.replaced) yield* endFor(moving, id, by, ended);
  yield* addRows(moving, wanted, gates);
  yield* remember(port, decisions, moving.now);
  const more = (yield* fill(moving)) || decisions.due.size > 0;
  const nextMs = more ? 0 : isTimed(wanted) ? yield* nextTime(moving.now) : null;
  const answer = { state: "queued", position: queued, ids, ...(there.length === 0 ? {} : { there }) } as const;
  return { answer, submission: wanted, queued, ended, nextMs };
}

function isTimed({ flow = [] }: Submission): boolean {
  return flow.some(
    (one) =>
      one !== null && (one.afterMs !== null || one.byMs !== null || one.gates.some(({ kind }) => kind === "tokens")),
  );
}

/** The jobs that are queued, with what was decided about them. */
function chosen(submission: Submission, { kept, flow, gathered }: Decisions): Submission {
  const { jobs, search = [] } = submission;
  const order = [...kept].sort((a, b) => a - b);
  const places = new Map(order.map((at, place) => [at, place]));
  const more = new Map([...gathered.values()].flat().map(({ id, more: texts }) => [id, texts]));
  return {
    ...submission,
    search: search.flatMap(({ at, ...one }) => (places.has(at) ? [{ ...one, at: places.get(at) ?? 0 }] : [])),
    jobs: order.flatMap((at) => {
      const job = jobs[at];
      const texts = more.get(job?.id ?? "") ?? [];
      if (job === undefined || texts.length === 0) return job ?? [];
      return { ...job, frame: joinedText(job.frame ?? "", texts) };
    }),
    flow: order.map((at) => flow[at] ?? null),
  };
}

/** Of all jobs together, each once. */
function gatesOf(flow: readonly (JobFlow | null)[]): readonly GateRow[] {
  const found = new Map<string, GateRow>();
  for (const one of flow) {
    for (const { id, kind, limit, perMs } of one?.gates ?? []) found.set(id, { id, kind, lim: limit, perMs });
    if (one?.burst != null) found.set(one.burst.gate, { id: one.burst.gate, kind: "burst", lim: 0, perMs: 0 });
    if (one?.fair != null) found.set(one.fair.group, { id: one.fair.group, kind: "turns", lim: 0, perMs: 0 });
  }
  return [...found.values()];
}

function* endWaiting(moving: Moving, gate: number, ended: Job[]): Step<void> {
  const { port, now } = moving;
  const waiting = yield* rows<{ readonly job: JobKey }>(
    `SELECT job FROM weft.flow_jobs WHERE gate = $1 AND state = ${WAITS} ORDER BY rank LIMIT ${MOST_REPLACED}`,
    gate,
  );
  for (const { job } of waiting) {
    const found = yield* port.lockedJobOf(job);
    // One that was begun has done something, perhaps in a round before.
    if (found?.job.status !== "queued" || found.job.attempt > 0) continue;
    ended.push((yield* cancelFound(port, found, now)).job);
    yield* forget(moving, [job]);
  }
}

/** A job that has the key of a new one: over, or about to end. The new one waits for that at the gate of the key. */
function* endFor(moving: Moving, id: string, by: string, ended: Job[]): Step<void> {
  const { port, now } = moving;
  const found = yield* port.lockedJob(id);
  if (found === null) return;
  const { job, moved } = yield* cancelFound(port, found, now, by);
  if (moved) ended.push(job);
  if (isTerminal(job.status)) yield* forget(moving, [found.key]);
}

const WRITE = `UPDATE weft.flow_gates SET holder = $2, at_ms = $3, used = coalesce($4::integer, used), per_ms = $5
  WHERE number = $1`;
const DUE = `UPDATE weft.flow_jobs SET rank = $2 WHERE job = $1 AND gate = ${TIME} AND state = ${WAITS}`;

/** What gates know of their jobs, and inputs that jobs take which were there before. */
function* remember(port: Port, { writes, gathered, due }: Decisions, now: number): Step<void> {
  for (const [gate, { holder, atMs, used, perMs }] of writes) yield* run(WRITE, gate, holder, atMs, used, perMs);
  for (const { key, more } of [...gathered.values()].flat())
    if (key !== null && more.length > 0) yield* port.setFrame(key, joinedText(yield* port.frameOf(key), more));
  for (const job of due) yield* run(DUE, job, now);
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
