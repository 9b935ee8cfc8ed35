/**
 * What changes deployments in PostgreSQL. Changes are rare, so replicas make them one after the other under one lock; each is one
 * transaction, and replicas hear of it when it is committed.
 */
import type { Database, Statements } from "../../jobs/postgres/database.ts";
import { isRoomForSchedules } from "../../schedules/postgres/carry-over.ts";
import { DEPLOYMENTS_LOCK } from "../../state/postgres/deployments-schema.ts";
import type { DeploymentSource } from "../deployment.ts";
import type {
  Changed,
  ChangeRefused,
  Deployed,
  DeploymentChange,
  DeployRequest,
  Removal,
  Rollback,
  RolledBack,
} from "../store.ts";
import { onCurrent } from "./on-current.ts";

export const PROGRAMS_CHANNEL = "weft_programs";

const LOCK = `SELECT pg_advisory_xact_lock(${DEPLOYMENTS_LOCK})`;
const NAMED = "EXISTS (SELECT 1 FROM weft.jobs j WHERE j.deployment = v.name AND j.version = v.version)";
const ADD_VERSION = `INSERT INTO weft.deployment_versions
  (name, version, content, checksum, compiler, semantics, source_hash, created_ms, warnings, schedules, settings, source, ir)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`;
const PUT = `INSERT INTO weft.deployments AS d
  (name, version, last_version, enabled, source, tags, description, created_ms, updated_ms)
  VALUES ($1, $2, $2, true, $3, coalesce($4::text, '{}'), $5::text, $7, $7)
  ON CONFLICT (name) DO UPDATE SET version = excluded.version, last_version = excluded.last_version, source = excluded.source,
    tags = CASE WHEN d.version IS NOT NULL AND $4::text IS NULL THEN d.tags ELSE excluded.tags END,
    description = CASE WHEN d.version IS NOT NULL AND NOT $6::boolean THEN d.description ELSE excluded.description END,
    enabled = d.enabled OR d.version IS NULL,
    created_ms = CASE WHEN d.version IS NULL THEN excluded.created_ms ELSE d.created_ms END, updated_ms = excluded.updated_ms`;
const PRUNE = `DELETE FROM weft.deployment_versions WHERE name = $1 AND version IN (
  SELECT version FROM weft.deployment_versions v WHERE name = $1 AND version <> $2 AND NOT ${NAMED}
  ORDER BY version DESC OFFSET $3)`;

type Found = {
  readonly version: number | null;
  readonly last_version: number;
  readonly enabled: boolean;
  readonly source: DeploymentSource;
};

async function found(on: Statements, name: string): Promise<Found | undefined> {
  const [row] = await on.query(
    "SELECT version, last_version, enabled, source FROM weft.deployments WHERE name = $1 FOR UPDATE",
    [name],
  );
  return row as Found | undefined;
}

function changed(on: Statements, name: string): Promise<unknown> {
  return on.query("SELECT pg_notify($1, $2)", [PROGRAMS_CHANNEL, name]);
}

async function schedulesOf(on: Statements, name: string, version: number): Promise<string> {
  const [row] = await on.query("SELECT schedules FROM weft.deployment_versions WHERE name = $1 AND version = $2", [
    name,
    version,
  ]);
  return row?.["schedules"] ?? "[]";
}

/** The row of a deployment that is there and that this request may change. */
async function changeable(
  on: Statements,
  { name, source, ifMatch }: Removal,
): Promise<(Found & { readonly version: number; readonly state: "found" }) | ChangeRefused> {
  const row = await found(on, name);
  if (row?.version == null) return { state: "not_found" };
  if (row.source === "file" && source !== "file") return { state: "managed" };
  if (ifMatch !== undefined && ifMatch !== row.version) return { state: "moved", current: row.version };
  return { ...row, version: row.version, state: "found" };
}

async function keepFacts(on: Statements, name: string, { tags, description }: Partial<DeploymentChange>) {
  if (tags !== undefined)
    await on.query("UPDATE weft.deployments SET tags = $2 WHERE name = $1", [name, JSON.stringify(tags)]);
  if (description !== undefined)
    await on.query("UPDATE weft.deployments SET description = $2 WHERE name = $1", [name, description]);
}

export function deployProgram(database: Database, request: DeployRequest, now: number): Promise<Deployed> {
  const { version: given, base, source, tags, description, maxDeployments, versionsKept, maxSchedules } = request;
  const { name } = given;
  return database.transaction(async (on): Promise<Deployed> => {
    const row = await found(on, name);
    const current = row?.version ?? null;
    if (row?.source === "file" && source !== "file" && current !== null) return { state: "managed" };
    if (current !== base) return { state: "moved", current };
    if (current === null) {
      const [count] = await on.query("SELECT count(*) AS there FROM weft.deployments WHERE version IS NOT NULL");
      if (count?.["there"] >= maxDeployments) return { state: "full" };
    } else if (await isContent(on, name, current, given.content)) {
      await on.query("UPDATE weft.deployments SET source = $2 WHERE name = $1", [name, source]);
      await keepFacts(on, name, request);
      await changed(on, name);
      return { state: "deployed", version: current, created: false, unchanged: true };
    }
    if (!(await isRoomForSchedules(on, name, given.schedules, maxSchedules))) return { state: "schedules_full" };
    const version = (row?.last_version ?? 0) + 1;
    const { content, checksum, compiler, semantics, sourceHash, warnings, schedules, settings } = given;
    const facts = [content, checksum, compiler, semantics, sourceHash, now, warnings, schedules, settings];
    await on.query(ADD_VERSION, [name, version, ...facts, given.source, given.ir]);
    const kept = [tags === undefined ? null : JSON.stringify(tags), description ?? null, description !== undefined];
    await on.query(PUT, [name, version, source, ...kept, now]);
    await on.query(PRUNE, [name, version, versionsKept - 1]);
    await onCurrent(on, { name, version, enabled: current === null || row?.enabled === true, schedules, now });
    await changed(on, name);
    return { state: "deployed", version, created: current === null, unchanged: false };
  }, LOCK);
}

async function isContent(on: Statements, name: string, version: number, content: string): Promise<boolean> {
  const [row] = await on.query("SELECT content FROM weft.deployment_versions WHERE name = $1 AND version = $2", [
    name,
    version,
  ]);
  return row?.["content"] === content;
}

export function rollbackProgram(database: Database, request: Rollback, now: number): Promise<RolledBack> {
  const { name, version } = request;
  return database.transaction(async (on): Promise<RolledBack> => {
    const row = await changeable(on, request);
    if (row.state !== "found") return row;
    const rows = await on.query("SELECT 1 FROM weft.deployment_versions WHERE name = $1 AND version = $2::bigint", [
      name,
      version,
    ]);
    if (rows.length === 0) return { state: "version_not_found" };
    if (version === row.version) return { state: "changed" };
    const schedules = await schedulesOf(on, name, version);
    if (!(await isRoomForSchedules(on, name, schedules, request.maxSchedules))) return { state: "schedules_full" };
    await on.query("UPDATE weft.deployments SET version = $2, updated_ms = $3 WHERE name = $1", [name, version, now]);
    await onCurrent(on, { name, version, enabled: row.enabled, schedules, now });
    await changed(on, name);
    return { state: "changed" };
  }, LOCK);
}

export function changeProgram(database: Database, request: DeploymentChange, now: number): Promise<Changed> {
  const { name } = request;
  return database.transaction(async (on): Promise<Changed> => {
    const row = await changeable(on, request);
    if (row.state !== "found") return row;
    const { version } = row;
    const { enabled = row.enabled } = request;
    await on.query("UPDATE weft.deployments SET enabled = $2, updated_ms = $3 WHERE name = $1", [name, enabled, now]);
    await keepFacts(on, name, request);
    if (enabled !== row.enabled) {
      const schedules = await schedulesOf(on, name, version);
      await onCurrent(on, { name, version, enabled, schedules, now });
    }
    await changed(on, name);
    return { state: "changed" };
  }, LOCK);
}

export function removeProgram(database: Database, request: Removal, now: number): Promise<Changed> {
  const { name } = request;
  return database.transaction(async (on): Promise<Changed> => {
    const row = await changeable(on, request);
    if (row.state !== "found") return row;
    await on.query("UPDATE weft.deployments SET version = NULL, updated_ms = $2 WHERE name = $1", [name, now]);
    await onCurrent(on, { name, version: null, enabled: false, schedules: "[]", now });
    await forgetPrograms(on);
    await changed(on, name);
    return { state: "changed" };
  }, LOCK);
}

export async function releasePrograms(on: Statements, kept: readonly string[]): Promise<readonly string[]> {
  const rows = await on.query(
    `UPDATE weft.deployments SET source = 'api' WHERE source = 'file' AND version IS NOT NULL AND name <> ALL ($1::text[])
     RETURNING name, pg_notify($2, name)`,
    [kept, PROGRAMS_CHANNEL],
  );
  return rows.map(({ name }) => name);
}

/** Versions of removed deployments go with the last job that names them. */
export async function forgetPrograms(on: Statements): Promise<void> {
  await on.query(`DELETE FROM weft.deployment_versions v WHERE NOT ${NAMED}
    AND EXISTS (SELECT 1 FROM weft.deployments d WHERE d.name = v.name AND d.version IS NULL)`);
  await on.query(`DELETE FROM weft.deployments d WHERE version IS NULL
    AND NOT EXISTS (SELECT 1 FROM weft.deployment_versions v WHERE v.name = d.name)`);
}
