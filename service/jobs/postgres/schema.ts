/**
 * Tables of the job store in PostgreSQL, schema `weft`: steps that are taken, and counted, as those of the adapters' tables are. Texts
 * are `text`, not `jsonb`, because results are given back byte for byte. A released step is never edited.
 */
import type { Migrations } from "../../../adapters/store/postgres/migrate.ts";

/**
 * Durable jobs. `why`: what queued a job again; with it, `attempt` and `resumes` are another pair at each claim, and journals are written by the
 * holder of the latest alone. `first_signal`: of a key, only signals with later numbers are meant for the job, whatever clocks say.
 * Waits of kind `date` go by the clock of the wall, others by that of the store. `replicas.journals`: the replica knows that jobs wait, which those of earlier versions do not.
 */
const DURABLE = `
  ALTER TABLE weft.replicas ADD COLUMN journals boolean NOT NULL DEFAULT false;
  ALTER TABLE weft.jobs ADD COLUMN durable boolean NOT NULL DEFAULT false, ADD COLUMN why text,
    ADD COLUMN resumes integer NOT NULL DEFAULT 0, ADD COLUMN stuck integer NOT NULL DEFAULT 0, ADD COLUMN ends_ms bigint,
    ADD COLUMN parked_ms bigint NOT NULL DEFAULT 0, ADD COLUMN parked_at bigint,
    ADD COLUMN first_signal bigint NOT NULL DEFAULT 0;
  CREATE INDEX jobs_ends ON weft.jobs (ends_ms) WHERE ends_ms IS NOT NULL;
  CREATE TABLE weft.job_journal (
    job text COLLATE "C" NOT NULL, seq integer NOT NULL, value text, data bytea NOT NULL, PRIMARY KEY (job, seq)
  );
  CREATE TABLE weft.job_snapshots (
    job text COLLATE "C" NOT NULL, seq integer NOT NULL, data bytea NOT NULL, PRIMARY KEY (job, seq)
  );
  CREATE TABLE weft.job_values (hash text PRIMARY KEY, data bytea NOT NULL, uses bigint NOT NULL);
  CREATE TABLE weft.waits (
    job text COLLATE "C" NOT NULL, id text NOT NULL, kind text NOT NULL, names text, key text, until_ms bigint, place text NOT NULL,
    began_ms bigint NOT NULL, ended_ms bigint, PRIMARY KEY (job, id)
  ) WITH (fillfactor = 80);
  CREATE INDEX waits_dates ON weft.waits (until_ms) WHERE ended_ms IS NULL AND until_ms IS NOT NULL AND kind = 'date';
  CREATE INDEX waits_spans ON weft.waits (until_ms) WHERE ended_ms IS NULL AND until_ms IS NOT NULL AND kind <> 'date';
  CREATE INDEX waits_key ON weft.waits (key) WHERE key IS NOT NULL AND ended_ms IS NULL;
  CREATE TABLE weft.signals (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL, target text NOT NULL, job text COLLATE "C",
    name text NOT NULL, key text, at_ms bigint NOT NULL, expires_ms bigint NOT NULL, data bytea NOT NULL, UNIQUE (id, target, name)
  );
  CREATE INDEX signals_target ON weft.signals (target, number);
  CREATE INDEX signals_job ON weft.signals (job) WHERE job IS NOT NULL;
  CREATE INDEX signals_expiry ON weft.signals (expires_ms) WHERE job IS NULL;
  CREATE TABLE weft.signal_reads (job text COLLATE "C" NOT NULL, signal bigint NOT NULL, PRIMARY KEY (job, signal));
`;

/** Questions to people, and links. `notice_ms`: when a notice is due; null: it was sent, or none is. */
const APPROVALS = `
  CREATE TABLE weft.approvals (
    id text COLLATE "C" PRIMARY KEY, job text COLLATE "C" NOT NULL, state text NOT NULL, opened_ms bigint NOT NULL, ended_ms bigint,
    expires_ms bigint, people text[] NOT NULL, asked bytea NOT NULL, answers bytea, notice_ms bigint,
    notice_tries integer NOT NULL DEFAULT 0
  );
  CREATE INDEX approvals_job ON weft.approvals (job);
  CREATE INDEX approvals_age ON weft.approvals (opened_ms, id);
  CREATE INDEX approvals_open ON weft.approvals (job) WHERE state = 'open';
  CREATE INDEX approvals_notice ON weft.approvals (notice_ms) WHERE notice_ms IS NOT NULL;
  CREATE TABLE weft.tokens (
    hash text PRIMARY KEY, kind text NOT NULL, job text COLLATE "C" NOT NULL, name text NOT NULL, person text,
    expires_ms bigint NOT NULL, used_ms bigint
  );
  CREATE INDEX tokens_job ON weft.tokens (job);
  CREATE INDEX tokens_expiry ON weft.tokens (expires_ms);
`;

/** `last_seq`: the journal had at least this many records when the row was last written. */
const JOURNAL_LENGTHS = "ALTER TABLE weft.jobs ADD COLUMN last_seq integer NOT NULL DEFAULT 0";

/** `bytes`: of the data as JSON, which is stored packed. The index answers what is kept under keys altogether. */
const SIGNAL_SIZES = `
  ALTER TABLE weft.signals ADD COLUMN bytes integer NOT NULL DEFAULT 0;
  DROP INDEX weft.signals_expiry;
  CREATE INDEX signals_kept ON weft.signals (expires_ms) INCLUDE (bytes) WHERE job IS NULL;
`;

/** Inputs by which jobs are found (`service/jobs/job-search.ts`). */
const SEARCH = `
  CREATE TABLE weft.job_search (
    job text COLLATE "C" NOT NULL, member text COLLATE "C" NOT NULL, value text COLLATE "C" NOT NULL, PRIMARY KEY (member, value, job)
  );
  CREATE INDEX job_search_job ON weft.job_search (job);
`;

/** `noticed`: whether people were notified of a failure; `notice_ms`: when a wait is looked at again for that, -1: never. */
const NOTICES = `
  ALTER TABLE weft.jobs ADD COLUMN noticed integer;
  ALTER TABLE weft.waits ADD COLUMN notice_ms bigint;
  CREATE INDEX jobs_unnoticed ON weft.jobs (finished_ms) WHERE error IS NOT NULL AND noticed IS NULL;
  CREATE TABLE weft.notices (
    id text COLLATE "C" PRIMARY KEY, target text NOT NULL, kind text NOT NULL, program text NOT NULL, version integer, cause text NOT NULL,
    job_id text NOT NULL, count integer NOT NULL, first_ms bigint NOT NULL, last_ms bigint NOT NULL, state text NOT NULL,
    due_ms bigint, tries integer NOT NULL, sent_ms bigint, code text
  );
  CREATE INDEX notices_due ON weft.notices (due_ms) WHERE due_ms IS NOT NULL;
  CREATE INDEX notices_group ON weft.notices (target, kind, program, cause);
  CREATE INDEX notices_age ON weft.notices (last_ms);
  CREATE TABLE weft.notice_since (at_ms bigint NOT NULL);
`;

/** All replicas take it to note what people are to be notified of, so that one cause is one notice. */
export const NOTICES_LOCK = 7_305_804_407;

/**
 * Rules about when jobs begin (`service/state/flow-port.ts`). `held`: rules keep the job from being claimed; it has no task then. `flow_jobs`: what it
 * waits for, a row for each rule; `flow_gates`: a rule for one value of its key; `flow_turns`: the last turn of each key of a group.
 */
const FLOW = `
  ALTER TABLE weft.jobs ADD COLUMN rank bigint, ADD COLUMN flow boolean NOT NULL DEFAULT false,
    ADD COLUMN held boolean NOT NULL DEFAULT false;
  CREATE TABLE weft.flow_gates (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, kind text NOT NULL,
    lim integer NOT NULL, per_ms double precision NOT NULL, used integer NOT NULL DEFAULT 0,
    at_ms double precision NOT NULL DEFAULT 0, next_ms bigint
  ) WITH (fillfactor = 80);
  CREATE INDEX flow_gates_next ON weft.flow_gates (next_ms) WHERE next_ms IS NOT NULL;
  CREATE TABLE weft.flow_jobs (
    job text COLLATE "C" NOT NULL, place integer NOT NULL, gate bigint NOT NULL, state integer NOT NULL, rank bigint NOT NULL,
    keeps integer NOT NULL, grp bigint, turn bigint, PRIMARY KEY (job, place)
  );
  CREATE INDEX flow_jobs_line ON weft.flow_jobs (gate, state, rank, job);
  CREATE INDEX flow_jobs_turns ON weft.flow_jobs (grp, gate, turn, rank, job) WHERE state = 1 AND grp IS NOT NULL;
  CREATE INDEX flow_jobs_taken ON weft.flow_jobs (job) WHERE state >= 2;
  CREATE TABLE weft.flow_turns (grp bigint NOT NULL, key text COLLATE "C" NOT NULL, turn bigint NOT NULL, PRIMARY KEY (grp, key));
`;

/** `holder`: id of the job that has the key (`unique`), until `at_ms` at least. */
const HOLDERS = 'ALTER TABLE weft.flow_gates ADD COLUMN holder text COLLATE "C"';

/**
 * Jobs that start jobs: a row for each job that another one started. `root`: the job that began the family; `key`: of the call that started it, which
 * is one of its parent's.
 */
const FAMILIES = `
  ALTER TABLE weft.jobs ADD COLUMN parent text COLLATE "C";
  CREATE TABLE weft.families (
    job text COLLATE "C" PRIMARY KEY, parent text COLLATE "C" NOT NULL, root text COLLATE "C" NOT NULL, depth integer NOT NULL,
    key text COLLATE "C" NOT NULL, detached boolean NOT NULL, started_ms bigint NOT NULL, UNIQUE (parent, key)
  );
  CREATE INDEX families_root ON weft.families (root, started_ms);
`;

/** `handled`: a job that failed was retried or discarded (`service/jobs/answers/dead-letters.ts`); `noticed` above 1: it is looked at again then, in seconds. */
const DEAD_LETTERS = `
  ALTER TABLE weft.jobs ADD COLUMN handled integer;
  CREATE INDEX jobs_dead ON weft.jobs (finished_ms) WHERE error IS NOT NULL AND handled IS NULL;
  CREATE INDEX jobs_noticed_later ON weft.jobs (noticed) WHERE noticed > 1;
`;

/**
 * Events (`service/events/event.ts`). `after`: the last program that was given its job; `due_ms`: when it is looked at next, null: it is over; `given`: its id
 * removes others like it. `event_starts`: what an event started, of a run that waited under an empty program and its own id; `event_subscriptions`: names
 * of events that versions of deployments hear of.
 */
const EVENTS = `
  CREATE TABLE weft.events (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, name text COLLATE "C" NOT NULL,
    key text, data bytea, at_ms bigint NOT NULL, created_ms bigint NOT NULL, hops integer NOT NULL, job text COLLATE "C",
    given boolean NOT NULL, state text NOT NULL, after text COLLATE "C" NOT NULL, started integer NOT NULL, woken integer NOT NULL,
    failed integer NOT NULL, cut boolean NOT NULL, due_ms bigint
  );
  CREATE INDEX events_due ON weft.events (due_ms) WHERE due_ms IS NOT NULL;
  CREATE INDEX events_name ON weft.events (name, number);
  CREATE INDEX events_age ON weft.events (at_ms);
  CREATE INDEX events_shown ON weft.events (number) WHERE data IS NOT NULL;
  CREATE TABLE weft.event_starts (
    event bigint NOT NULL, program text COLLATE "C" NOT NULL, version integer, label text COLLATE "C" NOT NULL, outcome text NOT NULL,
    job text COLLATE "C", error text, hops integer NOT NULL, at_ms bigint NOT NULL, PRIMARY KEY (event, program, label)
  );
  CREATE INDEX event_starts_job ON weft.event_starts (job) WHERE job IS NOT NULL;
  CREATE TABLE weft.event_subscriptions (
    name text COLLATE "C" NOT NULL, program text COLLATE "C" NOT NULL, version integer NOT NULL, PRIMARY KEY (name, program, version)
  );
`;

/** What jobs show of themselves: JSON, packed. */
const SHOWN_STATES = `
  CREATE TABLE weft.job_states (job text COLLATE "C" PRIMARY KEY, at_ms bigint NOT NULL, data bytea NOT NULL);
`;

/** Rounds of jobs that are over (`service/state/rules/families/rounds.ts`). `waited`: the job was parked in it. */
const ROUNDS = `
  CREATE TABLE weft.job_rounds (
    job text COLLATE "C" NOT NULL, round integer NOT NULL, trace_id text NOT NULL, began_ms bigint NOT NULL, ended_ms bigint NOT NULL,
    waited boolean NOT NULL, PRIMARY KEY (job, round)
  );
`;

/** `shares`: the job shares the budget of its parent. */
const SHARES = "ALTER TABLE weft.families ADD COLUMN shares boolean NOT NULL DEFAULT false";

const steps: readonly string[] = [
  `
  CREATE TABLE weft.replicas (
    id text PRIMARY KEY, beat bigint NOT NULL DEFAULT 0, started_at timestamptz NOT NULL DEFAULT now(), version text NOT NULL,
    workers text[] NOT NULL DEFAULT '{}'
  );
  CREATE TABLE weft.programs (checksum text PRIMARY KEY, ir text NOT NULL, used_ms bigint NOT NULL);
  CREATE TABLE weft.jobs (
    id text COLLATE "C" PRIMARY KEY, status text NOT NULL, trace_id text NOT NULL, label text NOT NULL,
    attempt integer NOT NULL DEFAULT 0, retry boolean NOT NULL, owner text, queued_ms bigint NOT NULL, started_ms bigint,
    finished_ms bigint, expires_ms bigint, keep_ms bigint NOT NULL, retry_of text, traceparent text,
    checksum text NOT NULL REFERENCES weft.programs, result text, request text
  );
  CREATE INDEX jobs_line ON weft.jobs (status, queued_ms, id);
  CREATE INDEX jobs_age ON weft.jobs (queued_ms, id);
  CREATE INDEX jobs_expiry ON weft.jobs (status, expires_ms);
  CREATE INDEX jobs_program ON weft.jobs (checksum);
  CREATE TABLE weft.job_events (
    job_id text COLLATE "C" NOT NULL, seq integer NOT NULL, kind text NOT NULL, data text NOT NULL, PRIMARY KEY (job_id, seq)
  );
  CREATE TABLE weft.idempotency (
    scope text NOT NULL, key text NOT NULL, body_hash text NOT NULL, trace_id text NOT NULL, owner text, status integer,
    headers text, body text, expires_ms bigint NOT NULL, PRIMARY KEY (scope, key)
  );
  CREATE INDEX idempotency_expiry ON weft.idempotency (expires_ms);
  CREATE TABLE weft.probe (id integer PRIMARY KEY, at_ms bigint NOT NULL);
  `,
  // Frames were part of requests, and stay there in jobs that were queued before.
  "ALTER TABLE weft.jobs ADD COLUMN frame text",
  "ALTER TABLE weft.jobs ADD COLUMN tracestate text",
  `
  ALTER TABLE weft.jobs ADD COLUMN deployment text COLLATE "C", ADD COLUMN version integer;
  CREATE INDEX jobs_deployment ON weft.jobs (deployment, version) WHERE deployment IS NOT NULL;
  `,
  `
  ALTER TABLE weft.jobs ADD COLUMN name text, ADD COLUMN tags text, ADD COLUMN schedule text COLLATE "C",
    ADD COLUMN due_ms bigint, ADD COLUMN error text, ADD COLUMN place integer;
  CREATE INDEX jobs_schedule ON weft.jobs (schedule) WHERE schedule IS NOT NULL;
  `,
  DURABLE,
  APPROVALS,
  JOURNAL_LENGTHS,
  SIGNAL_SIZES,
  SEARCH,
  NOTICES,
  FLOW,
  HOLDERS,
  FAMILIES,
  DEAD_LETTERS,
  SHOWN_STATES,
  EVENTS,
  ROUNDS,
  // How long results are kept by the state that their jobs ended in: JSON.
  "ALTER TABLE weft.jobs ADD COLUMN keeps text",
  // With the ids, so that the newest job of a version is the end of its part of the index.
  `
  DROP INDEX weft.jobs_deployment;
  CREATE INDEX jobs_deployment ON weft.jobs (deployment, version, id) WHERE deployment IS NOT NULL;
  `,
  SHARES,
];

export const jobMigrations: Migrations = { name: "jobs", steps };

/** The first of the two numbers that name the lock of a key of signals; the second is its hash. */
export const KEY_LOCKS = 730_580_445;

/** Names of the locks that replicas share. */
export const LOCKS = {
  recovery: 7_305_804_402,
  sweep: 7_305_804_403,
  line: 7_305_804_404,
  flow: 7_305_804_408,
} as const;
