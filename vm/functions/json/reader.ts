/**
 * Reads long JSON text in pieces, because nothing can interrupt `JSON.parse`: sixty megabytes of empty objects take it
 * many seconds. The result is the same. Does not recurse.
 */
import { type Json, setMember } from "../../../compiler/json.ts";
import { OperationFailure } from "../../errors/failures.ts";
import type { Pace, Task } from "../../tasks/task.ts";
import { codePointsBefore } from "../../values/code-points.ts";
import { MAX_OBJECT_KEYS, type OpenObject, tooLarge } from "../../values/values.ts";
import { BLANKS, matchEnd, NUMBER, WORDS } from "./scan.ts";

export function notJson(text: string, at: number): OperationFailure {
  return new OperationFailure(`not JSON at position ${codePointsBefore(text, at)}`, "parse_error");
}

type Open = { readonly value: Json[] | OpenObject; key: string; count: number };

/** What the reader takes next. */
type Wanted = "value" | "value or ]" | "key" | "key or }" | "rest";

/** Work of a token. */
const TOKEN_WORK = 4;

/** The value of a text whose nesting and lists are within their bounds. `maxKeys`: members of an object. Throws OperationFailure. */
export function* readJson(text: string, pace: Pace, maxKeys = MAX_OBJECT_KEYS): Task<Json> {
  const open: Open[] = [];
  let root: Json = null;
  let wanted: Wanted = "value";
  // Told only once the whole text turned out to be JSON.
  let failure: OperationFailure | null = null;
  const place = (value: Json): void => {
    const parent = open.at(-1);
    if (parent === undefined) root = value;
    else if (Array.isArray(parent.value)) parent.value.push(value);
    else {
      if (!Object.hasOwn(parent.value, parent.key) && ++parent.count > maxKeys) failure ??= tooLarge();
      if (failure === null) setMember(parent.value, parent.key, value);
    }
  };
  let at = matchEnd(BLANKS, text, 0);
  for (; at < text.length; at = matchEnd(BLANKS, text, at)) {
    if (pace.add(TOKEN_WORK)) yield;
    const unit = text[at] as string;
    const inside = open.at(-1);
    const isList = Array.isArray(inside?.value);
    if (wanted === "rest") {
      if (inside === undefined) throw notJson(text, at);
      if (unit === (isList ? "]" : "}")) open.pop();
      else if (unit !== ",") throw notJson(text, at);
      else wanted = isList ? "value" : "key";
      at++;
    } else if ((wanted === "value or ]" && unit === "]") || (wanted === "key or }" && unit === "}")) {
      open.pop();
      wanted = "rest";
      at++;
    } else if (wanted === "key" || wanted === "key or }") {
      if (unit !== '"' || inside === undefined) throw notJson(text, at);
      const key: ReadText = yield* readText(text, at, pace);
      const colon = matchEnd(BLANKS, text, key.end);
      if (text[colon] !== ":") throw notJson(text, colon);
      inside.key = key.value;
      wanted = "value";
      at = colon + 1;
    } else if (unit === "[" || unit === "{") {
      const value: Json[] | OpenObject = unit === "[" ? [] : {};
      place(value);
      open.push({ value, key: "", count: 0 });
      wanted = unit === "[" ? "value or ]" : "key or }";
      at++;
    } else if (unit === '"') {
      const read: ReadText = yield* readText(text, at, pace);
      place(read.value);
      wanted = "rest";
      at = read.end;
    } else {
      const word = WORDS.find((name) => text.startsWith(name, at));
      const end = word === undefined ? matchEnd(NUMBER, text, at) : at + word.length;
      if (end < 0) throw notJson(text, at);
      const number = word === undefined ? Number(text.slice(at, end)) + 0 : 0;
      if (!Number.isFinite(number)) failure ??= new OperationFailure("number out of range", "number_range");
      place(word === undefined ? number : word === "null" ? null : word === "true");
      if (word === undefined) pace.note((end - at) >> 2);
      wanted = "rest";
      at = end;
    }
  }
  if (wanted !== "rest" || open.length > 0) throw notJson(text, text.length);
  if (failure !== null) throw failure;
  return root;
}

type ReadText = { readonly value: string; readonly end: number };

/** Units of a text that are read in one go. */
const STRETCH = 16_384;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them in a text.
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** The text whose opening quote is at `start`. */
function* readText(text: string, start: number, pace: Pace): Task<ReadText> {
  let value = "";
  let from = start + 1;
  for (let at = from; ; ) {
    at = matchEnd(PLAIN, text, at);
    const unit = text[at];
    const escaped = unit === "\\" ? matchEnd(ESCAPE, text, at) : -1;
    const isOver = unit === '"';
    if (!isOver && escaped < 0) throw notJson(text, Math.min(unit === "\\" ? at + 1 : at, text.length));
    if (!isOver) at = escaped;
    if (!isOver && at - from < STRETCH) continue;
    const piece = text.slice(from, at);
    value += piece.includes("\\") ? (JSON.parse(`"${piece}"`) as string) : piece;
    if (pace.add(piece.length >> 2)) yield;
    if (isOver) return { value, end: at + 1 };
    from = at;
  }
}
