/**
 * Tables of the job store in PostgreSQL, schema `weft`: steps that are taken, and counted, as those of the adapters' tables are. Texts
 * are `text`, not `jsonb`, because results are given back byte for byte. A released step is never edited.
 */
import type { Migrations } from "../../../adapters/store/postgres/migrate.ts";

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
];

export const jobMigrations: Migrations = { name: "jobs", steps };

/** Names of the locks that replicas share. */
export const LOCKS = { recovery: 7_305_804_402, sweep: 7_305_804_403, line: 7_305_804_404 } as const;
