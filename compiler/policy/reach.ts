/** Which verbs a program calls and which events it emits: what one look at each step tells. The security report has more (`report.ts`). */
import { Pieces, type Task } from "../../grammar/text/task.ts";
import { type AdapterCatalog, PRIVILEGE_TIERS, type PrivilegeTier } from "../catalog.ts";
import { compareText } from "../ir/checksum.ts";
import type { Ir } from "../ir/graph.ts";
import { capabilitiesOf, type NodeFacts } from "./capabilities-of.ts";
import type { AdapterUse, Use } from "./report-shape.ts";

export type ProgramReach = {
  readonly adapters: Readonly<Record<string, AdapterUse>>;
  /** Names of events that its calls write out; `computed`: a run may emit others. */
  readonly emits: { readonly names: readonly string[]; readonly computed: boolean };
};

/** Nodes that are looked at in one piece. */
const NODES_OF_A_PIECE = 1000;

/** All steps count, those that nothing reaches too: the check of a program against a grant reads all of them. */
export function* reachTask(ir: Pick<Ir, "nodes">, catalog: AdapterCatalog): Task<ProgramReach> {
  const pieces = new Pieces(NODES_OF_A_PIECE);
  const calls: { readonly facts: NodeFacts }[] = [];
  for (const { op, data } of ir.nodes) {
    for (const facts of capabilitiesOf(op, data, catalog)) if (isCall(facts)) calls.push({ facts });
    if (pieces.add()) yield;
  }
  const names = sorted(calls.flatMap(({ facts }) => facts.literals.events));
  return { adapters: adaptersOf(calls), emits: { names, computed: calls.some(({ facts }) => mayEmitAny(facts)) } };
}

function mayEmitAny({ adapter, verb, dynamic_roles }: NodeFacts): boolean {
  if (adapter === null) return true;
  return adapter === "event" && (verb === null || dynamic_roles.includes("event"));
}

export function isCall(facts: NodeFacts): boolean {
  return facts.adapter !== null || facts.dynamic;
}

/** By adapter; verbs in the catalog's spelling, `*` for computed ones. Adapters that are computed themselves are `*`. */
export function adaptersOf(calls: readonly Pick<Use, "facts">[]): Readonly<Record<string, AdapterUse>> {
  const found = new Map<string, { verbs: Set<string>; tiers: Set<PrivilegeTier> }>();
  for (const { facts } of calls) {
    const name = facts.adapter ?? "*";
    const use = found.get(name) ?? { verbs: new Set(), tiers: new Set() };
    found.set(name, use);
    use.verbs.add(facts.verb ?? "*");
    use.tiers.add(facts.privilege_tier);
  }
  return Object.fromEntries(
    [...found]
      .sort(([a], [b]) => compareText(a, b))
      .map(([name, use]) => [name, { verbs: sorted(use.verbs), privilege_tiers: inOrder(PRIVILEGE_TIERS, use.tiers) }]),
  );
}

export function sorted(values: Iterable<string>): readonly string[] {
  return [...new Set(values)].sort(compareText);
}

export function inOrder<T>(order: readonly T[], found: ReadonlySet<T>): readonly T[] {
  return order.filter((value) => found.has(value));
}
