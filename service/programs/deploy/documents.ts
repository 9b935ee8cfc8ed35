/** Deployments as answers show them. */
import { diffPrograms } from "../../../compiler/diff/program-diff.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { securityReport } from "../../../compiler/policy/report.ts";
import { writtenLabel } from "../../../grammar/text/written-label.ts";
import type { Host } from "../../../vm/host.ts";
import type { DeployedVersion, Deployment, VersionFacts } from "../deployment.ts";
import type { DeploymentSettings, ProgramSource } from "../deployment-settings.ts";
import type { ServedEndpoint } from "../endpoints/served-endpoints.ts";

export function deploymentFacts(deployment: Deployment) {
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
  };
}

export function versionFacts(version: VersionFacts, current: number | null) {
  return {
    version: version.version,
    current: version.version === current,
    checksum: version.checksum,
    source_hash: version.sourceHash,
    compiler: version.compiler,
    semantics: version.semantics,
    created_at: time(version.createdMs),
  };
}

export function versionDocument(version: DeployedVersion, current: number | null) {
  return {
    name: version.name,
    ...versionFacts(version, current),
    ...(JSON.parse(version.source) as ProgramSource),
    settings: JSON.parse(version.settings) as DeploymentSettings,
    warnings: JSON.parse(version.warnings) as readonly string[],
    ir: JSON.parse(version.ir) as Ir,
  };
}

/** Shown of a program with very many. */
const MAX_ENDPOINTS = 1000;

export function endpointDocuments(name: string, endpoints: readonly ServedEndpoint[]) {
  return endpoints.slice(0, MAX_ENDPOINTS).map(({ endpoint, settings }) => ({
    method: endpoint.method,
    path: endpoint.path,
    url: `/app/${name}${endpoint.path.startsWith("/") ? "" : "/"}${endpoint.path}`,
    label: writtenLabel(endpoint.label),
    mode: settings.mode ?? "run",
    ...(settings.verify === undefined ? {} : { verify: settings.verify.kind }),
    ...(settings.dedupe === undefined ? {} : { dedupe: settings.dedupe }),
    ...(endpoint.type === null ? {} : { type: endpoint.type }),
    ...(endpoint.description === null ? {} : { description: endpoint.description }),
  }));
}

type Side = { readonly ir: Ir; readonly settings: DeploymentSettings };

/** What two versions differ in; what the later one newly reaches stands first. */
export function differenceOf(from: number, before: Side, after: Side, { catalog }: Pick<Host, "catalog">) {
  const { same, ...rest } = diffPrograms(before.ir, after.ir, catalog);
  const settings = changedSettings(before.settings, after.settings);
  const newly_reaches = rest.powers.filter(({ change }) => change === "added");
  return { from, newly_reaches, same: same && settings.length === 0, settings, ...rest };
}

/** Names of the settings that differ. */
function changedSettings(before: DeploymentSettings, after: DeploymentSettings): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const text = (settings: DeploymentSettings, name: string): string | undefined =>
    JSON.stringify((settings as { readonly [name: string]: unknown })[name]);
  return [...names].filter((name) => text(before, name) !== text(after, name)).sort();
}

export function reportOf(ir: Ir, { catalog }: Pick<Host, "catalog">) {
  return securityReport(ir, catalog).summary;
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}
