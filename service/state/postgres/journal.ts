/**
 * The journals of durable jobs in PostgreSQL. A write names the claim that makes it: owner, attempt and resumes of the job's row, which is
 * locked until the write is committed. So what a replica sends that lost the job meanwhile changes nothing, whatever it believes.
 */
import type { JournalRecord, RecordBody } from "../../../vm/durable/records.ts";
import { type JournalRow, type JournalRows, journalRows, recordOf, unpacked } from "../../jobs/durable/journal-rows.ts";
import type { Claim } from "../../jobs/job.ts";
import type { Row, Statements } from "../../jobs/postgres/database.ts";
import { run, type Step, rows as stepRows, type Value } from "../step.ts";
import { performed } from "./perform.ts";

/** `writer`: the claim that the records are of. */
export type Append = { readonly writer: Claim; readonly rows: JournalRows };

const KEPT_SNAPSHOTS = 2;

/** Rows that are locked are locked in the order of their ids by all who lock several. */
const APPEND = `WITH writer AS (
    SELECT w.at, j.id, w.progress AND j.stuck > 0 AS comes_on
    FROM unnest($1::text[], $2::text[], $3::integer[], $4::integer[], $5::boolean[])
      WITH ORDINALITY AS w (id, owner, attempt, resumes, progress, at)
    JOIN weft.jobs j ON j.id = w.id AND j.owner = w.owner AND j.attempt = w.attempt AND j.resumes = w.resumes
      AND j.status IN ('running', 'cancelling')
    ORDER BY j.id FOR SHARE OF j
  ),
  added AS (
    INSERT INTO weft.job_journal (job, seq, value, data)
    SELECT writer.id, r.seq, r.value, r.data
    FROM unnest($6::bigint[], $7::integer[], $8::text[], $9::bytea[]) AS r (at, seq, value, data) JOIN writer USING (at)
    ON CONFLICT DO NOTHING RETURNING value
  ),
  used AS (
    INSERT INTO weft.job_values (hash, data, uses)
    SELECT v.hash, v.data, a.uses FROM unnest($10::text[], $11::bytea[]) AS v (hash, data)
    JOIN (SELECT value, count(*) AS uses FROM added WHERE value IS NOT NULL GROUP BY value) a ON a.value = v.hash
    ORDER BY v.hash
    ON CONFLICT (hash) DO UPDATE SET uses = weft.job_values.uses + excluded.uses
  ),
  progressed AS (UPDATE weft.jobs j SET stuck = 0 FROM writer w WHERE j.id = w.id AND w.comes_on)
  SELECT at FROM writer`;

/** Each: whether it was kept. A record that is there already was written by the same run, whose answer was lost. */
export function* appendRows(appends: readonly Append[]): Step<readonly boolean[]> {
  const writers = appends.map(({ writer }) => writer);
  const rows = appends.flatMap(({ rows }, at) => rows.rows.map((row) => ({ at: at + 1, row })));
  const values = new Map(appends.flatMap((append) => [...append.rows.values]));
  const kept = yield* stepRows<{ readonly at: number }>(
    APPEND,
    writers.map(({ id }) => id),
    writers.map(({ owner }) => owner),
    writers.map(({ attempt }) => attempt),
    writers.map(({ resumes }) => resumes),
    appends.map((append) => append.rows.progress),
    rows.map(({ at }) => at),
    ...rowColumns(rows.map(({ row }) => row)),
    ...valueColumns(values),
  );
  const places = new Set(kept.map(({ at }) => Number(at)));
  return appends.map((_, at) => places.has(at + 1));
}

/** A record that the store itself adds to the journal of a job whose row is locked. */
export type OwnRecord = { readonly job: string; readonly body: RecordBody };

const LAST = `SELECT j.id AS job, last_seq, l.* FROM weft.jobs j
  LEFT JOIN LATERAL (SELECT seq, value, data FROM weft.job_journal WHERE job = j.id ORDER BY seq DESC LIMIT 1) l ON true
  WHERE j.id = ANY ($1)`;
const ADD = `WITH added AS (
    INSERT INTO weft.job_journal (job, seq, value, data) SELECT * FROM unnest($1::text[], $2::integer[], $3::text[], $4::bytea[])
    RETURNING value
  )
  INSERT INTO weft.job_values (hash, data, uses)
  SELECT v.hash, v.data, a.uses FROM unnest($5::text[], $6::bytea[]) AS v (hash, data)
  JOIN (SELECT value, count(*) AS uses FROM added WHERE value IS NOT NULL GROUP BY value) a ON a.value = v.hash
  ORDER BY v.hash
  ON CONFLICT (hash) DO UPDATE SET uses = weft.job_values.uses + excluded.uses`;

type LastRow = { readonly job: string; readonly last_seq: number; readonly data: Uint8Array | null };

/** Numbers of the records, in the order given. One record a job at most. */
export function* addRecords(records: readonly OwnRecord[], now: number): Step<readonly number[]> {
  const last = new Map<string, { readonly seq: number; readonly active_ms: number }>();
  const unreadable = new Set<string>();
  const found = yield* stepRows<LastRow>(
    LAST,
    records.map(({ job }) => job),
  );
  for (const { job, last_seq, data } of found) {
    const read = data === null ? {} : readableRecord(data);
    if (read === null) unreadable.add(job);
    const { seq = 0, active_ms = 0 } = read ?? {};
    // After records that are lost: in their place it would hide that they are.
    last.set(job, { seq: Math.max(seq, last_seq), active_ms });
  }
  const added = records.map(({ job, body }) => {
    const { seq = 0, active_ms = 0 } = last.get(job) ?? {};
    return { ...body, seq: seq + 1, at: now, active_ms, branch: "" } as JournalRecord;
  });
  // Where the last record cannot be read nothing is added: the run finds that, and is interrupted for it.
  const isKept = (at: number): boolean => !unreadable.has(records[at]?.job ?? "");
  const { rows, values } = journalRows(added.filter((_, at) => isKept(at)));
  const jobs = records.filter((_, at) => isKept(at)).map(({ job }) => job);
  if (jobs.length > 0) yield* run(ADD, jobs, ...rowColumns(rows), ...valueColumns(values));
  return added.map(({ seq }) => seq);
}

/** Null: it cannot be read. */
function readableRecord(data: Uint8Array): Partial<JournalRecord> | null {
  try {
    return JSON.parse(unpacked(data)) as JournalRecord;
  } catch {
    return null;
  }
}

/** Some records of a job before `before`, the last first; none: there are no more. */
export function* lastRecords(job: string, before: number): Step<readonly JournalRecord[]> {
  const last = "SELECT seq, value, data FROM weft.job_journal WHERE job = $1 AND seq < $2 ORDER BY seq DESC LIMIT 8";
  const { rows, values } = yield* withValues(yield* stepRows<Row>(last, job, before));
  return rows.map((row) => recordOf(row, values));
}

export type JournalRead = {
  readonly rows: readonly JournalRow[];
  readonly values: ReadonlyMap<string, Uint8Array>;
};

/** Records after `after`, in order. */
export async function readRows(on: Statements, job: string, after: number, most: number | null): Promise<JournalRead> {
  const rows = await on.query(
    "SELECT seq, value, data FROM weft.job_journal WHERE job = $1 AND seq > $2::bigint ORDER BY seq LIMIT $3::bigint",
    [job, after, most],
  );
  return performed(on, withValues(rows));
}

/** 0: the journal is empty, or the job does not exist. */
export async function lastSeq(on: Statements, job: string): Promise<number> {
  const [row] = await on.query("SELECT max(seq) AS last FROM weft.job_journal WHERE job = $1", [job]);
  return row?.["last"] ?? 0;
}

function* withValues(found: readonly Row[]): Step<JournalRead> {
  const rows = found.map(({ seq, value, data }): JournalRow => [seq, value, data]);
  const hashes = [...new Set(rows.flatMap(([, hash]) => (hash === null ? [] : [hash])))];
  if (hashes.length === 0) return { rows, values: new Map() };
  const values = yield* stepRows<Row>("SELECT hash, data FROM weft.job_values WHERE hash = ANY ($1)", hashes);
  return { rows, values: new Map(values.map(({ hash, data }) => [hash, data])) };
}

const LOAD = `SELECT 'job' AS of, last_seq AS seq, NULL AS value, NULL AS data FROM weft.jobs WHERE id = $1
  UNION ALL SELECT 'snapshot', seq, NULL, data FROM weft.job_snapshots WHERE job = $1
  UNION ALL SELECT 'record', seq, value, data FROM weft.job_journal WHERE job = $1 ORDER BY of, seq`;

export type LoadRows = JournalRead & {
  /** Number of the last record that the job is known to have. */
  readonly lastSeq: number;
  /** The newest first. */
  readonly snapshots: readonly Uint8Array[];
};

/** Everything that a run continues from, as it was at one moment. */
export async function loadRows(on: Statements, job: string): Promise<LoadRows> {
  const all = await on.query(LOAD, [job]);
  const of = (kind: string): readonly Row[] => all.filter((row) => row["of"] === kind);
  return {
    lastSeq: of("job")[0]?.["seq"] ?? 0,
    snapshots: of("snapshot")
      .map(({ data }): Uint8Array => data)
      .reverse(),
    ...(await performed(on, withValues(of("record")))),
  };
}

/** Of the claim that has the job; the last ones are kept. */
export async function keepSnapshot(on: Statements, writer: Claim, seq: number, data: Uint8Array): Promise<void> {
  const { id, owner, attempt, resumes } = writer;
  await on.query(
    `WITH writer AS (
       SELECT id FROM weft.jobs WHERE id = $1 AND owner = $2 AND attempt = $3 AND resumes = $4 AND status IN ('running', 'cancelling')
       FOR SHARE
     ), kept AS (
       INSERT INTO weft.job_snapshots (job, seq, data) SELECT id, $5::integer, $6::bytea FROM writer
       ON CONFLICT (job, seq) DO UPDATE SET data = excluded.data
     )
     DELETE FROM weft.job_snapshots s USING writer WHERE s.job = writer.id AND s.seq < (
       SELECT min(seq) FROM (
         SELECT seq FROM weft.job_snapshots WHERE job = $1 AND seq <> $5::integer ORDER BY seq DESC LIMIT ${KEPT_SNAPSHOTS - 1}
       ) newest
     )`,
    [id, owner, attempt, resumes, seq, data],
  );
}

/** Records 1 to `seq` of a job, for another one that takes them over. */
export type TakenRecords = { readonly job: string; readonly seq: number };

/** All records that a new job is to take over are there, and stay until the transaction ends. */
export async function holdRecords(on: Statements, { job, seq }: TakenRecords): Promise<boolean> {
  await on.query("SELECT 1 FROM weft.jobs WHERE id = $1 FOR SHARE", [job]);
  const [row] = await on.query(
    "SELECT count(*) AS records FROM weft.job_journal WHERE job = $1 AND seq <= $2::bigint",
    [job, seq],
  );
  return row?.["records"] === seq;
}

/** The job `to` begins with records that are held. */
export async function takeRecords(on: Statements, { job, seq }: TakenRecords, to: string): Promise<void> {
  if (seq === 0) return;
  await on.query(
    `WITH taken AS (
       INSERT INTO weft.job_journal (job, seq, value, data)
       SELECT $3::text, seq, value, data FROM weft.job_journal WHERE job = $1 AND seq <= $2::bigint RETURNING value
     ),
     used AS (SELECT value, count(*) AS uses FROM taken WHERE value IS NOT NULL GROUP BY value),
     held AS (
       SELECT v.hash, used.uses FROM weft.job_values v JOIN used ON used.value = v.hash ORDER BY v.hash FOR UPDATE OF v
     ),
     counted AS (UPDATE weft.job_values v SET uses = v.uses + held.uses FROM held WHERE v.hash = held.hash)
     UPDATE weft.jobs SET why = 'retry' WHERE id = $3`,
    [job, seq, to],
  );
}

/** Everything that was stored for durable jobs. */
export function* forgetDurable(jobs: readonly string[]): Step<void> {
  yield* forgetRun(jobs);
  for (const table of ["signals", "signal_reads", "tokens", "approvals"])
    yield* run(`DELETE FROM weft.${table} WHERE job = ANY ($1)`, jobs);
}

/** What their runs learned and waited for. */
export function* forgetRun(jobs: readonly string[]): Step<void> {
  const gone = yield* stepRows<{ readonly value: string | null }>(
    "DELETE FROM weft.job_journal WHERE job = ANY ($1) RETURNING value",
    jobs,
  );
  const uses = new Map<string, number>();
  for (const { value } of gone) if (value !== null) uses.set(value, (uses.get(value) ?? 0) + 1);
  // In the order of appends, so that locks are never waited for in a circle.
  for (const [hash, count] of [...uses].sort(([a], [b]) => (a < b ? -1 : 1))) {
    yield* run("UPDATE weft.job_values SET uses = uses - $2 WHERE hash = $1", hash, count);
    yield* run("DELETE FROM weft.job_values WHERE hash = $1 AND uses <= 0", hash);
  }
  for (const table of ["job_snapshots", "waits"]) yield* run(`DELETE FROM weft.${table} WHERE job = ANY ($1)`, jobs);
}

export function rowColumns(rows: readonly JournalRow[]): readonly Value[] {
  return [rows.map(([seq]) => seq), rows.map(([, value]) => value), rows.map(([, , data]) => data)];
}

export function valueColumns(values: ReadonlyMap<string, Uint8Array>): readonly Value[] {
  return [[...values.keys()], [...values.values()]];
}
