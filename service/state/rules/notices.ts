/** Notices of what went wrong: each failed job and each long wait is looked at once, and told with others of the same cause. */
import { IS_DEAD } from "../../jobs/answers/dead-letters.ts";
import type { Candidate, Considered, NewNotice, Notice, NoticeState, TakeNotices } from "../../notices/notice.ts";
import type { NoticeKind } from "../../programs/notice-settings.ts";
import type { JobKey } from "../job-port.ts";
import type { Port } from "../port.ts";
import { any, row, rows, run, type Step, value } from "../step.ts";

const HOUR_MS = 3_600_000;
/** A process that took a notice and died gives it back so. */
const TAKEN_MS = 60_000;
/** Shorter waits are not looked at. */
const SETTLED_MS = 5000;
/** How long notices that are over are shown. */
const KEPT_MS = 30 * 24 * HOUR_MS;
/** Of a job: it is done with; above it, the time in seconds at which it is looked at again. */
const NOTED = 1;
/** In place of a time: the wait is done with. */
const DONE = -1;

type NoticeRow = {
  readonly id: string;
  readonly target: string;
  readonly kind: NoticeKind;
  readonly program: string;
  readonly version: number | null;
  readonly cause: string;
  readonly job_id: string;
  readonly count: number;
  readonly first_ms: number;
  readonly last_ms: number;
  readonly state: NoticeState;
  readonly due_ms: number | null;
  readonly tries: number;
  readonly sent_ms: number | null;
  readonly code: string | null;
};

export const noticeReads = {
  *noticeCandidates(
    port: Port,
    { since, most }: { readonly since: number; readonly most: number },
  ): Step<readonly Candidate[]> {
    const failed = yield* rows<{ readonly key: JobKey }>(
      `SELECT ${port.jobKey} AS key FROM weft.jobs WHERE error IS NOT NULL AND noticed IS NULL AND finished_ms >= $1
       ORDER BY finished_ms LIMIT $2`,
      since,
      most,
    );
    const now = port.now();
    const later = yield* rows<{ readonly key: JobKey; readonly dead: boolean | number }>(
      `SELECT ${port.jobKey} AS key, (${IS_DEAD}) AS dead FROM weft.jobs WHERE noticed > ${NOTED} AND noticed <= $1
       ORDER BY noticed LIMIT $2`,
      Math.floor(now / 1000),
      most,
    );
    const waits = yield* rows<{
      readonly key: JobKey;
      readonly id: string;
      readonly kind: string;
      readonly began: number;
    }>(
      `SELECT job AS key, id, kind, began_ms AS began FROM weft.waits
       WHERE ended_ms IS NULL AND began_ms <= $1 AND (notice_ms IS NULL OR (notice_ms >= 0 AND notice_ms <= $2)) LIMIT $3`,
      now - SETTLED_MS,
      now,
      most,
    );
    const jobs = yield* port.jobsOf([...new Set([...failed, ...later, ...waits].map(({ key }) => key))]);
    const of = (key: JobKey, wait: Candidate["wait"], isDead: Candidate["isDead"] = null): readonly Candidate[] => {
      const job = jobs.get(key);
      return job === undefined ? [] : [{ key, job, wait, isDead }];
    };
    return [
      ...failed.flatMap(({ key }) => of(key, null)),
      ...later.flatMap(({ key, dead }) => of(key, null, Boolean(dead))),
      ...waits.flatMap(({ key, id, kind, began }) => of(key, { id, kind, beganMs: began })),
    ];
  },

  *notices(_: Port, most: number): Step<readonly Notice[]> {
    return (yield* rows<NoticeRow>("SELECT * FROM weft.notices ORDER BY last_ms DESC, id DESC LIMIT $1", most)).map(
      noticeOf,
    );
  },
};

export const noticeChanges = {
  *noticesSince(port: Port, on: boolean): Step<number | null> {
    if (!on) {
      yield* run("DELETE FROM weft.notice_since");
      return null;
    }
    const known = yield* value<number>("SELECT at_ms FROM weft.notice_since ORDER BY at_ms LIMIT 1");
    if (known !== undefined) return known;
    const now = port.now();
    yield* run("INSERT INTO weft.notice_since (at_ms) VALUES ($1)", now);
    return now;
  },

  *noteNotices(
    port: Port,
    { considered, windowMs }: { readonly considered: readonly Considered[]; readonly windowMs: number },
  ): Step<void> {
    for (const { key, wait, laterMs, isAgain, notice } of considered) {
      const isFirst =
        wait === null
          ? yield* any(
              `UPDATE weft.jobs SET noticed = $2 WHERE ${port.jobKey} = $1
               AND ${isAgain ? `noticed > ${NOTED}` : "noticed IS NULL"} RETURNING noticed`,
              ...[key, laterMs === null ? NOTED : Math.ceil(laterMs / 1000)],
            )
          : yield* any(
              `UPDATE weft.waits SET notice_ms = $3 WHERE job = $1 AND id = $2 AND ended_ms IS NULL
               AND (notice_ms IS NULL OR notice_ms >= 0) RETURNING id`,
              ...[key, wait, laterMs ?? DONE],
            );
      if (isFirst && notice !== null) yield* add(notice, port.now(), windowMs);
    }
  },

  *takeNotices(port: Port, { most, perHour }: TakeNotices): Step<readonly Notice[]> {
    const now = port.now();
    yield* run("DELETE FROM weft.notices WHERE state <> 'due' AND last_ms < $1", now - KEPT_MS);
    const due = yield* rows<NoticeRow>(
      "SELECT * FROM weft.notices WHERE due_ms <= $1 ORDER BY due_ms LIMIT $2 FOR UPDATE SKIP LOCKED",
      now,
      most,
    );
    const room = new Map<string, number>();
    const taken: Notice[] = [];
    for (const one of due) {
      const { target } = one;
      const left =
        room.get(target) ??
        perHour -
          ((yield* value<number>(
            "SELECT count(*)::integer AS n FROM weft.notices WHERE target = $1 AND sent_ms > $2",
            target,
            now - HOUR_MS,
          )) ?? 0);
      room.set(target, left - 1);
      if (left <= 0) continue;
      yield* run("UPDATE weft.notices SET due_ms = $2, tries = tries + 1 WHERE id = $1", one.id, now + TAKEN_MS);
      taken.push({ ...noticeOf(one), tries: one.tries + 1 });
    }
    return taken;
  },

  *noticeSent(port: Port, id: string): Step<void> {
    yield* run(
      "UPDATE weft.notices SET state = 'sent', due_ms = NULL, code = NULL, sent_ms = $2 WHERE id = $1",
      id,
      port.now(),
    );
  },

  *noticeFailed(
    _: Port,
    { id, code, againMs }: { readonly id: string; readonly code: string; readonly againMs: number | null },
  ): Step<void> {
    yield* run(
      "UPDATE weft.notices SET state = $2, due_ms = $3, code = $4 WHERE id = $1",
      ...[id, againMs === null ? "failed" : "due", againMs, code],
    );
  },
};

/** One that was not tried yet takes what happens again; after one that was sent the window has to pass. */
function* add(notice: NewNotice, now: number, windowMs: number): Step<void> {
  const { id, target, kind, program, version, cause, jobId } = notice;
  const group = "target = $1 AND kind = $2 AND program = $3 AND cause = $4";
  const open = yield* row<{ readonly id: string }>(
    `SELECT id FROM weft.notices WHERE ${group} AND state = 'due' AND tries = 0 ORDER BY first_ms LIMIT 1 FOR UPDATE`,
    ...[target, kind, program, cause],
  );
  if (open !== undefined) {
    yield* run(
      "UPDATE weft.notices SET count = count + 1, last_ms = $2, job_id = $3, version = $4 WHERE id = $1",
      ...[open.id, now, jobId, version],
    );
    return;
  }
  const before = yield* value<number | null>(
    `SELECT max(first_ms) AS at FROM weft.notices WHERE ${group}`,
    ...[target, kind, program, cause],
  );
  const due = before == null ? now : Math.max(now, before + windowMs);
  yield* run(
    `INSERT INTO weft.notices (id, target, kind, program, version, cause, job_id, count, first_ms, last_ms, state, due_ms, tries)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $8, 'due', $9, 0)`,
    ...[id, target, kind, program, version, cause, jobId, now, due],
  );
}

function noticeOf(row: NoticeRow): Notice {
  const { job_id, first_ms, last_ms, due_ms, sent_ms, ...rest } = row;
  return { ...rest, jobId: job_id, firstMs: first_ms, lastMs: last_ms, dueMs: due_ms, sentMs: sent_ms };
}
