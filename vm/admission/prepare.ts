/**
 * Prepares a program to run under an admission: the policy's verdict first, and only then the adapters, with the merged settings of both
 * sides. Calls that the run will refuse are reported beforehand.
 */
import type { SettingTable } from "../../compiler/catalog/settings.ts";
import { stepName } from "../../compiler/diagram/label-names.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { capabilitiesOf } from "../../compiler/policy/capabilities-of.ts";
import type { InputIssue } from "../../compiler/policy/policy.ts";
import type { Adapter } from "../adapter.ts";
import type { Constraints } from "../grant/grant.ts";
import { constraintsOf } from "../grant/normalize-grant.ts";
import { refusedLiterals } from "../grant/would-refuse.ts";
import type { Host } from "../host.ts";
import { type Admission, passes } from "./admit.ts";
import { issuesRefusal, type PrepareRefused, policyRefusal } from "./refusal.ts";

/** Makes adapters ready for runs. Implemented by `adapters/`, which alone knows any. */
export interface AdapterLinker {
  /** How settings merge, by adapter. */
  readonly settings: SettingTable;
  /** `adapter` null: known, but nothing here provides it; its calls fail as not configured. */
  link(name: string, constraints: Constraints): Promise<LinkResult>;
  /** Required settings that an enabled adapter lacks, whether a program calls it or not. Absent when none is missing. */
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
/** Maximum number of warnings of one kind. */
const MAX_PER_KIND = 20;

export async function prepare(
  host: Host,
  linker: AdapterLinker,
  ir: Ir,
  admission: Admission,
): Promise<Prepared | PrepareRefused> {
  const { grant, policy, explanation, enabled } = admission;
  const verdict = host.checkPolicy(ir, policy, explanation.rule);
  if (!verdict.ok) return policyRefusal(verdict.errors, ir);
  if (admission.settingIssues.length > 0) return settingsRefusal(admission.settingIssues);
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
  if (issues.length > 0) return settingsRefusal(issues);
  for (const name of missing(used, adapters, admission, host))
    warnings.push(
      `adapter_not_enabled: the program uses adapter '${name}', which is not enabled or not provided; --enable-adapter ${name} enables it`,
    );
  warnings.push(...callsOutside(admission.allowed, ir, host));
  warnings.push(...shortened("literals outside a list", refusedLiterals(ir, grant, host.catalog, linker.settings)));
  const allowEnv = readableVariables(admission);
  warnings.push(...shortened("variables that are not read", hiddenVariables(ir, host, allowEnv)));
  return {
    ok: true,
    ir,
    admission,
    adapters,
    allowEnv,
    gate: new Set(known(host, admission).filter((name) => passes(admission, name))),
    warnings: [...new Set([...admission.warnings, ...warnings])],
  };
}

function settingsRefusal(issues: readonly InputIssue[]): PrepareRefused {
  return issuesRefusal("adapter_config_error", issues, "an adapter cannot be used");
}

function readableVariables({ grant }: Admission): readonly string[] | null {
  const allowed = constraintsOf(grant, "core")["allow_env"];
  return Array.isArray(allowed) ? (allowed as readonly string[]) : null;
}

/** Variables that the program reads with core.ENV by name and that have no value here. Those outside `allowEnv` are reported with the settings. */
function hiddenVariables(ir: Ir, host: Host, allowEnv: readonly string[] | null): readonly string[] {
  const names = ir.nodes.flatMap((node) =>
    capabilitiesOf(node.op, node.data, host.catalog).flatMap(({ adapter, literals }) =>
      adapter === "core" ? literals.env : [],
    ),
  );
  return [...new Set(names)]
    .filter((name) => !host.readsVariable(name) && (allowEnv === null || allowEnv.includes(name)))
    .map(
      (name) =>
        `variable_hidden: the environment has no value for '${name}': it is not set, or WF_EXPOSE_ENV does not name it`,
    );
}

/** A large program may have as many as it has steps. */
function shortened(what: string, warnings: readonly string[]): readonly string[] {
  if (warnings.length <= MAX_PER_KIND) return warnings;
  const more = warnings.length - MAX_PER_KIND;
  return [...warnings.slice(0, MAX_PER_KIND), `warnings_left_out: ${more} more ${what}`];
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

/**
 * Built-in adapters that work on others: a program that calls the one needs the others made ready, and need not call them itself. A
 * transaction is one of a database; an attachment lies in the folder of `fs`.
 */
const WORKS_ON: Readonly<Record<string, readonly string[]>> = {
  txn: ["sqlite", "db"],
  email: ["fs"],
  social: ["fs"],
};

/** Whether an adapter that the program uses works on this one. */
function isWorkedOn(used: ReadonlySet<string>, name: string): boolean {
  return Object.entries(WORKS_ON).some(([one, others]) => used.has(one) && others.includes(name));
}

/** What a gate can let through: what a list names, else what the catalog knows. */
function known(host: Host, { allowed }: Admission): readonly string[] {
  return allowed ?? host.catalog.names();
}

/**
 * For a run that began when there were more adapters: calls to one that is gone fail like those to one that is not enabled, which the program may
 * catch, and answers of before are kept.
 */
export function gateWithGone({ ir, admission, gate }: Prepared, host: Pick<Host, "catalog">): ReadonlySet<string> {
  const gone = [...(usedAdapters(ir, host) ?? [])].filter(
    (name) => host.catalog.adapter(name) === undefined && passes(admission, name),
  );
  return gone.length === 0 ? gate : new Set([...gate, ...gone]);
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
        `adapter_not_allowed: ${stepName(ir, node)} calls ${adapter}${verb === null ? "" : `.${verb}`}, ` +
          "which is outside the effective allowlist",
      );
    }
  }
  return shortened("calls outside the allowlist", warnings);
}
