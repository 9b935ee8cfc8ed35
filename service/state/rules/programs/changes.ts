/**
 * What changes deployments (docs/programs.md). Changes are rare, so replicas make them one after the other; what else changes with the
 * current version, its schedules, changes in the same transaction, and a failure takes the whole change back.
 */
import { eventsIn } from "../../../events/subscriptions.ts";
import type { NextChannel } from "../../../programs/channels/channel.ts";
import type { DeploymentSource } from "../../../programs/deployment.ts";
import type {
  Changed,
  ChangeRefused,
  Deployed,
  DeploymentChange,
  DeployRequest,
  Removal,
  Rollback,
  RolledBack,
} from "../../../programs/store.ts";
import type { Port } from "../../port.ts";
import { any, row, rows, run, type Step, value } from "../../step.ts";
import { carrySchedules, isRoomForSchedules } from "./carry-over.ts";

type Row = {
  /** null: removed, with versions that jobs still name. */
  readonly version: number | null;
  readonly last_version: number;
  readonly enabled: boolean | number;
  readonly source: DeploymentSource;
  readonly tags: string;
  readonly description: string | null;
  readonly next: string | null;
  readonly next_outcomes: string;
};
type NamedVersions = Pick<Port, "jobVersions">;
type Current = {
  readonly state: "found";
  readonly version: number;
  readonly isEnabled: boolean;
  readonly next: NextChannel | null;
  readonly outcomes: string;
};

const FOUND =
  "SELECT version, last_version, enabled, source, tags, description, next, next_outcomes FROM weft.deployments WHERE name = $1 FOR UPDATE";
const ADD_VERSION = `INSERT INTO weft.deployment_versions
  (name, version, content, checksum, compiler, semantics, source_hash, created_ms, warnings, schedules, settings, source, ir,
   acceptance, attestation)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`;
const ACCEPT = "UPDATE weft.deployment_versions SET acceptance = $3 WHERE name = $1 AND version = $2::bigint";
/** A signature counts for all versions of the same content: jobs of an older one may run again. */
const ATTEST = "UPDATE weft.deployment_versions SET attestation = $3 WHERE name = $1 AND content = $2";
const STAGE = `UPDATE weft.deployments SET last_version = $2, next = $3, next_outcomes = '', updated_ms = $4 WHERE name = $1`;
const NO_NEXT = "UPDATE weft.deployments SET next = NULL, next_outcomes = '' WHERE name = $1";
const PUT = `INSERT INTO weft.deployments AS d
  (name, version, last_version, enabled, source, tags, description, created_ms, updated_ms)
  VALUES ($1, $2, $2, true, $3, $4, $5, $6, $6)
  ON CONFLICT (name) DO UPDATE SET version = excluded.version, last_version = excluded.last_version, source = excluded.source,
    tags = excluded.tags, description = excluded.description, updated_ms = excluded.updated_ms,
    enabled = d.enabled OR d.version IS NULL,
    created_ms = CASE WHEN d.version IS NULL THEN excluded.created_ms ELSE d.created_ms END`;
const SUBSCRIBE = "INSERT INTO weft.event_subscriptions (name, program, version) VALUES ($1, $2, $3)";
/** A job that is kept names the version `v`. */
const named = ({ jobVersions }: NamedVersions): string =>
  `EXISTS (SELECT 1 FROM ${jobVersions} j WHERE j.deployment = v.name AND j.version = v.version)`;
const prune = (port: NamedVersions): string => `DELETE FROM weft.deployment_versions WHERE name = $1 AND version IN (
  SELECT version FROM weft.deployment_versions v WHERE name = $1 AND version NOT IN ($2, $4) AND NOT ${named(port)}
  ORDER BY version DESC LIMIT 1000000 OFFSET $3)`;

function* attest({ name, content, attestation }: DeployRequest["version"]): Step<void> {
  if (attestation !== null) yield* run(ATTEST, name, content, attestation);
}

export const programChanges = {
  *deployProgram(port: Port, request: DeployRequest): Step<Deployed> {
    const { version: given, base, source } = request;
    const { name, content, checksum, compiler, semantics, sourceHash, warnings, schedules, settings } = given;
    const before = yield* row<Row>(FOUND, name);
    const current = before?.version ?? null;
    if (before?.source === "file" && source !== "file" && current !== null) return { state: "managed" };
    if (current !== base) return { state: "moved", current };
    const next = nextIn(before);
    if (request.asNext === true) {
      if (current === null) return { state: "no_current" };
      if (next !== null && (yield* any(`${VERSION} AND content = $3`, name, next.version, content))) {
        yield* attest(given);
        yield* port.deploymentChanged(name);
        return { state: "deployed", version: next.version, created: false, unchanged: true };
      }
    }
    if (current === null) {
      const there = yield* value<number>("SELECT count(*) FROM weft.deployments WHERE version IS NOT NULL");
      if ((there ?? 0) >= request.maxDeployments) return { state: "full" };
    } else if (yield* any(`${VERSION} AND content = $3`, name, current, content)) {
      yield* run("UPDATE weft.deployments SET source = $2 WHERE name = $1", name, source);
      yield* keepFacts(name, request);
      if (request.acceptance !== undefined) yield* run(ACCEPT, name, current, request.acceptance);
      yield* attest(given);
      yield* port.deploymentChanged(name);
      return { state: "deployed", version: current, created: false, unchanged: true };
    }
    if (!(yield* isRoomForSchedules(name, schedules, request.maxSchedules))) return { state: "schedules_full" };
    const version = (before?.last_version ?? 0) + 1;
    const now = port.wall();
    const facts = [content, checksum, compiler, semantics, sourceHash, now, warnings, schedules, settings];
    const texts = [given.source, port.seal(given.ir, checksum), request.acceptance ?? null, given.attestation];
    yield* run(ADD_VERSION, name, version, ...facts, ...texts);
    yield* attest(given);
    for (const event of eventsIn(given.ir)) yield* run(SUBSCRIBE, event, name, version);
    if (request.asNext === true) {
      const staged: NextChannel = { version, weight: 0, key: null, abort: null, sinceMs: now };
      yield* run(STAGE, name, version, JSON.stringify(staged), now);
      yield* keepFacts(name, request);
      yield* run(prune(port), name, current, request.versionsKept - 1, version);
      yield* port.deploymentChanged(name);
      return { state: "deployed", version, created: false, unchanged: false };
    }
    const kept = current === null ? undefined : before;
    const tags = request.tags === undefined ? (kept?.tags ?? "{}") : JSON.stringify(request.tags);
    const description = request.description === undefined ? (kept?.description ?? null) : request.description;
    yield* run(PUT, name, version, source, tags, description, now);
    yield* run(prune(port), name, version, request.versionsKept - 1, next?.version ?? version);
    const enabled = current === null || Boolean(before?.enabled);
    yield* carrySchedules(port, { name, version, enabled, schedules, now });
    yield* port.deploymentChanged(name);
    return { state: "deployed", version, created: current === null, unchanged: false };
  },

  *rollbackProgram(port: Port, request: Rollback): Step<RolledBack> {
    const { name, version } = request;
    const found = yield* changeable(request);
    if (found.state !== "found") return found;
    if (!(yield* any(VERSION, name, version))) return { state: "version_not_found" };
    if (version === found.version) return { state: "changed" };
    const schedules = yield* schedulesOf(name, version);
    if (!(yield* isRoomForSchedules(name, schedules, request.maxSchedules))) return { state: "schedules_full" };
    const now = port.wall();
    yield* run("UPDATE weft.deployments SET version = $2, updated_ms = $3 WHERE name = $1", name, version, now);
    if (found.next?.version === version) yield* run(NO_NEXT, name);
    yield* carrySchedules(port, { name, version, enabled: found.isEnabled, schedules, now });
    yield* port.deploymentChanged(name);
    return { state: "changed" };
  },

  *changeProgram(port: Port, request: DeploymentChange): Step<Changed> {
    const { name } = request;
    const found = yield* changeable(request);
    if (found.state !== "found") return found;
    const { version, isEnabled } = found;
    const { enabled = isEnabled } = request;
    const now = port.wall();
    yield* run("UPDATE weft.deployments SET enabled = $2, updated_ms = $3 WHERE name = $1", name, enabled, now);
    yield* keepFacts(name, request);
    if (enabled !== isEnabled) {
      const schedules = yield* schedulesOf(name, version);
      yield* carrySchedules(port, { name, version, enabled, schedules, now });
    }
    yield* port.deploymentChanged(name);
    return { state: "changed" };
  },

  *removeProgram(port: Port, request: Removal): Step<Changed> {
    const { name } = request;
    const found = yield* changeable(request);
    if (found.state !== "found") return found;
    const now = port.wall();
    yield* run("UPDATE weft.deployments SET version = NULL, updated_ms = $2 WHERE name = $1", name, now);
    yield* run(NO_NEXT, name);
    yield* carrySchedules(port, { name, version: null, enabled: false, schedules: "[]", now });
    yield* forgetPrograms(port);
    yield* port.deploymentChanged(name);
    return { state: "changed" };
  },

  *releasePrograms(port: Port, kept: readonly string[]): Step<readonly string[]> {
    const released = yield* rows<{ readonly name: string }>(
      `UPDATE weft.deployments SET source = 'api' WHERE source = 'file' AND version IS NOT NULL AND NOT (name = ANY ($1)) RETURNING name`,
      kept,
    );
    for (const { name } of released) yield* port.deploymentChanged(name);
    return released.map(({ name }) => name);
  },
};

/** Versions of removed deployments go with the last job that names them. */
export function* forgetPrograms(port: NamedVersions): Step<void> {
  yield* run(`DELETE FROM weft.deployment_versions AS v WHERE NOT ${named(port)}
    AND name IN (SELECT name FROM weft.deployments WHERE version IS NULL)`);
  yield* run(`DELETE FROM weft.deployments AS d WHERE version IS NULL
    AND NOT EXISTS (SELECT 1 FROM weft.deployment_versions v WHERE v.name = d.name)`);
}

/** A deployment that is there and that this request may change. */
export function* changeable({ name, source, ifMatch }: Removal): Step<Current | ChangeRefused> {
  const found = yield* row<Row>(FOUND, name);
  if (found?.version == null) return { state: "not_found" };
  if (found.source === "file" && source !== "file") return { state: "managed" };
  if (ifMatch !== undefined && ifMatch !== found.version) return { state: "moved", current: found.version };
  const { version, next_outcomes: outcomes } = found;
  return { state: "found", version, isEnabled: Boolean(found.enabled), next: nextIn(found), outcomes };
}

function nextIn(found: Row | undefined): NextChannel | null {
  return found?.next == null ? null : (JSON.parse(found.next) as NextChannel);
}

const VERSION = "SELECT schedules FROM weft.deployment_versions WHERE name = $1 AND version = $2::bigint";

function* schedulesOf(name: string, version: number): Step<string> {
  return (yield* value<string>(VERSION, name, version)) ?? "[]";
}

function* keepFacts(name: string, { tags, description }: Pick<DeploymentChange, "tags" | "description">): Step<void> {
  if (tags !== undefined)
    yield* run("UPDATE weft.deployments SET tags = $2 WHERE name = $1", name, JSON.stringify(tags));
  if (description !== undefined)
    yield* run("UPDATE weft.deployments SET description = $2 WHERE name = $1", name, description);
}
