/** What is asked about deployments in PostgreSQL. */
import type { Row, Statements } from "../../jobs/postgres/database.ts";
import type { DeployedVersion, Deployment, VersionFacts } from "../deployment.ts";
import type { CurrentProgram, DeploymentListing, VersionListing } from "../store.ts";

const DEPLOYMENTS = `SELECT d.name, d.version, d.enabled, d.source, d.tags, d.description, d.created_ms, d.updated_ms, v.checksum,
  v.created_ms AS deployed_ms
  FROM weft.deployments d JOIN weft.deployment_versions v ON v.name = d.name AND v.version = d.version`;
const FACTS = "version, checksum, compiler, semantics, source_hash, created_ms";

function deploymentOf(row: Row): Deployment {
  return {
    name: row["name"],
    version: row["version"],
    enabled: row["enabled"],
    source: row["source"],
    tags: JSON.parse(row["tags"]),
    description: row["description"],
    createdMs: row["created_ms"],
    updatedMs: row["updated_ms"],
    checksum: row["checksum"],
    deployedMs: row["deployed_ms"],
  };
}

function factsOf(row: Row): VersionFacts {
  return {
    version: row["version"],
    checksum: row["checksum"],
    compiler: row["compiler"],
    semantics: row["semantics"],
    sourceHash: row["source_hash"],
    createdMs: row["created_ms"],
  };
}

function versionOf(row: Row): DeployedVersion {
  const { name, ir, source, settings, warnings, schedules } = row;
  return { ...factsOf(row), name, ir, source, settings, warnings, schedules };
}

export async function findProgram(on: Statements, name: string): Promise<Deployment | null> {
  const [row] = await on.query(`${DEPLOYMENTS} WHERE d.name = $1`, [name]);
  return row === undefined ? null : deploymentOf(row);
}

export async function programVersion(on: Statements, name: string, version: number): Promise<DeployedVersion | null> {
  const [row] = await on.query(
    `SELECT name, ${FACTS}, ir, source, settings, warnings, schedules FROM weft.deployment_versions
     WHERE name = $1 AND version = $2::bigint`,
    [name, version],
  );
  return row === undefined ? null : versionOf(row);
}

export async function currentProgram(on: Statements, name: string): Promise<CurrentProgram | null> {
  const [row] = await on.query(
    `SELECT v.*, d.enabled, d.source AS deployed_from, d.tags, d.description, d.created_ms AS first_ms, d.updated_ms
     FROM weft.deployments d JOIN weft.deployment_versions v ON v.name = d.name AND v.version = d.version WHERE d.name = $1`,
    [name],
  );
  if (row === undefined) return null;
  const { deployed_from: source, first_ms, created_ms } = row;
  const deployment = deploymentOf({ ...row, source, created_ms: first_ms, deployed_ms: created_ms });
  return { deployment, version: versionOf(row) };
}

export async function programVersions(
  on: Statements,
  { name, limit, before }: VersionListing,
): Promise<readonly VersionFacts[]> {
  const rows = await on.query(
    `SELECT ${FACTS} FROM weft.deployment_versions WHERE name = $1 AND ($2::bigint IS NULL OR version < $2::bigint)
     ORDER BY version DESC LIMIT $3`,
    [name, before, limit],
  );
  return rows.map(factsOf);
}

export async function listPrograms(
  on: Statements,
  { limit, after, tag, q }: DeploymentListing,
): Promise<readonly Deployment[]> {
  const rows = await on.query(
    `${DEPLOYMENTS} WHERE d.name > $1
     AND ($2::text IS NULL OR (d.tags::jsonb ? $2::text AND ($3::text IS NULL OR d.tags::jsonb ->> $2::text = $3::text)))
     AND ($4::text IS NULL OR strpos(lower(d.name), $4::text) > 0 OR strpos(lower(coalesce(d.description, '')), $4::text) > 0)
     ORDER BY d.name LIMIT $5`,
    [after ?? "", tag?.key ?? null, tag?.value ?? null, q?.toLowerCase() ?? null, limit],
  );
  return rows.map(deploymentOf);
}
