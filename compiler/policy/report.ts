/**
 * The security report: what a program can touch, label by label and in sum, the least grant it needs, and which profiles admit
 * it. Read from the IR alone, without a run. Profiles come in as data, so that nothing here knows who grants.
 */
import { builtinSettings } from "../catalog/settings.ts";
import { type AdapterCatalog, type ParameterRole, PRIVILEGE_TIERS, type PrivilegeTier } from "../catalog.ts";
import { stepName } from "../diagram/label-names.ts";
import { bounds, type IrIndex, indexIr, type LabelBounds, reachableLabels } from "../ir/analysis.ts";
import { compareText } from "../ir/checksum.ts";
import { rootsOf } from "../ir/frame-inputs.ts";
import type { Ir, IrNode } from "../ir/graph.ts";
import type { Literals } from "./argument-facts.ts";
import { capabilitiesOf, type NodeFacts } from "./capabilities-of.ts";
import { framesAtOnce } from "./frames.ts";
import { admission, depthOf, leastGrant } from "./least-grant.ts";
import { adaptersOf, inOrder, isCall, sorted } from "./reach.ts";
import type { LabelReport, ReportNode, ReportOptions, ReportSummary, SecurityReport, Use } from "./report-shape.ts";
import { loopsOf, unknownOf } from "./unknown.ts";
import { waitsOf } from "./waits.ts";

const NO_BOUNDS: LabelBounds = { min_steps: 0, max_steps: null, min_adapter_calls: 0, max_adapter_calls: null };

export function securityReport(ir: Ir, catalog: AdapterCatalog, options: ReportOptions = {}): SecurityReport {
  const index = indexIr(ir);
  const starts = rootsOf(ir);
  const reached = reachableLabels(index, starts);
  const table = bounds(index);
  const every: Use[] = [];
  const labels: [string, LabelReport][] = [];
  for (const id of [...index.labelIds].sort(compareText)) {
    const uses: Use[] = [];
    for (const node of index.nodesOf(id)) {
      uses.push(...usesOf(node, catalog));
    }
    for (const use of uses) every.push(use);
    const calls = uses.filter(({ facts }) => isCall(facts));
    labels.push([
      id,
      {
        adapters: adaptersOf(calls),
        nodes: calls.map(reportNode),
        max_privilege: strongest(calls),
        reachable: reached.has(id),
        bounds: table.get(id) ?? NO_BOUNDS,
      },
    ]);
  }
  const settings = options.settings ?? builtinSettings;
  const whole = wholeBounds(starts.flatMap((id) => table.get(id) ?? []));
  const reach = reachOf(ir, every);
  const models = modelsOf(index, starts, every);
  const depth = whole === null ? null : depthOf(index, starts);
  const loops = loopsOf(index);
  const waits = waitsOf(index);
  const frames = framesAtOnce(index, starts);
  const unknown = unknownOf({ index, starts, table, every, settings });
  const summary: ReportSummary = {
    ...reach,
    models,
    bounds: whole,
    max_depth: depth,
    loops,
    waits,
    frames_at_once: frames,
    unknown,
  };
  const least = leastGrant(every, summary, settings);
  const profiles = (options.profiles ?? []).map(
    (terms) => [terms.name, admission(ir, catalog, summary, terms)] as const,
  );
  return {
    schema_version: "1.0",
    labels: Object.fromEntries(labels),
    summary,
    least_privilege_grant: least,
    profiles: Object.fromEntries(profiles),
  };
}

/** Programs that name more models have no bound for each: counting takes a look at the whole program. */
const MAX_COUNTED_MODELS = 50;

function modelsOf(index: IrIndex, starts: readonly string[], every: readonly Use[]): ReportSummary["models"] {
  const models = new Map<string | null, Set<IrNode>>();
  for (const { node, facts } of every) {
    const computed = facts.dynamic_roles.includes("model") && !facts.default_roles.includes("model");
    const named = [
      ...facts.literals.models,
      ...(facts.default_roles.includes("model") ? ["default"] : []),
      ...(computed ? [null] : []),
    ];
    for (const model of named) models.set(model, (models.get(model) ?? new Set()).add(node));
  }
  return [...models]
    .sort(([a], [b]) => compareText(a ?? "", b ?? ""))
    .map(([model, naming]) => {
      if (models.size > MAX_COUNTED_MODELS) return { model, max_calls: null };
      const table = bounds(index, { counts: (node) => naming.has(node) });
      return { model, max_calls: wholeBounds(starts.flatMap((id) => table.get(id) ?? []))?.max_adapter_calls ?? null };
    });
}

function usesOf(node: IrNode, catalog: AdapterCatalog): Use[] {
  return capabilitiesOf(node.op, node.data, catalog).map((facts) => ({ node, facts }));
}

function reportNode({ node, facts }: Use): ReportNode {
  return {
    node_id: node.id,
    adapter: facts.adapter,
    verb: facts.verb,
    privilege_tier: facts.privilege_tier,
    effect: facts.effect,
    effect_tier: facts.effect_tier,
    destructive: facts.destructive,
    network_facing: facts.network_facing,
    sandbox_safe: facts.sandbox_safe,
    dynamic: facts.dynamic,
    known: facts.known,
    ...(node.line === undefined ? {} : { lineno: node.line }),
    ...(node.file === undefined ? {} : { file: node.file }),
  };
}

function strongest(calls: readonly Use[]): PrivilegeTier {
  const rank = calls.reduce((most, { facts }) => Math.max(most, PRIVILEGE_TIERS.indexOf(facts.privilege_tier)), 0);
  return PRIVILEGE_TIERS[rank] ?? "operator_sensitive";
}

/** What the calls touch. */
function reachOf(
  ir: Ir,
  every: readonly Use[],
): Omit<ReportSummary, "models" | "bounds" | "max_depth" | "loops" | "waits" | "frames_at_once" | "unknown"> {
  const calls = every.filter(({ facts }) => isCall(facts));
  const facts = calls.map((use) => use.facts);
  const literals = (member: keyof Literals): readonly string[] => sorted(facts.flatMap((one) => one.literals[member]));
  const computed = (...roles: readonly ParameterRole[]): boolean =>
    facts.some((one) => one.dynamic_roles.some((role) => roles.includes(role)));
  const unnamed = (one: NodeFacts): boolean => one.dynamic || !one.known;
  return {
    adapters: adaptersOf(calls),
    privilege_tiers: inOrder(PRIVILEGE_TIERS, new Set(facts.map((one) => one.privilege_tier))),
    max_privilege: strongest(calls),
    destructive: facts.some((one) => one.destructive),
    network_facing: facts.some((one) => one.network_facing),
    effects: inOrder(["pure", "meta", "io"], new Set(facts.map((one) => one.effect))),
    effect_tiers: inOrder(["pure", "control", "io-read", "io-write"], new Set(facts.map((one) => one.effect_tier))),
    egress: {
      hosts: literals("hosts"),
      dynamic: computed("url", "host") || facts.some((one) => one.network_facing && (!one.names_host || unnamed(one))),
    },
    files: {
      paths: literals("paths"),
      dynamic: computed("path") || facts.some((one) => (one.adapter === "fs" && !one.names_path) || !one.listed),
    },
    tables: literals("tables"),
    tools: literals("tools"),
    modules: literals("modules"),
    queues: literals("queues"),
    signals: literals("signals"),
    approvers: literals("approvers"),
    programs: literals("programs"),
    events: literals("events"),
    accepts: sorted([...facts.flatMap((one) => one.literals.accepts), ...startedBy(ir)]),
    environment: literals("env"),
    dynamic_targets: sorted(calls.flatMap((use) => dynamicTargets(ir, use))),
  };
}

function dynamicTargets(ir: Ir, { node, facts }: Use): readonly string[] {
  const place = stepName(ir, node);
  const call = `${facts.adapter ?? "*"}.${facts.verb ?? "*"}`;
  if (facts.dynamic) return [`${place} ${call}`];
  return facts.dynamic_roles.map((role) => `${place} ${call} ${role}`);
}

/** Names of the events that start jobs of the program (`@on`). */
function startedBy({ declarations }: Ir): readonly string[] {
  return declarations.flatMap(({ op, slots: [, name] }) => (op === "On" && name !== undefined ? [name] : []));
}

/** Bounds that hold for a run from any of these labels. */
function wholeBounds(found: readonly LabelBounds[]): LabelBounds | null {
  if (found.length === 0) return null;
  const most = (values: readonly (number | null)[]): number | null =>
    values.reduce((a, b) => (a === null || b === null ? null : Math.max(a, b)), 0);
  const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b));
  return {
    min_steps: least(found.map((one) => one.min_steps)),
    max_steps: most(found.map((one) => one.max_steps)),
    min_adapter_calls: least(found.map((one) => one.min_adapter_calls)),
    max_adapter_calls: most(found.map((one) => one.max_adapter_calls)),
  };
}
