/**
 * The one way from a caller's request to a run: what the server grants and what the caller asked for are merged, the program is
 * checked against the resulting policy, and only then are adapters made ready, with the settings that both sides left. All
 * surfaces go through here and have no rules of their own. Nothing outside the process happens before the policy verdict.
 */
import type { SettingTable } from "../compiler/catalog/settings.ts";
import type { Ir } from "../compiler/ir/graph.ts";
import { capabilitiesOf } from "../compiler/policy/capabilities-of.ts";
import type { InputIssue, Policy } from "../compiler/policy/policy.ts";
import type { Violation } from "../compiler/policy/validate.ts";
import type { Adapter } from "./adapter.ts";
import { type CallerRequest, readCallerRequest } from "./caller-request.ts";
import { explainFailure } from "./explain-failure.ts";
import { allowlistOf, limitsOf, policyOf } from "./grant/convert.ts";
import { explainGrant, type GrantExplanation, type Side } from "./grant/explain.ts";
import { type Constraints, FLOOR_GRANT, type Grant } from "./grant/grant.ts";
import { conflictsOf, droppedAdapters, mergeGrants } from "./grant/merge.ts";
import { constraintsOf } from "./grant/normalize-grant.ts";
import type { PlaceRules } from "./grant/places.ts";
import type { Profile } from "./grant/profiles.ts";
import { suggestedAdapters } from "./grant/suggest.ts";
import { refusedLiterals } from "./grant/would-refuse.ts";
import type { Host, HostRunRequest, RunAnswer } from "./host.ts";
import type { Limits } from "./run.ts";

/** Makes adapters ready for runs. Implemented by `adapters/`, which alone knows any. */
export interface AdapterLinker {
  /** How settings merge, by adapter. */
  readonly settings: SettingTable;
  /** `adapter` null: known, but nothing here provides it; its calls fail as not configured. */
  link(name: string, constraints: Constraints): Promise<LinkResult>;
}
export type LinkResult =
  | { readonly ok: true; readonly adapter: Adapter | null; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly issues: readonly InputIssue[] };

/** What the operator decided at start. */
export type ServerSide = {
  /** The grants of the operator, in order of precedence; their merge is the server grant. */
  readonly sides: readonly Side[];
  readonly profile: Profile | null;
  /** Merged in besides, by strict mode; its grant is among the sides, and what it requires holds as well. */
  readonly strictProfile?: Profile | null;
  /** Adapters enabled without being named in a request; `core` always is. */
  readonly enabled: readonly string[];
  readonly places: PlaceRules;
};

export const OPEN_SERVER: ServerSide = {
  sides: [{ source: "default", grant: FLOOR_GRANT }],
  profile: null,
  enabled: ["core"],
  places: { base: null, bound: null, reserved: [], homes: [] },
};

/** What one caller may do under the server's grant. */
export type Admission = {
  readonly ok: true;
  readonly grant: Grant;
  readonly policy: Policy;
  readonly limits: Limits;
  /** null: every adapter. */
  readonly allowed: readonly string[] | null;
  /** Sorted; `core` included. */
  readonly enabled: readonly string[];
  readonly explanation: GrantExplanation;
  readonly warnings: readonly string[];
  /** Settings that cannot hold; told after the policy verdict. */
  readonly settingIssues: readonly InputIssue[];
};
export type AdmissionRefused = {
  readonly ok: false;
  readonly error: "invalid_request";
  readonly issues: readonly InputIssue[];
};

/** A program that may run under an admission. It can be run any number of times. */
export type Prepared = {
  readonly ok: true;
  readonly ir: Ir;
  readonly admission: Admission;
  readonly adapters: ReadonlyMap<string, Adapter>;
  /** The dispatcher's list. */
  readonly gate: ReadonlySet<string>;
  /** Known before the run: of the request, the settings, and calls that will be refused. */
  readonly warnings: readonly string[];
};
export type PrepareRefused =
  | { readonly ok: false; readonly error: "policy_violation"; readonly policy_errors: readonly Violation[] }
  | { readonly ok: false; readonly error: "adapter_config_error"; readonly issues: readonly InputIssue[] };

export interface Gateway {
  readonly host: Host;
  readonly server: ServerSide;
  /** The server's grant, before any caller. */
  readonly grant: Grant;
  /** Merges what a caller asked for; the answer for equal requests is remembered. */
  admit(request: CallerRequest): Admission | AdmissionRefused;
  /** Policy verdict first, then settings and adapters. Remembered per program and admission. */
  prepare(ir: Ir, admission: Admission): Promise<Prepared | PrepareRefused>;
  run(prepared: Prepared, request?: GatewayRun): Promise<RunAnswer>;
}

/** What a caller may choose of a run besides what was admitted. */
export type GatewayRun = Omit<HostRunRequest, "ir" | "limits" | "allowedAdapters" | "adapters">;

const KEPT_ADMISSIONS = 256;
/** Warnings of one kind that are told. */
const MOST_OF_A_KIND = 20;
/** Longer requests are read anew each time: what is remembered must not grow with what callers send. */
const LONGEST_KEPT_REQUEST = 16_384;

export function createGateway(host: Host, linker: AdapterLinker, server: ServerSide = OPEN_SERVER): Gateway {
  const merged = server.sides.map((side) => side.grant).reduce((a, b) => mergeGrants(a, b, linker.settings));
  const admissions = new Map<string, Admission>();
  const plans = new WeakMap<Ir, WeakMap<Admission, Promise<Prepared | PrepareRefused>>>();

  return {
    host,
    server,
    grant: merged,
    admit(request) {
      const key = JSON.stringify(request);
      const known = admissions.get(key);
      if (known !== undefined) return known;
      const admission = admit(host, linker, server, merged, request);
      if (!admission.ok || key.length > LONGEST_KEPT_REQUEST) return admission;
      const [oldest] = admissions.keys();
      if (admissions.size >= KEPT_ADMISSIONS && oldest !== undefined) admissions.delete(oldest);
      admissions.set(key, admission);
      return admission;
    },
    prepare(ir, admission) {
      let known = plans.get(ir);
      if (known === undefined) {
        known = new WeakMap();
        plans.set(ir, known);
      }
      let plan = known.get(admission);
      if (plan === undefined) {
        const plans = known;
        plan = prepare(host, linker, ir, admission);
        plans.set(admission, plan);
        // What broke down once may work the next time; a refusal is an answer, and stays.
        plan.catch(() => plans.delete(admission));
      }
      return plan;
    },
    async run({ ir, admission, adapters, gate, warnings }, request = {}) {
      const { limits, grant } = admission;
      const allowEnv = constraintsOf(grant, "core")["allow_env"];
      const answer = await host.run({
        ...request,
        ir,
        limits,
        allowedAdapters: gate,
        adapters,
        ...(Array.isArray(allowEnv) ? { allowEnv: allowEnv as readonly string[] } : {}),
      });
      const suggested = withSuggestion(answer, ir, adapters, host, linker);
      const said = suggested.ok ? suggested : { ...suggested, error: explainFailure(suggested.error, admission) };
      const known = warningsBefore(warnings, request);
      return known.length === 0 ? said : { ...said, warnings: [...new Set([...known, ...said.warnings])] };
    },
  };
}

function admit(
  host: Host,
  linker: AdapterLinker,
  server: ServerSide,
  merged: Grant,
  request: CallerRequest,
): Admission | AdmissionRefused {
  const read = readCallerRequest(request, { catalog: host.catalog, settings: linker.settings, places: server.places });
  if (!read.ok) return { ok: false, error: "invalid_request", issues: read.issues };
  const { grant: asked, enable, settingIssues } = read;
  const grant = mergeGrants(merged, asked, linker.settings);
  const enabled = [...new Set(["core", ...server.enabled, ...enable])].sort();
  const idle = Object.keys(asked.adapter_constraints).filter((name) => !enabled.includes(name));
  return {
    ok: true,
    grant,
    policy: policyOf(grant),
    limits: limitsOf(grant),
    allowed: allowlistOf(grant),
    enabled,
    explanation: explainGrant([...server.sides, { source: "request", grant: asked }]),
    warnings: [
      ...new Set([
        ...read.warnings,
        ...droppedAdapters(merged, asked),
        ...idle.map((name) => `settings_without_enable: adapter '${name}' is not enabled; its settings have no effect`),
      ]),
    ],
    settingIssues: [...settingIssues, ...settingFaults(server, grant, enabled)],
  };
}

/** Settings of enabled adapters whose sides exclude each other, and those that the profile demands and nobody gave. */
function settingFaults(server: ServerSide, grant: Grant, enabled: readonly string[]): InputIssue[] {
  const profiles = [server.profile, server.strictProfile ?? null].filter((one) => one !== null);
  const allowed = allowlistOf(grant);
  return enabled
    .filter((name) => allowed === null || allowed.includes(name))
    .flatMap((name) => [
      ...conflictsOf(grant, name).map(
        (setting): InputIssue => ({
          path: `/adapters/${name}/${setting}`,
          code: "conflict",
          message: `the values of ${name}.${setting} exclude each other`,
        }),
      ),
      ...profiles.flatMap((profile) =>
        missingSettings(profile, grant, name).map(
          (setting): InputIssue => ({
            path: `/adapters/${name}/${setting}`,
            code: "required_by_profile",
            message: `profile ${profile.name} needs ${name}.${setting}`,
          }),
        ),
      ),
    ]);
}

function missingSettings(profile: Profile, grant: Grant, adapter: string): readonly string[] {
  if (!Object.hasOwn(profile.required_settings, adapter)) return [];
  const given = constraintsOf(grant, adapter);
  return (profile.required_settings[adapter] ?? []).filter((setting) => !Object.hasOwn(given, setting));
}

async function prepare(
  host: Host,
  linker: AdapterLinker,
  ir: Ir,
  admission: Admission,
): Promise<Prepared | PrepareRefused> {
  const { grant, policy, explanation, enabled } = admission;
  const verdict = host.checkPolicy(ir, policy, explanation.rule);
  if (!verdict.ok) return { ok: false, error: "policy_violation", policy_errors: verdict.errors };
  if (admission.settingIssues.length > 0)
    return { ok: false, error: "adapter_config_error", issues: admission.settingIssues };
  const used = usedAdapters(ir, host);
  // What the host brings itself needs neither enabling nor settings.
  const adapters = new Map(host.adapters);
  const warnings: string[] = [...verdict.warnings];
  const issues: InputIssue[] = [];
  for (const name of enabled) {
    if (
      host.adapters.has(name) ||
      !passes(admission, name) ||
      (used !== null && !used.has(name) && !besides(used, name))
    )
      continue;
    const linked = await linker.link(name, constraintsOf(grant, name));
    if (!linked.ok) issues.push(...linked.issues);
    else if (linked.adapter !== null) adapters.set(name, linked.adapter);
    if (linked.ok) warnings.push(...linked.warnings);
  }
  if (issues.length > 0) return { ok: false, error: "adapter_config_error", issues };
  for (const name of missing(used, adapters, admission, host))
    warnings.push(`adapter_not_enabled: the program uses adapter '${name}', which is not enabled or not provided`);
  warnings.push(...shortened("calls outside the allowlist", refusedCalls(ir, host, admission)));
  warnings.push(...shortened("literals outside a list", refusedLiterals(ir, grant, host.catalog, linker.settings)));
  return {
    ok: true,
    ir,
    admission,
    adapters,
    gate: new Set(known(host, admission).filter((name) => passes(admission, name))),
    warnings: [...new Set([...admission.warnings, ...warnings])],
  };
}

/** A large program may have as many as it has steps. */
function shortened(what: string, warnings: readonly string[]): readonly string[] {
  if (warnings.length <= MOST_OF_A_KIND) return warnings;
  const more = warnings.length - MOST_OF_A_KIND;
  return [...warnings.slice(0, MOST_OF_A_KIND), `warnings_left_out: ${more} more ${what}`];
}

/** What is known of a prepared program before this run of it. A replay asks no adapter, so none need be there. */
export function warningsBefore(
  warnings: readonly string[],
  { replay, replayContinues = false }: Pick<GatewayRun, "replay" | "replayContinues">,
): readonly string[] {
  if (replay === undefined || replayContinues) return warnings;
  return warnings.filter((one) => !one.startsWith("adapter_not_enabled") && !one.startsWith("setting_would_refuse"));
}

/** A call that failed because its adapter is not there tells how it would be. */
function withSuggestion(
  answer: RunAnswer,
  ir: Ir,
  adapters: ReadonlyMap<string, Adapter>,
  host: Host,
  linker: AdapterLinker,
): RunAnswer {
  if (answer.ok) return answer;
  const { adapter, adapter_code } = answer.error.data;
  if (adapter_code !== "ADAPTER_NOT_CONFIGURED" || typeof adapter !== "string" || adapters.has(adapter)) return answer;
  if (host.catalog.adapter(adapter) === undefined) return answer;
  const suggested_adapters = suggestedAdapters(ir, [adapter], host.catalog, linker.settings);
  return { ...answer, error: { ...answer.error, data: { ...answer.error.data, suggested_adapters } } };
}

/** Adapters that a program uses, that may pass, and that are not there. */
function missing(
  used: ReadonlySet<string> | null,
  adapters: ReadonlyMap<string, Adapter>,
  admission: Admission,
  host: Host,
): string[] {
  return [...(used ?? [])].filter(
    (name) =>
      name !== "core" && !adapters.has(name) && passes(admission, name) && host.catalog.adapter(name) !== undefined,
  );
}

/** Adapters that another one works on, so that the program need not call them besides: a transaction's, an attachment's. */
const WORKS_ON: Readonly<Record<string, readonly string[]>> = {
  txn: ["sqlite", "db"],
  email: ["fs"],
  social: ["fs"],
};

function besides(used: ReadonlySet<string>, name: string): boolean {
  return Object.entries(WORKS_ON).some(([one, others]) => used.has(one) && others.includes(name));
}

/** What a gate can let through: what a list names, else what the catalog knows. */
function known(host: Host, { allowed }: Admission): readonly string[] {
  return allowed ?? host.catalog.names();
}

function passes({ grant, allowed }: Admission, name: string): boolean {
  return !grant.forbidden_adapters.includes(name) && (allowed === null || allowed.includes(name));
}

/** The adapters that a program calls; null when some are computed, so that only the run knows. */
export function usedAdapters(ir: Ir, host: Pick<Host, "catalog">): ReadonlySet<string> | null {
  const used = new Set<string>();
  for (const node of ir.nodes) {
    for (const facts of capabilitiesOf(node.op, node.data, host.catalog)) {
      if (facts.dynamic && facts.adapter === null) return null;
      // The dispatcher evaluates `Enf` steps itself.
      if (facts.adapter === "auth" && facts.verb === "enforce") continue;
      if (facts.adapter !== null) used.add(facts.adapter);
    }
  }
  return used;
}

/** Steps whose adapter is outside the allowlist: they fail when they are reached. */
function refusedCalls(ir: Ir, host: Host, { allowed }: Admission): string[] {
  if (allowed === null) return [];
  const warnings: string[] = [];
  for (const node of ir.nodes) {
    for (const { adapter, verb } of capabilitiesOf(node.op, node.data, host.catalog)) {
      if (adapter === null || allowed.includes(adapter)) continue;
      const label = node.label.includes("/") ? node.label : `L${node.label}`;
      warnings.push(
        `adapter_not_allowed: step ${node.id} of ${label} calls ${adapter}${verb === null ? "" : `.${verb}`}, ` +
          "which is outside the effective allowlist",
      );
    }
  }
  return warnings;
}
