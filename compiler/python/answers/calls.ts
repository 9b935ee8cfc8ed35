/** What calls give: of adapters by the catalog, of helpers by what they return, of a few builtins by their arguments. */
import type { Arguments, Call, Dict, Expr } from "../../../grammar/python/tree.ts";
import { readValueType } from "../../catalog/value-types.ts";
import { type AdapterEntry, findVerb, type VerbEntry } from "../../catalog.ts";
import { checkArguments } from "./arguments.ts";
import { attribute } from "./members.ts";
import { narrowed } from "./narrowed.ts";
import { branchesOfCalls, ofRecords } from "./records.ts";
import { condition, tested } from "./truths.ts";
import { type CallFacts, DATA, GENERATOR, itemOf, joined, partsOf, type Type, typeOfAnswer, UNKNOWN } from "./types.ts";
import { asText, iterated } from "./uses.ts";
import type { OwnFunction, Walk } from "./walk.ts";

export function visitCall(w: Walk, node: Call): Type {
  const adapter = w.names.adapterOf(w.scope, node);
  const values = [...node.args, ...node.keywords.map(({ value }) => value)];
  if (adapter !== null) {
    const types = values.map((value) => w.visit(value));
    return answered(w, node, adapter.entry, adapter.verb, types);
  }
  const { func } = node;
  const meaning = w.names.meaning(w.scope, func);
  if (meaning?.kind === "lib") return builtin(w, node, meaning.name);
  if (func.kind === "Attribute") {
    const receiver = w.visit(func.value);
    attribute(w, func, receiver, true);
    const types = values.map((value) => w.visit(value));
    return method(w, node, func.attr, receiver, types);
  }
  const callee = func.kind === "Name" ? w.read(func.id) : w.visit(func);
  const types = values.map((value) => w.visit(value));
  if (func.kind === "Name" && func.id === "parallel") return branches(w, node, types);
  return callee.k === "function" ? helper(w, node, callee.node, types) : UNKNOWN;
}

/** The answer of an adapter. */
function answered(w: Walk, node: Call, entry: AdapterEntry, written: string, types: readonly Type[]): Type {
  const verb = findVerb(entry, written);
  if (verb === undefined) return UNKNOWN;
  const name = `${entry.name}.${verb.name}`;
  checkArguments(w, node, name, verb, types);
  if (verb.result === undefined) return UNKNOWN;
  const call: CallFacts = { name, words: (argument) => wordsOf(w, node, verb, argument) };
  const asked = entry.name === "approval" && verb.name === "wait" ? { ...call, words: () => w.asked } : call;
  const type = typeOfAnswer(readValueType(verb.result), asked, true);
  return narrowed(type, name, node);
}

/** The argument of that name: by position or by name; null: it is left out; undefined: it is not known. */
function argumentOf(node: Call, verb: VerbEntry, name: string): Expr | null | undefined {
  if (node.args.some(({ kind }) => kind === "Starred")) return undefined;
  for (const { arg, value } of node.keywords) {
    if (arg === name) return value;
    if (arg !== null) continue;
    if (value.kind !== "Dict" || value.keys.includes(null)) return undefined;
    const at = (value as Dict).keys.findIndex((key) => key?.kind === "Constant" && key.value === name);
    if (at >= 0) return (value as Dict).values[at];
  }
  const place = verb.parameters?.findIndex((parameter) => parameter.name === name) ?? -1;
  return place < 0 ? null : (node.args[place] ?? null);
}

function wordsOf(w: Walk, node: Call, verb: VerbEntry, name: string): readonly string[] | null | undefined {
  const value = argumentOf(node, verb, name);
  if (value == null) return value;
  if (value.kind === "Constant" && value.type === "none") return null;
  const type = value.kind === "Name" ? w.read(value.id) : w.visit(value);
  return type.k === "words" ? type.values : literalWords(value);
}

function literalWords(value: Expr): readonly string[] | undefined {
  if (value.kind !== "Tuple" && value.kind !== "List") return undefined;
  const words = value.elts.flatMap((one) => (one.kind === "Constant" && one.type === "str" ? [String(one.value)] : []));
  return words.length === value.elts.length ? words : undefined;
}

/** Builtins that walk their first argument. */
const WALKS: ReadonlySet<string> = new Set("list tuple set sorted sum len enumerate reversed frozenset".split(" "));

function builtin(w: Walk, node: Call, name: string): Type {
  const { args } = node;
  if (name === "weft.parallel")
    return branches(
      w,
      node,
      node.args.map((one) => w.visit(one)),
    );
  if (name === "bool" && args.length === 1) {
    condition(w, args[0] as Expr);
    return UNKNOWN;
  }
  const types = args.map((one) => w.visit(one));
  for (const { value } of node.keywords) w.visit(value);
  const [first = UNKNOWN, second = UNKNOWN] = types;
  const [node1, node2] = args;
  if (node1 === undefined) return UNKNOWN;
  if (WALKS.has(name)) iterated(w, node1, first);
  const item = itemOf(first);
  ofRecords(w, node, name, first);
  switch (name) {
    case "list":
    case "tuple":
    case "sorted":
    case "reversed":
      return listOf(item);
    case "str":
    case "json.loads":
      asText(w, node1, first);
      return name === "str" ? UNKNOWN : DATA;
    case "any":
    case "all":
      if (partsOf(first).every(({ k }) => k === "list")) tested(w, node1, item);
      return UNKNOWN;
    case "filter":
      if (node1.kind === "Constant" && node1.type === "none") tested(w, node2 ?? node1, itemOf(second));
      return listOf(itemOf(second));
    case "map":
      if (node2 === undefined) return UNKNOWN;
      return listOf(first.k === "function" ? called(w, first.node, [itemOf(second)]) : ofVerb(w, node));
    case "enumerate":
      return listOf({ k: "tuple", items: [UNKNOWN, item] });
    case "zip":
      return { k: "list", item: { k: "tuple", items: types.map(itemOf) }, of: null };
    case "next":
      return node2 === undefined ? item : joined(item, second);
    case "max":
    case "min":
      return args.length === 1 && !node.keywords.some(({ arg }) => arg === "default") ? item : UNKNOWN;
    case "iter":
      return first;
    default:
      return UNKNOWN;
  }
}

function listOf(item: Type): Type {
  return item.k === "unknown" ? UNKNOWN : { k: "list", item, of: null };
}

/** `parallel(f, items)` and `parallel([f, g])` */
function branches(w: Walk, node: Call, types: readonly Type[]): Type {
  const settles = node.keywords.some(({ arg }) => arg === "settle");
  const [first = UNKNOWN, second = UNKNOWN] = types;
  branchesOfCalls(w, node, first);
  const result = first.k === "function" ? called(w, first.node, [itemOf(second)]) : ofVerb(w, node);
  return settles ? UNKNOWN : listOf(result);
}

/** What a verb gives that is the function: `parallel(http.Get, urls)`. */
function ofVerb(w: Walk, node: Call): Type {
  const [func] = node.args;
  if (func === undefined || w.names.adapterOf(w.scope, { func }) === null) return UNKNOWN;
  return visitCall(w, { ...node, func, args: [], keywords: [] });
}

/** A function that is called by something that walks a list. */
function called(w: Walk, node: OwnFunction, types: readonly Type[]): Type {
  for (const [at, { arg }] of [...node.args.posonlyargs, ...node.args.args].entries())
    w.learned.give(node, arg, types[at] ?? UNKNOWN);
  return w.before.returned.get(node) ?? UNKNOWN;
}

/** A call of a function of the file. */
function helper(w: Walk, node: Call, to: OwnFunction, types: readonly Type[]): Type {
  const isSpread = node.args.some(({ kind }) => kind === "Starred") || node.keywords.some(({ arg }) => arg === null);
  if (isSpread) w.learned.escaped.add(to);
  for (const [at, { arg }] of parameters(to.args).entries()) {
    const named = node.keywords.findIndex((keyword) => keyword.arg === arg);
    const place = at < node.args.length ? at : named < 0 ? -1 : node.args.length + named;
    w.learned.give(to, arg, types[place] ?? UNKNOWN);
  }
  if (w.names.scopes.of.get(to)?.isGenerator === true) return GENERATOR;
  return w.before.returned.get(to) ?? UNKNOWN;
}

function parameters({ posonlyargs, args, kwonlyargs }: Arguments) {
  return [...posonlyargs, ...args, ...kwonlyargs];
}

/** `value.name(…)` */
function method(w: Walk, node: Call, name: string, receiver: Type, types: readonly Type[]): Type {
  const [key] = node.args;
  if (name === "join" && types[0] !== undefined && key !== undefined) {
    ofRecords(w, node, "str.join", types[0]);
    asText(w, key, partsOf(types[0]).every(({ k }) => k === "list") ? itemOf(types[0]) : UNKNOWN);
  }
  if (receiver.k === "words") {
    // The list may be changed.
    const { func } = node;
    if (func.kind === "Attribute" && func.value.kind === "Name") w.bind(func.value.id, UNKNOWN);
    return UNKNOWN;
  }
  const parts = partsOf(receiver).filter(({ k }) => k !== "none");
  if (parts.length === 0) return UNKNOWN;
  return joined(...parts.map((part) => methodOf(node, part, name, key, types)));
}

function methodOf(node: Call, part: Type, name: string, key: Expr | undefined, types: readonly Type[]): Type {
  const otherwise: Type = node.args.length > 1 ? (types[1] ?? UNKNOWN) : { k: "none", isAnswer: false };
  switch (part.k) {
    case "object": {
      if (name === "json") return DATA;
      if (name !== "get" || key?.kind !== "Constant") return UNKNOWN;
      const member = part.members.get(String(key.value));
      if (member === undefined) return UNKNOWN;
      return member.optional ? joined(member.type, otherwise) : member.type;
    }
    case "map":
      if (name === "get") return joined(part.item, otherwise);
      return name === "values" ? listOf(part.item) : UNKNOWN;
    case "list":
      return name === "pop" ? part.item : name === "copy" ? { ...part, of: null } : UNKNOWN;
    case "data":
      return ["get", "pop", "values"].includes(name) ? DATA : UNKNOWN;
    default:
      return UNKNOWN;
  }
}
