/**
 * The predecessor's IR (docs/ir.md, IR from outside): labels hold their nodes and edges, and each node's data is a step record. It is
 * turned into raw nodes and edges of the canonical shape, which then pass through the same checks as any supplied IR.
 */

import { isObject, type Json, type JsonObject } from "../../../json.ts";
import { type IssueList, pointer, quoted } from "../../issues.ts";
import { resolveReference } from "../../references.ts";
import { isNodeOp } from "../data.ts";
import { isArray } from "../operands.ts";
import type { RawItem, RawProgram } from "../parts.ts";
import { type DeclaredDefaults, declaredDefaults, readPredecessorDeclarations } from "./declarations.ts";
import { jsonObject } from "./operands.ts";
import { convertStep, targetsOf } from "./steps.ts";

const LABEL_MEMBERS = ["nodes", "edges", "entry", "exits", "legacy"];
/** What its compiler derived and says of every label: computed anew, or of no use here. */
const DERIVED_MEMBERS = ["slots", "emit_edges", "effect_summary", "id_hash"];
const EDGE_MEMBERS = ["from", "to", "to_kind", "port", "label"];
const ALIASES: Readonly<Record<string, string>> = { ForEach: "Loop", Filter: "Filt" };

/** `labels[*].nodes`, or labels that hold only `legacy`. */
export function isPredecessor(input: JsonObject): boolean {
  const labels = input["labels"];
  if (!isObject(labels)) return false;
  return Object.values(labels).some(
    (label) => isObject(label) && (Object.hasOwn(label, "nodes") || Object.hasOwn(label, "legacy")),
  );
}

/** Members that only its IR has. */
const OWN_MEMBERS = [
  "services",
  "types",
  "capabilities",
  "crons",
  "source",
  "legacy",
  "steps",
  "data",
  "config",
  "rag",
];

/** What looks like its IR and has no step: labels without nodes, or none at all. */
export function isPredecessorWithoutLabels(input: JsonObject): boolean {
  if (Object.hasOwn(input, "nodes") || Object.hasOwn(input, "edges")) return false;
  return isObject(input["labels"]) || OWN_MEMBERS.some((member) => Object.hasOwn(input, member));
}

type Conversion = {
  readonly issues: IssueList;
  readonly defaults: DeclaredDefaults;
  readonly resolve: (written: string) => string;
  readonly nodes: RawItem[];
  readonly edges: RawItem[];
};

export function readPredecessor(input: JsonObject, issues: IssueList): RawProgram {
  const labels = isObject(input["labels"]) ? input["labels"] : {};
  const resolve = (written: string): string => resolveReference(written, (id) => Object.hasOwn(labels, id));
  const conversion: Conversion = { issues, defaults: declaredDefaults(input), resolve, nodes: [], edges: [] };
  const items = new Map<string, RawItem>();
  for (const id of Object.keys(labels)) {
    const item = { value: labels[id] ?? null, path: pointer("/labels", id) };
    items.set(id, item);
    convertLabel(id, item, conversion);
  }
  const entry = input["entry"];
  if (entry !== undefined && entry !== null && typeof entry !== "string")
    issues.add("schema", "/entry", "expected a label id or null");
  return {
    nodes: conversion.nodes,
    edges: conversion.edges,
    labels: items,
    ...readPredecessorDeclarations(input, resolve, issues),
    entry: typeof entry === "string" ? resolve(entry) : entry,
    checksum: undefined,
    foreign: true,
  };
}

function convertLabel(label: string, item: RawItem, conversion: Conversion): void {
  const { issues } = conversion;
  if (!isObject(item.value)) {
    issues.add("schema", item.path, "expected a label", { label });
    return;
  }
  if (Object.hasOwn(item.value, "legacy")) issues.warn("legacy_ignored");
  for (const key of Object.keys(item.value)) {
    if (!LABEL_MEMBERS.includes(key) && !DERIVED_MEMBERS.includes(key))
      issues.warn(`field_ignored: ${pointer(item.path, key)}`);
  }
  const nodes = listOf(item, "nodes", label, issues);
  const records = new Map<string, Converted>();
  nodes.forEach((given, index) => {
    const path = `${item.path}/nodes/${index}`;
    const converted = convertNode(given, label, path, conversion);
    if (converted !== null) records.set(converted.id, converted);
  });
  // A chain cannot be guessed: without its edges a label of several steps would silently lose all but the first.
  if (!Object.hasOwn(item.value, "edges") && nodes.length > 1)
    issues.add("schema", pointer(item.path, "edges"), "expected a list", { label });
  const given = convertEdges(item, label, records, conversion);
  for (const [id, { op, record, path }] of records) addRecordEdges(label, id, op, record, path, given, conversion);
}

function listOf(item: RawItem, member: string, label: string, issues: IssueList): readonly Json[] {
  const value = isObject(item.value) ? item.value[member] : undefined;
  if (isArray(value)) return value;
  if (value !== undefined && value !== null)
    issues.add("schema", pointer(item.path, member), "expected a list", { label });
  return [];
}

type Converted = { readonly id: string; readonly op: string; readonly record: JsonObject; readonly path: string };

function convertNode(given: Json, label: string, path: string, conversion: Conversion): Converted | null {
  const { issues } = conversion;
  if (!isObject(given) || !isObject(given["data"])) {
    issues.add(
      "schema",
      isObject(given) ? pointer(path, "data") : path,
      isObject(given) ? "expected a step record" : "expected a node",
      { label },
    );
    return null;
  }
  const record = given["data"];
  const id = given["id"];
  const place = { label, ...(typeof id === "string" ? { node: id.slice(0, 256) } : {}) };
  const op = opOf(given["op"], record["op"], path, place, issues);
  if (op === null) return null;
  const line = record["lineno"] ?? record["line"] ?? given["lineno"] ?? given["line"];
  const data = convertStep(op, record, { path: pointer(path, "data"), place, issues, defaults: conversion.defaults });
  conversion.nodes.push({
    path,
    value: jsonObject([
      ["id", id ?? null],
      ["label", label],
      ["op", op],
      ["data", data],
      ...(typeof line === "number" && Number.isSafeInteger(line) && line >= 1 ? [["line", line] as const] : []),
      ...(typeof given["effect_tier"] === "string" ? [["effect_tier", given["effect_tier"]] as const] : []),
    ]),
  });
  return typeof id === "string" ? { id, op, record, path } : null;
}

/** The record's op, which must be the node's where both are given. */
function opOf(
  outer: Json | undefined,
  inner: Json | undefined,
  path: string,
  place: { readonly label: string },
  issues: IssueList,
): string | null {
  const read = (value: Json | undefined): string | undefined =>
    typeof value === "string" ? (Object.hasOwn(ALIASES, value) ? ALIASES[value] : value) : undefined;
  const found = [read(outer), read(inner)].filter((op) => op !== undefined);
  const unknown = found.find((op) => !isNodeOp(op));
  if (unknown !== undefined) issues.add("unknown_op", pointer(path, "op"), `unknown op ${quoted(unknown)}`, place);
  else if (found.length === 0) issues.add("schema", pointer(path, "op"), "expected an op", place);
  else if (found.length === 2 && found[0] !== found[1]) {
    issues.add(
      "schema",
      `${path}/data/op`,
      `record is ${quoted(found[1] ?? "")} but the node is ${quoted(found[0] ?? "")}`,
      place,
    );
  } else return found[0] ?? null;
  return null;
}

/** Edges as given; label targets by node id and port. */
function convertEdges(
  item: RawItem,
  label: string,
  records: ReadonlyMap<string, Converted>,
  conversion: Conversion,
): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  listOf(item, "edges", label, conversion.issues).forEach((given, index) => {
    const path = `${item.path}/edges/${index}`;
    if (!isObject(given)) {
      conversion.issues.add("schema", path, "expected an edge", { label });
      return;
    }
    if (given["analysis_only"] === true) return;
    for (const key of Object.keys(given)) {
      if (!EDGE_MEMBERS.includes(key) && key !== "analysis_only")
        conversion.issues.warn(`field_ignored: ${pointer(path, key)}`);
    }
    const toKind = given["to_kind"] ?? "node";
    const port = given["port"] ?? "next";
    // Its compiler chained what stands below a J, and nothing ever went that way.
    if (port === "next" && records.get(String(given["from"]))?.op === "J") return;
    const to =
      toKind === "label" && typeof given["to"] === "string" ? conversion.resolve(given["to"]) : (given["to"] ?? null);
    if (toKind === "label" && typeof to === "string") targets.set(`${String(given["from"])} ${String(port)}`, to);
    conversion.edges.push({ path, value: { label, from: given["from"] ?? null, to, to_kind: toKind, port } });
  });
  return targets;
}

function addRecordEdges(
  label: string,
  id: string,
  op: string,
  record: JsonObject,
  path: string,
  given: ReadonlyMap<string, string>,
  conversion: Conversion,
): void {
  for (const { port, member, written } of targetsOf(op, record)) {
    const to = conversion.resolve(written);
    const known = given.get(`${id} ${port}`);
    const place = pointer(pointer(path, "data"), member);
    if (known === undefined)
      conversion.edges.push({ path: place, value: { label, from: id, to, to_kind: "label", port } });
    else if (known !== to) {
      const message = `record names ${quoted(to)} but the edge leads to ${quoted(known)}`;
      conversion.issues.add("data_edge_mismatch", place, message, { label, node: id });
    }
  }
}
