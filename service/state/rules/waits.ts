/**
 * Jobs that wait (docs/durable.md). Parking looks for what is there already, and what arrives looks whether a job waits, each in one
 * transaction: so no wake is lost.
 */
import { EVENT_PREFIX } from "../../../compiler/events.ts";
import type { WaitSpec } from "../../../vm/calls/wait-spec.ts";
import type { ParkedWait, WokenWait } from "../../../vm/durable/records.ts";
import { earlier } from "../../jobs/approvals/approval-rows.ts";
import type { JournalRows } from "../../jobs/durable/journal-rows.ts";
import {
  type Arrival,
  dueArrival,
  jobWaitOf,
  outcomeWait,
  type ParkAnswer,
  parkedStatus,
  specOf,
  type WaitRow,
  waitColumns,
  waitingEvent,
  wakesOf,
} from "../../jobs/durable/wait-rows.ts";
import {
  type Decision,
  type JobWait,
  type Moment,
  timeLeft,
  type WaitedKey,
  type Woken,
} from "../../jobs/durable/waits.ts";
import { type Claim, type Job, PARKED } from "../../jobs/job.ts";
import type { Found, Wake } from "../job-port.ts";
import type { Port } from "../port.ts";
import { row, rows, type Step } from "../step.ts";
import { approvalRow, decisionFor, endQuestions } from "./approvals.ts";
import { takeEvent } from "./events/deliver.ts";
import { jobArrival, overOf } from "./families/look.ts";
import { placeOf } from "./families/start.ts";
import { heldJob } from "./held-job.ts";
import { takeSignal } from "./signals.ts";
import { endWait, openWaits, wakeOf, wakeOne } from "./wakes.ts";

export type ParkRequest = {
  /** The claim that parks, and what its run has learned. */
  readonly writer: Claim;
  readonly rows: JournalRows;
  readonly waits: readonly ParkedWait[];
  /** Nothing else is left of the run. */
  readonly isWhole: boolean;
  /** Jobs that wait; a few more when replicas park several at the same moment. */
  readonly maxParked: number;
};

/** Of jobs that are parked: one that runs, or is about to, looks itself. */
const OPEN = `FROM weft.waits WHERE ended_ms IS NULL AND until_ms IS NOT NULL`;
const open = ({ jobKey }: Port): string =>
  `${OPEN} AND (SELECT status FROM weft.jobs WHERE ${jobKey} = waits.job) IN ('waiting', 'sleeping')`;
const next = (port: Port): string => `SELECT
  (SELECT until_ms ${open(port)} AND kind <> 'date' ORDER BY until_ms LIMIT 1) AS span,
  (SELECT until_ms ${open(port)} AND kind = 'date' ORDER BY until_ms LIMIT 1) AS date`;

export const waitChanges = {
  *park(port: Port, { writer, rows: records, waits, isWhole, maxParked }: ParkRequest): Step<ParkAnswer> {
    // In one order, so that no two who lock several wait for each other.
    for (const key of keysOf(waits)) yield* port.lockKey(key);
    const held = yield* heldJob(port, writer);
    if (held === null || !(yield* port.append(held, writer, records))) return { state: "stale" };
    if (held.job.status === "cancelling") return { state: "ending" };
    // It is parked again because the answer was lost: what the waits brought then is what they bring.
    const before = yield* port.lastWoken(held, waits);
    if (before.length > 0) return { state: "woken", woken: before };
    const moment = { now: port.now(), wall: port.wall() };
    const { now } = moment;
    const woken: WokenWait[] = [];
    for (const { wait, spec } of waits) {
      const arrival = yield* alreadyThere(port, held, spec, moment);
      if (arrival === null) continue;
      const seq = yield* port.addRecord(held, { kind: "woken", wait, ...arrival }, now);
      yield* endWait(held, wait, now);
      woken.push({ wait, seq, result: arrival.result, result_text: arrival.result_text });
    }
    if (woken.length > 0) return { state: "woken", woken };
    const isAsked = waits.every(({ spec }) => spec.kind === "outcome");
    // A person who is asked is never one too many: the run has no other way to go.
    if (isWhole && !isAsked && (yield* port.countParked(maxParked)) >= maxParked) return { state: "full", maxParked };
    const known = new Set((yield* openWaits([held.key])).map(({ id }) => id));
    const untils: (number | null)[] = [];
    for (const { spec } of waits) untils.push(yield* endOf(spec));
    const root = waits.some(({ spec }) => spec.kind === "job") ? (yield* placeOf(held.job.id)).root : null;
    const columns = waits.map(({ spec }, at) => waitColumns(spec, untils[at] ?? null, root));
    yield* port.addWaits(
      held,
      waits.map(({ wait, place }, at) => ({ wait, place, columns: columns[at] ?? [] })),
      now,
    );
    if (!isWhole) return { state: "waits" };
    const job = { ...held.job, status: parkedStatus(waits), owner: null, parkedAtMs: now };
    const events = waits.flatMap(({ wait, spec }, at) =>
      known.has(wait) ? [] : [waitingEvent(wait, spec, untils[at] ?? null)],
    );
    yield* port.park(held, job, events, now);
    return { state: "parked", job, wakes: wakesOf(waits, untils) };
  },

  /** Jobs whose time has come. */
  *wakeDue(port: Port, most: number): Step<readonly Woken[]> {
    const moment = { now: port.now(), wall: port.wall() };
    const due = new Map((yield* port.dueJobs(moment, most)).map((found) => [found.key, found]));
    const wakes: (Wake & { readonly spec: WaitSpec; readonly lagMs: number })[] = [];
    for (const wait of yield* openWaits([...due.keys()])) {
      const found = due.get(wait.job);
      const spec = specOf(wait);
      const arrival = dueArrival(spec, moment);
      if (found === undefined || arrival === null) continue;
      due.delete(found.key);
      const lagMs = -timeLeft(spec, wait.until_ms ?? moment.now, moment);
      wakes.push({ ...wakeOf(found, wait.id, arrival), spec, lagMs });
    }
    const questions = wakes.flatMap(({ spec }) => (spec.kind === "approval" ? [spec.approval] : []));
    if (questions.length > 0) yield* endQuestions(questions, moment.now);
    const woken = yield* port.wake(wakes, moment.now);
    return woken.map((job, at) => ({ job, why: wakes[at]?.why ?? "time", lagMs: wakes[at]?.lagMs ?? 0 }));
  },

  /** What a person says of a call of unknown outcome. Null: the job does not wait for it. */
  *decide(port: Port, { id, ...decision }: Decision & { readonly id: string }): Step<Job | null> {
    const found = yield* port.lockedJob(id);
    if (found === null || ![...PARKED, "queued"].includes(found.job.status)) return null;
    const wait = outcomeWait(decision.of);
    if (!(yield* openWaits([found.key])).some((open) => open.id === wait)) return null;
    const now = port.now();
    const record = { kind: "decision", ...decision } as const;
    if (found.job.status !== "queued") return yield* wakeOne(port, { ...found, wait, why: "decision", record }, now);
    // Something else that it waited for has put it in line already.
    yield* port.addRecord(found, record, now);
    yield* endWait(found, wait, now);
    return found.job;
  },

  /** A record of the job was found that cannot be read: its run is to find it too. Null: the job does not wait. */
  *wakeUnreadable(port: Port, id: string): Step<Job | null> {
    const found = yield* port.lockedJob(id);
    if (found === null || !PARKED.includes(found.job.status)) return null;
    const [wait] = yield* openWaits([found.key]);
    if (wait === undefined) return null;
    return yield* wakeOne(port, wakeOf(found, wait.id, { why: "expired", result: null }), port.now());
  },
};

function keysOf(waits: readonly ParkedWait[]): readonly string[] {
  const keys = waits.flatMap(({ spec }) => {
    if (spec.kind === "event") return [`${EVENT_PREFIX}${spec.name}`];
    return spec.kind === "signal" && spec.key !== null ? [spec.key] : [];
  });
  return [...new Set(keys)].sort();
}

/** What a wait of a locked job has there already; null: it has to wait. */
function* alreadyThere(port: Port, { job, key }: Found, spec: WaitSpec, moment: Moment): Step<Arrival | null> {
  if (spec.kind === "event") return (yield* takeEvent(job, spec, moment.now)) ?? dueArrival(spec, moment);
  if (spec.kind === "approval") return yield* decisionFor(spec.approval, spec.until, moment.now);
  if (spec.kind === "job") {
    const over = yield* overOf(spec.jobs);
    const first = spec.jobs.find((id) => over.has(id));
    return first === undefined ? dueArrival(spec, moment) : jobArrival(first, over);
  }
  return (yield* takeSignal(port, key, spec, moment.now)) ?? dueArrival(spec, moment);
}

/** When the wait is over at the latest: the question that it is for may end before. */
function* endOf(spec: WaitSpec): Step<number | null> {
  if (spec.kind !== "approval") return spec.until;
  return earlier(spec.until, (yield* approvalRow(spec.approval))?.expires_ms ?? null);
}

export const waitReads = {
  /** Milliseconds until the next job is to be woken, by either clock; null: none waits for a time. */
  *nextWake(port: Port, _input: null): Step<number | null> {
    const found = yield* row<{ readonly span: number | null; readonly date: number | null }>(next(port));
    const { span = null, date = null } = found ?? {};
    return earlier(span === null ? null : span - port.now(), date === null ? null : date - port.wall());
  },

  /** Open and ended ones, the first first. */
  *waitsOf({ jobKey }: Port, id: string): Step<readonly JobWait[]> {
    const all = `SELECT * FROM weft.waits WHERE job = (SELECT ${jobKey} FROM weft.jobs WHERE id = $1) ORDER BY began_ms, id`;
    return (yield* rows<WaitRow>(all, id)).map(jobWaitOf);
  },

  /** Keys under which jobs wait for a signal of this name, in order. */
  *waitedKeys(
    _: Port,
    { name, after, most }: { readonly name: string; readonly after: string; readonly most: number },
  ): Step<readonly WaitedKey[]> {
    return yield* rows<WaitedKey>(
      `SELECT key, max(began_ms) AS "sinceMs" FROM weft.waits
       WHERE key > $1 AND ended_ms IS NULL AND kind = 'signal' AND names LIKE $2 GROUP BY key ORDER BY key LIMIT $3`,
      ...[after, `%"${name}"%`, most],
    );
  },
};
