/** Claims of many jobs in one statement, and what they are to do: the tasks of one replica ask for their jobs at the same moment. */
import { BoundedMap } from "../../../../compiler/bounded-map.ts";
import { performed } from "../../../state/postgres/perform.ts";
import { rows, type Step } from "../../../state/step.ts";
import { eventsOfMove, type JobWork, type KeptJob } from "../../job.ts";
import type { Row, Statements } from "../database.ts";
import { COLUMNS, type JobRow, jobOf, LAST_SEQ, numbered } from "../job-rows.ts";
import { ADD_ALL_EVENTS, eventColumns } from "./events.ts";
import { Gathering } from "./gathering.ts";

type Work = JobRow & JobWork;

const WORK = `SELECT ${COLUMNS}, request, frame, traceparent, tracestate, checksum FROM weft.jobs
  WHERE id = ANY ($1) AND request IS NOT NULL`;
const PROGRAMS = "SELECT checksum, ir FROM weft.programs WHERE checksum = ANY ($1)";
/** Programs whose text is kept, since the jobs of one are many, and its longest text in characters. */
const MAX_PROGRAMS = 64;
const MAX_KEPT_LENGTH = 256 * 1024;

/** What jobs were queued with, and the jobs; null when either is gone. */
export function works(on: Statements): Gathering<string, Work | null> {
  const programs = new BoundedMap<string>({ max: MAX_PROGRAMS });
  return new Gathering({
    async perform(ids) {
      const found = new Map((await on.query(WORK, [ids])).map((row) => [String(row["id"]), row]));
      const texts = new Map<string, string>();
      for (const { checksum } of found.values()) {
        const known = programs.get(checksum);
        if (known !== undefined) texts.set(checksum, known);
      }
      const missing = [...new Set([...found.values()].map(({ checksum }) => String(checksum)))].filter(
        (checksum) => !texts.has(checksum),
      );
      for (const { checksum, ir } of missing.length === 0 ? [] : await on.query(PROGRAMS, [missing])) {
        texts.set(checksum, ir);
        if (ir.length <= MAX_KEPT_LENGTH) programs.set(checksum, ir);
      }
      return ids.map((id) => workOf(found.get(id), texts));
    },
    bytesOf: (id) => id.length,
  });
}

function workOf(row: Row | undefined, programs: ReadonlyMap<string, string>): Work | null {
  if (row === undefined) return null;
  const { request, frame, traceparent, tracestate, checksum } = row;
  const program = programs.get(checksum);
  return program === undefined ? null : { ...jobOf(row), request, frame, traceparent, tracestate, checksum, program };
}

/** `next`: the job as it is claimed. */
export type Claiming = { readonly read: KeptJob; readonly next: KeptJob };

const CLAIM = `WITH asked AS (
    SELECT w.* FROM unnest($5::text[], $6::text[], $7::integer[], $8::bigint[], $9::integer[], $10::integer[], $11::integer[])
      WITH ORDINALITY AS w (id, owner, attempt, started, resumes, before, resumed, at)
    JOIN weft.jobs j ON j.id = w.id AND j.status = 'queued' AND j.attempt = w.before AND j.resumes = w.resumed AND j.owner IS NULL
    ORDER BY j.id FOR UPDATE OF j
  ),
  row AS (
    UPDATE weft.jobs j SET status = 'running', attempt = a.attempt, owner = a.owner, started_ms = a.started, resumes = a.resumes,
      parked_at = NULL, ${LAST_SEQ}
    FROM asked a WHERE j.id = a.id RETURNING a.at, j.id, j.status
  ), ${ADD_ALL_EVENTS}`;

function* claimJobs(claims: readonly Claiming[], now: number): Step<readonly (KeptJob | null)[]> {
  const next = claims.map((one) => one.next);
  const read = claims.map((one) => one.read);
  const made = yield* rows<{ readonly at: number }>(
    CLAIM,
    ...eventColumns(next.map((job) => eventsOfMove(job, now))),
    next.map(({ id }) => id),
    next.map(({ owner }) => owner),
    next.map(({ attempt }) => attempt),
    next.map(({ startedMs }) => startedMs),
    next.map(({ resumes }) => resumes),
    read.map(({ attempt }) => attempt),
    read.map(({ resumes }) => resumes),
  );
  const places = new Set(made.map(({ at }) => Number(at)));
  return next.map((job, at) => (places.has(at + 1) ? job : null));
}

/** The claimed job; null: it is no longer as it was read. */
export function claimings(on: Statements, now: () => number): Gathering<Claiming, KeptJob | null> {
  return new Gathering({
    perform: (claims) => numbered(() => performed(on, claimJobs(claims, now()))),
    bytesOf: () => 0,
  });
}
