/**
 * JSON texts that say more than the values JavaScript makes of them: `5.0` is a float to a Python program, whole numbers have any length, and
 * members keep their order. Who reads a text keeps it next to the value; runs of Python programs read the text, all others the value. What leaves such
 * a run has a text as well (`Outcome.out_text`, arguments of calls), which is written in place of the value.
 */
import { isObject, type Json, type JsonObject, type Members, setMember } from "../../compiler/json.ts";
import { endOfText } from "../values/exact-numbers.ts";

/** By the value that was read from them. Nearly no value is in here. */
const texts = new WeakMap<object, string>();

/** A whole number with a fraction or an exponent, one of many digits, or a member that JavaScript would put first. May find one inside a string. */
const SAYS_MORE = /(?:^|[[\s:,])-?\d+(?:\.0+(?!\d)|(?:\.\d+)?[eE])|\d{16}|"\d{1,10}"\s*:/;

/** Notes the text that `value` was read from, where it says more than the value. */
export function keepText(value: unknown, text: string): void {
  if (isContainer(value) && SAYS_MORE.test(text)) texts.set(value, text);
}

/** `value`, which was read from `text`. A number whose text says more becomes an object, which alone can have a text. JSON.stringify writes it as a number. */
export function exactly(value: Json, text: string): Json {
  if (!SAYS_MORE.test(text)) return value;
  const holder: unknown = typeof value === "number" ? Object(value) : value;
  if (isContainer(holder)) texts.set(holder, text);
  return holder as Json;
}

/** A result that is kept as its value, with its text where that says more. */
export function exactResult({
  result = null,
  result_text: text,
}: {
  readonly result?: Json;
  readonly result_text?: string | undefined;
}): Json {
  return text === undefined ? result : exactly(result, text);
}

/** The reverse. */
export function keptResult(result: Json): { readonly result: Json; readonly result_text?: string } {
  if (!saysMore(result)) return { result };
  const text = exactJson(result);
  return { result: JSON.parse(text) as Json, result_text: text };
}

/** A float: also a whole one stays it. */
export function exactFloat(value: number): Json {
  return Number.isInteger(value) ? exactly(value, floatText(value)) : value;
}

/** The JSON text of a float. */
export function floatText(value: number): string {
  const text = JSON.stringify(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** `JSON.parse`, with the text where it says more. */
export function readExactly(text: string): Json {
  return exactly(JSON.parse(text) as Json, text);
}

/** The number of such an object; any other value as it is. */
export function plainly(value: Json): Json {
  return isNumberObject(value) ? value.valueOf() : value;
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

export function isJsonNumber(text: string): boolean {
  return JSON_NUMBER.test(text);
}

export function isNumberObject(value: unknown): value is { valueOf(): number } {
  return value instanceof Number;
}

/** What `JSON.stringify` writes of a member of an object that was read from a text, with the texts of the member. */
export function memberJson(whole: object, name: string): string {
  return memberTexts(whole).get(name) ?? exactJson((whole as Members)[name] ?? null);
}

/** What `JSON.stringify` writes of a list, with the texts that its elements have; undefined: they have none. */
export function exactListText(list: readonly Json[]): string | undefined {
  return list.some((one) => exactText(one) !== undefined) ? `[${list.map(jsonOf).join(",")}]` : undefined;
}

/** An object or list whose members have the texts that its own text gives them: itself where it has none. */
export function opened<T extends readonly Json[] | JsonObject>(value: T): T {
  const pieces = memberTexts(value);
  if (pieces.size === 0) return value;
  const exact = (name: string, one: Json): Json => {
    const text = pieces.get(name);
    return text === undefined ? one : exactly(one, text);
  };
  if (Array.isArray(value)) return value.map((one, at) => exact(String(at), one)) as unknown as T;
  const copy: { [name: string]: Json } = {};
  for (const [name, one] of Object.entries(value)) setMember(copy, name, exact(name, one));
  return copy as T;
}

/** The members of an object with their texts, in the order of its own text. */
export function exactEntries(object: JsonObject): readonly (readonly [name: string, value: Json])[] {
  const pieces = memberTexts(object);
  if (pieces.size === 0) return Object.entries(object);
  return [...pieces].map(([name, text]) => [name, exactly(object[name] ?? null, text)]);
}

/** An object of these members, which keep their texts and their order. The last one of a name counts, in the place of the first. */
export function fromExactEntries(entries: Iterable<readonly [name: string, value: Json]>): JsonObject {
  const members = new Map(entries);
  const object: { [name: string]: Json } = {};
  for (const [name, value] of members) setMember(object, name, value);
  const texts = [...members].map(([name, value]) => `${JSON.stringify(name)}:${exactJson(value)}`);
  keepText(object, `{${texts.join(",")}}`);
  return object;
}

/** What `JSON.stringify` writes, with the texts of all parts that have one. What has no JSON is null. */
export function exactJson(value: unknown): string {
  return saysMore(value) ? textOfParts(value) : JSON.stringify(value);
}

/** Whether a part of `value` has a text. */
export function saysMore(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return texts.has(value) || Object.values(value).some(saysMore);
}

function textOfParts(part: unknown): string {
  if (typeof part !== "object" || part === null) return JSON.stringify(part ?? null);
  const text = texts.get(part);
  if (text !== undefined) return text;
  if (Array.isArray(part)) return `[${part.map(textOfParts).join(",")}]`;
  const members = Object.entries(part).map(([name, one]) => `${JSON.stringify(name)}:${textOfParts(one)}`);
  return `{${members.join(",")}}`;
}

/** `copy` was made from `value` and holds the same. */
export function copyText(value: object, copy: object): void {
  const text = texts.get(value);
  if (text !== undefined) texts.set(copy, text);
}

/** The text of a value that says more than the value; undefined: the value says everything. */
export function exactText(value: unknown): string | undefined {
  return isContainer(value) ? texts.get(value) : undefined;
}

/** `member` was read as the member `name` of `whole`, or is a copy of it. */
export function keepMemberText(whole: object, name: string, member: unknown): void {
  const text = texts.get(whole);
  const piece = text === undefined || !isContainer(member) ? undefined : piecesOf(text).get(name);
  if (piece !== undefined) keepText(member, piece);
}

/** Gives all parts of `whole` the texts that its own text has for them. */
export function keepInnerTexts(whole: object): void {
  for (const [name, text] of memberTexts(whole)) {
    const part: unknown = (whole as { readonly [name: string]: unknown })[name];
    keepText(part, text);
    if (isContainer(part)) keepInnerTexts(part);
  }
}

/** `list` was read as the member `name` of `whole`; each element gets its text. */
export function keepElementTexts(whole: object, name: string, list: readonly unknown[]): void {
  const text = texts.get(whole);
  const piece = text === undefined ? undefined : piecesOf(text).get(name);
  if (piece === undefined || !SAYS_MORE.test(piece)) return;
  for (const [place, one] of piecesOf(piece)) keepText(list[Number(place)], one);
}

/** The texts of the members of `whole` by their names; empty where its text says no more than the value. */
export function memberTexts(whole: unknown): ReadonlyMap<string, string> {
  const text = exactText(whole);
  return text === undefined ? NO_PIECES : piecesOf(text);
}

/** `merged` has the members of all `parts`, each from the last part that has it. */
export function keepMerged(merged: Members, ...parts: readonly Members[]): void {
  const pieces = new Map<string, string>();
  for (const part of parts) {
    if (pieces.size > 0) for (const name of Object.keys(part)) pieces.delete(name);
    for (const [name, text] of memberTexts(part)) pieces.set(name, text);
  }
  keepComposed(merged, pieces);
}

/** `object` was put together from members some of which have a text. */
export function keepComposed(object: Members, pieces: ReadonlyMap<string, string>): void {
  if (pieces.size === 0) return;
  keepText(object, textWith(object, pieces));
}

/** `JSON.stringify(object)`, with these texts of members. */
export function textWith(object: object, pieces: ReadonlyMap<string, string>): string {
  const members: string[] = [];
  for (const [name, value] of Object.entries(object))
    if (value !== undefined) members.push(`${JSON.stringify(name)}:${pieces.get(name) ?? jsonOf(value)}`);
  return `{${members.join(",")}}`;
}

/** Where a document holds the exact text of its member `out`. Copies of the document hold it too, and JSON.stringify does not see it. */
const OUT_TEXT = Symbol("out_text");

/** To be spread into a document that has `out`. */
export function outTextOf(answer: { readonly out_text?: string | undefined }): object {
  return answer.out_text === undefined ? NOTHING : { [OUT_TEXT]: answer.out_text };
}

/** The exact text of the member `out` of a document; undefined: the member says everything. */
export function heldOutText(document: object): string | undefined {
  return (document as { readonly [OUT_TEXT]?: string })[OUT_TEXT];
}

/** `JSON.stringify(document)`, with the exact text of its member `out`. */
export function documentText(document: object): string {
  const text = heldOutText(document);
  return text === undefined ? JSON.stringify(document) : textWith(document, new Map([["out", text]]));
}

const NOTHING = Object.freeze({});

/** What `JSON.stringify` writes, with the exact text of the value where it has one. */
export function jsonOf(value: unknown): string {
  return exactText(value) ?? JSON.stringify(value);
}

const NO_PIECES: ReadonlyMap<string, string> = new Map();
/** What separates the parts of a JSON text, and what begins one in which nothing does. */
const MARKS = /["[\]{},:]/g;

/** The texts of the members of an object by name, or of the elements of a list by place. */
function piecesOf(text: string): ReadonlyMap<string, string> {
  const pieces = new Map<string, string>();
  let depth = 0;
  let start = 0;
  let name: string | null = null;
  const take = (end: number): void => {
    const piece = text.slice(start, end).trim();
    if (piece !== "") pieces.set(name ?? String(pieces.size), piece);
    start = end + 1;
    name = null;
  };
  MARKS.lastIndex = 0;
  for (let found = MARKS.exec(text); found !== null; found = MARKS.exec(text)) {
    const [mark] = found;
    const at = found.index;
    if (mark === '"') MARKS.lastIndex = endOfText(text, at);
    else if (mark === "{" || mark === "[") {
      depth += 1;
      if (depth === 1) start = at + 1;
    } else if (mark === "}" || mark === "]") {
      if (depth === 1) take(at);
      depth -= 1;
    } else if (depth === 1 && mark === ",") take(at);
    else if (depth === 1) {
      name = JSON.parse(text.slice(start, at)) as string;
      start = at + 1;
    }
  }
  return pieces;
}

function isContainer(value: unknown): value is object {
  return Array.isArray(value) || isObject(value);
}
