/**
 * What is known of a value of the program: that it is an answer of an adapter, or a part of one (python-effects.md K-11). What is not known is `unknown`, and
 * nothing is ever said of it.
 */
import type { FunctionDef, Lambda } from "../../../grammar/python/tree.ts";
import type { ValueType } from "../../catalog/value-types.ts";

type Member = { readonly type: Type; readonly optional: boolean };
export type ObjectType = {
  readonly k: "object";
  readonly members: ReadonlyMap<string, Member>;
  readonly isOpen: boolean;
  /** The call that gave it; null: it is a part of an answer. */
  readonly of: string | null;
};
export type Type =
  | { readonly k: "unknown" }
  /** Data of others inside of an answer: anything that JSON can say. */
  | { readonly k: "data" }
  /** `isAnswer`: the catalog says so. Else a None of the program. */
  | { readonly k: "none"; readonly isAnswer: boolean }
  | { readonly k: "text"; readonly values: readonly string[] | null; readonly of: string | null }
  /** `accepted`: a status of HTTP, which is below 400 or one of these. */
  | { readonly k: "number"; readonly accepted: readonly number[] | null; readonly of: string | null }
  /** `isSuccess`: the `ok` of an answer of HTTP whose refused statuses raise. */
  | { readonly k: "bool"; readonly isSuccess: boolean; readonly of: string | null }
  | { readonly k: "list"; readonly item: Type; readonly of: string | null }
  | { readonly k: "map"; readonly item: Type }
  | ObjectType
  /** An AdapterError that was caught. */
  | { readonly k: "error" }
  | { readonly k: "tuple"; readonly items: readonly Type[] }
  | { readonly k: "function"; readonly node: FunctionDef | Lambda }
  /** What a function with `yield` gives. */
  | { readonly k: "generator" }
  /** A list of texts that the program writes out. */
  | { readonly k: "words"; readonly values: readonly string[] }
  | { readonly k: "union"; readonly parts: readonly Type[] };

export const UNKNOWN: Type = { k: "unknown" };
export const DATA: Type = { k: "data" };
export const GENERATOR: Type = { k: "generator" };
export const NONE_OF_PROGRAM: Type = { k: "none", isAnswer: false };
const NUMBER: Type = { k: "number", accepted: null, of: null };
export const TEXT: Type = { k: "text", values: null, of: null };

/** More alternatives than this are not followed. */
const MOST_PARTS = 8;

export function partsOf(type: Type): readonly Type[] {
  return type.k === "union" ? type.parts : [type];
}

/** One of several values. */
export function joined(...types: readonly Type[]): Type {
  const parts: Type[] = [];
  for (const part of types.flatMap(partsOf)) {
    if (part.k === "unknown") return UNKNOWN;
    if (!parts.some((known) => isSame(known, part))) parts.push(part);
  }
  if (parts.length > MOST_PARTS || parts.length === 0) return UNKNOWN;
  return parts.length === 1 ? (parts[0] as Type) : { k: "union", parts };
}

export function isSame(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.k !== b.k) return false;
  switch (a.k) {
    case "unknown":
    case "data":
    case "error":
    case "generator":
      return true;
    case "none":
      return a.isAnswer === (b as typeof a).isAnswer;
    case "text":
      return a.of === (b as typeof a).of && String(a.values) === String((b as typeof a).values);
    case "number":
      return a.of === (b as typeof a).of && String(a.accepted) === String((b as typeof a).accepted);
    case "bool":
      return a.of === (b as typeof a).of && a.isSuccess === (b as typeof a).isSuccess;
    case "list":
      return a.of === (b as typeof a).of && isSame(a.item, (b as typeof a).item);
    case "map":
      return isSame(a.item, (b as typeof a).item);
    case "words":
      return String(a.values) === String((b as typeof a).values);
    case "function":
      return a.node === (b as typeof a).node;
    case "object":
      return a.of === (b as typeof a).of && isSameObject(a, b as typeof a);
    case "tuple":
      return isSameList(a.items, (b as typeof a).items);
    case "union":
      return isSameList(a.parts, (b as typeof a).parts);
  }
}

function isSameList(a: readonly Type[], b: readonly Type[]): boolean {
  return a.length === b.length && a.every((one, at) => isSame(one, b[at] as Type));
}

function isSameObject(a: ObjectType, b: ObjectType): boolean {
  if (a.members === b.members) return true;
  if (a.members.size !== b.members.size) return false;
  return [...a.members].every(([name, { type }]) => {
    const other = b.members.get(name);
    return other !== undefined && isSame(type, other.type);
  });
}

/** What a call means for the types in its answer. */
export type CallFacts = {
  /** As people write it: `approval.ask`. */
  readonly name: string;
  /** The texts of an argument; null: it is left out; undefined: they are not known. */
  readonly words: (argument: string) => readonly string[] | null | undefined;
};

/** The type of an answer, or of a part of one. */
export function typeOfAnswer(type: ValueType, call: CallFacts, isWhole: boolean): Type {
  const of = isWhole ? call.name : null;
  switch (type.k) {
    case "any":
      return DATA;
    case "null":
      return { k: "none", isAnswer: true };
    case "text":
    case "form":
      return { k: "text", values: null, of };
    case "number":
    case "integer":
      return { k: "number", accepted: null, of };
    case "bool":
      return { k: "bool", isSuccess: false, of };
    case "literal":
      if (typeof type.value === "string") return { k: "text", values: [type.value], of };
      return typeof type.value === "number" ? NUMBER : { k: "bool", isSuccess: false, of };
    case "choices": {
      const given = call.words(type.of);
      if (given === undefined || (given === null && type.otherwise.length === 0))
        return { k: "text", values: null, of };
      return { k: "text", values: [...(given ?? type.otherwise), ...type.always], of };
    }
    case "list":
      return { k: "list", item: typeOfAnswer(type.of, call, false), of };
    case "map":
      return { k: "map", item: typeOfAnswer(type.of, call, false) };
    case "object": {
      const members = new Map(
        [...type.members].map(([name, member]) => [
          name,
          { type: typeOfAnswer(member.type, call, false), optional: member.optional },
        ]),
      );
      return { k: "object", members, isOpen: type.isOpen, of };
    }
    case "union":
      return unionOf(type.of.map((part) => typeOfAnswer(part, call, isWhole)));
  }
}

/** Texts that are written out one by one are one text of several values. */
function unionOf(parts: readonly Type[]): Type {
  if (parts.some(({ k }) => k === "data")) return DATA;
  const [first] = parts;
  if (first?.k === "text" && parts.every((part) => part.k === "text" && part.values !== null))
    return { ...first, values: parts.flatMap((part) => (part.k === "text" ? (part.values ?? []) : [])) };
  return joined(...parts);
}

/** What a walk over a value gives. */
export function itemOf(type: Type): Type {
  switch (type.k) {
    case "list":
      return type.item;
    case "tuple":
      return joined(...type.items);
    case "data":
      return DATA;
    case "map":
    case "object":
      return TEXT;
    case "union":
      return joined(...type.parts.filter(({ k }) => k !== "none").map(itemOf));
    default:
      return UNKNOWN;
  }
}
