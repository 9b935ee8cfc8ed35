/**
 * Tables in schema `weft`, moved forward by numbered steps. Several parts of a service have tables there, each with
 * steps of its own under its own name. Any number of replicas may start at once: one moves, the others wait for it.
 * Steps are never changed after a release, and never undone: a service that finds more steps than it
 * knows is too old for the database.
 */
import type { PostgresDatabase, SessionRules } from "../../engine/postgres/postgres.ts";
import { remaining } from "../../engine/postgres/session.ts";
import type { PostgresSession } from "../../engine/postgres/statement.ts";
import type { RequestLimits } from "../../engine/sqlite/sqlite.ts";
import { adapterError } from "../../errors.ts";
import { whole } from "./sql.ts";

export type Migrations = {
  /** Whose steps they are. */
  readonly name: string;
  /** SQL of step 1, step 2, …; several statements each, all within one transaction. */
  readonly steps: readonly string[];
};

/** Of all who make tables in schema `weft`, the job store included; the same in every version of the service. */
const MIGRATION_LOCK = 7_305_804_401;
/** Another replica's migration is waited for; a step may have to rewrite a table. */
const RULES: SessionRules = {
  readOnly: false,
  statementTimeoutMs: 60_000,
  lockTimeoutMs: 60_000,
  idleInTransactionMs: 10_000,
};

const LOCKED = `
BEGIN ISOLATION LEVEL READ COMMITTED;
SELECT pg_advisory_xact_lock(${MIGRATION_LOCK});
CREATE SCHEMA IF NOT EXISTS weft;
CREATE TABLE IF NOT EXISTS weft.migrations(
  name text NOT NULL, step integer NOT NULL, applied_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY(name, step));
`;

/**
 * Brings the tables of these migrations to their last step. Rejects with ADAPTER_NOT_CONFIGURED when the database was
 * moved further by a newer version, or does not hold UTF-8; ADAPTER_NOT_ALLOWED when steps are due and the account may
 * not take them.
 */
export async function migrate(
  database: PostgresDatabase,
  migrations: Migrations,
  limits: RequestLimits,
): Promise<void> {
  const left = remaining(limits);
  const session = await database.session(RULES, left());
  try {
    // A service whose account may only use the tables starts when there is nothing to do.
    if (await isCurrent(session, migrations, left())) return;
    await session.script(LOCKED, left());
    const done = await lastStep(session, migrations, left());
    for (const [at, step] of migrations.steps.entries()) {
      if (at < done) continue;
      await session.script(step, left());
      const parameters = [migrations.name, String(at + 1)];
      await session.query({ sql: "INSERT INTO weft.migrations(name, step) VALUES ($1, $2)", parameters }, left());
    }
    await session.script("COMMIT", left());
  } finally {
    // With the transaction still open the connection is dropped, and nothing was done.
    session.release();
  }
}

async function isCurrent(session: PostgresSession, migrations: Migrations, limits: RequestLimits): Promise<boolean> {
  const sql = "SELECT to_regclass('weft.migrations') IS NOT NULL, current_setting('server_encoding') = 'UTF8'";
  const [[exists, utf8] = []] = (await session.query({ sql, parameters: [] }, limits)).rows;
  if (utf8 !== "t") throw adapterError("ADAPTER_NOT_CONFIGURED", "the database does not hold UTF-8");
  return exists === "t" && (await lastStep(session, migrations, limits)) === migrations.steps.length;
}

async function lastStep(session: PostgresSession, { name, steps }: Migrations, limits: RequestLimits): Promise<number> {
  const sql = "SELECT coalesce(max(step), 0) FROM weft.migrations WHERE name = $1";
  const last = whole((await session.query({ sql, parameters: [name] }, limits)).rows[0]?.[0]);
  if (last > steps.length) {
    throw adapterError("ADAPTER_NOT_CONFIGURED", "the database was moved on by a newer version of this service");
  }
  return last;
}
