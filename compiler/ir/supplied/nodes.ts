/**
 * Reading the nodes of supplied IR (docs/ir.md, nodes): ids, labels, ops, data, lines. What cannot be read at all is left out;
 * its issue refuses the program.
 */
import { Pieces, type Task } from "../../../grammar/text/task.ts";
import { isObject, type Json, type JsonObject } from "../../json.ts";
import { nodeNumber } from "../graph.ts";
import { type IssuePlace, pointer, quoted } from "../issues.ts";
import { FORBIDDEN_MEMBERS } from "./bounds.ts";
import { isNodeOp, readData } from "./data.ts";
import { inside, type ReadPlace, wrong } from "./operands.ts";
import type { RawItem, RawProgram, Reading, ReadNode } from "./parts.ts";

const MAX_NODES = 200_000;
export const MAX_ID = 256;
/** No blank, line end, colon, comment sign, comma, quote or bracket (docs/language.md, labels). */
const LABEL_ID = /^[^\t\n\f\r\p{Zs}:#,"'()[\]{}]+$/u;
/** Nearly every label has such an id, and this test is faster. */
const PLAIN_LABEL_ID = /^[\w/.-]+$/;
const NODE_ID = /^n[1-9][0-9]{0,14}$/;

export type IdGrammar = { readonly what: string; readonly accepts: (id: string) => boolean };
export const LABEL: IdGrammar = { what: "label id", accepts: (id) => PLAIN_LABEL_ID.test(id) || LABEL_ID.test(id) };
export const NODE: IdGrammar = { what: "node id", accepts: (id) => NODE_ID.test(id) };
const NODE_MEMBERS = [
  "id",
  "label",
  "op",
  "effect",
  "effect_tier",
  "effect_kinds",
  "reads",
  "writes",
  "line",
  "file",
  "step",
  "data",
];

/** Nodes that are read in one piece. */
const NODES_OF_A_PIECE = 200;

export function* readNodes(raw: RawProgram, reading: Reading): Task<Map<string, readonly ReadNode[]>> {
  const labels = new Map<string, ReadNode[]>();
  const { issues } = reading;
  if (raw.nodes.length > MAX_NODES) issues.add("too_large", "/nodes", `more than ${MAX_NODES} nodes`);
  const ids = new Map<string, Set<string>>();
  let ordered = true;
  const pieces = new Pieces(NODES_OF_A_PIECE);
  for (const item of raw.nodes.slice(0, MAX_NODES)) {
    if (pieces.add()) yield;
    const node = readNode(item, reading);
    if (node === null) continue;
    const place = { label: node.label, node: node.id };
    if (raw.labels !== null && !raw.labels.has(node.label)) {
      issues.add("missing_label", pointer(item.path, "label"), `label ${quoted(node.label)} is not in labels`, place);
    }
    const nodes = labels.get(node.label);
    if (nodes === undefined) {
      labels.set(node.label, [node]);
      ids.set(node.label, new Set([node.id]));
      continue;
    }
    const seen = ids.get(node.label) as Set<string>;
    if (seen.has(node.id)) issues.add("duplicate_node", pointer(item.path, "id"), `${node.id} is there twice`, place);
    seen.add(node.id);
    ordered &&= nodeNumber(node.id) > nodeNumber(nodes.at(-1)?.id ?? "");
    nodes.push(node);
  }
  if (!ordered) for (const nodes of labels.values()) nodes.sort((a, b) => nodeNumber(a.id) - nodeNumber(b.id));
  for (const [id, item] of raw.labels ?? []) {
    if (!(id.length <= MAX_ID && LABEL.accepts(id)))
      issues.add(id.length > MAX_ID ? "too_large" : "bad_id", item.path, `${quoted(id)} is not a label id`);
    if (!labels.has(id)) labels.set(id, []);
  }
  return labels;
}

function readNode(item: RawItem, reading: Reading): ReadNode | null {
  const { issues } = reading;
  const given = item.value;
  if (!isObject(given)) {
    wrong({ path: item.path, at: {}, issues }, "a node");
    return null;
  }
  const { id, label, op } = given;
  const at = placeOf(label, id);
  const place: ReadPlace = { path: item.path, at, issues };
  for (const key in given) {
    if (!NODE_MEMBERS.includes(key)) issues.warn(`field_ignored: ${pointer(item.path, key)}`);
  }
  const idOk = checkId(id, NODE, place, "id");
  const labelOk = checkId(label, LABEL, place, "label");
  if (typeof op !== "string") wrong(inside(place, "op"), "an op");
  else if (!isNodeOp(op)) issues.add("unknown_op", pointer(item.path, "op"), `unknown op ${quoted(op)}`, at);
  if (typeof op !== "string" || !isNodeOp(op)) return null;
  const data = readData(op, given["data"], inside(place, "data"), reading.catalog);
  const line = readLine(given, place);
  const file = Object.hasOwn(given, "file") ? given["file"] : null;
  if (file !== null && typeof file !== "string") wrong(inside(place, "file"), "text");
  if (!idOk || !labelOk || typeof id !== "string" || typeof label !== "string") return null;
  return { id, label, op, data, line, file: typeof file === "string" ? file : null, path: item.path, given };
}

function placeOf(label: Json | undefined, id: Json | undefined): IssuePlace {
  const place: { label?: string; node?: string } = {};
  if (typeof label === "string") place.label = label.slice(0, MAX_ID);
  if (typeof id === "string") place.node = id.slice(0, MAX_ID);
  return place;
}

/** Whether member `member` of what stands at `around` is such an id. */
export function checkId(
  id: Json | undefined,
  { what, accepts }: IdGrammar,
  around: ReadPlace,
  member: string,
): boolean {
  // Label ids become members of `labels`.
  if (typeof id === "string" && id.length <= MAX_ID && !FORBIDDEN_MEMBERS.has(id) && accepts(id)) return true;
  const place = inside(around, member);
  if (typeof id !== "string") wrong(place, `a ${what}`);
  else if (id.length > MAX_ID) place.issues.add("too_large", place.path, `longer than ${MAX_ID} characters`, place.at);
  else if (FORBIDDEN_MEMBERS.has(id))
    place.issues.add("forbidden_member", place.path, `${quoted(id)} is not accepted`, place.at);
  else place.issues.add("bad_id", place.path, `${quoted(id)} is not a ${what}`, place.at);
  return false;
}

/** Source line, null when not given. */
export function readLine(given: JsonObject, place: ReadPlace): number | null {
  if (!Object.hasOwn(given, "line")) return null;
  const line = given["line"];
  if (typeof line !== "number") wrong(inside(place, "line"), "a number");
  else if (!Number.isSafeInteger(line) || line < 1)
    place.issues.add("bad_number", pointer(place.path, "line"), "expected a whole number from 1", place.at);
  else return line;
  return null;
}
