/** Deployments as answers show them. */

import type { Ir } from "../../../compiler/ir/graph.ts";
import { labelName } from "../../../compiler/ir/references.ts";
import type { Task } from "../../../vm/tasks/task.ts";
import { queuedMs } from "../../jobs/job-id.ts";
import { firstNextAt } from "../../schedules/next-times.ts";
import type { NextChannel } from "../channels/channel.ts";
import type { DeployedVersion, Deployment, VersionAcceptance, VersionFacts } from "../deployment.ts";
import type { ServedEndpoint } from "../endpoints/served-endpoints.ts";
import type { Signatures } from "../signing/signatures.ts";
import type { ProgramActivity } from "../store.ts";

export function deploymentFacts(deployment: Deployment, signatures: Signatures) {
  return {
    name: deployment.name,
    version: deployment.version,
    checksum: deployment.checksum,
    enabled: deployment.enabled,
    source: deployment.source,
    tags: deployment.tags,
    description: deployment.description,
    created_at: time(deployment.createdMs),
    updated_at: time(deployment.updatedMs),
    deployed_at: time(deployment.deployedMs),
    accepted: acceptanceIn(deployment.acceptance),
    signed: signatures.signer(deployment.attestation),
    next: nextIn(deployment.next),
  };
}

type ActivityFacts = { readonly last_job: object | null; readonly next_fire_at: string | null };

/** `isListed`: the service lists jobs. */
export function* activityFacts(of: ProgramActivity | undefined, isListed: boolean): Task<ActivityFacts> {
  const { lastJob = null, status = null, finishedMs = null, promisedMs = null, unpromised = [] } = of ?? {};
  const isShown = isListed && lastJob !== null;
  return {
    last_job: isShown
      ? { job_id: lastJob, status, queued_at: time(queuedMs(lastJob)), finished_at: timeOrNull(finishedMs) }
      : null,
    next_fire_at: timeOrNull(yield* firstNextAt(promisedMs, unpromised)),
  };
}

export function versionFacts(version: VersionFacts, current: number | null, signatures: Signatures) {
  return {
    version: version.version,
    current: version.version === current,
    checksum: version.checksum,
    source_hash: version.sourceHash,
    compiler: version.compiler,
    semantics: version.semantics,
    created_at: time(version.createdMs),
    accepted: acceptanceIn(version.acceptance),
    signed: signatures.signer(version.attestation),
  };
}

function nextIn(text: string | null) {
  if (text === null) return null;
  const { version, weight, key, abort, sinceMs } = JSON.parse(text) as NextChannel;
  return { version, weight, key, abort, since: time(sinceMs) };
}

const acceptanceIn = (text: string | null): VersionAcceptance | null => (text === null ? null : JSON.parse(text));

/** The JSON of a version with what is stored of it as JSON. */
export function versionText(version: DeployedVersion, current: number | null, signatures: Signatures): string {
  const facts = { name: version.name, ...versionFacts(version, current, signatures) };
  const { source, settings, warnings, ir, attestation } = version;
  return jsonWith(
    facts,
    source,
    `{"attestation":${attestation},"settings":${settings},"warnings":${warnings},"ir":${ir}}`,
  );
}

/** The JSON of an object with the members of further ones, which are JSON already. Large ones are not parsed for it. */
export function jsonWith(object: object, ...further: readonly string[]): string {
  const members = [JSON.stringify(object), ...further].map((text) => text.slice(1, -1));
  return `{${members.filter((text) => text !== "").join(",")}}\n`;
}

/** Shown of a program with very many. */
const MAX_ENDPOINTS = 1000;

export function endpointDocuments(name: string, ir: Pick<Ir, "labels">, endpoints: readonly ServedEndpoint[]) {
  return endpoints.slice(0, MAX_ENDPOINTS).map(({ endpoint, settings }) => ({
    method: endpoint.method,
    path: endpoint.path,
    url: `/app/${name}${endpoint.path.startsWith("/") ? "" : "/"}${endpoint.path}`,
    label: labelName(ir, endpoint.label),
    mode: settings.mode ?? "run",
    ...(settings.verify === undefined ? {} : { verify: settings.verify.kind }),
    ...(settings.dedupe === undefined ? {} : { dedupe: settings.dedupe }),
    ...(endpoint.type === null ? {} : { type: endpoint.type }),
    ...(endpoint.description === null ? {} : { description: endpoint.description }),
  }));
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}
const timeOrNull = (ms: number | null): string | null => (ms === null ? null : time(ms));
