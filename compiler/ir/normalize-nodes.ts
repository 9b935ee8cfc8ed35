/**
 * Reading the nodes of supplied IR (docs/ir.md 3.2): ids, labels, ops, data, lines. What cannot be read at all is left out;
 * its issue refuses the program.
 */
import type { Json, JsonObject } from "../json.ts";
import { nodeNumber } from "./graph.ts";
import { type IssuePlace, pointer, quoted } from "./issues.ts";
import { FORBIDDEN_MEMBERS } from "./normalize-bounds.ts";
import { isNodeOp, readData } from "./normalize-data.ts";
import { inside, isObject, type ReadPlace, wrong } from "./normalize-operands.ts";
import type { RawItem, RawProgram, Reading, ReadNode } from "./normalize-parts.ts";

const MAX_NODES = 200_000;
export const MAX_ID = 256;
/** No blank, line end, colon, comment sign, comma, quote or bracket (language reference 7.1). */
export const LABEL_ID = /^[^\t\n\f\r\p{Zs}:#,"'()[\]{}]+$/u;
export const NODE_ID = /^n[1-9][0-9]{0,14}$/;
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
  "data",
];

export function readNodes(raw: RawProgram, reading: Reading): Map<string, readonly ReadNode[]> {
  const labels = new Map<string, ReadNode[]>();
  const { issues } = reading;
  if (raw.nodes.length > MAX_NODES) issues.add("too_large", "/nodes", `more than ${MAX_NODES} nodes`);
  const ids = new Map<string, Set<string>>();
  for (const item of raw.nodes.slice(0, MAX_NODES)) {
    const node = readNode(item, reading);
    if (node === null) continue;
    const place = { label: node.label, node: node.id };
    if (raw.labels !== null && !raw.labels.has(node.label)) {
      issues.add("missing_label", pointer(item.path, "label"), `label ${quoted(node.label)} is not in labels`, place);
    }
    const seen = ids.get(node.label) ?? new Set();
    if (seen.has(node.id)) issues.add("duplicate_node", pointer(item.path, "id"), `${node.id} is there twice`, place);
    ids.set(node.label, seen.add(node.id));
    const nodes = labels.get(node.label);
    if (nodes === undefined) labels.set(node.label, [node]);
    else nodes.push(node);
  }
  for (const nodes of labels.values()) nodes.sort((a, b) => nodeNumber(a.id) - nodeNumber(b.id));
  for (const [id, item] of raw.labels ?? []) {
    if (!(id.length <= MAX_ID && LABEL_ID.test(id)))
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
  for (const key of Object.keys(given)) {
    if (!NODE_MEMBERS.includes(key)) issues.warn(`field_ignored: ${pointer(item.path, key)}`);
  }
  const idOk = checkId(id, NODE_ID, inside(place, "id"), "node id");
  const labelOk = checkId(label, LABEL_ID, inside(place, "label"), "label id");
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

export function checkId(id: Json | undefined, pattern: RegExp, place: ReadPlace, what: string): boolean {
  if (typeof id !== "string") wrong(place, `a ${what}`);
  else if (id.length > MAX_ID) place.issues.add("too_large", place.path, `longer than ${MAX_ID} characters`, place.at);
  // Label ids become members of `labels`.
  else if (FORBIDDEN_MEMBERS.has(id))
    place.issues.add("forbidden_member", place.path, `${quoted(id)} is not accepted`, place.at);
  else if (!pattern.test(id)) place.issues.add("bad_id", place.path, `${quoted(id)} is not a ${what}`, place.at);
  else return true;
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
