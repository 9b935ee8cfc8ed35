/** What rules about jobs need of PostgreSQL (`../job-port.ts`). Jobs are woken by one statement, however many they are. */
import type { ParkedWait, WokenWait } from "../../../vm/durable/records.ts";
import { toldSoFar } from "../../jobs/answers/bodies.ts";
import { CLEANUP_GRACE_MS } from "../../jobs/durable/cleanup-rows.ts";
import { wokenEvent } from "../../jobs/durable/wait-rows.ts";
import type { Moment } from "../../jobs/durable/waits.ts";
import { type KeptJob, moved, PARKED, statusEvent } from "../../jobs/job.ts";
import type { Row } from "../../jobs/postgres/database.ts";
import {
  ADD_EVENTS,
  addTask,
  CHANNEL,
  COLUMNS,
  INSISTING,
  jobOf,
  LAST_SEQ,
  LINE_RANK,
  moveLocked,
  requestOf,
  TASK,
  taskTime,
} from "../../jobs/postgres/job-rows.ts";
import { KEY_LOCKS } from "../../jobs/postgres/schema.ts";
import type { Found, JobPort, Wake } from "../job-port.ts";
import { row, rows, run, type Step, value } from "../step.ts";
import { addRecords, appendRows, forgetRun, lastRecords } from "./journal.ts";

export const ANY_JOB = "*";

const JOB = `SELECT ${COLUMNS} FROM weft.jobs`;
const PARK = `WITH row AS (
    UPDATE weft.jobs j SET status = $5, owner = NULL, parked_at = $6, ${LAST_SEQ} WHERE id = $1 RETURNING status
  ), ${ADD_EVENTS}`;
const WAITS = `INSERT INTO weft.waits (job, id, place, began_ms, kind, names, key, until_ms)
  SELECT $1, w.id, w.place, $2::bigint, w.kind, w.names, w.key, w.until_ms
  FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[])
    AS w (id, place, kind, names, key, until_ms)
  ON CONFLICT (job, id) DO UPDATE SET until_ms = excluded.until_ms, ended_ms = NULL`;
const SIGNALS = `INSERT INTO weft.signals (id, target, job, name, key, at_ms, expires_ms, data, bytes)
  SELECT s.id, s.target, s.job, s.name, s.key, $9::bigint, s.expires_ms, s.data, s.bytes
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bytea[], $8::bigint[])
    AS s (id, target, job, name, key, expires_ms, data, bytes)`;
const WAKE = `WITH woken AS (SELECT * FROM unnest($1::text[], $2::text[]) AS w (job, wait)),
  ended AS (UPDATE weft.waits t SET ended_ms = $3::bigint FROM woken w WHERE t.job = w.job AND t.id = w.wait),
  row AS (
    UPDATE weft.jobs j SET status = 'queued', owner = NULL, why = 'wake',
      parked_ms = parked_ms + coalesce($3::bigint - parked_at, 0), parked_at = NULL, ${LAST_SEQ}
    FROM woken w WHERE j.id = w.job RETURNING j.id, ${LINE_RANK} AS rank, j.held
  ),
  told AS (
    INSERT INTO weft.job_events (job_id, seq, kind, data)
    SELECT e.job, e.place + coalesce((SELECT max(seq) FROM weft.job_events k WHERE k.job_id = e.job), 0), e.kind, e.data
    FROM unnest($4::text[], $5::integer[], $6::text[], $7::text[]) AS e (job, place, kind, data)
  )
  SELECT (SELECT count(pg_notify($8, id || ' queued')) FROM row),
    (SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
      SELECT json_populate_record(NULL::graphile_worker.job_spec, json_build_object(
        'identifier', $9::text, 'payload', json_build_object('job_id', id), 'job_key', id, 'max_attempts', 1, 'priority', -1,
        'run_at', ${taskTime("rank")})) FROM row WHERE NOT held
    )))`;
const DUE = `${JOB} WHERE id IN (
    SELECT job FROM weft.waits WHERE ended_ms IS NULL AND until_ms IS NOT NULL
    AND (SELECT status FROM weft.jobs WHERE id = waits.job) IN ('waiting', 'sleeping') AND kind <> 'date' AND until_ms <= $1
    UNION ALL SELECT job FROM weft.waits WHERE ended_ms IS NULL AND until_ms IS NOT NULL
    AND (SELECT status FROM weft.jobs WHERE id = waits.job) IN ('waiting', 'sleeping') AND kind = 'date' AND until_ms <= $2
  ) AND status = ANY ($3) LIMIT $4 FOR UPDATE SKIP LOCKED`;

/** One that was put in line again may be about to clean up. */
const LIFETIMES_OVER = `${JOB} WHERE ends_ms <= $1 AND status = ANY ($2)
  AND (status <> 'queued' OR why IS NULL OR ends_ms <= $4) ORDER BY ends_ms LIMIT $3 FOR UPDATE SKIP LOCKED`;
/** Events before the last 1,000 are gone: what is there is of the last attempt when its beginning is not. */
const TOLD = `SELECT request, (
    SELECT data FROM weft.job_events WHERE job_id = $1 AND kind = 'progress' AND seq > coalesce((
      SELECT max(seq) FROM weft.job_events WHERE job_id = $1 AND kind = 'status' AND data LIKE '%"status":"running"%'
    ), 0) ORDER BY seq DESC LIMIT 1
  ) AS progress FROM weft.jobs WHERE id = $1`;

export const postgresJobs: JobPort = {
  jobKey: "id",
  anyJob: ANY_JOB,
  isForPeople: "($4::text[] IS NULL OR a.people = '{}' OR a.people && $4)",
  isLater: "number > (SELECT first_signal FROM weft.jobs WHERE id = $1)",
  *keyOf(id) {
    return (yield* value<string>("SELECT id FROM weft.jobs WHERE id = $1", id)) ?? null;
  },
  *jobsOf(keys) {
    return new Map((yield* found(`${JOB} WHERE id = ANY ($1)`, keys)).map(({ key, job }) => [key, job]));
  },
  lockedJob: (id) => locked(id),
  lockedJobs: (ids, keys) => found(`${JOB} WHERE id = ANY ($1) ORDER BY id FOR UPDATE`, [...ids, ...keys.map(String)]),
  lockedJobOf: (key) => locked(String(key)),
  parkedJobs: (keys) => found(`${JOB} WHERE id = ANY ($1) AND status = ANY ($2) ORDER BY id FOR UPDATE`, keys, PARKED),
  dueJobs: ({ now, wall }: Moment, most) => found(DUE, now, wall, PARKED, most),
  lockKey: (key) => run(`SELECT pg_advisory_xact_lock(${KEY_LOCKS}, hashtext($1))`, key),
  addSignals: (signals, now) =>
    run(
      SIGNALS,
      ...[signals.map(({ id }) => id), signals.map(({ target }) => target), signals.map(({ job }) => job)],
      ...[signals.map(({ name }) => name), signals.map(({ key }) => key), signals.map(({ expiresMs }) => expiresMs)],
      ...[signals.map(({ data }) => data), signals.map(({ bytes }) => bytes), now],
    ),
  *countParked(most) {
    const parked = "SELECT count(*) FROM (SELECT 1 FROM weft.jobs WHERE status = ANY ($1) LIMIT $2::bigint) found";
    return (yield* value<number>(parked, PARKED, most)) ?? 0;
  },
  *append(_job, writer, given) {
    const [kept] = yield* appendRows([{ writer, rows: given }]);
    return kept === true;
  },
  *addRecord({ job }, body, now) {
    const [seq = 0] = yield* addRecords([{ job: job.id, body }], now);
    return seq;
  },
  forgetRun: ({ job }) => forgetRun([job.id]),
  lastWoken: ({ job }, waits) => lastWoken(job.id, waits),
  addWaits: ({ job }, waits, now) =>
    run(
      WAITS,
      ...[job.id, now, waits.map(({ wait }) => wait), waits.map(({ place }) => place)],
      ...[0, 1, 2, 3].map((at) => waits.map(({ columns }) => columns[at] ?? null)),
    ),
  *park({ job }, next, waiting, now) {
    const events = [statusEvent(next, now), ...waiting];
    yield* run(
      PARK,
      ...[job.id, events.map(({ kind }) => kind), events.map(({ data }) => data), CHANNEL, next.status, now],
    );
  },
  wake,
  afterCrash: "takeover",
  lifetimesOver: (now, most) => found(LIFETIMES_OVER, now, ["queued", ...PARKED], most, now - CLEANUP_GRACE_MS),
  requestOf: ({ job }) => requestOf(job.id),
  setRequest: ({ job }, request) => run("UPDATE weft.jobs SET request = $2 WHERE id = $1", job.id, request),
  *toldSoFar({ job }) {
    const told = yield* row<{ readonly request: string; readonly progress: string | null }>(TOLD, job.id);
    return toldSoFar(told?.request ?? "{}", told?.progress ?? null);
  },
  insist: (id) => run("SELECT pg_notify($1, $2)", CHANNEL, `${id} ${INSISTING}`),
  *move({ job }, next, result, now, why) {
    const written = yield* moveLocked(job, next, result, now, why);
    if (next.status === "queued") yield* addTask(job.id);
    return written;
  },
};

function* found(text: string, ...values: Parameters<typeof rows>[1][]): Step<readonly Found[]> {
  return (yield* rows<Row>(text, ...values)).map(foundOf);
}

export function foundOf(row: Row): Found {
  const job = jobOf(row);
  return { job, key: job.id };
}

function* locked(id: string): Step<Found | null> {
  const [job] = yield* found(`${JOB} WHERE id = $1 FOR UPDATE`, id);
  return job ?? null;
}

function* wake(wakes: readonly Wake[], now: number): Step<readonly KeptJob[]> {
  if (wakes.length === 0) return [];
  const ids = wakes.map(({ job }) => job.id);
  yield* addRecords(
    wakes.map(({ job, record }) => ({ job: job.id, body: record })),
    now,
  );
  const jobs = wakes.map(({ job }) => moved(job, "queued", now));
  const events = wakes.flatMap(({ wait, why }, at) =>
    [statusEvent(jobs[at] as KeptJob, now), wokenEvent(wait, why)].map((event, place) => ({
      ...{ job: ids[at] ?? "", place: place + 1 },
      ...event,
    })),
  );
  yield* run(
    WAKE,
    ...[ids, wakes.map(({ wait }) => wait), now, events.map(({ job }) => job), events.map(({ place }) => place)],
    ...[events.map(({ kind }) => kind), events.map(({ data }) => data), CHANNEL, TASK],
  );
  return jobs;
}

function* lastWoken(job: string, waits: readonly ParkedWait[]): Step<readonly WokenWait[]> {
  const woken: WokenWait[] = [];
  for (let before = 2 ** 31 - 1; ; ) {
    const records = yield* lastRecords(job, before);
    for (const record of records) {
      if (record.kind !== "woken") return woken;
      const { wait, seq, result, result_text } = record;
      if (waits.some((one) => one.wait === wait)) woken.push({ wait, seq, result, result_text });
      before = seq;
    }
    if (records.length === 0) return woken;
  }
}
