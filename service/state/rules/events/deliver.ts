/**
 * Delivering events. A step of a delivery gives some programs their jobs, and says in the same transaction how far the event is: so each program has one
 * job, whichever process continues. When all have theirs, runs that wait for the event are woken.
 */

import { EVENT_PREFIX } from "../../../../compiler/events.ts";
import type { Json } from "../../../../compiler/json.ts";
import type { WaitSpec } from "../../../../vm/calls/wait-spec.ts";
import { keptResult, readExactly } from "../../../../vm/inputs/exact-text.ts";
import type { Delivery, EventState, Starting, StartOutcome } from "../../../events/event.ts";
import { admitsMatch } from "../../../events/match.ts";
import { unpacked } from "../../../jobs/durable/journal-rows.ts";
import { type Arrival, specOf, type WaitRow } from "../../../jobs/durable/wait-rows.ts";
import { signalResult } from "../../../jobs/durable/waits.ts";
import type { Job, KeptJob } from "../../../jobs/job.ts";
import type { JobKey, Wake } from "../../job-port.ts";
import type { Port } from "../../port.ts";
import { row, rows, run, type Step } from "../../step.ts";
import { type QueuedJobs, queueJobs } from "../flow/enqueue.ts";
import { wakeOf } from "../wakes.ts";

/** When an event is tried again for which the queue has no room. */
const AGAIN_MS = 1000;
const WOKEN_AT_ONCE = 200;
/** Of one name, that a run which begins to wait looks through: the newest. */
const LOOKED_THROUGH = 2000;

const FOUND = `SELECT number, id, name, key, data, at_ms, hops, state, after FROM weft.events WHERE number = $1 FOR UPDATE`;
const NOTE = `INSERT INTO weft.event_starts (event, program, version, label, outcome, job, error, hops, at_ms)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (event, program, label) DO NOTHING`;

type Row = {
  readonly number: number;
  readonly id: string;
  readonly name: string;
  readonly key: string | null;
  readonly data: Uint8Array;
  readonly at_ms: number;
  readonly hops: number;
  readonly state: EventState;
  readonly after: string;
};

/** `queued`: what was put in line. `lost`: another process has gone on with the event. */
export type Delivered = {
  readonly state: "done" | "full" | "lost";
  readonly queued: readonly QueuedJobs[];
  readonly outcomes: readonly StartOutcome[];
};

export function* deliverEvent(port: Port, delivery: Delivery): Step<Delivered> {
  const { number, after, starts, next, isLast, isCut, maxQueued } = delivery;
  // Before rows of jobs, as everywhere.
  if (starts.some(({ submission }) => submission?.flow !== undefined)) yield* port.lockFlow();
  const event = yield* row<Row>(FOUND, number);
  if (event === undefined || event.state !== "due" || event.after !== after)
    return { state: "lost", queued: [], outcomes: [] };
  const now = port.now();
  const queued: QueuedJobs[] = [];
  const outcomes: StartOutcome[] = [];
  let reached = next;
  let state: "done" | "full" = "done";
  for (const [at, start] of starts.entries()) {
    const done = yield* begin(port, start, maxQueued);
    if (done === null) {
      // Functions of one program begin together.
      reached = starts[at - 1]?.program ?? after;
      state = "full";
      break;
    }
    if (done.queued !== null) queued.push(done.queued);
    outcomes.push(done.outcome);
    const { program, version, label } = start;
    yield* run(NOTE, number, program, version, label, done.outcome, done.job, done.error, event.hops, now);
  }
  const started = outcomes.filter((outcome) => outcome === "started").length;
  const failed = outcomes.filter((outcome) => outcome !== "started" && outcome !== "dropped").length;
  const isOver = state === "done" && isLast;
  yield* run(
    `UPDATE weft.events SET after = $2, started = started + $3::integer, failed = failed + $4::integer, cut = $5, state = $6, due_ms = $7
     WHERE number = $1`,
    ...[
      number,
      reached,
      started,
      failed,
      isCut,
      isOver ? "waking" : "due",
      state === "full" ? now + AGAIN_MS : event.at_ms,
    ],
  );
  return { state, queued, outcomes };
}

type Begun = {
  readonly outcome: StartOutcome;
  readonly job: string | null;
  readonly error: string | null;
  readonly queued: QueuedJobs | null;
};

/** Null: the queue has no room. */
function* begin(port: Port, { submission, outcome, error }: Starting, maxQueued: number): Step<Begun | null> {
  if (outcome !== "start" || submission === null)
    return { outcome: outcome === "start" ? "refused" : outcome, job: null, error, queued: null };
  const queued = yield* queueJobs(port, submission, maxQueued);
  const { answer } = queued;
  const id = submission.jobs[0]?.id ?? "";
  switch (answer.state) {
    case "queued": {
      const [taken] = answer.ids ?? [id];
      return {
        outcome: taken === id ? "started" : "dropped",
        job: taken ?? answer.there?.[0]?.id ?? null,
        error,
        queued,
      };
    }
    case "taken":
      return { outcome: "dropped", job: answer.by, error: "job_exists", queued };
    case "dropped":
      return { outcome: "dropped", job: null, error: "job_dropped", queued };
    case "no_journal":
      return { outcome: "refused", job: null, error: "internal_error", queued };
    default:
      return null;
  }
}

/** `more`: further runs wait for it. */
export type EventWoke = { readonly woken: readonly KeptJob[]; readonly more: boolean };
export type Waking = { readonly number: number; readonly name: string };

/** Wakes runs that wait for an event which all programs have. */
export function* wakeForEvent(port: Port, { number, name }: Waking): Step<EventWoke> {
  // Those who begin to wait for it look through what is there under the same lock.
  yield* port.lockKey(`${EVENT_PREFIX}${name}`);
  const event = yield* row<Row>(FOUND, number);
  if (event?.state !== "waking") return { woken: [], more: false };
  const data = readExactly(unpacked(event.data));
  const waiting = (yield* rows<WaitRow>(
    // One that runs looks for itself when it parks.
    `SELECT * FROM weft.waits WHERE key = $1 AND kind = 'event' AND ended_ms IS NULL
       AND (SELECT status FROM weft.jobs WHERE ${port.jobKey} = waits.job) IN ('waiting', 'sleeping') ORDER BY began_ms`,
    `${EVENT_PREFIX}${name}`,
  )).filter((wait) => isFor(specOf(wait), event.key, data));
  const now = port.now();
  const firsts = new Map<JobKey, WaitRow>();
  for (const wait of waiting) if (!firsts.has(wait.job)) firsts.set(wait.job, wait);
  const parked = yield* port.parkedJobs([...firsts.keys()].slice(0, WOKEN_AT_ONCE));
  const wakes: Wake[] = [];
  for (const found of parked) {
    const wait = firsts.get(found.key);
    if (wait === undefined || !(yield* isOpen(wait)) || !(yield* read(event, found.job, now))) continue;
    wakes.push(wakeOf(found, wait.id, arrivalOf(event, data)));
  }
  const woken = yield* port.wake(wakes, now);
  const more = firsts.size > WOKEN_AT_ONCE && woken.length > 0;
  const end = more ? "" : ", state = 'done', due_ms = NULL";
  yield* run(`UPDATE weft.events SET woken = woken + $2::integer${end} WHERE number = $1`, number, woken.length);
  return { woken, more };
}

/** Locked rows are read again: something else may have woken the run. */
function* isOpen({ job, id }: WaitRow): Step<boolean> {
  return (yield* rows("SELECT 1 FROM weft.waits WHERE job = $1 AND id = $2 AND ended_ms IS NULL", job, id)).length > 0;
}

/** The oldest event that fits which came since the job was queued, and which its run has not had; it counts as had then. */
export function* takeEvent(job: Job, spec: WaitSpec, now: number): Step<Arrival | null> {
  if (spec.kind !== "event") return null;
  const found = yield* rows<Row>(
    `SELECT number, id, name, key, data, at_ms, hops, state, after FROM weft.events e
     WHERE name = $1 AND state <> 'due' AND at_ms >= $2 AND ($3::text IS NULL OR key = $3) AND data IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM weft.event_starts s WHERE s.event = e.number AND s.program = '' AND s.label = $4)
     ORDER BY number DESC LIMIT ${LOOKED_THROUGH}`,
    ...[spec.name, job.queuedMs, spec.key, job.id],
  );
  for (const event of [...found].reverse()) {
    const data = readExactly(unpacked(event.data));
    if (!isFor(spec, event.key, data)) continue;
    yield* read(event, job, now);
    yield* run("UPDATE weft.events SET woken = woken + 1 WHERE number = $1", event.number);
    return arrivalOf(event, data);
  }
  return null;
}

function isFor(spec: WaitSpec, key: string | null, data: Json): boolean {
  return spec.kind === "event" && (spec.key === null || spec.key === key) && admitsMatch(spec.match, data);
}

function arrivalOf({ id, name, at_ms: atMs }: Row, data: Json): Arrival {
  return { why: "signal", ...keptResult(signalResult({ id, name: `${EVENT_PREFIX}${name}`, data, atMs })) };
}

/** False: the run has had it. */
function* read({ number, hops }: Row, job: Job, now: number): Step<boolean> {
  const added = yield* rows(`${NOTE} RETURNING event`, number, "", null, job.id, "woken", job.id, null, hops, now);
  return added.length > 0;
}
