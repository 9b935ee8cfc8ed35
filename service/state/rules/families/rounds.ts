/**
 * Rounds of jobs (`job.again`): the run of one ends, and the next one is in line with other inputs, in one transaction. It stays the same job, for
 * those who wait for it, for its family and for signals; its journal is empty again.
 */
import { ownResult } from "../../../jobs/answers/bodies.ts";
import type { NextRound, Round } from "../../../jobs/families/families.ts";
import { type Claim, type KeptJob, moved } from "../../../jobs/job.ts";
import type { Port } from "../../port.ts";
import { any, row, rows, run, type Step } from "../../step.ts";
import { Moving } from "../flow/advance.ts";
import { lineUpAgain } from "../flow/line-up.ts";
import { heldJob } from "../held-job.ts";

/** `flow`: rules decide when the job begins. */
export type RoundRequest = { readonly writer: Claim; readonly next: NextRound; readonly flow: boolean };
/** `job`: null: another claim has it. `nextMs`: when rules have more to do, in milliseconds; null: that did not change. */
export type RoundEnded = { readonly job: KeptJob | null; readonly nextMs: number | null };

/** Rounds of a job that are shown, without the one under way. */
const KEPT_ROUNDS = 100;
/** Rounds without a wait that may end within FAST_MS. */
const FAST_ROUNDS = 10;
const FAST_MS = 60_000;

type RoundRow = Omit<Round, "waited"> & { readonly waited: boolean | number };

const ROUNDS = `SELECT round, trace_id AS "traceId", began_ms AS "beganMs", ended_ms AS "endedMs", waited FROM weft.job_rounds
  WHERE job = $1 ORDER BY round DESC LIMIT $2`;
const ADD = `INSERT INTO weft.job_rounds (job, round, trace_id, began_ms, ended_ms, waited) VALUES ($1, $2, $3, $4, $5, $6)`;
/** A key starts one job in each round. */
const KEYS = "UPDATE weft.families SET key = $2::text || key WHERE parent = $1 AND substr(key, 1, 6) <> 'round '";
const SEARCHED = "INSERT INTO weft.job_search (job, member, value) VALUES ($1, $2, $3)";

export function* nextRound(port: Port, { writer, next, flow }: RoundRequest): Step<RoundEnded> {
  if (flow) yield* port.lockFlow();
  const held = yield* heldJob(port, writer);
  if (held === null) return { job: null, nextMs: null };
  const { job, key } = held;
  const now = port.now();
  if (job.status === "cancelling") {
    const result = ownResult("cancelled", job.traceId, yield* port.toldSoFar(held));
    return { job: yield* port.move(held, moved(job, "cancelled", now), result, now, null), nextMs: null };
  }
  const last = yield* row<RoundRow>(ROUNDS, job.id, 1);
  const round = (last?.round ?? 0) + 1;
  const beganMs = last?.endedMs ?? job.queuedMs;
  const waited = yield* any("SELECT 1 FROM weft.waits WHERE job = $1 LIMIT 1", key);
  yield* run(ADD, job.id, round, job.traceId, beganMs, now, waited);
  yield* run("DELETE FROM weft.job_rounds WHERE job = $1 AND round <= $2", job.id, round - KEPT_ROUNDS);
  yield* run(KEYS, job.id, `round ${round} `);
  yield* port.forgetRun(held);
  yield* port.setFrame(key, next.frame);
  if (next.request !== null) yield* port.setRequest(held, next.request);
  yield* run("DELETE FROM weft.job_search WHERE job = $1", key);
  for (const { member, value } of next.search) yield* run(SEARCHED, key, member, value);
  const own = `WHERE ${port.jobKey} = $1`;
  // Those who came meanwhile are before it.
  const later = Math.max(0, now - beganMs);
  yield* run(
    `UPDATE weft.jobs SET rank = coalesce(rank, $2::bigint) + $3::bigint, held = $4 ${own}`,
    ...[key, job.queuedMs, later, flow],
  );
  const begins = { ...moved(job, "queued", now), startedMs: null, resumes: 0, parkedMs: 0, held: flow };
  const queued = yield* port.move(held, begins, null, now, null);
  const ends = next.lifetimeMs === null ? null : now + next.lifetimeMs;
  yield* run(
    `UPDATE weft.jobs SET trace_id = $2, resumes = 0, stuck = 0, parked_ms = 0, last_seq = 0, why = NULL,
       ends_ms = coalesce($3::bigint, ends_ms) ${own}`,
    ...[key, next.traceId, ends],
  );
  const nextMs = flow ? yield* lineUpAgain(new Moving(port, now), held, later) : null;
  return { job: { ...queued, traceId: next.traceId, endsMs: ends ?? job.endsMs }, nextMs };
}

/** The rounds of a job that are over, the last one first. */
export function* jobRounds(_: Port, id: string): Step<readonly Round[]> {
  const found = yield* rows<RoundRow>(ROUNDS, id, KEPT_ROUNDS);
  return found.map(({ waited, ...one }) => ({ ...one, waited: waited === true || waited === 1 }));
}

/** The job ended as many rounds as it may within a minute, and did not wait in any, nor in this one. */
export function* isTooFast(port: Port, id: string): Step<boolean> {
  const last = (yield* jobRounds(port, id)).slice(0, FAST_ROUNDS);
  const first = last[FAST_ROUNDS - 1];
  if (first === undefined || last.some(({ waited }) => waited) || first.endedMs <= port.now() - FAST_MS) return false;
  return !(yield* any("SELECT 1 FROM weft.waits WHERE job = $1 LIMIT 1", yield* port.keyOf(id)));
}
