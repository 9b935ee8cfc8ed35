/**
 * Which tools and resources a host sees: resolved once at start from a named profile, lists that narrow it and lists that take away
 * (docs/mcp.md, exposure). What is hidden cannot be called either. Exposure does not grant permission: grant and policy hold whatever is
 * exposed.
 */
import { StartFault } from "../../adapters/operator/start-fault.ts";
import { nearest } from "../../grammar/text/nearest.ts";

/** In the order in which they are listed. */
export const TOOL_NAMES = [
  "wf_validate",
  "wf_compile",
  "wf_capabilities",
  "wf_security_report",
  "wf_run",
  "wf_list_ecosystem",
  "wf_import_workflow_preset",
  "wf_import_agent_preset",
  "wf_import_markdown",
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];
/** Outside the nine and every profile: there only where the operator names a service that takes proposals. */
export const PROPOSE_TOOL = "wf_propose";
export type ExposedTool = ToolName | typeof PROPOSE_TOOL;

export const RESOURCE_URIS = ["wf://adapter-manifest", "wf://security-profiles"] as const;
export type ResourceUri = (typeof RESOURCE_URIS)[number];

type ExposureProfile = { readonly tools: readonly ToolName[]; readonly resources: readonly ResourceUri[] };

const EVERYTHING: ExposureProfile = { tools: TOOL_NAMES, resources: RESOURCE_URIS };

export const EXPOSURE_PROFILES: Readonly<Record<string, ExposureProfile>> = {
  validate_only: { tools: ["wf_validate", "wf_compile"], resources: [] },
  inspect_only: {
    tools: ["wf_validate", "wf_compile", "wf_capabilities", "wf_security_report"],
    resources: RESOURCE_URIS,
  },
  /** To write and try programs, for hosts that have few tokens for descriptions. */
  author: { tools: ["wf_validate", "wf_capabilities", "wf_run"], resources: [] },
  safe_workflow: EVERYTHING,
  full: EVERYTHING,
};

/** What the operator asks for; null: not set. */
export type ExposureRequest = {
  readonly profile: string | null;
  readonly tools: readonly string[] | null;
  readonly toolsExclude: readonly string[] | null;
  readonly resources: readonly string[] | null;
  readonly resourcesExclude: readonly string[] | null;
  /** A service takes proposals. */
  readonly proposes: boolean;
};

export type Exposure = {
  readonly profile: string | null;
  readonly tools: ReadonlySet<ExposedTool>;
  readonly resources: ReadonlySet<ResourceUri>;
  /** Names in the lists that mean nothing. */
  readonly warnings: readonly string[];
};

/** The profile first, then the lists that narrow, then those that take away. Throws StartFault for an unknown profile. */
export function resolveExposure(request: ExposureRequest): Exposure {
  const base = request.profile === null ? EVERYTHING : profileNamed(request.profile);
  const tools: readonly ExposedTool[] = request.proposes ? [...base.tools, PROPOSE_TOOL] : base.tools;
  const known = [...TOOL_NAMES, PROPOSE_TOOL];
  return {
    profile: request.profile,
    tools: narrowed(tools, request.tools, request.toolsExclude),
    resources: narrowed(base.resources, request.resources, request.resourcesExclude),
    warnings: [
      ...unknownNames("WF_MCP_TOOLS", request.tools, known),
      ...unknownNames("WF_MCP_TOOLS_EXCLUDE", request.toolsExclude, known),
      ...unknownNames("WF_MCP_RESOURCES", request.resources, RESOURCE_URIS),
      ...unknownNames("WF_MCP_RESOURCES_EXCLUDE", request.resourcesExclude, RESOURCE_URIS),
    ],
  };
}

function profileNamed(name: string): ExposureProfile {
  const profile = Object.hasOwn(EXPOSURE_PROFILES, name) ? EXPOSURE_PROFILES[name] : undefined;
  if (profile !== undefined) return profile;
  const known = Object.keys(EXPOSURE_PROFILES).sort();
  const near = nearest(name, known);
  const hint = near === null ? "" : `did you mean ${near}? `;
  throw new StartFault(`unknown exposure profile "${shown(name)}"; ${hint}known: ${known.join(", ")}`);
}

function narrowed<Name extends string>(
  names: readonly Name[],
  include: readonly string[] | null,
  exclude: readonly string[] | null,
): ReadonlySet<Name> {
  return new Set(names.filter((name) => include?.includes(name) !== false && exclude?.includes(name) !== true));
}

function unknownNames(variable: string, given: readonly string[] | null, known: readonly string[]): string[] {
  return (given ?? [])
    .filter((name) => !known.includes(name))
    .map((name) => `unknown_name: ${variable} names '${shown(name)}', which does not exist`);
}

function shown(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}
