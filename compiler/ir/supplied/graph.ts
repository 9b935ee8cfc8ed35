/** Nodes and edges of supplied IR as one graph: read, then checked against each other (docs/ir.md, IR from outside). */
import type { Task } from "../../../grammar/text/task.ts";
import { readEdges } from "./edges.ts";
import { readNodes } from "./nodes.ts";
import type { RawProgram, ReadGraph, Reading } from "./parts.ts";
import { checkEdges } from "./ports.ts";
import { readPythonLabels } from "./python.ts";

export function* readGraph(raw: RawProgram, reading: Reading): Task<ReadGraph> {
  const labels = yield* readNodes(raw, reading);
  yield;
  const edges = yield* readEdges(raw, labels, reading);
  const python = readPythonLabels(raw, reading.issues);
  yield* checkEdges(labels, edges, python, reading.issues);
  return { labels, edges: edges.map(({ edge }) => edge), python };
}
