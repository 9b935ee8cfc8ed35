/**
 * From the body of a deployment to a version that can be kept: compiled, checked against policy and grant, its adapters linked, as POST /run
 * does before the first step, and refused with the same bodies. Nothing is changed here.
 */
import { createHash } from "node:crypto";
import { COMPILER_VERSION } from "../../../compiler/compile.ts";
import { canonicalJson, canonicalTask } from "../../../compiler/ir/canonical.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { MAX_IR_BYTES } from "../../../compiler/ir/supplied/bounds.ts";
import { isObject, type Json, type JsonObject } from "../../../compiler/json.ts";
import { measureIr } from "../../../compiler/policy/measured.ts";
import { counted } from "../../../grammar/text/english.ts";
import { exactJson, saysMore } from "../../../vm/inputs/exact-text.ts";
import { filesIssues, includesIn } from "../../../vm/inputs/program-files.ts";
import { inTurns } from "../../../vm/tasks/task.ts";
import { SEMANTICS } from "../../../vm/version.ts";
import { checkSubscriptions } from "../../events/check-subscriptions.ts";
import { Conditions } from "../../events/conditions.ts";
import { longWaits } from "../../jobs/durable/durability.ts";
import { checkWrittenFlow } from "../../jobs/flow/flow-of.ts";
import { flowIn } from "../../jobs/flow/members.ts";
import { precisionWarnings } from "../../run/exact-body.ts";
import { type PlanDeps, planRun } from "../../run/plan.ts";
import { isGiven, readAdmitted, type ValidatedBody } from "../../run/read-request.ts";
import type { DeployMembers } from "../../schemas/programs.ts";
import type { Services } from "../../services.ts";
import { faults, type RequestIssue, ServiceFault } from "../../wire/errors.ts";
import type { NewVersion } from "../deployment.ts";
import type { DeploymentSettings, ProgramSource } from "../deployment-settings.ts";
import { hasDocument } from "../endpoints/program-api.ts";
import { type ServedEndpoint, servedEndpoints } from "../endpoints/served-endpoints.ts";
import { refuseShortSecrets } from "../endpoints/verify/secret-check.ts";
import { needsOf, refuseIncomplete } from "./needs.ts";
import { type PlannedSchedules, planSchedules } from "./schedules.ts";

export type PlannedDeployment = {
  readonly version: NewVersion;
  readonly ir: Ir;
  readonly settings: DeploymentSettings;
  readonly endpoints: readonly ServedEndpoint[];
  readonly schedules: PlannedSchedules;
  readonly warnings: readonly string[];
  /** What is not here, as warnings; they are not kept with the version. */
  readonly needs: readonly string[];
};

/** Rejects with ServiceFault. `now`: milliseconds since 1970. */
export async function planDeployment(
  deps: PlanDeps & Pick<Services, "secrets" | "config" | "durableJobs">,
  name: string,
  asked: ValidatedBody<DeployMembers>,
  now: number,
): Promise<PlannedDeployment> {
  const { source, body, includes } = sourceOf(asked);
  const settings = settingsOf(body);
  // Read as one request for a run would be: what that refuses is refused here.
  const { request, admission } = readAdmitted(
    { body: { ...body, code: source.entry }, fault: asked.fault },
    deps.gateway,
  );
  const warnings = precisionWarnings(asked.body, { code: source.entry, ir: asked.body.ir });
  const plan = await planRun(deps, request, admission, namesIn(settings), includes);
  const { ir } = plan.prepared;
  checkWrittenFlow(ir, flowIn(settings));
  const { endpoints, issues } = servedEndpoints(ir, settings);
  if (!hasDocument(name, ir, settings)) {
    const message = "the endpoints, their labels and their inputs are too many together for one OpenAPI document";
    throw new ServiceFault("endpoint_invalid", message, { issues: [{ path: "", code: "range", message }] });
  }
  if (issues.length > 0) {
    const message = `${counted(issues.length, "problem")} in the endpoints: ${issues[0]?.message ?? ""}`;
    throw new ServiceFault("endpoint_invalid", message, { issues });
  }
  checkSubscriptions(ir, settings, admission, new Conditions(deps.gateway.host));
  const needs = await needsOf(plan.prepared.warnings, endpoints, deps, settings.notices);
  refuseIncomplete(deps, needs);
  await refuseShortSecrets(deps, endpoints);
  const schedules = await inTurns(planSchedules({ name, ir, settings, now }), deps.clock, setImmediate);
  const own = [...schedules.warnings, ...waitsBeyondLife(deps, ir, settings)];
  const found = [...warnings, ...plan.warnings, ...plan.prepared.warnings, ...own];
  const told = [...new Set(found)].filter((one) => !needs.includes(one));
  const settingsText = exactJson(settings);
  const parts = { ir: await irText(ir, deps.clock), source: JSON.stringify(source.kept) };
  const version = {
    name,
    content: contentHash(
      { source: source.kept as Json, settings: settings as Json, checksum: ir.checksum },
      settingsText,
    ),
    checksum: ir.checksum,
    compiler: COMPILER_VERSION,
    semantics: SEMANTICS,
    sourceHash: plan.sourceHash,
    createdMs: now,
    attestation: asked.body.attestation == null ? null : JSON.stringify(asked.body.attestation),
    ...parts,
    settings: settingsText,
    warnings: JSON.stringify(told),
    schedules: schedules.stored,
  };
  return { version, ir, settings, endpoints, schedules, warnings: told, needs };
}

function waitsBeyondLife(
  { config, durableJobs }: Pick<Services, "config" | "durableJobs">,
  ir: Ir,
  { durable, lifetime_s = config.jobs.durableLifetimeS }: DeploymentSettings,
): readonly string[] {
  // When its jobs are queued is not known, so a date may be near by then.
  return durableJobs && durable !== false ? longWaits(ir, lifetime_s * 1000, null) : [];
}

/** Canonical JSON. Rejects with ServiceFault invalid_ir where the service could not read it again. */
async function irText(ir: Ir, clock: PlanDeps["clock"]): Promise<string> {
  await inTurns(measureIr(ir), clock, setImmediate);
  const text = await inTurns(canonicalTask(ir as unknown as Json), clock, setImmediate);
  if (Buffer.byteLength(text, "utf8") <= MAX_IR_BYTES) return text;
  const message = `the compiled program has more than ${MAX_IR_BYTES} bytes of JSON; deploy it as several programs`;
  throw new ServiceFault("invalid_ir", message, { issues: [{ path: "", code: "too_large", message }] });
}

type ReadSource = {
  readonly source: { readonly entry: string | null | undefined; readonly kept: ProgramSource };
  readonly body: DeployMembers;
  readonly includes?: ReturnType<typeof includesIn>;
};

/** Throws ServiceFault invalid_request unless there is exactly one of code, ir and files. */
function sourceOf({ body, fault }: ValidatedBody<DeployMembers>): ReadSource {
  const issues: RequestIssue[] = [];
  const { code, ir, files, main } = body;
  if (fault === undefined && [code, ir, files].filter(isGiven).length !== 1)
    issues.push({ path: "", code: "exclusive", message: "give exactly one of code, ir and files" });
  if (fault === undefined && isGiven(files) !== isGiven(main))
    issues.push({ path: "/main", code: "exclusive", message: "files and main belong together" });
  if (issues.length > 0) throw faults.invalidRequest(issues);
  if (fault !== undefined || files == null || main == null)
    return { source: { entry: code, kept: typeof code === "string" ? { code } : {} }, body };
  const found = filesIssues({ files, main });
  if (found.length > 0) throw faults.invalidRequest(found);
  const { files: _files, main: _main, ...rest } = body;
  return { source: { entry: files[main], kept: { files, main } }, body: rest, includes: includesIn({ files, main }) };
}

/** The members that runs and the service read later; null is absent. */
function settingsOf(body: DeployMembers): DeploymentSettings {
  const { strict, label, frame, limits, allowed_adapters, adapters, policy, tz, endpoints, schedules } = body;
  const { durable, on_unknown, lifetime_s, again_lifetime, search, notices, keep_s } = body;
  const asked = { strict, label, frame, limits, allowed_adapters, adapters, policy };
  const all = {
    ...asked,
    tz,
    endpoints,
    schedules,
    durable,
    on_unknown,
    lifetime_s,
    again_lifetime,
    search,
    notices,
    keep_s,
    ...flowIn(body),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => isGiven(value))) as DeploymentSettings;
}

/** Variables that every run has: the defaults, and those that a schedule sets. */
function namesIn({ frame, schedules = [] }: DeploymentSettings): readonly string[] {
  const frames = [frame, ...schedules.map((one) => one["frame"])];
  return [...new Set(frames.flatMap((one) => (isObject(one) ? Object.keys(one) : [])))];
}

/** Blanks between the parts of a JSON text; the group is a string, which keeps its own. */
const BLANKS = /("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g;

/** A value that only its text tells from another one makes another version. */
function contentHash(content: JsonObject, settings: string): string {
  const hash = createHash("sha256").update(canonicalJson(content), "utf8");
  if (saysMore(content["settings"])) hash.update(settings.replace(BLANKS, "$1"), "utf8");
  return `sha256:${hash.digest("hex")}`;
}
