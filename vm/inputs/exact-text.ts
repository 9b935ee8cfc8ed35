/**
 * JSON texts that say more than the values JavaScript makes of them: `5.0` is a float to a Python program, whole numbers have any length, and
 * members keep their order. A door that reads a text keeps it next to the value; runs of Python programs read the text, all others the value. What
 * leaves such a run has a text as well (`Outcome.out_text`), which the door writes in place of the value.
 */
import { isObject, type Members } from "../../compiler/json.ts";
import { endOfText } from "../values/exact-numbers.ts";

/** By the value that was read from them. Nearly no value is in here. */
const texts = new WeakMap<object, string>();

/** A whole number with a fraction or an exponent, one of many digits, or a member that JavaScript would put first. May find one inside a string. */
const SAYS_MORE = /(?:^|[[\s:,])-?\d+(?:\.0+(?!\d)|(?:\.\d+)?[eE])|\d{16}|"\d{1,10}"\s*:/;

/** Notes the text that `value` was read from, where it says more than the value. */
export function keepText(value: unknown, text: string): void {
  if (isContainer(value) && SAYS_MORE.test(text)) texts.set(value, text);
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
