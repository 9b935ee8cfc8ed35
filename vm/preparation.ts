/**
 * Making a program ready to run under an admission: the policy's verdict first, and only then the adapters, with the settings that both
 * sides left. What the run will refuse is told beforehand.
 */
import type { SettingTable } from "../compiler/catalog/settings.ts";
import { WORKS_ON } from "../compiler/catalog/works-on.ts";
import type { Ir } from "../compiler/ir/graph.ts";
import { capabilitiesOf } from "../compiler/policy/capabilities-of.ts";
import type { InputIssue } from "../compiler/policy/policy.ts";
import type { Violation } from "../compiler/policy/validate.ts";
import { writtenLabel } from "../grammar/written-label.ts";
import type { Adapter } from "./adapter.ts";
import { type Admission, passes } from "./admission.ts";
import type { Constraints } from "./grant/grant.ts";
import { constraintsOf } from "./grant/normalize-grant.ts";
import { refusedLiterals } from "./grant/would-refuse.ts";
import type { Host } from "./host.ts";

/** Makes adapters ready for runs. Implemented by `adapters/`, which alone knows any. */
export interface AdapterLinker {
  /** How settings merge, by adapter. */
  readonly settings: SettingTable;
  /** `adapter` null: known, but nothing here provides it; its calls fail as not configured. */
  link(name: string, constraints: Constraints): Promise<LinkResult>;
  /** What an enabled adapter cannot be without and has not got, whether a program calls it or not. Absent: there is no such thing. */
  lacks?(name: string, constraints: Constraints): readonly InputIssue[];
}
export type LinkResult =
  | { readonly ok: true; readonly adapter: Adapter | null; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly issues: readonly InputIssue[] };

/** A program that may run under an admission. It can be run any number of times. */
export type Prepared = {
  readonly ok: true;
  readonly ir: Ir;
  readonly admission: Admission;
  readonly adapters: ReadonlyMap<string, Adapter>;
  /** The dispatcher's list. */
  readonly gate: ReadonlySet<string>;
  /** Host variables that core.ENV may read; null: those the host exposes. */
  readonly allowEnv: readonly string[] | null;
  /** Known before the run: of the request, the settings, and calls that will be refused. */
  readonly warnings: readonly string[];
};
/** Why a program may not run: nothing was executed. */
export type PrepareRefused =
  | { readonly ok: false; readonly error: "policy_violation"; readonly policy_errors: readonly Violation[] }
  | { readonly ok: false; readonly error: "adapter_config_error"; readonly issues: readonly InputIssue[] };

/** Warnings of one kind that are told. */
const MOST_OF_A_KIND = 20;

export async function prepare(
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
    if (host.adapters.has(name) || !passes(admission, name)) continue;
    if (used !== null && !used.has(name) && !isWorkedOn(used, name)) {
      // Told by the first program that is run, not by the first one that calls it.
      issues.push(...(linker.lacks?.(name, constraintsOf(grant, name)) ?? []));
      continue;
    }
    const linked = await linker.link(name, constraintsOf(grant, name));
    if (!linked.ok) issues.push(...linked.issues);
    else if (linked.adapter !== null) adapters.set(name, linked.adapter);
    if (linked.ok) warnings.push(...linked.warnings);
  }
  if (issues.length > 0) return { ok: false, error: "adapter_config_error", issues };
  for (const name of missing(used, adapters, admission, host))
    warnings.push(`adapter_not_enabled: the program uses adapter '${name}', which is not enabled or not provided`);
  warnings.push(...callsOutside(admission.allowed, ir, host));
  warnings.push(...shortened("literals outside a list", refusedLiterals(ir, grant, host.catalog, linker.settings)));
  return {
    ok: true,
    ir,
    admission,
    adapters,
    allowEnv: readableVariables(admission),
    gate: new Set(known(host, admission).filter((name) => passes(admission, name))),
    warnings: [...new Set([...admission.warnings, ...warnings])],
  };
}

function readableVariables({ grant }: Admission): readonly string[] | null {
  const allowed = constraintsOf(grant, "core")["allow_env"];
  return Array.isArray(allowed) ? (allowed as readonly string[]) : null;
}

/** A large program may have as many as it has steps. */
function shortened(what: string, warnings: readonly string[]): readonly string[] {
  if (warnings.length <= MOST_OF_A_KIND) return warnings;
  const more = warnings.length - MOST_OF_A_KIND;
  return [...warnings.slice(0, MOST_OF_A_KIND), `warnings_left_out: ${more} more ${what}`];
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

/** Whether an adapter that the program uses works on this one. */
function isWorkedOn(used: ReadonlySet<string>, name: string): boolean {
  return Object.entries(WORKS_ON).some(([one, others]) => used.has(one) && others.includes(name));
}

/** What a gate can let through: what a list names, else what the catalog knows. */
function known(host: Host, { allowed }: Admission): readonly string[] {
  return allowed ?? host.catalog.names();
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
export function callsOutside(
  allowed: readonly string[] | null,
  ir: Ir,
  host: Pick<Host, "catalog">,
): readonly string[] {
  if (allowed === null) return [];
  const warnings: string[] = [];
  for (const node of ir.nodes) {
    for (const { adapter, verb } of capabilitiesOf(node.op, node.data, host.catalog)) {
      if (adapter === null || allowed.includes(adapter)) continue;
      warnings.push(
        `adapter_not_allowed: step ${node.id} of ${writtenLabel(node.label)} calls ${adapter}${verb === null ? "" : `.${verb}`}, ` +
          "which is outside the effective allowlist",
      );
    }
  }
  return shortened("calls outside the allowlist", warnings);
}
