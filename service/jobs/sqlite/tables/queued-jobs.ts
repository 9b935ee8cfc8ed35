/** The line of queued jobs: how they get into it and are claimed from it. Each is one call inside the transaction of its batch (`service/jobs/sqlite/calls.ts`). */

import { LINE, TAKEN, WAITS } from "../../../state/flow-port.ts";
import { markRetried } from "../../../state/rules/flow/dead-letters.ts";
import { performed } from "../../../state/sqlite/perform.ts";
import type { Enqueued, EnqueueOptions } from "../../../state/store.ts";
import { aboutColumns } from "../../../wire/about.ts";
import { acceptedAnswer } from "../../answers/bodies.ts";
import { packed } from "../../durable/journal-rows.ts";
import { signalBytes } from "../../durable/signal-room.ts";
import { NEVER } from "../../durable/waits.ts";
import { isControlled } from "../../flow/job-flow.ts";
import { keepsText } from "../../retention/kept-times.ts";
import { PROGRAM_MARKED_MS } from "../../retention/retention.ts";
import type { QueueRoom } from "../queue-room.ts";
import type { Claimed, ClaimedRow, ClaimedSubmission } from "./claimed-rows.ts";
import type { Tally } from "./counts.ts";
import { moveLine, type Sql } from "./job-rows.ts";
import { hasRecords, takeRecords } from "./journal-tables.ts";
import type { KeyTables } from "./key-tables.ts";
import { frameName, requestName, type SubmissionRows, submittedJobs } from "./submission-rows.ts";
import type { TextFiles } from "./text-files.ts";

const USE_PROGRAM = `INSERT INTO programs (checksum, ir, used_ms) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET used_ms = excluded.used_ms WHERE used_ms < excluded.used_ms - ${PROGRAM_MARKED_MS}`;
const SUBMIT = `INSERT INTO submissions
  (label, retry, queued_ms, keep_ms, retry_of, traceparent, tracestate, checksum, request, deployment, version,
   name, tags, schedule, due_ms, parent, first_job, last_job, durable, keeps)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const NEXT_NUMBER = "SELECT coalesce(max(number), 0) + 1 FROM jobs";
const QUEUE = `INSERT INTO jobs (number, id, submission, status, trace_id, last_event, moves, frame, rank, flow, held)
  VALUES (?, ?, ?, 'queued', ?, 1, ?, ?, ?, ?, ?)`;
const ENDS = "UPDATE jobs SET ends_ms = ? WHERE number BETWEEN ? AND ?";
const SEARCHED = "INSERT INTO job_search (job, member, value) VALUES (?, ?, ?)";
const SEARCHED_AGAIN = `INSERT INTO job_search (job, member, value)
  SELECT ?, member, value FROM job_search WHERE job = (SELECT number FROM jobs WHERE id = ?)`;
const FIRST_SIGNAL = `INSERT INTO signals (id, target, job, name, at_ms, expires_ms, data, bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id, target, name) DO NOTHING`;
const CLAIMABLE = `SELECT id, submission, trace_id, attempt, started_ms, frame, number, resumes, ends_ms, why, parked_ms, flow, rank`;
const FIRST_QUEUED = `${CLAIMABLE} FROM jobs INDEXED BY jobs_line
  WHERE status = 'queued' AND held = 0 ORDER BY rank, number LIMIT ?`;
const CONTINUING = "SELECT count(*) FROM jobs INDEXED BY jobs_line WHERE status = 'queued' AND why IS NOT NULL";
const CLAIM = `SET status = 'running', attempt = attempt + (why IS NOT 'wake'), owner = ?,
  started_ms = coalesce(started_ms, ?), last_event = last_event + 1, resumes = resumes + (why IS NOT NULL),
  moves = moves || (last_event + 1) || ' running ' || (attempt + (why IS NOT 'wake')) || ' ' || ? || char(10)
  WHERE status = 'queued' AND held = 0 AND `;
// Many jobs of one request have the same rank: compared as a pair, all of them would be looked at.
const BEFORE = `UPDATE jobs INDEXED BY jobs_line ${CLAIM} rank < ?`;
const UP_TO = `UPDATE jobs INDEXED BY jobs_line ${CLAIM} rank = ? AND number <= ?`;
const ONE = `UPDATE jobs ${CLAIM} number = ?`;

/** `room`: of a database in memory. */
export function queuedJobs(
  sql: Sql,
  files: Pick<TextFiles, "seal" | "open">,
  tally: Tally,
  keys: KeyTables,
  room: QueueRoom | null,
) {
  /** Those that were begun and continue have a place already. */
  const continuing = (): number => sql(CONTINUING).pluck().get() as number;
  return {
    enqueue({ submission, rows, most, key }: SubmissionRows & EnqueueOptions): Enqueued {
      const { label, retry, queuedMs, keepMs, retryOf, checksum, program, request } = submission;
      const { traceparent, tracestate, deployment, version, durable = null } = submission;
      const position = tally.of("queued");
      const count = rows.length / 3;
      if (position + count > most && position + count - continuing() > most) return { state: "full" };
      const full = room === null ? null : fullInBytes(room, submission, rows);
      if (full !== null) return full;
      const takes = durable?.takes;
      if (takes !== undefined && !hasRecords(sql, takes)) return { state: "no_journal" };
      sql(USE_PROGRAM).run(checksum, files.seal(program, checksum), queuedMs);
      const first = sql(NEXT_NUMBER).pluck().get() as number;
      const asked = files.seal(request, requestName(submission));
      const shared = [label, retry ? 1 : 0, queuedMs, keepMs, retryOf, traceparent, tracestate, checksum, asked];
      const { lastInsertRowid } = sql(SUBMIT).run(
        ...shared,
        deployment,
        version,
        ...aboutColumns(submission.about),
        first,
        first + count - 1,
        durable === null ? 0 : 1,
        keepsText(submission.keeps),
      );
      const moves = `1 ${moveLine({ status: "queued", attempt: 0 }, queuedMs)}`;
      const queue = sql(QUEUE);
      for (let at = 0; at < count; at++) {
        const [id, trace, given = null] = rows.slice(3 * at, 3 * at + 3);
        const frame = given === null ? null : files.seal(given, frameName(id as string, lastInsertRowid));
        const one = submission.flow?.[at] ?? null;
        const isHeld = one !== null && isControlled(one) ? 1 : 0;
        queue.run(first + at, id, lastInsertRowid, trace, moves, frame, one?.rank ?? queuedMs, isHeld, isHeld);
      }
      for (const { at, member, value } of submission.search ?? []) sql(SEARCHED).run(first + at, member, value);
      if (retryOf !== null) performed(sql, markRetried(retryOf));
      if (retryOf !== null && deployment !== null) sql(SEARCHED_AGAIN).run(first, retryOf);
      if (durable !== null) sql(ENDS).run(queuedMs + durable.lifetimeMs, first, first + count - 1);
      if (takes !== undefined) takeRecords(sql, takes, first);
      for (const { id, name, data } of durable?.signals ?? []) {
        const kept = [packed(data), signalBytes({ data })];
        for (let at = first; at < first + count; at++)
          sql(FIRST_SIGNAL).run(id, `j:${at}`, at, name, queuedMs, NEVER, ...kept);
      }
      tally.moved(null, "queued", count);
      if (room !== null) for (let at = 0; at < count; at++) room.entered(rows[3 * at] as string);
      if (key !== null) {
        const answer = acceptedAnswer({ ...submission, jobs: submittedJobs(rows) }, { position });
        keys.finish({ ...key, answer });
      }
      return { state: "queued", position };
    },

    /** The first queued jobs, up to a maximum. */
    claim({ owner, now, most }: { readonly owner: string; readonly now: number; readonly most: number }): Claimed {
      const queued = sql(FIRST_QUEUED).raw().all(most) as ClaimedRow[];
      const inTurn = takeTurns(sql, queued);
      const stored = inTurn ?? queued;
      const rows = stored.map((row) => {
        const [id, submission, traceId, attempt, startedMs, frame, ...rest] = row;
        if (frame === null) return row;
        const read = files.open(frame, frameName(id, submission));
        return [id, submission, traceId, attempt, startedMs, read, ...rest] as const;
      });
      const last = queued.at(-1);
      if (inTurn !== null) for (const [, , , , , , number] of inTurn) sql(ONE).run(owner, now, now, number);
      else if (last !== undefined) {
        const [rank, number] = [last[12], last[6]];
        if (queued[0]?.[12] !== rank) sql(BEFORE).run(owner, now, now, rank);
        sql(UP_TO).run(owner, now, now, rank, number);
      }
      tally.moved("queued", "running", rows.length);
      if (room !== null) for (const [id] of rows) room.left(id);
      const submissions = new Map<number, ClaimedSubmission>();
      const programs = new Map<string, string>();
      for (const [, number] of rows) {
        if (submissions.has(number)) continue;
        const submission = sql("SELECT * FROM submissions WHERE number = ?").get(number) as ClaimedSubmission;
        const request = files.open(submission.request, requestName(submission));
        submissions.set(number, { ...submission, request });
        const { checksum } = submission;
        if (programs.has(checksum)) continue;
        const program = sql("SELECT ir FROM programs WHERE checksum = ?").pluck().get(checksum) as string;
        programs.set(checksum, files.open(program, checksum));
      }
      return { rows, submissions, programs };
    },
  };
}

const ITS_GROUP = `SELECT grp FROM flow_jobs WHERE job = ? AND gate = ${LINE} AND grp IS NOT NULL`;
const WHOSE_TURN = `SELECT job, turn FROM flow_jobs WHERE grp = ? AND gate = ${LINE} AND state = ${WAITS}
  AND EXISTS (SELECT 1 FROM jobs WHERE number = job AND status = 'queued' AND held = 0) ORDER BY turn, rank, job LIMIT 1`;
const HAS_TURN = `UPDATE flow_jobs SET state = ${TAKEN} WHERE job = ? AND gate = ${LINE}`;
const HAD_TURN = "UPDATE flow_gates SET at_ms = max(at_ms, ?) WHERE number = ?";

/** In place of a job of a group goes the one whose turn it is there. Null: none of these is of a group. */
function takeTurns(sql: Sql, queued: readonly ClaimedRow[]): readonly ClaimedRow[] | null {
  if (!queued.some(([, , , , , , , , , , , flow]) => flow === 1)) return null;
  const chosen = new Set<number>();
  let isFair = false;
  for (const [, , , , , , number, , , , , flow] of queued) {
    const grp = flow === 1 ? (sql(ITS_GROUP).pluck().get(number) as number | undefined) : undefined;
    const turn =
      grp === undefined ? undefined : (sql(WHOSE_TURN).get(grp) as { job: number; turn: number } | undefined);
    if (turn === undefined) {
      chosen.add(number);
      continue;
    }
    isFair = true;
    sql(HAS_TURN).run(turn.job);
    sql(HAD_TURN).run(turn.turn, grp);
    chosen.add(turn.job);
  }
  if (!isFair) return null;
  const one = sql(`${CLAIMABLE} FROM jobs WHERE number = ?`).raw();
  return [...chosen].map((number) => one.get(number) as ClaimedRow);
}

/** null: there is room for the jobs of the submission. */
function fullInBytes(
  room: QueueRoom,
  { program, request }: SubmissionRows["submission"],
  rows: SubmissionRows["rows"],
): Enqueued | null {
  let bytes = Buffer.byteLength(program) + Buffer.byteLength(request);
  for (let at = 2; at < rows.length; at += 3) bytes += Buffer.byteLength(rows[at] ?? "");
  if (room.bytes() + bytes <= room.maxBytes) return null;
  return { state: "full", maxBytes: room.maxBytes, isTooLarge: bytes > room.maxBytes };
}
