/** Reading the edges of supplied IR (docs/ir.md, edges): members and their grammar. Whether they fit the nodes: `ports.ts`. */
import { Pieces, type Task } from "../../../grammar/text/task.ts";
import { isObject } from "../../json.ts";
import { type IrEdge, nodeNumber } from "../graph.ts";
import { type IssueList, pointer, quoted } from "../issues.ts";
import { checkId, LABEL, MAX_ID, NODE } from "./nodes.ts";
import { checkMembers, inside, type ReadPlace, wrong } from "./operands.ts";
import type { PlacedEdge, RawItem, RawProgram, Reading, ReadNode } from "./parts.ts";
import { isPort } from "./ports.ts";

const MAX_EDGES = 1_000_000;
const EDGE_MEMBERS = ["label", "from", "to", "to_kind", "port"];

/** Edges that are read in one piece. */
const EDGES_OF_A_PIECE = 1000;

export function* readEdges(
  raw: RawProgram,
  labels: ReadonlyMap<string, readonly ReadNode[]>,
  reading: Reading,
): Task<readonly PlacedEdge[]> {
  if (raw.edges.length > MAX_EDGES) reading.issues.add("too_large", "/edges", `more than ${MAX_EDGES} edges`);
  const edges: PlacedEdge[] = [];
  const pieces = new Pieces(EDGES_OF_A_PIECE);
  for (const item of raw.edges.slice(0, MAX_EDGES)) {
    if (pieces.add()) yield;
    const edge = readEdge(item, reading.issues);
    if (edge !== null) edges.push({ edge, path: item.path });
  }
  yield;
  const order = new Map([...labels.keys()].map((id, position) => [id, position]));
  const rank = (edge: IrEdge): number => order.get(edge.label) ?? order.size;
  const compare = (a: PlacedEdge, b: PlacedEdge): number =>
    (a.edge.label === b.edge.label ? 0 : rank(a.edge) - rank(b.edge)) ||
    (a.edge.from === b.edge.from ? 0 : nodeNumber(a.edge.from) - nodeNumber(b.edge.from)) ||
    (a.edge.port < b.edge.port ? -1 : a.edge.port > b.edge.port ? 1 : 0);
  return edges.sort(compare);
}

function readEdge(item: RawItem, issues: IssueList): IrEdge | null {
  const given = item.value;
  if (!isObject(given)) {
    wrong({ path: item.path, at: {}, issues }, "an edge");
    return null;
  }
  const { label, from, to, to_kind: toKind, port } = given;
  const at = typeof label === "string" ? { label: label.slice(0, MAX_ID) } : {};
  const place: ReadPlace = { path: item.path, at, issues };
  checkMembers(given, EDGE_MEMBERS, place);
  const labelOk = checkId(label, LABEL, place, "label");
  const fromOk = checkId(from, NODE, place, "from");
  const toOk = checkId(to, toKind === "node" ? NODE : LABEL, place, "to");
  if (toKind !== "node" && toKind !== "label") wrong(inside(place, "to_kind"), "'node' or 'label'");
  if (typeof port !== "string") wrong(inside(place, "port"), "a port");
  else if (!isPort(port)) issues.add("unknown_port", pointer(item.path, "port"), `unknown port ${quoted(port)}`, at);
  if (!labelOk || !fromOk || !toOk || typeof label !== "string" || typeof from !== "string" || typeof to !== "string")
    return null;
  if ((toKind !== "node" && toKind !== "label") || typeof port !== "string" || !isPort(port)) return null;
  return { label, from, to, to_kind: toKind, port };
}
