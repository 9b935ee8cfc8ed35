/** Rows and other records, which are dicts, where a tuple, a list or a plain value is meant. */
import type { Call, Expr, Place } from "../../../grammar/python/tree.ts";
import { partsOf, type Type } from "./types.ts";
import type { Walk } from "./walk.ts";

/** Whether a value is for certain a dict of an answer. */
export function isRecord(type: Type): boolean {
  const parts = partsOf(type).filter(({ k }) => k !== "none");
  return parts.length > 0 && parts.every(({ k }) => k === "map" || k === "object");
}

function isListOfRecords(type: Type): boolean {
  return type.k === "list" && isRecord(type.item);
}

/** `name, age = row` would give the names of the members. */
export function unpacked(w: Walk, target: Place & { readonly elts: readonly Expr[] }, type: Type): void {
  if (isRecord(type) && !target.elts.some(({ kind }) => kind === "Starred")) w.note(target, "record_unpacked");
}

/** `row[0]` */
export function byPlace(w: Walk, node: Place, type: Type, key: string): void {
  if (isRecord(type) && !w.keys.has(key)) w.note(node, "record_by_place");
}

/** Builtins that fail with dicts as elements, or walk the names of their members. */
const OF_PLAIN: ReadonlySet<string> = new Set(
  "dict set frozenset sum str.join collections.Counter sorted min max".split(" "),
);
const BY_ORDER: ReadonlySet<string> = new Set(["sorted", "min", "max"]);
const OF_LINES: ReadonlySet<string> = new Set(["csv.reader", "csv.DictReader"]);

/** What a builtin makes of an answer that is a list of records, or a text. */
export function ofRecords(w: Walk, node: Call, name: string, type: Type): void {
  const [at] = node.args;
  if (at === undefined) return;
  if (OF_LINES.has(name) && partsOf(type).every(({ k }) => k === "text")) w.note(at, "text_as_lines", { name });
  if (!OF_PLAIN.has(name) || !isListOfRecords(type)) return;
  if (BY_ORDER.has(name) && (node.args.length > 1 || node.keywords.some(({ arg }) => arg !== "reverse"))) return;
  w.note(at, "records_as_plain", { name: name.split(".").at(-1) ?? name });
}

/** `"x" in rows` */
export function amongRecords(w: Walk, node: Place, left: Expr, leftType: Type, type: Type): void {
  const isPlain =
    (left.kind === "Constant" && left.type !== "none") || left.kind === "JoinedStr" || leftType.k === "text";
  if (isPlain && isListOfRecords(type)) w.note(node, "never_a_record");
}

/** `parallel([f(x) for x in xs])`: the calls are over before `parallel` begins. */
export function branchesOfCalls(w: Walk, node: Call, type: Type): void {
  const [first] = node.args;
  if (first === undefined || type.k === "function") return;
  const made =
    first.kind === "ListComp" || first.kind === "GeneratorExp" ? [first.elt] : first.kind === "List" ? first.elts : [];
  for (const one of made) {
    if (one.kind !== "Call" || one.func.kind !== "Name") continue;
    const callee = w.read(one.func.id);
    if (callee.k !== "function" || !givesData(w.before.returned.get(callee.node))) continue;
    w.note(one, "branch_called", { name: one.func.id });
  }
}

/** Whether a value is for certain none that can be called. */
function givesData(type: Type | undefined): boolean {
  return type !== undefined && partsOf(type).every(({ k }) => k !== "unknown" && k !== "function");
}
