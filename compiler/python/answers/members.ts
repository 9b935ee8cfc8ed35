/** Members of answers: what they are, and those that there are not. */
import type { Attribute, Expr, Place, Subscript } from "../../../grammar/python/tree.ts";
import { nearest } from "../../../grammar/text/nearest.ts";
import { LIBRARY_ROWS } from "../library/rows.ts";
import type { Fix } from "../refusal.ts";
import { byPlace } from "./records.ts";
import { DATA, itemOf, joined, type ObjectType, partsOf, TEXT, type Type, UNKNOWN } from "./types.ts";
import { answerOf, asText, memberNames } from "./uses.ts";
import type { Walk } from "./walk.ts";

/** Methods of answers of http besides those of dicts (K-12). */
const OF_RESPONSES: ReadonlySet<string> = new Set(["json", "raise_for_status"]);
/** Members of answers of `requests` that mean something else here. */
const OF_REQUESTS: ReadonlyMap<string, string> = new Map([
  ["text", "body"],
  ["content", "body"],
  ["data", "body"],
  ["reason", "status"],
  ["code", "status"],
  ["elapsed", "elapsed_ms"],
]);
/** What is known of a caught failure (K-16). */
const OF_ERRORS: ReadonlyMap<string, Type> = new Map<string, Type>([
  ["code", { k: "text", values: null, of: "AdapterError" }],
  ["status", { k: "number", accepted: null, of: null }],
  ["details", DATA],
  ["retryable", { k: "bool", isSuccess: false, of: null }],
  ["retry_after_ms", { k: "number", accepted: null, of: null }],
  ["adapter", TEXT],
  ["verb", TEXT],
  ["message", TEXT],
  ["args", UNKNOWN],
]);
/** What generators have in Python and not here. */
const OF_GENERATORS: ReadonlySet<string> = new Set(["send", "throw", "close"]);
const READ_ONLY = "end a loop with break, and give what it needs as arguments";
/** Read without a call they are a mistake for a member of that name, but where a function is wanted. */
const MISTAKEN: ReadonlySet<string> = new Set(["items", "values", "keys", "copy", "update", "clear"]);

let methods: ReadonlyMap<string, ReadonlySet<string>> | null = null;

function methodsOf(type: string): ReadonlySet<string> {
  if (methods === null) {
    const found = new Map<string, Set<string>>();
    for (const name of LIBRARY_ROWS.keys()) {
      const [owner = "", method, more] = name.split(".");
      if (method !== undefined && more === undefined) found.set(owner, (found.get(owner) ?? new Set()).add(method));
    }
    methods = found;
  }
  return methods.get(type) ?? new Set();
}

const OWNERS: { readonly [kind in Type["k"]]?: string } = {
  text: "str",
  number: "int",
  bool: "bool",
  list: "list",
  map: "dict",
  tuple: "tuple",
};

/** `value.name`; `isCalled`: as the callee of a call. */
export function attribute(w: Walk, node: Attribute, type: Type, isCalled: boolean): Type {
  const { attr } = node;
  if (attr.startsWith("__")) return UNKNOWN;
  const parts = partsOf(type).filter(({ k }) => k !== "none");
  const found = parts.map((part) => memberIn(part, attr));
  if (parts.length > 0 && found.every((one) => one === null)) missing(w, node, parts[0] as Type, attr);
  if (!isCalled && MISTAKEN.has(attr) && parts.length > 0 && parts.every(isMadeOfMembers))
    w.note(node, "method_not_called", { name: attr }, inBrackets(node));
  if (!isCalled && OF_RESPONSES.has(attr) && parts.some((part) => isResponse(part)))
    w.note(node, "response_not_called", { name: attr });
  if (isCalled) {
    const [what, ...others] = found.flatMap((one) => (one === null ? [] : partsOf(one))).map(({ k }) => WORDS[k]);
    if (what !== undefined && !others.includes(undefined)) w.note(node, "member_called", { name: attr, what });
  }
  return found.length === 0 ? UNKNOWN : joined(...found.map((one) => one ?? UNKNOWN));
}

/** `.items` as `["items"]`. */
function inBrackets({ attr, end }: Attribute): Fix {
  const text = `["${attr}"]`;
  return { title: `write ${text}`, edits: [{ start: end - attr.length - 1, end, text }] };
}

function isMadeOfMembers({ k }: Type): boolean {
  return k === "object" || k === "map" || k === "data";
}

function isResponse(type: Type): boolean {
  return type.k === "object" && type.of?.startsWith("http.") === true;
}

/** null: it does not exist. */
function memberIn(type: Type, name: string): Type | null {
  switch (type.k) {
    case "object": {
      const member = type.members.get(name);
      if (methodsOf("dict").has(name) || (isResponse(type) && OF_RESPONSES.has(name))) return UNKNOWN;
      if (member !== undefined) return member.type;
      return type.isOpen ? DATA : null;
    }
    case "map":
      return methodsOf("dict").has(name) ? UNKNOWN : type.item;
    case "data":
      return methodsOf("dict").has(name) ? UNKNOWN : DATA;
    case "generator":
      return OF_GENERATORS.has(name) ? null : UNKNOWN;
    case "error":
      return OF_ERRORS.get(name) ?? (name === "with_traceback" || name === "add_note" ? UNKNOWN : null);
    default: {
      const owner = OWNERS[type.k];
      if (owner === undefined || methodsOf(owner).has(name) || methodsOf("int").size === 0) return UNKNOWN;
      if (type.k === "number") return methodsOf("float").has(name) || NUMBERS.has(name) ? UNKNOWN : null;
      return type.k === "bool" && (methodsOf("int").has(name) || NUMBERS.has(name)) ? UNKNOWN : null;
    }
  }
}

const NUMBERS: ReadonlySet<string> = new Set(["real", "imag", "numerator", "denominator"]);

function missing(w: Walk, node: Expr & Place, type: Type, name: string): void {
  if (type.k === "generator") {
    w.note(node, "member_instead", { module: "a generator", name, instead: READ_ONLY });
    return;
  }
  if (w.keys.has(name)) return;
  if (type.k === "error") {
    const members = [...OF_ERRORS.keys()].filter((one) => one !== "args");
    w.note(node, "unknown_error_member", { name, near: nearest(name, members) ?? "", members: members.join(", ") });
    return;
  }
  if (type.k !== "object") {
    const what = WORDS[type.k] ?? "something else";
    const of = "of" in type && type.of !== null ? type.of : "this part of an answer";
    w.note(node, "member_of_plain", { of, what, name });
    return;
  }
  const names = [...type.members.keys()];
  const known = isResponse(type)
    ? OF_REQUESTS.get(name)
    : methodsOf("str").has(name) && names.includes("text")
      ? "text"
      : undefined;
  const near = known ?? nearest(name, names);
  const words = { name, near: near ?? "", of: type.of ?? "this part of an answer", members: memberNames(type) };
  w.note(node, near === null ? "unknown_answer_member" : "unknown_answer_member_near", words);
}

const WORDS: { readonly [kind in Type["k"]]?: string } = {
  text: "a text",
  number: "a number",
  bool: "True or False",
  list: "a list",
  tuple: "a tuple",
};

/** `value[key]` */
export function subscript(w: Walk, node: Subscript, type: Type): Type {
  const { slice } = node;
  const key = w.visit(slice);
  if (slice.kind === "Slice") {
    asText(w, node, type);
    byPlace(w, node, type, "");
    return type.k === "list" || type.k === "text" ? { ...type, of: null } : type.k === "data" ? DATA : UNKNOWN;
  }
  const parts = partsOf(type).filter(({ k }) => k !== "none");
  if (slice.kind === "Constant" && slice.type === "str") return named(w, node, parts, String(slice.value));
  if (slice.kind === "Constant" && slice.type === "int" && answerOf(type) !== null) {
    const { of, members } = answerOf(type) as ObjectType;
    w.note(node, "answer_by_place", { name: of ?? "", members: [...members.keys()].join(", ") });
    return UNKNOWN;
  }
  if (slice.kind === "Constant" && slice.type === "int") byPlace(w, node, type, String(slice.value));
  void key;
  return parts.length === 0 ? UNKNOWN : joined(...parts.map((part) => (part.k === "object" ? UNKNOWN : itemOf(part))));
}

function named(w: Walk, node: Subscript, parts: readonly Type[], name: string): Type {
  const found = parts.map((part): Type | null => {
    if (part.k === "object") return part.members.get(name)?.type ?? (part.isOpen ? DATA : null);
    if (part.k === "map") return part.item;
    if (part.k === "list" || part.k === "text" || part.k === "number" || part.k === "bool") return null;
    return part.k === "data" ? DATA : UNKNOWN;
  });
  if (parts.length === 0) return UNKNOWN;
  if (found.every((one) => one === null)) missing(w, node, parts[0] as Type, name);
  return joined(...found.map((one) => one ?? UNKNOWN));
}
