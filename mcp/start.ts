import type { AdapterLog } from "../adapters/definition/effect.ts";
import type { Variables } from "../adapters/operator/host-config.ts";
import { openAdapters } from "../adapters/plugins/open.ts";
import { createValueHash } from "../adapters/run-log/fields.ts";
import { createJsonLog } from "../adapters/run-log/lines.ts";
import { createHostRedaction } from "../adapters/run-log/redaction.ts";
import { openRuntime, type Runtime, type RuntimeOptions } from "../adapters/runtime.ts";
import { compareText } from "../compiler/ir/checksum.ts";
import { EMPTY_GRANT, type Grant } from "../vm/grant/grant.ts";
import type { Clock } from "../vm/run.ts";
import { readMcpStart } from "./config.ts";
import { createDocumentFetcher } from "./documents/fetch.ts";
import { openWorkflowRoot } from "./programs/workflow-root.ts";
import type { McpServices } from "./services.ts";
import { resolveExposure } from "./tool/exposure.ts";

/** Laid over the server's grant for every run, until the operator names a profile: pure computation only. */
const POSTURE: Grant = {
  ...EMPTY_GRANT,
  allowed_adapters: ["core"],
  forbidden_privilege_tiers: ["local_state", "network", "operator_sensitive"],
};

export type StartIo = {
  readonly variables: Variables;
  readonly clock: Clock;
  readonly uuid: () => string;
  /** Takes log lines. */
  readonly complain: (line: string) => void;
};

export type Started = {
  readonly services: McpServices;
  readonly runtime: Runtime;
  readonly warnings: readonly string[];
};

/** Throws StartFault. */
export async function start(io: StartIo, overrides: Partial<RuntimeOptions> = {}): Promise<Started> {
  const { clock, uuid } = io;
  const { config, host, warnings } = readMcpStart(io.variables);
  const exposure = resolveExposure(config.exposure);
  const log = createJsonLog({ level: config.log.level, clock, emit: io.complain });
  const freshId = (): string => uuid().replaceAll("-", "");
  const workflowRoot = config.workflowRoot === null ? null : await openWorkflowRoot(config.workflowRoot);
  const adapterLog: AdapterLog = (event, fields) =>
    log.write(event === "adapter_crashed" ? "error" : "info", event, fields);
  const adapters = await openAdapters(host, { folder: ".", log: adapterLog });
  const runtime = openRuntime({
    config: host,
    clock,
    uuid,
    log: adapterLog,
    adapters,
    profile: config.profile,
    strictProfile: config.strictProfile,
    sides: () => (config.profile === null ? [{ source: "default", grant: POSTURE }] : []),
    compileCacheEntries: config.compileCacheEntries,
    ...overrides,
  });
  const services: McpServices = {
    config,
    exposure,
    runtime,
    clock,
    freshId,
    log,
    valueHash: createValueHash(config.log.hashKey),
    redaction: createHostRedaction(runtime.secrets, host),
    dryRun: host.dryRun,
    workflowRoot,
    fetchDocument: createDocumentFetcher(),
  };
  return { services, runtime, warnings: [...warnings, ...exposure.warnings, ...runtime.warnings] };
}

/** What a server of this environment would show and allow. */
export function describeServer({ exposure, runtime, config }: McpServices) {
  const { grant, server } = runtime.gateway;
  return {
    exposure_profile: exposure.profile,
    tools: [...exposure.tools],
    resources: [...exposure.resources],
    profile: server.profile?.name ?? null,
    strict_profile: server.strictProfile?.name ?? null,
    posture: config.profile === null,
    grant: shownGrant(grant),
  };
}

/** Without settings, which name places of the operator. */
function shownGrant(grant: Grant) {
  const { adapter_constraints, limits, ...lists } = grant;
  return { ...lists, limits: { ...limits }, constrained_adapters: Object.keys(adapter_constraints).sort(compareText) };
}
