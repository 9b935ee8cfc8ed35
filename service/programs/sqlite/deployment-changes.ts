/** What changes deployments in SQLite, each as one call inside the transaction of its batch (`service/jobs/sqlite/calls.ts`). Times come with the calls. */

import type { Sql } from "../../jobs/sqlite/tables/job-rows.ts";
import type { TextFiles } from "../../jobs/sqlite/tables/text-files.ts";
import { isRoomForSchedules } from "../../schedules/sqlite/carry-over.ts";
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

type Timed<T> = T & { readonly now: number };
type Row = {
  /** null: removed, with versions that jobs still name. */
  readonly version: number | null;
  readonly last_version: number;
  readonly enabled: number;
  readonly source: DeploymentSource;
};

const ADD_VERSION = `INSERT INTO deployment_versions
  (name, version, content, checksum, compiler, semantics, source_hash, created_ms, warnings, schedules, settings, source, ir)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const PUT = `INSERT INTO deployments (name, version, last_version, enabled, source, tags, description, created_ms, updated_ms)
  VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET version = excluded.version, last_version = excluded.last_version,
  source = excluded.source, tags = excluded.tags, description = excluded.description, updated_ms = excluded.updated_ms,
  enabled = CASE WHEN version IS NULL THEN 1 ELSE enabled END,
  created_ms = CASE WHEN version IS NULL THEN excluded.created_ms ELSE created_ms END`;
const NAMED = "EXISTS (SELECT 1 FROM submissions s WHERE s.deployment = v.name AND s.version = v.version)";
const PRUNE = `DELETE FROM deployment_versions WHERE name = ? AND version IN (
  SELECT version FROM deployment_versions v WHERE name = ? AND version <> ? AND NOT ${NAMED} ORDER BY version DESC LIMIT -1 OFFSET ?)`;
const DROP_UNNAMED = `DELETE FROM deployment_versions AS v WHERE NOT ${NAMED}
  AND name IN (SELECT name FROM deployments WHERE version IS NULL)`;
const DROP_EMPTY = `DELETE FROM deployments WHERE version IS NULL
  AND NOT EXISTS (SELECT 1 FROM deployment_versions v WHERE v.name = deployments.name)`;

export function deploymentChanges(sql: Sql, files: Pick<TextFiles, "seal">) {
  const found = (name: string) =>
    sql("SELECT version, last_version, enabled, source FROM deployments WHERE name = ?").get(name) as Row | undefined;
  const schedulesOf = (name: string, version: number): string =>
    sql("SELECT schedules FROM deployment_versions WHERE name = ? AND version = ?")
      .pluck()
      .get(name, version) as string;
  const keep = ({ tags, description }: Pick<DeploymentChange, "tags" | "description">, name: string): void => {
    if (tags !== undefined) sql("UPDATE deployments SET tags = ? WHERE name = ?").run(JSON.stringify(tags), name);
    if (description !== undefined) sql("UPDATE deployments SET description = ? WHERE name = ?").run(description, name);
  };
  const dropUnnamed = (): void => {
    sql(DROP_UNNAMED).run();
    sql(DROP_EMPTY).run();
  };
  /** The row of a deployment that is there and that this request may change. */
  const changeable = ({
    name,
    source,
    ifMatch,
  }: Removal): (Row & { readonly version: number; readonly state: "found" }) | ChangeRefused => {
    const row = found(name);
    if (row?.version == null) return { state: "not_found" };
    if (row.source === "file" && source !== "file") return { state: "managed" };
    if (ifMatch !== undefined && ifMatch !== row.version) return { state: "moved", current: row.version };
    return { ...row, version: row.version, state: "found" };
  };

  return {
    deployProgram(request: Timed<DeployRequest>): Deployed {
      const { version: given, base, source, now } = request;
      const { name } = given;
      const row = found(name);
      const current = row?.version ?? null;
      if (row?.source === "file" && source !== "file" && current !== null) return { state: "managed" };
      if (current !== base) return { state: "moved", current };
      if (current !== null) {
        const known = sql("SELECT content FROM deployment_versions WHERE name = ? AND version = ?").pluck();
        if (known.get(name, current) === given.content) {
          sql("UPDATE deployments SET source = ? WHERE name = ?").run(source, name);
          keep(request, name);
          return { state: "deployed", version: current, created: false, unchanged: true };
        }
      } else {
        const count = sql("SELECT count(*) FROM deployments WHERE version IS NOT NULL").pluck().get() as number;
        if (count >= request.maxDeployments) return { state: "full" };
      }
      if (!isRoomForSchedules(sql, name, given.schedules, request.maxSchedules)) return { state: "schedules_full" };
      const version = (row?.last_version ?? 0) + 1;
      const { content, checksum, compiler, semantics, sourceHash, warnings, schedules, settings } = given;
      const facts = [content, checksum, compiler, semantics, sourceHash, now, warnings, schedules, settings];
      sql(ADD_VERSION).run(name, version, ...facts, given.source, files.seal(given.ir, checksum));
      const kept = sql("SELECT tags, description FROM deployments WHERE name = ? AND version IS NOT NULL").get(name) as
        | { readonly tags: string; readonly description: string | null }
        | undefined;
      const tags = request.tags === undefined ? (kept?.tags ?? "{}") : JSON.stringify(request.tags);
      const description = request.description === undefined ? (kept?.description ?? null) : request.description;
      sql(PUT).run(name, version, version, source, tags, description, now, now);
      sql(PRUNE).run(name, name, version, request.versionsKept - 1);
      const enabled = current === null || row?.enabled === 1;
      onCurrent(sql, { name, version, enabled, schedules, now });
      return { state: "deployed", version, created: current === null, unchanged: false };
    },

    rollbackProgram(request: Timed<Rollback>): RolledBack {
      const row = changeable(request);
      if (row.state !== "found") return row;
      const { name, version, now } = request;
      const exists = sql("SELECT 1 FROM deployment_versions WHERE name = ? AND version = ?").get(name, version);
      if (exists === undefined) return { state: "version_not_found" };
      if (version === row.version) return { state: "changed" };
      const schedules = schedulesOf(name, version);
      if (!isRoomForSchedules(sql, name, schedules, request.maxSchedules)) return { state: "schedules_full" };
      sql("UPDATE deployments SET version = ?, updated_ms = ? WHERE name = ?").run(version, now, name);
      onCurrent(sql, { name, version, enabled: row.enabled === 1, schedules, now });
      return { state: "changed" };
    },

    changeProgram(request: Timed<DeploymentChange>): Changed {
      const row = changeable(request);
      if (row.state !== "found") return row;
      const { name, enabled = row.enabled === 1, now } = request;
      const { version } = row;
      sql("UPDATE deployments SET enabled = ?, updated_ms = ? WHERE name = ?").run(enabled ? 1 : 0, now, name);
      keep(request, name);
      if (enabled !== (row.enabled === 1))
        onCurrent(sql, { name, version, enabled, schedules: schedulesOf(name, version), now });
      return { state: "changed" };
    },

    removeProgram(request: Timed<Removal>): Changed {
      const row = changeable(request);
      if (row.state !== "found") return row;
      const { name, now } = request;
      sql("UPDATE deployments SET version = NULL, updated_ms = ? WHERE name = ?").run(now, name);
      onCurrent(sql, { name, version: null, enabled: false, schedules: "[]", now });
      dropUnnamed();
      return { state: "changed" };
    },

    releasePrograms({ kept }: { readonly kept: readonly string[] }): readonly string[] {
      const released = sql(`UPDATE deployments SET source = 'api' WHERE source = 'file' AND version IS NOT NULL
        AND name NOT IN (SELECT value FROM json_each(?)) RETURNING name`);
      return released.pluck().all(JSON.stringify(kept)) as string[];
    },

    /** Versions of removed deployments go with the last job that names them. */
    forgetPrograms: (): void => dropUnnamed(),
  };
}
