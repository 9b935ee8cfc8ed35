/**
 * Canonical JSON (RFC 8785): members sorted by UTF-16 code units, no blanks, shortest number form, only the required
 * escapes. One value has one text, so texts can be hashed and compared. Knows nothing of the IR.
 */
import { Pieces, type Task } from "../../grammar/text/task.ts";
import { type Json, type JsonObject, setMember } from "../json.ts";

/** Twice what any value of a program may nest; a guard, not a limit that callers should meet. */
const MAX_DEPTH = 2000;

const FEW_KEYS = 8;

/** The canonical text of `value`. Throws RangeError on values nested deeper than any program value can be. */
export function canonicalJson(value: Json): string {
  // A text put together from a million pieces takes ten times as long, and as much memory.
  if (isInOrder(value, 0)) return JSON.stringify(value);
  const ordered = inOrder(value, 0);
  return ordered === undefined ? textOf(value, 0) : JSON.stringify(ordered);
}

/** Members that are written in one piece. */
const MEMBERS_OF_A_PIECE = 1000;
/** Values with fewer in them are written at once. */
const FEW_VALUES = 100;

/** The canonical text of `value`, made in pieces. Throws as `canonicalJson`. */
export function canonicalTask(value: Json): Task<string> {
  return textTask(value, new Pieces(MEMBERS_OF_A_PIECE), 0);
}

function* textTask(value: Json, pieces: Pieces, depth: number): Task<string> {
  if (typeof value !== "object" || value === null) return canonicalJson(value);
  // Asked first: listing the members of a large object takes long.
  const keys = isList(value) ? null : Object.keys(value);
  if ((keys === null || keys.length < FEW_VALUES) && leftOf(FEW_VALUES, value) > 0) return canonicalJson(value);
  if (depth > MAX_DEPTH) throw new RangeError(`value nests deeper than ${MAX_DEPTH}`);
  if (keys !== null && keys.length > MEMBERS_OF_A_PIECE) yield;
  const texts: string[] = [];
  if (isList(value)) {
    for (const item of value) {
      texts.push(yield* textTask(item, pieces, depth + 1));
      if (pieces.add()) yield;
    }
    return `[${texts.join(",")}]`;
  }
  for (const key of inKeyOrder(keys ?? [])) {
    texts.push(`${quoted(key)}:${yield* textTask(value[key] ?? null, pieces, depth + 1)}`);
    if (pieces.add()) yield;
  }
  return `{${texts.join(",")}}`;
}

/** What is left of `count` after counting the values in `value`; none or less when there are as many. */
function leftOf(count: number, value: Json): number {
  if (typeof value !== "object" || value === null) return count - 1;
  let left = count - 1;
  if (isList(value)) {
    for (let at = 0; at < value.length && left > 0; at++) left = leftOf(left, value[at] ?? null);
    return left;
  }
  for (const key in value) {
    if (left <= 0) break;
    left = leftOf(left, value[key] ?? null);
  }
  return left;
}

/** A copy with the members of every object in order; undefined where the platform has an order of its own, or nesting is too deep. */
function inOrder(value: Json, depth: number): Json | undefined {
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return undefined;
  if (isList(value)) {
    const items: Json[] = [];
    for (const item of value) {
      const copy = inOrder(item, depth + 1);
      if (copy === undefined) return undefined;
      items.push(copy);
    }
    return items;
  }
  const object: { [key: string]: Json } = {};
  const keys = sortedKeys(value);
  for (const key of keys) {
    // Names that are numbers come first in every object, by number.
    if (startsWithDigit(key) && keys.length > 1) return undefined;
    const copy = inOrder(value[key] ?? null, depth + 1);
    if (copy === undefined) return undefined;
    setMember(object, key, copy);
  }
  return object;
}

function startsWithDigit(key: string): boolean {
  const code = key.charCodeAt(0);
  return code >= 0x30 && code <= 0x39;
}

/** Whether the members of every object in `value` stand in canonical order already: then the platform's JSON is canonical. */
function isInOrder(value: Json, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth > MAX_DEPTH) return false;
  if (isList(value)) {
    for (const item of value) if (item === undefined || !isInOrder(item, depth + 1)) return false;
    return true;
  }
  let last: string | null = null;
  for (const key in value) {
    const member = value[key];
    if (member === undefined || (last !== null && key < last) || !isInOrder(member, depth + 1)) return false;
    last = key;
  }
  return true;
}

function textOf(value: Json, depth: number): string {
  if (depth > MAX_DEPTH) throw new RangeError(`value nests deeper than ${MAX_DEPTH}`);
  if (typeof value === "string") return quoted(value);
  // JSON.stringify has the number and string forms that RFC 8785 prescribes; -0 becomes 0.
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  let text = "";
  if (isList(value)) {
    for (const item of value) text += text === "" ? textOf(item, depth + 1) : `,${textOf(item, depth + 1)}`;
    return `[${text}]`;
  }
  for (const key of sortedKeys(value)) {
    text += `${text === "" ? "" : ","}${quoted(key)}:${textOf(value[key] ?? null, depth + 1)}`;
  }
  return `{${text}}`;
}

/** Most texts need no escape: neither control characters, quotes and backslashes nor halves of surrogate pairs. */
function quoted(text: string): string {
  return /^[ !#-[\]-~]*$/.test(text) ? `"${text}"` : JSON.stringify(text);
}

function sortedKeys(value: JsonObject): readonly string[] {
  return inKeyOrder(Object.keys(value));
}

function inKeyOrder(keys: string[]): readonly string[] {
  if (keys.length > FEW_KEYS) return keys.sort();
  // Most objects have two to four members: moving them into place takes less than a call of `sort`.
  for (let at = 1; at < keys.length; at++) {
    const key = keys[at] as string;
    let to = at;
    for (; to > 0 && (keys[to - 1] as string) > key; to--) keys[to] = keys[to - 1] as string;
    keys[to] = key;
  }
  return keys;
}

/** `Array.isArray` does not narrow readonly arrays out of a union. */
function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
