/** Events of running jobs, of many in one statement. */
import { performed } from "../../../state/postgres/perform.ts";
import { rows, type Step } from "../../../state/step.ts";
import { type Claim, type JobEvent, MAX_EVENTS } from "../../job.ts";
import type { Statements } from "../database.ts";
import { CHANNEL, numbered } from "../job-rows.ts";
import { Gathering } from "./gathering.ts";

export type EventWrite = { readonly writer: Claim; readonly events: readonly JobEvent[] };

/**
 * For statements whose CTE `row` has place (`at`), id and new status of each job: the events at $1 to $3 follow those that their job has, and the oldest
 * go. Those who wait for the jobs hear of it at $4.
 */
export const ADD_ALL_EVENTS = `
  known AS (
    SELECT id, coalesce((SELECT max(seq) FROM weft.job_events k WHERE k.job_id = one.id), 0) AS last
    FROM (SELECT DISTINCT id FROM row) one
  ),
  given AS (
    SELECT row.id, e.kind, e.data, row_number() OVER (PARTITION BY row.id ORDER BY e.place) AS nth
    FROM unnest($1::bigint[], $2::text[], $3::text[]) WITH ORDINALITY AS e (at, kind, data, place) JOIN row USING (at)
  ),
  told AS (
    INSERT INTO weft.job_events (job_id, seq, kind, data)
    SELECT given.id, known.last + given.nth, given.kind, given.data FROM given JOIN known USING (id)
  ),
  surplus AS (
    DELETE FROM weft.job_events e USING known
    WHERE e.job_id = known.id AND e.seq <= known.last + (SELECT count(*) FROM given WHERE given.id = known.id) - ${MAX_EVENTS}
  )
  SELECT row.at, pg_notify($4, row.id || ' ' || row.status) FROM row`;

/** As long as the job is run by this claim. */
const EVENTS = `WITH row AS (
    SELECT w.at, j.id, j.status FROM unnest($5::text[], $6::text[], $7::integer[], $8::integer[])
      WITH ORDINALITY AS w (id, owner, attempt, resumes, at)
    JOIN weft.jobs j ON j.id = w.id AND j.owner = w.owner AND j.attempt = w.attempt AND j.resumes = w.resumes
      AND j.status IN ('running', 'cancelling')
    ORDER BY j.id FOR UPDATE OF j
  ), ${ADD_ALL_EVENTS}`;

/** The values of a statement with ADD_ALL_EVENTS; the events of each job in the order of the jobs. */
export function eventColumns(events: readonly (readonly JobEvent[])[]) {
  const all = events.flatMap((some, at) => some.map((event) => ({ ...event, at: at + 1 })));
  return [all.map(({ at }) => at), all.map(({ kind }) => kind), all.map(({ data }) => data), CHANNEL] as const;
}

function* addEvents(writes: readonly EventWrite[]): Step<readonly undefined[]> {
  const writers = writes.map(({ writer }) => writer);
  yield* rows(
    EVENTS,
    ...eventColumns(writes.map(({ events }) => events)),
    writers.map(({ id }) => id),
    writers.map(({ owner }) => owner),
    writers.map(({ attempt }) => attempt),
    writers.map(({ resumes }) => resumes),
  );
  return writes.map(() => undefined);
}

export function eventWrites(on: Statements): Gathering<EventWrite, undefined> {
  return new Gathering({
    perform: (writes) => numbered(() => performed(on, addEvents(writes))),
    bytesOf: ({ events }) => events.reduce((bytes, { data }) => bytes + data.length, 0),
  });
}
