/** Conditions that can only be true or false, and comparisons with what a value can never be. */
import type { Compare, CompareOperator, Expr, Place } from "../../../grammar/python/tree.ts";
import { nearest } from "../../../grammar/text/nearest.ts";
import { amongRecords, isRecord } from "./records.ts";
import { partsOf, type Type } from "./types.ts";
import { answerOf } from "./uses.ts";
import type { Walk } from "./walk.ts";

/** The value of something that is asked for its truth. */
export function condition(w: Walk, node: Expr): Type {
  if (node.kind === "UnaryOp" && node.op === "not") {
    condition(w, node.operand);
    return { k: "unknown" };
  }
  if (node.kind === "BoolOp") {
    for (const value of node.values) condition(w, value);
    return { k: "unknown" };
  }
  const type = w.visit(node);
  tested(w, node, type);
  return type;
}

export function tested(w: Walk, node: Place, type: Type): void {
  const answer = answerOf(type);
  if (answer !== null) {
    const member = [...answer.members].find(([, { type: one }]) => one.k === "bool")?.[0];
    const words = { name: answer.of ?? "", member: member ?? [...answer.members.keys()][0] ?? "" };
    w.note(node, "always_true", words);
    return;
  }
  const parts = partsOf(type);
  if (parts.every((part) => part.k === "text" && part.values !== null && part.values.every((value) => value !== "")))
    w.note(node, "always_true_text", { values: valuesOf(type).map(quoted).join(", ") });
  else if (parts.every((part) => part.k === "bool" && part.isSuccess)) w.note(node, "always_ok");
}

function valuesOf(type: Type): string[] {
  return partsOf(type).flatMap((part) => (part.k === "text" ? (part.values ?? []) : []));
}

function quoted(value: string): string {
  return JSON.stringify(value);
}

export function comparison(w: Walk, node: Compare): void {
  let left: Expr = node.left;
  let leftType = w.visit(left);
  for (const [at, op] of node.ops.entries()) {
    const right = node.comparators[at] as Expr;
    const rightType = w.visit(right);
    compareWith(w, node, op, leftType, right);
    if (op === "in" || op === "not in") amongRecords(w, node, left, leftType, rightType);
    const flipped = FLIPPED[op];
    if (flipped !== undefined) compareWith(w, node, flipped, rightType, left);
    left = right;
    leftType = rightType;
  }
}

const FLIPPED: { readonly [op in CompareOperator]?: CompareOperator } = {
  "==": "==",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

/** A value of `type` next to what is written out. */
export function compareWith(w: Walk, node: Place, op: CompareOperator, type: Type, other: Expr): void {
  if (op === "in" || op === "not in") {
    if (other.kind === "Tuple" || other.kind === "List" || other.kind === "Set") among(w, node, type, other.elts);
    return;
  }
  if (other.kind !== "Constant") return;
  if (other.type === "none") {
    if (op === "==" || op === "!=" || op === "is" || op === "is not") neverNone(w, node, type);
    return;
  }
  if (op === "is" || op === "is not") return;
  const parts = partsOf(type).filter(({ k }) => k !== "none");
  if (parts.length === 0) return;
  const answer = answerOf(type);
  if (answer !== null) {
    w.note(node, "answer_compared", { name: answer.of ?? "", members: [...answer.members.keys()].join(", ") });
    return;
  }
  if (parts.every((part) => part.k === "number" && part.accepted !== null) && other.type === "int") {
    if (parts.every((part) => part.k === "number" && isRefused(part.accepted ?? [], op, Number(other.value))))
      w.note(node, "status_refused", { status: String(other.value) });
    return;
  }
  if (parts.every(isRecord)) w.note(node, "record_compared");
  const of = wholeOf(parts);
  if (of !== null) w.note(node, "list_compared", { name: of });
  else if (op === "==" || op === "!=") literal(w, node, type, other);
}

/** The call that gave a list, which is compared as a whole. */
function wholeOf(parts: readonly Type[]): string | null {
  const [first] = parts;
  return first?.k === "list" && parts.every(({ k }) => k === "list") ? first.of : null;
}

/** Statuses that raise unless they are accepted begin here. */
const FIRST_REFUSED = 400;
const MOST_STATUS = 599;

/** Whether only a status that raises could meet the comparison. */
function isRefused(accepted: readonly number[], op: CompareOperator, value: number): boolean {
  const meets = (status: number): boolean =>
    op === "==" || op === "!=" ? status === value : op === ">" ? status > value : op === ">=" && status >= value;
  if (op === "<" || op === "<=") return false;
  for (let status = 100; status <= MOST_STATUS; status++) {
    if (meets(status) && (status < FIRST_REFUSED || accepted.includes(status))) return false;
  }
  return value <= MOST_STATUS;
}

/** `== "approved"` where the texts are known. */
function literal(w: Walk, node: Place, type: Type, other: Expr & { readonly kind: "Constant" }): void {
  const parts = partsOf(type).filter(({ k }) => k !== "none");
  if (other.type === "str") {
    const value = String(other.value);
    if (parts.every((part) => part.k === "text" && part.of === "AdapterError") && !/^[A-Z][A-Z0-9_]+$/.test(value)) {
      w.note(node, "error_code", { value });
      return;
    }
    if (parts.every((part) => part.k === "text" && part.values !== null && !part.values.includes(value))) {
      const values = valuesOf(type);
      const near = nearest(value, values) ?? values.find((one) => value.startsWith(one.slice(0, PREFIX))) ?? "";
      const words = { value, near, values: values.map(quoted).join(", ") };
      w.note(node, near === "" ? "never_this" : "never_this_near", words);
    } else if (parts.every(({ k }) => k === "number" || k === "bool"))
      w.note(node, "never_text", { what: parts[0]?.k === "bool" ? "True or False" : "a number" });
  } else if ((other.type === "int" || other.type === "float") && parts.every(({ k }) => k === "text"))
    w.note(node, "never_number", {});
}

/** Texts with so much in common mean the same thing: `approved` and `approve`. */
const PREFIX = 5;

function among(w: Walk, node: Place, type: Type, elements: readonly Expr[]): void {
  const parts = partsOf(type).filter(({ k }) => k !== "none");
  if (parts.length === 0 || elements.length === 0) return;
  const constants = elements.filter((one) => one.kind === "Constant");
  if (parts.every((part) => part.k === "number" && part.accepted !== null)) {
    const isNever = (one: Expr): boolean =>
      one.kind === "Constant" &&
      one.type === "int" &&
      parts.every((part) => part.k === "number" && isRefused(part.accepted ?? [], "==", Number(one.value)));
    if (elements.every(isNever))
      w.note(node, "status_refused", { status: String((constants[0] as { value: unknown }).value) });
    return;
  }
  for (const one of constants) if (one.kind === "Constant" && one.type === "str") literal(w, one, type, one);
}

/** `is None` of an answer that is never None. */
function neverNone(w: Walk, node: Place, type: Type): void {
  const parts = partsOf(type);
  const never = parts.every(
    (part) =>
      (part.k === "text" && part.values !== null) || ("of" in part && part.of !== null && part.of !== "AdapterError"),
  );
  if (!never) return;
  const [first] = parts;
  const name = first !== undefined && "of" in first && first.of !== null ? first.of : "this member of an answer";
  const answer = answerOf(type);
  const member = answer === null ? "" : ([...answer.members].find(([, { type: one }]) => one.k === "bool")?.[0] ?? "");
  if (first?.k === "list") w.note(node, "never_none_list", { name });
  else if (member !== "") w.note(node, "never_none_member", { name, member });
  else w.note(node, "never_none", { name });
}
