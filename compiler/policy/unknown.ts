/**
 * What a program does not say before a run, each with the step, its line and the reason; and the bounds of its loops. A list of
 * the security report is complete exactly when nothing here names it, so whatever is left out there must be found here.
 */
import type { SettingTable } from "../catalog/settings.ts";
import type { ParameterRole } from "../catalog.ts";
import { type IrIndex, isCycle, type LabelBounds, labelComponents, reachableLabels } from "../ir/analysis.ts";
import { loopOf, pythonLabels } from "../ir/bounds/python-bounds.ts";
import type { IrNode } from "../ir/graph.ts";
import { cycleCause, HANDED_ON, isOpenLoop, OPEN_PASSES, openLoop, placeOf, unboundedCauses } from "../ir/unbounded.ts";
import type { NodeFacts } from "./capabilities-of.ts";
import type { LoopBound, Unknown, Use } from "./report-shape.ts";
import { unknownWaits } from "./waits.ts";

/** Loops that a run can come to, in the order of the program. */
export function loopsOf(index: IrIndex): LoopBound[] {
  return index.labelIds.flatMap((id) =>
    nodesOf(index, id).flatMap((node): LoopBound[] => {
      const loop = loopOf(node);
      if (loop !== null) return [{ ...placeOf(node), op: loop, max_iterations: null }];
      if (node.op === "While") return [{ ...placeOf(node), op: node.op, max_iterations: node.data.limit }];
      if (node.op === "Par") {
        const { length } = node.data.branches;
        return [{ ...placeOf(node), op: node.op, max_iterations: length, branches_at_once: length }];
      }
      if (node.op !== "Loop" && node.op !== "Each") return [];
      const { list } = node.data;
      const most = list.k === "list" ? list.items.length : null;
      const atOnce = node.op === "Each" ? { branches_at_once: Math.min(node.data.limit, most ?? node.data.limit) } : {};
      return [{ ...placeOf(node), op: node.op, max_iterations: most, ...atOnce }];
    }),
  );
}

/** Nodes that a run of the label can visit. */
function nodesOf(index: IrIndex, id: string): readonly IrNode[] {
  return index.label(id)?.python === undefined ? index.chainOf(id) : index.nodesOf(id);
}

export type UnknownSources = {
  readonly index: IrIndex;
  /** Where runs begin: the entry and the labels of endpoints. */
  readonly starts: readonly string[];
  readonly table: ReadonlyMap<string, LabelBounds>;
  readonly every: readonly Use[];
  readonly settings: SettingTable;
};

export function unknownOf(sources: UnknownSources): Unknown[] {
  const { index, every, settings } = sources;
  const targets = every.flatMap(({ node, facts }) =>
    unknownTargets(facts, settings).map((found) => ({ ...found, ...placeOf(node) })),
  );
  const loops = index.labelIds.flatMap((id) =>
    nodesOf(index, id).flatMap((node): Unknown[] => {
      const reason = isOpenLoop(node) ? openLoop(node) : loopOf(node) === null ? null : OPEN_PASSES;
      return reason === null ? [] : [{ what: "iterations", ...placeOf(node), reason }];
    }),
  );
  return [...targets, ...unknownWaits(every), ...loops, ...unknownBounds(sources)];
}

type Found = Pick<Unknown, "what" | "reason">;

const OF_ROLE: Readonly<Record<ParameterRole, Found["what"]>> = {
  url: "hosts",
  host: "hosts",
  path: "paths",
  table: "tables",
  tool: "tools",
  module: "modules",
  env: "environment",
  queue: "queues",
  model: "models",
  signal: "signals",
  approver: "approvers",
  program: "programs",
  event: "events",
};

/** What verbs of an adapter name next to the targets that its settings restrict. */
const OTHER_ROLES: Readonly<Record<string, readonly ParameterRole[]>> = {
  core: ["env"],
  fs: ["path"],
  extras: ["path"],
  queue: ["queue"],
};

function unknownTargets(facts: NodeFacts, settings: SettingTable): Found[] {
  if (facts.adapter === null && !facts.dynamic) return [];
  const call = `${facts.adapter ?? "*"}.${facts.verb ?? "*"}`;
  if (facts.adapter === null) return [{ what: "adapters", reason: "the adapter is computed: it may be any" }];
  if (!facts.listed)
    return [{ what: "adapters", reason: `nothing is known of ${facts.adapter}: it may touch anything` }];
  const admits = settings.get(facts.adapter)?.admits ?? {};
  if (!facts.known) {
    const reason = facts.dynamic ? `the verb of ${call} is computed` : `nothing is known of ${call}`;
    const roles = [...Object.keys(admits), ...(OTHER_ROLES[facts.adapter] ?? [])] as ParameterRole[];
    const whats = new Set(roles.map((role) => OF_ROLE[role]));
    if (facts.network_facing) whats.add("hosts");
    if (facts.dynamic) whats.add("verbs");
    return [...whats].map((what) => ({ what, reason }));
  }
  const found: Found[] = facts.dynamic_roles.map((role) => ({
    what: OF_ROLE[role],
    reason: facts.default_roles.includes(role)
      ? role === "approver"
        ? `${call} names no people, so all who may decide are asked`
        : `${call} names no ${role}, so the operator's default holds`
      : `the ${role} of ${call} is computed`,
  }));
  if (facts.network_facing && !facts.names_host)
    found.push({ what: "hosts", reason: `${call} reaches hosts that its settings name` });
  if (!facts.names_table && admits.table !== undefined)
    found.push({ what: "tables", reason: `${call} names its tables in SQL` });
  return found;
}

function unknownBounds({ index, starts, table }: UnknownSources): Unknown[] {
  const components = labelComponents(index);
  const found: Unknown[] = [];
  for (const bound of ["max_steps", "max_adapter_calls"] as const) {
    const causes = unboundedCauses(index, components, table, bound);
    const what = bound === "max_steps" ? "steps" : "adapter_calls";
    for (const cause of new Set(starts.flatMap((id) => causes.get(id) ?? []))) found.push({ what, ...cause });
  }
  const reached = reachableLabels(index, starts);
  for (const component of components) {
    const [first] = component;
    if (first === undefined || !reached.has(first)) continue;
    if (isCycle(index, component)) found.push({ what: "depth", ...cycleCause(index, first) });
    else if (pythonLabels(index).get(first)?.deepens === true) {
      const [node] = index.nodesOf(first);
      if (node !== undefined) found.push({ what: "depth", ...placeOf(node), node_id: null, reason: HANDED_ON });
    }
  }
  return found;
}
