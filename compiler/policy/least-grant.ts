/**
 * The least grant a program needs, and whether a profile admits it: what the security report concludes from the facts it found.
 */
import type { AdapterSettings, SettingTable } from "../catalog/settings.ts";
import { type AdapterCatalog, type ParameterRole, PRIVILEGE_TIERS } from "../catalog.ts";
import { type IrIndex, labelDepths } from "../ir/analysis.ts";
import { compareText } from "../ir/checksum.ts";
import type { Ir } from "../ir/graph.ts";
import { LITERALS_OF_ROLE, type Literals } from "./argument-facts.ts";
import type { NodeFacts } from "./capabilities-of.ts";
import type { LeastGrant, ProfileTerms, ProfileVerdict, ReportSummary, Use } from "./report-shape.ts";
import { tagsOf, validatePolicy } from "./validate.ts";

/** Most labels inside each other; null when labels lead back to themselves. */
export function depthOf(index: IrIndex, starts: readonly string[]): number | null {
  const depths = labelDepths(index);
  return starts.reduce<number | null>((most, id) => {
    const depth = depths.get(id)?.most ?? null;
    return most === null || depth === null ? null : Math.max(most, depth);
  }, 1);
}

const RESTRICTABLE_EFFECTS = ["io", "io-read", "io-write"] as const;

/** Everything the program does not need is forbidden; with computed adapters no rule can hold, so the result has none. */
export function leastGrant(every: readonly Use[], summary: ReportSummary, settings: SettingTable): LeastGrant {
  const open = every.some(({ facts }) => facts.dynamic);
  const tags = new Set(every.flatMap(({ facts }) => tagsOf(facts)));
  const unused = (words: readonly string[]): readonly string[] => (open ? [] : words.filter((word) => !tags.has(word)));
  const computedAdapter = every.some(({ facts }) => facts.dynamic && facts.adapter === null);
  const limits: { max_steps?: number; max_depth?: number; max_adapter_calls?: number } = {};
  const { bounds: whole } = summary;
  if (whole !== null && whole.max_steps !== null) limits.max_steps = Math.max(1, whole.max_steps);
  if (summary.max_depth !== null) limits.max_depth = summary.max_depth;
  if (whole !== null && whole.max_adapter_calls !== null) limits.max_adapter_calls = whole.max_adapter_calls;
  return {
    allowed_adapters: computedAdapter
      ? null
      : sorted([
          ...Object.keys(summary.adapters).map((name) => name.toLowerCase()),
          ...(summary.accepts.length > 0 ? ["event"] : []),
        ]),
    forbidden_adapters: [],
    forbidden_effects: unused(RESTRICTABLE_EFFECTS),
    forbidden_effect_tiers: [],
    forbidden_privilege_tiers: unused(PRIVILEGE_TIERS.slice(1)),
    forbidden_destructive: !open && !summary.destructive,
    limits,
    adapter_constraints: withAccepted(constraintsFor(every, settings), summary.accepts),
  };
}

/** Events start jobs, and are waited for, without a call of their adapter. */
function withAccepted(
  constraints: LeastGrant["adapter_constraints"],
  accepts: readonly string[],
): LeastGrant["adapter_constraints"] {
  return accepts.length === 0 ? constraints : { ...constraints, event: { ...constraints["event"], accept: accepts } };
}

/** Lists of the literal targets of each adapter, for the settings whose every target is a literal. */
function constraintsFor(every: readonly Use[], settings: SettingTable): LeastGrant["adapter_constraints"] {
  const constraints: { [adapter: string]: Record<string, readonly string[]> } = {};
  const computedAdapter = every.some(({ facts }) => facts.dynamic && facts.adapter === null);
  if (computedAdapter) return constraints;
  const byAdapter = new Map<string, NodeFacts[]>();
  for (const { facts } of every) {
    if (facts.adapter === null) continue;
    const list = byAdapter.get(facts.adapter);
    if (list === undefined) byAdapter.set(facts.adapter, [facts]);
    else list.push(facts);
  }
  for (const [adapter, facts] of [...byAdapter].sort(([a], [b]) => compareText(a, b))) {
    const lists = listsFor(facts, settings.get(adapter));
    if (Object.keys(lists).length > 0) constraints[adapter] = lists;
  }
  return constraints;
}

function listsFor(facts: readonly NodeFacts[], known: AdapterSettings | undefined): Record<string, readonly string[]> {
  const lists: Record<string, readonly string[]> = {};
  // A verb that is computed is not known either.
  if (known === undefined || facts.some((one) => !one.known)) return lists;
  for (const [role, member] of Object.entries(LITERALS_OF_ROLE) as [ParameterRole, keyof Literals][]) {
    const setting = known.admits[role];
    const values = sorted(facts.flatMap((one) => one.literals[member]));
    if (setting === undefined || values.length === 0) continue;
    if (!facts.some((one) => one.dynamic_roles.some((found) => LITERALS_OF_ROLE[found] === member)))
      lists[setting] = values;
  }
  return lists;
}

export function admission(
  ir: Ir,
  catalog: AdapterCatalog,
  summary: ReportSummary,
  terms: ProfileTerms,
): ProfileVerdict {
  const { errors } = validatePolicy(ir, terms.policy, catalog, () => [`profile:${terms.name}`]);
  const used = Object.keys(summary.adapters);
  const allowed = terms.allowed_adapters;
  const notAllowed = allowed === null ? [] : used.filter((name) => !allowed.includes(name.toLowerCase()));
  const least = {
    max_steps: summary.bounds?.min_steps ?? 0,
    max_adapter_calls: summary.bounds?.min_adapter_calls ?? 0,
  };
  const exceeded = (["max_steps", "max_adapter_calls"] as const).flatMap((limit) => {
    const granted = terms.limits[limit];
    return granted !== undefined && least[limit] > granted ? [{ limit, needs: least[limit], granted }] : [];
  });
  const needs = used.flatMap((name) =>
    Object.hasOwn(terms.required_settings, name)
      ? (terms.required_settings[name] ?? []).map((setting) => `${name}.${setting}`)
      : [],
  );
  return {
    admitted: errors.length === 0 && notAllowed.length === 0 && exceeded.length === 0,
    policy_errors: errors,
    not_allowed: notAllowed,
    limits_exceeded: exceeded,
    needs,
  };
}

function sorted(values: Iterable<string>): readonly string[] {
  return [...new Set(values)].sort(compareText);
}
