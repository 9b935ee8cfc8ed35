/** What is asked about deployments. */
import type { DeployedVersion, Deployment, VersionFacts } from "../../../programs/deployment.ts";
import type { CurrentProgram, DeploymentListing, ProgramActivity, VersionListing } from "../../../programs/store.ts";
import type { ScheduleSpec } from "../../../schedules/schedule.ts";
import type { Port } from "../../port.ts";
import { row, rows, type Step } from "../../step.ts";

type Named = { readonly name: string };
type DeploymentRow = Omit<Deployment, "enabled" | "tags"> & {
  readonly enabled: boolean | number;
  readonly tags: string;
};

const DEPLOYMENT = `d.name, d.version, d.enabled, d.source, d.tags, d.description, d.created_ms AS "createdMs", d.updated_ms AS "updatedMs",
  v.checksum, v.created_ms AS "deployedMs", v.acceptance, v.attestation, d.next`;
const FROM = "FROM weft.deployments d JOIN weft.deployment_versions v ON v.name = d.name AND v.version = d.version";
const FACTS = `version, checksum, compiler, semantics, source_hash AS "sourceHash", created_ms AS "createdMs", acceptance, attestation`;
const VERSION = `SELECT name, ${FACTS}, ir, source, settings, warnings, schedules FROM weft.deployment_versions
  WHERE name = $1 AND version = $2::bigint`;
type UnpromisedRow = { readonly program: string; readonly spec: string; readonly baseMs: number };
const UNPROMISED = `SELECT program, spec, base_ms AS "baseMs" FROM weft.schedules
  WHERE NOT computed AND next_at_ms IS NULL AND enabled AND NOT paused AND program = ANY ($1)`;

function deploymentOf({ enabled, tags, ...rest }: DeploymentRow): Deployment {
  return { ...rest, enabled: Boolean(enabled), tags: JSON.parse(tags) };
}

export const programReads = {
  *findProgram(_: Port, { name }: Named): Step<Deployment | null> {
    const found = yield* row<DeploymentRow>(`SELECT ${DEPLOYMENT} ${FROM} WHERE d.name = $1`, name);
    return found === undefined ? null : deploymentOf(found);
  },

  *currentProgram(port: Port, { name }: Named): Step<CurrentProgram | null> {
    type Both = DeploymentRow & Omit<DeployedVersion, keyof DeploymentRow> & { readonly code: string };
    const found = yield* row<Both>(
      `SELECT ${DEPLOYMENT}, v.compiler, v.semantics, v.source_hash AS "sourceHash", v.ir, v.source AS code, v.settings, v.warnings,
       v.schedules ${FROM} WHERE d.name = $1`,
      name,
    );
    if (found === undefined) return null;
    const { compiler, semantics, sourceHash, ir, code, settings, warnings, schedules, ...deployment } = found;
    const { version, checksum, deployedMs, acceptance, attestation } = deployment;
    const facts = {
      version,
      checksum,
      compiler,
      semantics,
      sourceHash,
      createdMs: deployedMs,
      acceptance,
      attestation,
    };
    const texts = { ir: port.open(ir, checksum), source: code, settings, warnings, schedules };
    return { deployment: deploymentOf(deployment), version: { name, ...facts, ...texts } };
  },

  *programVersion(port: Port, { name, version }: Named & { readonly version: number }): Step<DeployedVersion | null> {
    const found = yield* row<DeployedVersion>(VERSION, name, version);
    return found === undefined ? null : { ...found, ir: port.open(found.ir, found.checksum) };
  },

  *programVersions(_: Port, { name, limit, before }: VersionListing): Step<readonly VersionFacts[]> {
    return yield* rows<VersionFacts>(
      `SELECT ${FACTS} FROM weft.deployment_versions WHERE name = $1 AND ($2::bigint IS NULL OR version < $2::bigint)
       ORDER BY version DESC LIMIT $3`,
      ...[name, before, limit],
    );
  },

  *listPrograms(port: Port, { limit, after, tag, q }: DeploymentListing): Step<readonly Deployment[]> {
    const found = yield* rows<DeploymentRow>(
      `SELECT ${DEPLOYMENT} ${FROM} WHERE d.name > $1 AND ($2::text IS NULL OR ${port.hasTag})
       AND ($4::text IS NULL OR ${port.position}(lower(d.name), $4::text) > 0
         OR ${port.position}(lower(coalesce(d.description, '')), $4::text) > 0)
       ORDER BY d.name LIMIT $5`,
      ...[after ?? "", tag?.key ?? null, tag?.value ?? null, q?.toLowerCase() ?? null, limit],
    );
    return found.map(deploymentOf);
  },

  *programActivity(port: Port, names: readonly string[]): Step<readonly ProgramActivity[]> {
    const unpromised = yield* rows<UnpromisedRow>(UNPROMISED, names);
    const found = yield* rows<Omit<ProgramActivity, "unpromised">>(
      `SELECT d.name, j.id AS "lastJob", j.status, j.finished_ms AS "finishedMs",
         (SELECT min(next_at_ms) FROM weft.schedules s WHERE s.program = d.name AND s.enabled AND NOT s.paused) AS "promisedMs"
       FROM weft.deployments d LEFT JOIN weft.jobs j
         ON j.id = (SELECT max(${port.newestJob}) FROM weft.deployment_versions v WHERE v.name = d.name)
       WHERE d.name = ANY ($1)`,
      names,
    );
    return found.map((one) => ({
      ...one,
      unpromised: unpromised
        .filter(({ program }) => program === one.name)
        .map(({ spec, baseMs }) => ({ spec: JSON.parse(spec) as ScheduleSpec, baseMs })),
    }));
  },
};
