/**
 * Whether the edges of supplied IR fit its nodes (docs/ir.md, edges): one table of ports says where each may start and lead,
 * and which an op must have.
 */
import { Pieces, type Task } from "../../../grammar/text/task.ts";
import { type IrEdge, type NodeOp, nodeNumber, type Port } from "../graph.ts";
import { type IssueList, type IssuePlace, pointer, quoted } from "../issues.ts";
import type { PlacedEdge, ReadNode } from "./parts.ts";
import { pythonPortFault } from "./python.ts";

const TERMINAL: ReadonlySet<NodeOp> = new Set(["J", "If", "Loop", "While"]);
const HANDLING: ReadonlySet<NodeOp> = new Set(["Err", "Retry"]);

type PortRule = { readonly from: (op: NodeOp) => boolean; readonly to: "label" | "node"; readonly target?: NodeOp };
const PORTS: { readonly [P in Port]: PortRule } = {
  next: { from: (op) => !TERMINAL.has(op), to: "node" },
  err: { from: (op) => !HANDLING.has(op), to: "node", target: "Err" },
  retry: { from: (op) => !HANDLING.has(op), to: "node", target: "Retry" },
  handler: { from: (op) => op === "Err", to: "label" },
  then: { from: (op) => op === "If", to: "label" },
  else: { from: (op) => op === "If", to: "label" },
  body: { from: (op) => op === "Loop" || op === "While" || op === "Each", to: "label" },
  after: { from: (op) => op === "Loop" || op === "While", to: "label" },
  call: { from: (op) => op === "Call", to: "label" },
  branch: { from: (op) => op === "Par", to: "label" },
};
const REQUIRED_PORTS: { readonly [O in NodeOp]?: readonly Port[] } = {
  Err: ["handler"],
  If: ["then"],
  Loop: ["body", "after"],
  While: ["body", "after"],
  Call: ["call"],
  Each: ["body"],
  Par: ["branch"],
};

/** Ports used, as bits, per label and node. */
type UsedPorts = Map<string, Map<string, number>>;
const BITS = Object.fromEntries(Object.keys(PORTS).map((port, at) => [port, 1 << at])) as Readonly<
  Record<Port, number>
>;

export function isPort(port: string): port is Port {
  return Object.hasOwn(PORTS, port);
}

/** Edges that are checked in one piece. */
const EDGES_OF_A_PIECE = 2000;

export function* checkEdges(
  labels: ReadonlyMap<string, readonly ReadNode[]>,
  edges: readonly PlacedEdge[],
  python: ReadonlyMap<string, unknown>,
  issues: IssueList,
): Task<void> {
  const nodes = new Map([...labels].map(([id, list]) => [id, new Map(list.map((node) => [node.id, node]))]));
  yield;
  const used: UsedPorts = new Map();
  const pieces = new Pieces(EDGES_OF_A_PIECE);
  for (const { edge, path } of edges) {
    if (pieces.add()) yield;
    const own = nodes.get(edge.label);
    if (own === undefined) {
      const text = `label ${quoted(edge.label)} is not in labels`;
      issues.add("missing_label", pointer(path, "label"), text, placeOf(edge));
      continue;
    }
    const from = own.get(edge.from);
    if (from === undefined) {
      const text = `label ${quoted(edge.label)} has no node ${edge.from}`;
      issues.add("missing_node", pointer(path, "from"), text, placeOf(edge));
    }
    const to = checkTarget(edge, path, own, nodes, issues);
    const isPython = python.has(edge.label);
    if (isPython) checkPythonPort(edge, path, issues);
    else checkPort(edge, path, from, to, issues);
    let byNode = used.get(edge.label);
    if (byNode === undefined) {
      byNode = new Map();
      used.set(edge.label, byNode);
    }
    const ports = byNode.get(edge.from) ?? 0;
    // A Par has an edge for each of its labels, and a Python step for each function that it uses.
    const isRepeatable = edge.port === "branch" || (isPython && edge.port === "call");
    if ((ports & BITS[edge.port]) !== 0 && !isRepeatable)
      issues.add("duplicate_edge", path, `${edge.from} has more than one edge ${edge.port}`, placeOf(edge));
    byNode.set(edge.from, ports | BITS[edge.port]);
  }
  yield;
  checkRequiredPorts(labels, used, issues);
  yield;
  checkBranches(labels, edges, issues);
  yield;
  // Loops of Python functions are edges that lead back.
  checkNextCycles(python.size === 0 ? edges : edges.filter(({ edge }) => !python.has(edge.label)), issues);
}

function checkPythonPort(edge: IrEdge, path: string, issues: IssueList): void {
  const fault = pythonPortFault(edge);
  if (fault !== null) issues.add("port_not_allowed", pointer(path, "port"), fault, placeOf(edge));
}

function placeOf({ label, from }: IrEdge): IssuePlace {
  return { label, node: from };
}

function checkTarget(
  edge: IrEdge,
  path: string,
  own: ReadonlyMap<string, ReadNode>,
  labels: ReadonlyMap<string, unknown>,
  issues: IssueList,
): ReadNode | undefined {
  if (edge.to_kind === "label") {
    if (!labels.has(edge.to))
      issues.add("missing_label", pointer(path, "to"), `label ${quoted(edge.to)} is not in labels`, placeOf(edge));
    return undefined;
  }
  const to = own.get(edge.to);
  if (to === undefined) {
    const text = `label ${quoted(edge.label)} has no node ${edge.to}`;
    issues.add("missing_node", pointer(path, "to"), text, placeOf(edge));
  }
  return to;
}

function checkPort(
  edge: IrEdge,
  path: string,
  from: ReadNode | undefined,
  to: ReadNode | undefined,
  issues: IssueList,
): void {
  const rule = PORTS[edge.port];
  const fault =
    from !== undefined && !rule.from(from.op)
      ? `${from.op} has no port ${edge.port}`
      : edge.to_kind !== rule.to
        ? `port ${edge.port} leads to a ${rule.to}`
        : to !== undefined && rule.target !== undefined && to.op !== rule.target
          ? `port ${edge.port} leads to ${rule.target}, not to ${to.op}`
          : null;
  if (fault !== null) issues.add("port_not_allowed", pointer(path, "port"), fault, placeOf(edge));
}

function checkRequiredPorts(
  labels: ReadonlyMap<string, readonly ReadNode[]>,
  used: UsedPorts,
  issues: IssueList,
): void {
  for (const [label, nodes] of labels) {
    for (const node of nodes) {
      for (const port of REQUIRED_PORTS[node.op] ?? []) {
        if (((used.get(label)?.get(node.id) ?? 0) & BITS[port]) !== 0) continue;
        issues.add("missing_edge", node.path, `${node.op} ${node.id} needs an edge ${port}`, { label, node: node.id });
      }
    }
  }
}

/** The edges of a Par lead to the labels that its data names, in the same order. */
function checkBranches(
  labels: ReadonlyMap<string, readonly ReadNode[]>,
  edges: readonly PlacedEdge[],
  issues: IssueList,
): void {
  const targets = new Map<string, string[]>();
  for (const { edge } of edges) {
    if (edge.port !== "branch") continue;
    const key = `${edge.label}\n${edge.from}`;
    const known = targets.get(key);
    if (known === undefined) targets.set(key, [edge.to]);
    else known.push(edge.to);
  }
  for (const [label, nodes] of labels) {
    for (const node of nodes) {
      if (!("branches" in node.data)) continue;
      const { branches } = node.data;
      const found = targets.get(`${label}\n${node.id}`) ?? [];
      if (found.length === branches.length && found.every((to, at) => to === branches[at])) continue;
      const path = pointer(pointer(node.path, "data"), "branches");
      issues.add("missing_edge", path, `the edges branch of ${node.id} do not lead to these labels in this order`, {
        label,
        node: node.id,
      });
    }
  }
}

/** Every node has at most one `next` here that counts, so a cycle is a walk that meets itself. */
function checkNextCycles(edges: readonly PlacedEdge[], issues: IssueList): void {
  if (edges.every(({ edge }) => edge.port !== "next" || nodeNumber(edge.to) > nodeNumber(edge.from))) return;
  const nexts = new Map<string, Map<string, PlacedEdge>>();
  for (const placed of edges) {
    if (placed.edge.port !== "next") continue;
    const own = nexts.get(placed.edge.label) ?? new Map<string, PlacedEdge>();
    if (!own.has(placed.edge.from)) own.set(placed.edge.from, placed);
    nexts.set(placed.edge.label, own);
  }
  for (const [label, own] of nexts) {
    const walked = new Map<string, number>();
    let walk = 0;
    for (const start of own.keys()) {
      walk += 1;
      let placed = own.get(start);
      while (placed !== undefined && !walked.has(placed.edge.from)) {
        walked.set(placed.edge.from, walk);
        const next: PlacedEdge | undefined = own.get(placed.edge.to);
        if (next !== undefined && walked.get(next.edge.from) === walk) {
          issues.add("next_cycle", placed.path, `next edges of ${quoted(label)} form a cycle`, {
            label,
            node: placed.edge.from,
          });
        }
        placed = next;
      }
    }
  }
}
