/**
 * Ends of jobs, of many in one statement: the last records of a durable run, its end, its events, and what it waited for. So the journal of a job that is
 * over is whole, and a job takes no commit of its own.
 */

import { rowColumns, valueColumns } from "../../../state/postgres/journal.ts";
import { performed } from "../../../state/postgres/perform.ts";
import { rows, type Step } from "../../../state/step.ts";
import { errorOf } from "../../../wire/about.ts";
import { type JournalRows, journalBytes } from "../../durable/journal-rows.ts";
import { eventsOfMove, type JobOutcome, type KeptJob, moved } from "../../job.ts";
import type { Statements } from "../database.ts";
import { numbered } from "../job-rows.ts";
import { ADD_ALL_EVENTS, eventColumns } from "./events.ts";
import { Gathering } from "./gathering.ts";

export type Settling = {
  /** The claim that ends it. */
  readonly job: KeptJob;
  readonly outcome: JobOutcome;
  readonly result: string;
  /** Of its run; null: none are left to be kept. */
  readonly records: JournalRows | null;
};

/**
 * Of jobs that run; also of those that somebody wants cancelled meanwhile. A replica that was declared dead ends its runs as cancelled; their jobs belong
 * to others, though they may not have them yet.
 */
const SETTLE = `WITH ending AS (
    SELECT w.*, j.durable FROM unnest($5::text[], $6::text[], $7::integer[], $8::integer[], $9::text[], $10::bigint[], $11::text[], $12::text[])
      WITH ORDINALITY AS w (id, owner, attempt, resumes, outcome, expires, result, error, at)
    JOIN weft.jobs j ON j.id = w.id AND j.owner = w.owner AND j.attempt = w.attempt AND j.resumes = w.resumes
      AND j.status IN ('running', 'cancelling') AND EXISTS (SELECT 1 FROM weft.replicas r WHERE r.id = w.owner)
    ORDER BY j.id FOR UPDATE OF j
  ),
  record AS (
    SELECT e.id, r.seq, r.value, r.data
    FROM unnest($14::bigint[], $15::integer[], $16::text[], $17::bytea[]) AS r (at, seq, value, data) JOIN ending e USING (at)
  ),
  kept AS (
    INSERT INTO weft.job_journal (job, seq, value, data) SELECT * FROM record ON CONFLICT DO NOTHING RETURNING value
  ),
  used AS (
    INSERT INTO weft.job_values (hash, data, uses)
    SELECT v.hash, v.data, a.uses FROM unnest($18::text[], $19::bytea[]) AS v (hash, data)
    JOIN (SELECT value, count(*) AS uses FROM kept WHERE value IS NOT NULL GROUP BY value) a ON a.value = v.hash
    ORDER BY v.hash
    ON CONFLICT (hash) DO UPDATE SET uses = weft.job_values.uses + excluded.uses
  ),
  row AS (
    UPDATE weft.jobs j SET status = e.outcome, owner = NULL, finished_ms = $13, expires_ms = e.expires, result = e.result, error = e.error,
      ends_ms = NULL, last_seq = CASE WHEN j.durable THEN greatest(
        j.last_seq, (SELECT max(k.seq) FROM weft.job_journal k WHERE k.job = j.id), (SELECT max(seq) FROM record r WHERE r.id = j.id)
      ) ELSE 0 END
    FROM ending e WHERE j.id = e.id RETURNING e.at, j.id, j.status
  ),
  dropped AS (DELETE FROM weft.job_snapshots s USING ending e WHERE s.job = e.id AND e.durable),
  waited AS (UPDATE weft.waits w SET ended_ms = $13 FROM ending e WHERE w.job = e.id AND e.durable AND w.ended_ms IS NULL),
  ${ADD_ALL_EVENTS}`;

function* settleJobs(endings: readonly Settling[], now: number): Step<readonly (KeptJob | null)[]> {
  const ends = endings.map(({ job, outcome, result }) => ({
    ...moved({ ...job, status: "running" }, outcome, now),
    error: errorOf(result),
  }));
  const records = endings.flatMap(({ records }, at) => (records?.rows ?? []).map((row) => ({ at: at + 1, row })));
  const values = new Map(endings.flatMap((ending) => [...(ending.records?.values ?? [])]));
  const jobs = endings.map(({ job }) => job);
  const settled = yield* rows<{ readonly at: number }>(
    SETTLE,
    ...eventColumns(ends.map((end) => eventsOfMove(end, now))),
    jobs.map(({ id }) => id),
    jobs.map(({ owner }) => owner),
    jobs.map(({ attempt }) => attempt),
    jobs.map(({ resumes }) => resumes),
    endings.map(({ outcome }) => outcome),
    ends.map(({ expiresMs }) => expiresMs),
    endings.map(({ result }) => result),
    ends.map(({ error }) => error),
    now,
    records.map(({ at }) => at),
    ...rowColumns(records.map(({ row }) => row)),
    ...valueColumns(values),
  );
  const places = new Set(settled.map(({ at }) => Number(at)));
  return ends.map((end, at) => (places.has(at + 1) ? end : null));
}

/** What came of each: the job, or null where another claim has it. */
export function settlings(on: Statements, now: () => number): Gathering<Settling, KeptJob | null> {
  return new Gathering({
    perform: (endings) => numbered(() => performed(on, settleJobs(endings, now()))),
    bytesOf: ({ result, records }) => result.length + (records === null ? 0 : journalBytes(records)),
  });
}
