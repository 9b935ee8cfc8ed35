/**
 * Some clients, above all those of small models, send every argument as text: an object or a list as its JSON, true as `"true"`, 500 as
 * `"500"`. Where the schema of a tool asks for one of these, such a text is read.
 */

import { isObject, type Members } from "../../compiler/json.ts";
import { keepText } from "../../vm/inputs/exact-text.ts";
import { type LostDigits, numbersOf } from "../../vm/values/exact-numbers.ts";
import { checkedJson } from "../../vm/values/values.ts";

type Schema = { readonly [keyword: string]: unknown };
export type ReadTexts = {
  readonly args: Members;
  /** Whole numbers in the texts that lost digits when they were read; paths begin at the arguments. */
  readonly lost: readonly LostDigits[];
};

type MemberType = "structure" | "flag" | "number";
/** What the members of an object that are not text are, and of those that are objects their own members. */
export type TypedMembers = ReadonlyMap<string, { readonly type: MemberType; readonly members: TypedMembers }>;

const NO_MEMBERS: TypedMembers = new Map();

/** Of a JSON Schema and of the objects in it. */
export function typedMembers({ properties }: { readonly properties?: unknown }): TypedMembers {
  if (!isObject(properties)) return NO_MEMBERS;
  const members = Object.entries(properties).flatMap(([name, member]) => {
    const schema = member as Schema;
    const type = typeOf(schema);
    return type === null
      ? []
      : [[name, { type, members: type === "structure" ? typedMembers(schema) : NO_MEMBERS }] as const];
  });
  return new Map(members);
}

function typeOf({ type, anyOf }: Schema): MemberType | null {
  if (Array.isArray(anyOf)) return anyOf.every((one) => typeOf(one as Schema) === "structure") ? "structure" : null;
  if (type === "object" || type === "array") return "structure";
  if (type === "boolean") return "flag";
  return type === "integer" || type === "number" ? "number" : null;
}

/** A text that is not what its member asks for stays as it is: the schema refuses it. */
export function readTexts(given: Members, typed: TypedMembers): ReadTexts {
  const lost: LostDigits[] = [];
  return { args: readMembers(given, typed, "", lost), lost };
}

function readMembers(given: Members, typed: TypedMembers, at: string, lost: LostDigits[]): Members {
  const read = Object.entries(given).map(([name, value]): [string, unknown] => {
    const member = typed.get(name);
    if (member === undefined) return [name, value];
    const meant = typeof value === "string" ? valueIn(value, member.type, `${at}/${name}`, lost) : value;
    if (member.members.size === 0 || !isObject(meant)) return [name, meant];
    return [name, readMembers(meant, member.members, `${at}/${name}`, lost)];
  });
  return Object.fromEntries(read);
}

function valueIn(text: string, type: MemberType, at: string, lost: LostDigits[]): unknown {
  if (type === "flag") return text === "true" ? true : text === "false" ? false : text;
  if (type === "number") return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  const read = structureIn(text);
  if (read === null) return text;
  keepText(read, text);
  lost.push(...(numbersOf(text)?.lost ?? []).map((one) => ({ ...one, path: `${at}${one.path}` })));
  return read;
}

/** Of all arguments together; null: the text is not the JSON of an object or a list. */
export function structureIn(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    // What nests too deeply stays text, because it is looked into below.
    return typeof value === "object" && value !== null ? (checkedJson(value) as object) : null;
  } catch {
    return null;
  }
}
