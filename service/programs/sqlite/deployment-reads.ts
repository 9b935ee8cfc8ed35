/** What is asked about deployments in SQLite, each as one call inside the transaction of its batch (`service/jobs/sqlite/calls.ts`). */
import type { Sql } from "../../jobs/sqlite/tables/job-rows.ts";
import type { TextFiles } from "../../jobs/sqlite/tables/text-files.ts";
import type { DeployedVersion, Deployment, VersionFacts } from "../deployment.ts";
import type { CurrentProgram, DeploymentListing, VersionListing } from "../store.ts";

const DEPLOYMENTS = `SELECT d.name, d.version, enabled, d.source, tags, description, d.created_ms AS createdMs, updated_ms AS updatedMs,
  checksum, v.created_ms AS deployedMs FROM deployments d JOIN deployment_versions v ON v.name = d.name AND v.version = d.version`;
const FACTS = "version, checksum, compiler, semantics, source_hash AS sourceHash, created_ms AS createdMs";
const VERSION = `SELECT name, ${FACTS}, ir, source, settings, warnings, schedules FROM deployment_versions
  WHERE name = ? AND version = ?`;

type DeploymentRow = Omit<Deployment, "enabled" | "tags"> & { readonly enabled: number; readonly tags: string };

function deploymentOf(row: unknown): Deployment {
  const { enabled, tags, ...rest } = row as DeploymentRow;
  return { ...rest, enabled: enabled === 1, tags: JSON.parse(tags) };
}

export function deploymentReads(sql: Sql, files: Pick<TextFiles, "open">) {
  const find = (name: string): Deployment | null => {
    const row = sql(`${DEPLOYMENTS} WHERE d.name = ?`).get(name);
    return row === undefined ? null : deploymentOf(row);
  };
  const version = (name: string, number: number): DeployedVersion | null => {
    const row = sql(VERSION).get(name, number) as DeployedVersion | undefined;
    return row === undefined ? null : { ...row, ir: files.open(row.ir, row.checksum) };
  };
  return {
    findProgram: ({ name }: { readonly name: string }): Deployment | null => find(name),

    currentProgram({ name }: { readonly name: string }): CurrentProgram | null {
      const deployment = find(name);
      const found = deployment === null ? null : version(name, deployment.version);
      return deployment === null || found === null ? null : { deployment, version: found };
    },

    programVersion: (of: { readonly name: string; readonly version: number }): DeployedVersion | null =>
      version(of.name, of.version),

    programVersions({ name, limit, before }: VersionListing): readonly VersionFacts[] {
      const rows = sql(
        `SELECT ${FACTS} FROM deployment_versions WHERE name = ? AND version < ? ORDER BY version DESC LIMIT ?`,
      );
      return rows.all(name, before ?? Number.MAX_SAFE_INTEGER, limit) as readonly VersionFacts[];
    },

    listPrograms({ limit, after, tag, q }: DeploymentListing): readonly Deployment[] {
      const rows = sql(`${DEPLOYMENTS} WHERE d.name > ?
        AND (? IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) WHERE key = ? AND (? IS NULL OR value = ?)))
        AND (? IS NULL OR instr(lower(d.name), ?) > 0 OR instr(lower(coalesce(description, '')), ?) > 0)
        ORDER BY d.name LIMIT ?`);
      const [key, value] = tag === null ? [null, null] : [tag.key, tag.value];
      const word = q === null ? null : q.toLowerCase();
      return rows.all(after ?? "", key, key, value, value, word, word, word, limit).map(deploymentOf);
    },
  };
}
