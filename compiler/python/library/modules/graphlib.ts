/** Rows of the module graphlib. Its errors are graphlib.CycleError, a ValueError. */
import { type Row, row } from "../row.ts";

const TYPE = "graphlib.TopologicalSorter";
const S = `${TYPE}({'b': ['a']})`;

const of = (name: string, params: string, result: string, help: string, example: string): Row =>
  row(`${TYPE}${name}`, params, result, help, example, { raises: "ValueError", cost: "n" });

export const GRAPHLIB: readonly Row[] = [
  of("", "graph=None", TYPE, "sorts nodes after their predecessors", `list(${S}.static_order()) == ['a', 'b']`),
  of(".add", "self, node, *predecessors", "None", "adds a node", `${S}.add('c', 'b') is None`),
  of(".prepare", "self", "None", "ends adding, and finds cycles", `${S}.prepare() is None`),
  of(".get_ready", "self", "tuple", "nodes that can be done", `${TYPE}().get_ready == 1`),
  of(".is_active", "self", "bool", "whether nodes remain", `${TYPE}().is_active == 1`),
  of(".done", "self, *nodes", "None", "marks nodes as done", `${TYPE}().done == 1`),
  of(".static_order", "self", "Iterator", "all nodes in order", `list(${S}.static_order()) == ['a', 'b']`),
];
