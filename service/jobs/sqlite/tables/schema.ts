/**
 * Tables of the job store in SQLite, as numbered steps that only go forward. A file remembers the steps it has seen; one that has seen
 * more than this build knows is left alone.
 */
import type { Database } from "better-sqlite3";
import { ATTESTATIONS, CHANNELS, DEPLOYMENTS, PROPOSALS } from "../../../state/sqlite/deployments-schema.ts";
import { SCHEDULES } from "../../../state/sqlite/schedules-schema.ts";

/** Durable jobs: what a run learned (`job_journal`), its stored states, large values once, and what it waits for. */
const DURABLE = `
  ALTER TABLE submissions ADD COLUMN durable INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE jobs ADD COLUMN why TEXT;
  ALTER TABLE jobs ADD COLUMN resumes INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE jobs ADD COLUMN stuck INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE jobs ADD COLUMN ends_ms INTEGER;
  ALTER TABLE jobs ADD COLUMN parked_ms INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE jobs ADD COLUMN parked_at INTEGER;
  CREATE INDEX jobs_ends ON jobs (ends_ms) WHERE ends_ms IS NOT NULL;
  CREATE TABLE job_journal (
    job INTEGER NOT NULL, seq INTEGER NOT NULL, value TEXT, data BLOB NOT NULL, PRIMARY KEY (job, seq)
  ) WITHOUT ROWID;
  CREATE TABLE job_snapshots (job INTEGER NOT NULL, seq INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (job, seq));
  CREATE TABLE job_values (hash TEXT PRIMARY KEY, data BLOB NOT NULL, uses INTEGER NOT NULL);
  CREATE TABLE waits (
    job INTEGER NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, names TEXT, key TEXT, until_ms INTEGER, place TEXT NOT NULL,
    began_ms INTEGER NOT NULL, ended_ms INTEGER, PRIMARY KEY (job, id)
  ) WITHOUT ROWID;
  CREATE INDEX waits_dates ON waits (until_ms) WHERE ended_ms IS NULL AND until_ms IS NOT NULL AND kind = 'date';
  CREATE INDEX waits_spans ON waits (until_ms) WHERE ended_ms IS NULL AND until_ms IS NOT NULL AND kind <> 'date';
  CREATE INDEX waits_key ON waits (key) WHERE key IS NOT NULL AND ended_ms IS NULL;
  CREATE TABLE signals (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL, target TEXT NOT NULL, job INTEGER, name TEXT NOT NULL, key TEXT, at_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL, data BLOB NOT NULL, UNIQUE (id, target, name)
  );
  CREATE INDEX signals_target ON signals (target, number);
  CREATE INDEX signals_expiry ON signals (expires_ms);
  CREATE TABLE signal_reads (job INTEGER NOT NULL, signal INTEGER NOT NULL, PRIMARY KEY (job, signal)) WITHOUT ROWID;
  CREATE TABLE tokens (
    hash TEXT PRIMARY KEY, kind TEXT NOT NULL, job INTEGER NOT NULL, name TEXT NOT NULL, expires_ms INTEGER NOT NULL, used_ms INTEGER
  );
  CREATE INDEX tokens_expiry ON tokens (expires_ms);
`;

/** Questions to people. `people`: a JSON list; `notice_ms`: when a notice is due; null: it was sent, or none is. */
const APPROVALS = `
  CREATE TABLE approvals (
    id TEXT PRIMARY KEY, job INTEGER NOT NULL, state TEXT NOT NULL, opened_ms INTEGER NOT NULL, ended_ms INTEGER, expires_ms INTEGER,
    people TEXT NOT NULL, asked BLOB NOT NULL, answers BLOB, notice_ms INTEGER, notice_tries INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX approvals_job ON approvals (job);
  CREATE INDEX approvals_age ON approvals (opened_ms, id);
  CREATE INDEX approvals_notice ON approvals (notice_ms) WHERE notice_ms IS NOT NULL;
  ALTER TABLE tokens ADD COLUMN person TEXT;
  CREATE INDEX signal_reads_signal ON signal_reads (signal);
`;

/** `last_seq`: the journal had at least this many records when the job moved last. */
const JOURNAL_LENGTHS = "ALTER TABLE jobs ADD COLUMN last_seq INTEGER NOT NULL DEFAULT 0";

/** `bytes`: of the data as JSON, which is stored packed. The index answers what is kept under keys altogether. */
const SIGNAL_SIZES = `
  ALTER TABLE signals ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
  DROP INDEX signals_expiry;
  CREATE INDEX signals_kept ON signals (expires_ms, bytes) WHERE key IS NOT NULL;
`;

/** Inputs by which jobs are found (`service/jobs/job-search.ts`). */
const SEARCH = `
  CREATE TABLE job_search (job INTEGER NOT NULL, member TEXT NOT NULL, value TEXT NOT NULL);
  CREATE INDEX job_search_value ON job_search (member, value, job);
  CREATE INDEX job_search_job ON job_search (job);
`;

/** `noticed`: whether people were notified of a failure; `notice_ms`: when a wait is looked at again for that, -1: never. */
const NOTICES = `
  ALTER TABLE jobs ADD COLUMN noticed INTEGER;
  ALTER TABLE waits ADD COLUMN notice_ms INTEGER;
  CREATE INDEX jobs_unnoticed ON jobs (finished_ms) WHERE error IS NOT NULL AND noticed IS NULL;
  CREATE TABLE notices (
    id TEXT PRIMARY KEY, target TEXT NOT NULL, kind TEXT NOT NULL, program TEXT NOT NULL, version INTEGER, cause TEXT NOT NULL,
    job_id TEXT NOT NULL, count INTEGER NOT NULL, first_ms INTEGER NOT NULL, last_ms INTEGER NOT NULL, state TEXT NOT NULL,
    due_ms INTEGER, tries INTEGER NOT NULL, sent_ms INTEGER, code TEXT
  );
  CREATE INDEX notices_due ON notices (due_ms) WHERE due_ms IS NOT NULL;
  CREATE INDEX notices_group ON notices (target, kind, program, cause);
  CREATE INDEX notices_age ON notices (last_ms);
  CREATE TABLE notice_since (at_ms INTEGER NOT NULL);
`;

/**
 * Rules about when jobs begin (`service/state/flow-port.ts`). `rank`: the place in line. `held`: rules keep the job from being claimed. `flow_jobs`: what it
 * waits for, a row for each rule; `flow_gates`: a rule for one value of its key; `flow_turns`: the last turn of each key of a group.
 */
const FLOW = `
  ALTER TABLE jobs ADD COLUMN rank INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE jobs ADD COLUMN flow INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE jobs ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
  UPDATE jobs SET rank = (SELECT queued_ms FROM submissions WHERE submissions.number = jobs.submission)
    WHERE status NOT IN ('succeeded', 'failed', 'timed_out', 'cancelled', 'interrupted', 'rejected', 'expired');
  DROP INDEX jobs_line;
  CREATE INDEX jobs_line ON jobs (held, rank) WHERE status = 'queued';
  CREATE TABLE flow_gates (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, lim INTEGER NOT NULL, per_ms REAL NOT NULL,
    used INTEGER NOT NULL DEFAULT 0, at_ms REAL NOT NULL DEFAULT 0, next_ms INTEGER
  );
  CREATE INDEX flow_gates_next ON flow_gates (next_ms) WHERE next_ms IS NOT NULL;
  CREATE TABLE flow_jobs (
    job INTEGER NOT NULL, place INTEGER NOT NULL, gate INTEGER NOT NULL, state INTEGER NOT NULL, rank INTEGER NOT NULL,
    keeps INTEGER NOT NULL, grp INTEGER, turn INTEGER, PRIMARY KEY (job, place)
  ) WITHOUT ROWID;
  CREATE INDEX flow_jobs_line ON flow_jobs (gate, state, rank, job);
  CREATE INDEX flow_jobs_turns ON flow_jobs (grp, gate, turn, rank, job) WHERE state = 1 AND grp IS NOT NULL;
  CREATE INDEX flow_jobs_taken ON flow_jobs (job) WHERE state >= 2;
  CREATE TABLE flow_turns (grp INTEGER NOT NULL, key TEXT NOT NULL, turn INTEGER NOT NULL, PRIMARY KEY (grp, key)) WITHOUT ROWID;
`;

/** `holder`: id of the job that has the key (`unique`), until `at_ms` at least. */
const HOLDERS = "ALTER TABLE flow_gates ADD COLUMN holder TEXT";

/**
 * Jobs that start jobs: `families` has a row for each job that another one started. `root`: the job that began the family; `key`: of the call that
 * started it, which is one of its parent's.
 */
const FAMILIES = `
  ALTER TABLE submissions ADD COLUMN parent TEXT;
  CREATE TABLE families (
    job TEXT PRIMARY KEY, parent TEXT NOT NULL, root TEXT NOT NULL, depth INTEGER NOT NULL, key TEXT NOT NULL, detached INTEGER NOT NULL,
    started_ms INTEGER NOT NULL, UNIQUE (parent, key)
  ) WITHOUT ROWID;
  CREATE INDEX families_root ON families (root, started_ms);
`;

/** `handled`: a job that failed was retried or discarded (`service/jobs/answers/dead-letters.ts`); `noticed` above 1: it is looked at again then, in seconds. */
const DEAD_LETTERS = `
  ALTER TABLE jobs ADD COLUMN handled INTEGER;
  CREATE INDEX jobs_dead ON jobs (finished_ms) WHERE error IS NOT NULL AND handled IS NULL;
  CREATE INDEX jobs_noticed_later ON jobs (noticed) WHERE noticed > 1;
`;

/**
 * Events (`service/events/event.ts`). `after`: the last program that was given its job; `due_ms`: when it is looked at next, null: it is over; `given`: its id
 * removes others like it. `event_starts`: what an event started, of a run that waited under an empty program and its own id; `event_subscriptions`: names
 * of events that versions of deployments hear of.
 */
const EVENTS = `
  CREATE TABLE events (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, key TEXT, data BLOB, at_ms INTEGER NOT NULL,
    created_ms INTEGER NOT NULL, hops INTEGER NOT NULL, job TEXT, given INTEGER NOT NULL, state TEXT NOT NULL, after TEXT NOT NULL,
    started INTEGER NOT NULL, woken INTEGER NOT NULL, failed INTEGER NOT NULL, cut INTEGER NOT NULL, due_ms INTEGER
  );
  CREATE INDEX events_due ON events (due_ms) WHERE due_ms IS NOT NULL;
  CREATE INDEX events_name ON events (name, number);
  CREATE INDEX events_age ON events (at_ms);
  CREATE INDEX events_shown ON events (number) WHERE data IS NOT NULL;
  CREATE TABLE event_starts (
    event INTEGER NOT NULL, program TEXT NOT NULL, version INTEGER, label TEXT NOT NULL, outcome TEXT NOT NULL, job TEXT, error TEXT,
    hops INTEGER NOT NULL, at_ms INTEGER NOT NULL, PRIMARY KEY (event, program, label)
  ) WITHOUT ROWID;
  CREATE INDEX event_starts_job ON event_starts (job) WHERE job IS NOT NULL;
  CREATE TABLE event_subscriptions (
    name TEXT NOT NULL, program TEXT NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (name, program, version)
  ) WITHOUT ROWID;
`;

/** What jobs show of themselves: JSON, packed. */
const SHOWN_STATES = `
  CREATE TABLE job_states (job TEXT PRIMARY KEY, at_ms INTEGER NOT NULL, data BLOB NOT NULL) WITHOUT ROWID;
`;

/** Rounds of jobs that are over (`service/state/rules/families/rounds.ts`). `waited`: the job was parked in it. */
const ROUNDS = `
  CREATE TABLE job_rounds (
    job TEXT NOT NULL, round INTEGER NOT NULL, trace_id TEXT NOT NULL, began_ms INTEGER NOT NULL, ended_ms INTEGER NOT NULL,
    waited INTEGER NOT NULL, PRIMARY KEY (job, round)
  ) WITHOUT ROWID;
`;

/** `shares`: the job shares the budget of its parent. */
const SHARES = "ALTER TABLE families ADD COLUMN shares INTEGER NOT NULL DEFAULT 0";

export const STEPS: readonly string[] = [
  `
  CREATE TABLE jobs (
    id TEXT PRIMARY KEY, status TEXT NOT NULL, trace_id TEXT NOT NULL, label TEXT NOT NULL, attempt INTEGER NOT NULL DEFAULT 0,
    retry INTEGER NOT NULL, owner TEXT, queued_ms INTEGER NOT NULL, started_ms INTEGER, finished_ms INTEGER, expires_ms INTEGER,
    keep_ms INTEGER NOT NULL, retry_of TEXT, traceparent TEXT, checksum TEXT NOT NULL, result_file TEXT, result TEXT, request TEXT
  ) WITHOUT ROWID;
  CREATE INDEX jobs_line ON jobs (status, queued_ms, id);
  CREATE INDEX jobs_age ON jobs (queued_ms, id);
  CREATE INDEX jobs_expiry ON jobs (status, expires_ms);
  CREATE INDEX jobs_program ON jobs (checksum);
  CREATE TABLE programs (checksum TEXT PRIMARY KEY, ir TEXT NOT NULL, used_ms INTEGER NOT NULL);
  CREATE TABLE job_events (
    job_id TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (job_id, seq)
  ) WITHOUT ROWID;
  CREATE TABLE idempotency (
    scope TEXT NOT NULL, key TEXT NOT NULL, body_hash TEXT NOT NULL, trace_id TEXT NOT NULL, owner TEXT, status INTEGER,
    headers TEXT, body_file TEXT, body TEXT, expires_ms INTEGER NOT NULL, PRIMARY KEY (scope, key)
  ) WITHOUT ROWID;
  CREATE INDEX idempotency_expiry ON idempotency (expires_ms);
  CREATE TABLE probe (id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL);
  `,
  // Rows of jobs are too long for a table without row numbers: most spilled into a page of their own.
  `
  CREATE TABLE numbered_jobs (
    id TEXT NOT NULL PRIMARY KEY, status TEXT NOT NULL, trace_id TEXT NOT NULL, label TEXT NOT NULL, attempt INTEGER NOT NULL DEFAULT 0,
    retry INTEGER NOT NULL, owner TEXT, queued_ms INTEGER NOT NULL, started_ms INTEGER, finished_ms INTEGER, expires_ms INTEGER,
    keep_ms INTEGER NOT NULL, retry_of TEXT, traceparent TEXT, checksum TEXT NOT NULL, result_file TEXT, result TEXT, request TEXT
  );
  INSERT INTO numbered_jobs SELECT * FROM jobs ORDER BY id;
  DROP TABLE jobs;
  ALTER TABLE numbered_jobs RENAME TO jobs;
  CREATE INDEX jobs_line ON jobs (status, queued_ms, id);
  CREATE INDEX jobs_age ON jobs (queued_ms, id);
  CREATE INDEX jobs_expiry ON jobs (status, expires_ms);
  CREATE INDEX jobs_program ON jobs (checksum);
  `,
  // A job is queued, claimed and settled: three writes, each of its row and of every index that the change touches. So what the jobs of a
  // request share is stored once, a result is stored next to the rows instead of making them grow, moves are part of the row, and an index holds
  // only rows that are looked up through it. A job's number is its place in the queue; ids ascend with time and give the order of lists.
  `
  CREATE TABLE submissions (
    number INTEGER PRIMARY KEY, label TEXT NOT NULL, retry INTEGER NOT NULL, queued_ms INTEGER NOT NULL, keep_ms INTEGER NOT NULL,
    retry_of TEXT, traceparent TEXT, checksum TEXT NOT NULL, request TEXT
  );
  INSERT INTO submissions SELECT rowid, label, retry, queued_ms, keep_ms, retry_of, traceparent, checksum, request FROM jobs;
  CREATE TABLE results (job INTEGER PRIMARY KEY, text TEXT, file TEXT);
  INSERT INTO results SELECT rowid, result, result_file FROM jobs WHERE result IS NOT NULL OR result_file IS NOT NULL;
  CREATE TABLE submitted_jobs (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, submission INTEGER NOT NULL, status TEXT NOT NULL, trace_id TEXT NOT NULL,
    attempt INTEGER NOT NULL DEFAULT 0, owner TEXT, started_ms INTEGER, finished_ms INTEGER, expires_ms INTEGER,
    last_event INTEGER NOT NULL, moves TEXT NOT NULL DEFAULT '', frame TEXT
  );
  INSERT INTO submitted_jobs (number, id, submission, status, trace_id, attempt, owner, started_ms, finished_ms, expires_ms, last_event)
    SELECT rowid, id, rowid, status, trace_id, attempt, owner, started_ms, finished_ms, expires_ms,
      (SELECT coalesce(max(seq), 0) FROM job_events WHERE job_id = id) FROM jobs;
  DROP TABLE jobs;
  ALTER TABLE submitted_jobs RENAME TO jobs;
  CREATE INDEX jobs_line ON jobs (status) WHERE status = 'queued';
  CREATE INDEX jobs_expired ON jobs (expires_ms) WHERE status = 'expired';
  CREATE INDEX jobs_due ON jobs (expires_ms) WHERE expires_ms IS NOT NULL AND status <> 'expired';
  CREATE INDEX jobs_submission ON jobs (submission);
  CREATE INDEX submissions_program ON submissions (checksum);
  `,
  "ALTER TABLE submissions ADD COLUMN tracestate TEXT",
  // The jobs of a submission have numbers that follow each other, so the first and the last tell what an index had to be kept for.
  `
  ALTER TABLE submissions ADD COLUMN first_job INTEGER;
  ALTER TABLE submissions ADD COLUMN last_job INTEGER;
  UPDATE submissions SET first_job = (SELECT min(number) FROM jobs WHERE submission = submissions.number),
    last_job = (SELECT max(number) FROM jobs WHERE submission = submissions.number);
  DROP INDEX jobs_submission;
  `,
  DEPLOYMENTS,
  `
  ALTER TABLE submissions ADD COLUMN name TEXT;
  ALTER TABLE submissions ADD COLUMN tags TEXT;
  ALTER TABLE submissions ADD COLUMN schedule TEXT;
  ALTER TABLE submissions ADD COLUMN due_ms INTEGER;
  ALTER TABLE jobs ADD COLUMN error TEXT;
  CREATE INDEX submissions_schedule ON submissions (schedule) WHERE schedule IS NOT NULL;
  `,
  SCHEDULES,
  DURABLE,
  APPROVALS,
  JOURNAL_LENGTHS,
  SIGNAL_SIZES,
  // Texts end with their checksum from here on (sealed-texts.ts), which earlier versions would take for a part of them.
  "",
  SEARCH,
  NOTICES,
  FLOW,
  HOLDERS,
  PROPOSALS,
  FAMILIES,
  DEAD_LETTERS,
  SHOWN_STATES,
  EVENTS,
  ATTESTATIONS,
  ROUNDS,
  // How long results are kept by the state that their jobs ended in: JSON.
  "ALTER TABLE submissions ADD COLUMN keeps TEXT",
  CHANNELS,
  SHARES,
];

/** Throws NewerSchema. */
export function migrate(db: Database): void {
  const seen = db.pragma("user_version", { simple: true }) as number;
  if (seen > STEPS.length) throw new NewerSchema();
  db.transaction(() => {
    for (const step of STEPS.slice(seen)) db.exec(step);
    db.pragma(`user_version = ${STEPS.length}`);
  })();
}

export class NewerSchema extends Error {
  constructor() {
    super("the job store was written by a newer version of this service");
    this.name = "NewerSchema";
  }
}
