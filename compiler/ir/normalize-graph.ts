/** Nodes and edges of supplied IR as one graph: read, then checked against each other (docs/ir.md, IR from outside). */
import { readEdges } from "./normalize-edges.ts";
import { readNodes } from "./normalize-nodes.ts";
import type { RawProgram, ReadGraph, Reading } from "./normalize-parts.ts";
import { checkEdges } from "./normalize-ports.ts";

export function readGraph(raw: RawProgram, reading: Reading): ReadGraph {
  const labels = readNodes(raw, reading);
  const edges = readEdges(raw, labels, reading);
  checkEdges(labels, edges, reading.issues);
  return { labels, edges: edges.map(({ edge }) => edge) };
}
