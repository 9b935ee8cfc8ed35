/**
 * Advice on sizing a sandbox for a program (docs/ir.md, top level). Computed from the nodes; no merge, validator or dispatcher reads
 * it. "Used" means used by a label that the entry, an endpoint or a schedule can reach; all labels in a program without entry.
 */

import { completed, Pieces, type Task } from "../../grammar/text/task.ts";
import { type AdapterCatalog, findAdapter, PRIVILEGE_TIERS } from "../catalog.ts";
import { bounds, callCycles, type IrIndex, indexIr, reachableLabels } from "../ir/analysis.ts";
import { BEGINNINGS, declaredInputs } from "../ir/frame-inputs.ts";
import type { ExecutionRequirements, Ir, IrNode, IrOperand, LimitSet } from "../ir/graph.ts";
import { resolveReference } from "../ir/references.ts";
import { capabilitiesOf, type NodeFacts } from "./capabilities-of.ts";
import { neededBy, suggestedLimits } from "./suggested-limits.ts";
import { waitOf } from "./waits.ts";

type Profile = ExecutionRequirements["resource_profile"];
export type UnmeasuredIr = Omit<Ir, "execution_requirements" | "checksum">;

const SMALL_CALLS = 50;

/** Nodes that are looked at in one piece. */
const NODES_OF_A_PIECE = 1000;

export function requirements(ir: UnmeasuredIr, catalog: AdapterCatalog): ExecutionRequirements {
  return completed(requirementsTask(ir, catalog));
}

/** The same in pieces. */
export function* requirementsTask(ir: UnmeasuredIr, catalog: AdapterCatalog): Task<ExecutionRequirements> {
  const pieces = new Pieces(NODES_OF_A_PIECE);
  const index = indexIr(ir);
  yield;
  const starts = startLabels(ir, index);
  const used = ir.entry === null ? new Set(index.labelIds) : reachableLabels(index, starts);
  const facts: NodeFacts[] = [];
  let strongestAnywhere = 0;
  let waits = false;
  for (const node of ir.nodes) {
    const found = capabilitiesOf(node.op, node.data, catalog);
    for (const fact of found)
      strongestAnywhere = Math.max(strongestAnywhere, PRIVILEGE_TIERS.indexOf(fact.privilege_tier));
    if (used.has(node.label)) {
      facts.push(...found);
      waits ||= waitOf(node) !== null;
    }
    if (pieces.add()) yield;
  }
  const strongest = facts.reduce((rank, fact) => Math.max(rank, PRIVILEGE_TIERS.indexOf(fact.privilege_tier)), 0);
  const adapters = sortedSet(facts.flatMap((fact) => (fact.adapter === null ? [] : [fact.adapter])));
  const { profile, limits } = yield* sizeOf(ir, index, starts, used);
  return {
    isolation_level: strongest >= 3 ? "container" : strongest === 2 ? "process" : "none",
    required_capabilities: waits ? sortedSet([...adapters, "waits"]) : adapters,
    network: networkNeeds(facts),
    filesystem: filesystemNeeds(facts),
    resource_profile: profile,
    suggested_limits: limits,
    ephemeral: !facts.some((fact) => fact.adapter !== null && isDurable(fact.adapter, catalog)),
    sandbox_policy_fragment: {
      allowed_adapters: adapters,
      // The validator reads every label, reachable or not: the fragment must admit the program all the same.
      forbidden_privilege_tiers: PRIVILEGE_TIERS.slice(strongestAnywhere + 1),
      limits,
    },
  };
}

function startLabels(ir: UnmeasuredIr, index: IrIndex): readonly string[] {
  const starts = ir.entry === null ? [] : [ir.entry];
  for (const endpoint of ir.endpoints) starts.push(endpoint.label);
  const exists = (id: string): boolean => index.label(id) !== undefined;
  /** Scheduled in an included file: such a line names its label without the alias in front. */
  const unqualified = new Set<string>();
  for (const { op, slots } of ir.declarations) {
    const written = slots[0];
    if (!BEGINNINGS.has(op) || written === undefined) continue;
    const id = resolveReference(written, exists);
    if (exists(id)) starts.push(id);
    else unqualified.add(id.slice(id.lastIndexOf("/") + 1));
  }
  for (const id of index.labelIds) if (unqualified.has(id.slice(id.lastIndexOf("/") + 1))) starts.push(id);
  return [...new Set(starts)].filter(exists);
}

function networkNeeds(facts: readonly NodeFacts[]): ExecutionRequirements["network"] {
  const facing = facts.filter((fact) => fact.network_facing);
  return {
    required: facing.length > 0,
    hosts: sortedSet(facts.flatMap((fact) => fact.literals.hosts)),
    dynamic:
      facing.some((fact) => !fact.names_host) ||
      facts.some((fact) => fact.dynamic_roles.includes("url") || fact.dynamic_roles.includes("host")),
  };
}

function filesystemNeeds(facts: readonly NodeFacts[]): ExecutionRequirements["filesystem"] {
  const touching = facts.filter((fact) => fact.names_path || fact.adapter === "fs");
  return {
    required: touching.length > 0,
    paths: sortedSet(facts.flatMap((fact) => fact.literals.paths)),
    dynamic: touching.some((fact) => !fact.names_path) || facts.some((fact) => fact.dynamic_roles.includes("path")),
  };
}

function isDurable(name: string, catalog: AdapterCatalog): boolean {
  return findAdapter(catalog, name)?.durable ?? false;
}

function* sizeOf(
  ir: UnmeasuredIr,
  index: IrIndex,
  starts: readonly string[],
  used: ReadonlySet<string>,
): Task<{ readonly profile: Profile; readonly limits: LimitSet }> {
  const entries = ir.entry === null ? [...used] : starts;
  yield;
  const table = bounds(index);
  yield;
  const found = entries.flatMap((id) => table.get(id) ?? []);
  const mostCalls = found.reduce<number | null>((most, { max_adapter_calls: calls }) => {
    return most === null || calls === null ? null : Math.max(most, calls);
  }, 0);
  const cyclic = callCycles(index).some((component) => component.some((id) => used.has(id)));
  yield;
  const profile = profileOf(ir, used, cyclic, mostCalls);
  return { profile, limits: suggestedLimits(profile, neededBy(index, entries, used, found)) };
}

const REPEATING: ReadonlySet<string> = new Set(["Loop", "While", "Each"]);

function profileOf(ir: UnmeasuredIr, used: ReadonlySet<string>, cyclic: boolean, mostCalls: number | null): Profile {
  const loops = ir.nodes.filter((node) => used.has(node.label) && REPEATING.has(node.op));
  if (loops.length === 0 && !cyclic && mostCalls !== null && mostCalls <= SMALL_CALLS) return "small";
  const inputs = new Set(declaredInputs(ir));
  return !cyclic && loops.every((node) => isBounded(node, inputs)) ? "standard" : "large";
}

/** While carries its literal limit always; a Loop is bounded by a literal list or by what the caller hands in. */
function isBounded(node: IrNode, inputs: ReadonlySet<string>): boolean {
  return (
    (node.op !== "Loop" && node.op !== "Each") ||
    node.data.list.k === "list" ||
    inputs.has(rootOf(node.data.list) ?? "")
  );
}

function rootOf(operand: IrOperand): string | undefined {
  if (operand.k === "var" || operand.k === "name") return operand.v;
  return operand.k === "path" ? operand.root : undefined;
}

function sortedSet(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort();
}
