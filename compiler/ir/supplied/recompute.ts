/**
 * The derived members of supplied IR (docs/ir.md, IR from outside): computed from data, edges and catalog, then compared with what was
 * given. A differing value is an issue, never a correction: a program that lies about itself is not run.
 */

import { Pieces, type Task } from "../../../grammar/text/task.ts";
import { builtinCatalog } from "../../catalog/builtin.ts";
import { type AdapterCatalog, findAdapter } from "../../catalog.ts";
import { isObject, type Json } from "../../json.ts";
import { type Annotations, annotate, annotatedNode, tierRank } from "../../policy/annotate.ts";
import { CALL_OPS, type CallData, type IrEdge, type IrLabel, type IrNode } from "../graph.ts";
import { pointer, quoted } from "../issues.ts";
import type { NodeShape } from "../operands.ts";
import { isArray } from "./operands.ts";
import type { RawProgram, ReadGraph, Reading, ReadNode } from "./parts.ts";
import { checkForm, isExit } from "./python.ts";

export type Recomputed = {
  readonly labels: { readonly [id: string]: IrLabel };
  readonly nodes: readonly IrNode[];
  readonly edges: readonly IrEdge[];
};

/** Nodes that are computed in one piece. */
const NODES_OF_A_PIECE = 500;

export function* recompute(raw: RawProgram, graph: ReadGraph, reading: Reading): Task<Recomputed> {
  const labels: { [id: string]: IrLabel } = {};
  const nodes: IrNode[] = [];
  const pieces = new Pieces(NODES_OF_A_PIECE);
  for (const [id, list] of graph.labels) {
    const python = graph.python.get(id);
    const label: IrLabel = {
      entry: list[0]?.id ?? null,
      exits: list.filter(({ op, data }) => isExit(op, data)).map((node) => node.id),
      ...(python === undefined ? {} : { python }),
    };
    labels[id] = label;
    for (const node of list) {
      checkForm(node, python !== undefined, reading.issues);
      nodes.push(annotated(node, raw.foreign, python !== undefined, reading));
      if (pieces.add()) yield;
    }
    const given = raw.labels?.get(id);
    if (given !== undefined && !raw.foreign) compareLabel(given.value, given.path, id, label, list, reading);
  }
  yield;
  warnOfOrphans(graph, reading);
  return { labels, nodes, edges: graph.edges };
}

function annotated(node: ReadNode, foreign: boolean, isPython: boolean, reading: Reading): IrNode {
  const derived = annotate(node.op, node.data, reading.catalog);
  if (foreign) compareTier(node, derived, reading);
  else compareNode(node, derived, reading);
  // `readData` chose the data's shape by this op.
  const made = annotatedNode(node, node as NodeShape, derived);
  return isPython && node.given["step"] === true ? ({ ...made, step: true } as IrNode) : made;
}

function compareNode(node: ReadNode, derived: Annotations, reading: Reading): void {
  const free = dependsOnOperator(node, reading.catalog);
  if (free) compareTier(node, derived, reading);
  for (const field of ["effect", "effect_tier", "effect_kinds", "reads", "writes"] as const) {
    if (!Object.hasOwn(node.given, field) || (free && field.startsWith("effect"))) continue;
    const given = node.given[field];
    if (!sameValue(given, derived[field]))
      mismatch(pointer(node.path, field), field, given, derived[field], reading, node);
  }
}

/** Only understatement counts where the vocabulary is foreign or the facts are the operator's. */
function compareTier(node: ReadNode, derived: Annotations, reading: Reading): void {
  if (!CALL_OPS.has(node.op)) return;
  const given = node.given["effect_tier"];
  const rank = typeof given === "string" ? tierRank(given) : -1;
  if (rank >= 0 && rank < tierRank(derived.effect_tier)) {
    mismatch(pointer(node.path, "effect_tier"), "effect_tier", given, derived.effect_tier, reading, node);
  }
}

/** Calls of `tools`, plugins and unknown adapters: another machine may know other facts. */
function dependsOnOperator(node: ReadNode, catalog: AdapterCatalog): boolean {
  if (node.op !== "R") return false;
  const { adapter } = node.data as CallData;
  if (typeof adapter !== "string") return false;
  const name = findAdapter(catalog, adapter)?.name ?? adapter;
  return name === "tools" || builtinCatalog.adapter(name) === undefined;
}

function compareLabel(
  given: Json,
  path: string,
  id: string,
  label: IrLabel,
  nodes: readonly ReadNode[],
  reading: Reading,
): void {
  const { issues } = reading;
  if (!isObject(given)) {
    issues.add("schema", path, "expected a label", { label: id });
    return;
  }
  for (const key of Object.keys(given)) {
    if (key !== "entry" && key !== "exits" && key !== "python") issues.warn(`field_ignored: ${pointer(path, key)}`);
  }
  const { entry, exits } = given;
  if (typeof entry === "string" && !nodes.some((node) => node.id === entry)) {
    issues.add("missing_node", pointer(path, "entry"), `label ${quoted(id)} has no node ${quoted(entry)}`, {
      label: id,
    });
  } else if (entry !== undefined && entry !== label.entry) {
    mismatch(pointer(path, "entry"), "entry", entry, label.entry, reading, { label: id });
  }
  if (exits !== undefined && !sameValue(exits, label.exits))
    mismatch(pointer(path, "exits"), "exits", exits, label.exits, reading, { label: id });
}

function sameValue(given: Json | undefined, derived: string | readonly string[]): boolean {
  if (typeof derived === "string") return given === derived;
  return isArray(given) && given.length === derived.length && given.every((item, index) => item === derived[index]);
}

function mismatch(
  path: string,
  field: string,
  given: Json | undefined,
  derived: string | readonly string[] | null,
  reading: Reading,
  node: { readonly label: string; readonly id?: string },
): void {
  const place = { label: node.label, ...(node.id === undefined ? {} : { node: node.id }) };
  reading.issues.add(
    "annotation_mismatch",
    path,
    `${field} is given as ${shown(given)} but computed as ${shown(derived)}`,
    place,
  );
}

/** Annotations are words of the IR and names, so they may be shown. */
function shown(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

/** Nodes that neither a chain nor an err or retry edge reaches never run: probably not what the author meant. */
function warnOfOrphans(graph: ReadGraph, reading: Reading): void {
  const next = new Map<string, Map<string, string>>();
  const reached = new Map<string, Set<string>>();
  for (const [id] of graph.labels) {
    // What follows a return is never reached there, and harmless.
    if (graph.python.has(id)) continue;
    next.set(id, new Map());
    reached.set(id, new Set());
  }
  for (const edge of graph.edges) {
    if (edge.port === "next") next.get(edge.label)?.set(edge.from, edge.to);
    else if (edge.to_kind === "node") reached.get(edge.label)?.add(edge.to);
  }
  for (const [label, nodes] of graph.labels) {
    if (graph.python.has(label)) continue;
    const chain = new Set<string>();
    for (let id = nodes[0]?.id; id !== undefined && !chain.has(id); id = next.get(label)?.get(id)) chain.add(id);
    for (const node of nodes) {
      if (!chain.has(node.id) && !reached.get(label)?.has(node.id))
        reading.issues.warn(`orphan_node: ${node.id} of label ${quoted(label)} is never reached`);
    }
  }
}
