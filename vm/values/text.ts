/**
 * Text conversion of values (docs/runtime.md, values): what `concat`, `str`, `a=b` and messages of programs see, compact
 * JSON, and JSON with sorted keys for ordering. Size and depth are known before anything is built.
 */
import { type Json, type JsonObject, setMember } from "../../compiler/json.ts";
import { sortedList } from "../tasks/sorting.ts";
import { completed, Pace, type Task } from "../tasks/task.ts";
import { unmetered, WORK_CHUNK, type WorkMeter } from "../tasks/work-meter.ts";
import { cutsPair, isHighSurrogate, isLowSurrogate } from "./code-points.ts";
import { numberBytes } from "./json-size.ts";
import {
  KEY_WORK,
  MAX_NESTING,
  MAX_TEXT_UNITS,
  type OpenObject,
  SIZE,
  type Sized,
  tooDeep,
  tooLarge,
} from "./values.ts";

/** JSON of at most this many units, as estimated, is written by the engine in one go. */
const NATIVE_UNITS = 1 << 18;

export function textOf(value: Json, meter: WorkMeter = unmetered): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (value === null) return "null";
  if (typeof value === "boolean") return value ? "true" : "false";
  return jsonText(value, meter);
}

/** Consecutive pieces of a text; none cuts a surrogate pair. */
export function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const cut = start + WORK_CHUNK;
    const end = cutsPair(text, cut) ? cut + 1 : cut;
    yield text.slice(start, end);
    start = end;
  }
}

/** Compact JSON, keys in order, non-ASCII kept, lone surrogates escaped. */
function jsonText(value: Json, meter: WorkMeter = unmetered): string {
  if (rest(value, 0, NATIVE_UNITS, false, meter) >= 0) return JSON.stringify(value);
  const pace = new Pace(meter);
  const text = completed(jsonTextTask(value, pace));
  pace.end();
  return text;
}

/** Whether the engine writes it in one go. Throws OperationFailure for a value that is nested too deeply. */
export function isShortJson(value: Json): boolean {
  return rest(value, 0, NATIVE_UNITS, false, unmetered) >= 0;
}

/** `textOf` as a task. */
export function* textTask(value: Json, pace: Pace): Task<string> {
  return typeof value === "object" && value !== null ? yield* jsonTextTask(value, pace) : textOf(value);
}

/** `jsonText` as a task. */
export function* jsonTextTask(value: Json, pace: Pace): Task<string> {
  const units = yield* jsonLengthTask(value, pace);
  if (units > NATIVE_UNITS) return yield* longText(value, pace);
  pace.note(units >> 4);
  return JSON.stringify(value);
}

/** What `JSON.stringify` gives, in groups of members and pieces of texts, each of them charged. */
function* longText(value: Json, pace: Pace): Task<string> {
  if (typeof value === "string") {
    let text = '"';
    for (const piece of piecesOf(value)) {
      text += JSON.stringify(piece).slice(1, -1);
      if (pace.add(piece.length)) yield;
    }
    return `${text}"`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (!Array.isArray(value)) return yield* longObjectText(value as JsonObject, pace);
  const list = value as readonly Json[];
  const write = createWriter(pace, "[");
  for (let at = 0; at < list.length; ) {
    let end = at;
    for (let room = NATIVE_UNITS; end < list.length; end++) {
      room = rest(list[end] as Json, 0, room, false, unmetered);
      if (room < 0) break;
    }
    // The look at the next member, which may be a large one.
    pace.note(WALKED);
    if (end > at) write(JSON.stringify(list.slice(at, end)).slice(1, -1));
    else write(yield* longText(list[end++] as Json, pace));
    if (pace.isDue()) yield;
    at = end;
  }
  return `${write("")}]`;
}

/** The most members whose text can be as long as a group. */
const WALKED = NATIVE_UNITS / 64;

function* longObjectText(object: JsonObject, pace: Pace): Task<string> {
  const write = createWriter(pace, "{");
  let group: OpenObject = {};
  let room = NATIVE_UNITS;
  const flush = (): void => {
    if (room < NATIVE_UNITS) write(JSON.stringify(group).slice(1, -1));
    group = {};
    room = NATIVE_UNITS;
  };
  const keys = Object.keys(object);
  if (pace.add(KEY_WORK * keys.length)) yield;
  for (const key of keys) {
    const member = object[key] as Json;
    const left = rest(member, 0, room - 6 * key.length - 4, false, unmetered);
    if (left < 0) {
      pace.note(WALKED);
      flush();
      // Do not split a member only because the group reached its limit.
      const fits = rest(member, 0, NATIVE_UNITS, false, unmetered) >= 0;
      write(`${JSON.stringify(key)}:${fits ? JSON.stringify(member) : yield* longText(member, pace)}`);
    } else {
      setMember(group, key, member);
      room = left;
    }
    if (pace.isDue()) yield;
  }
  flush();
  return `${write("")}}`;
}

/** Joins parts with commas and hands back what there is so far; each part is charged. */
function createWriter(pace: Pace, opening: string): (part: string) => string {
  let text = opening;
  return (part) => {
    if (part === "") return text;
    pace.note(part.length);
    text += text.length === 1 ? part : `,${part}`;
    return text;
  };
}

/** Compact JSON with the keys of every object in the order of their UTF-16 units: equal values have equal texts. */
export function sortedJsonText(value: Json, meter: WorkMeter = unmetered): string {
  const pace = new Pace(meter);
  const text = completed(sortedJsonTextTask(value, pace));
  pace.end();
  return text;
}

/** The same as a task. */
export function* sortedJsonTextTask(value: Json, pace: Pace): Task<string> {
  const units = yield* jsonLengthTask(value, pace);
  if (units <= NATIVE_UNITS) {
    pace.note(units >> 4);
    return sortedText(value);
  }
  return yield* longSortedText(value, pace);
}

function sortedText(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    let text = "[";
    for (let i = 0; i < value.length; i++) text += (i === 0 ? "" : ",") + sortedText(value[i] as Json);
    return `${text}]`;
  }
  const object = value as JsonObject;
  let text = "{";
  for (const key of Object.keys(object).sort()) {
    text += `${text.length === 1 ? "" : ","}${JSON.stringify(key)}:${sortedText(object[key] as Json)}`;
  }
  return `${text}}`;
}

/** In the order of their units. */
function* sortedKeys(object: object, pace: Pace): Task<string[]> {
  const keys = Object.keys(object);
  let longest = 0;
  for (const key of keys) longest = Math.max(longest, key.length);
  if (pace.add(KEY_WORK * keys.length)) yield;
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return yield* sortedList(keys, { compare, units: (key) => 2 + (key.length >> 4), most: 2 + (longest >> 4) }, pace);
}

/** Members that are small are written at once. */
function* longSortedText(value: Json, pace: Pace): Task<string> {
  if (typeof value !== "object" || value === null) return yield* longText(value, pace);
  const isList = Array.isArray(value);
  const keys = isList ? null : yield* sortedKeys(value, pace);
  const length = keys?.length ?? (value as readonly Json[]).length;
  let text = isList ? "[" : "{";
  for (let i = 0; i < length; i++) {
    const key = keys === null ? i : (keys[i] as string);
    const member = (value as { readonly [key: string | number]: Json })[key] as Json;
    const left = rest(member, 0, QUICK_UNITS, false, unmetered);
    const part = left >= 0 ? sortedText(member) : yield* longSortedText(member, pace);
    text += `${i === 0 ? "" : ","}${typeof key === "string" ? `${JSON.stringify(key)}:` : ""}${part}`;
    if (pace.add(1 + (left >= 0 ? QUICK_UNITS - left : QUICK_UNITS) / 16)) yield;
  }
  return text + (isList ? "]" : "}");
}

/**
 * Fails when the JSON of `value` nests too deeply or is longer than `most` units; gives a length that it does not pass. Texts are first taken at six units a
 * unit, which needs no look into them; only a value near the bound is measured exactly. The walk ends when the bound
 * is passed, so that a value that shares parts and would be astronomically long costs no more than one at the bound.
 */
export function testJsonLength(value: Json, most: number = MAX_TEXT_UNITS, meter: WorkMeter = unmetered): number {
  const left = rest(value, 0, most, false, meter);
  if (left >= 0) return most - left;
  const exactlyLeft = rest(value, 0, most, true, meter);
  if (exactlyLeft < 0) throw tooLarge();
  return most - exactlyLeft;
}

/** The same as a task. */
function* jsonLengthTask(value: Json, pace: Pace): Task<number> {
  // A short value needs no pieces. A unit is three bytes at most.
  const isLong = typeof value === "object" && value !== null && ((value as Sized)[SIZE] ?? 0) > 3 * NATIVE_UNITS;
  const short = isLong ? -1 : rest(value, 0, NATIVE_UNITS, false, unmetered);
  pace.note(1 + (short >= 0 ? (NATIVE_UNITS - short) / 64 : WALKED));
  if (short >= 0) return NATIVE_UNITS - short;
  const left = yield* restTask(value, 0, MAX_TEXT_UNITS, false, pace);
  if (left >= 0) return MAX_TEXT_UNITS - left;
  const exactlyLeft = yield* restTask(value, 0, MAX_TEXT_UNITS, true, pace);
  if (exactlyLeft < 0) throw tooLarge();
  return MAX_TEXT_UNITS - exactlyLeft;
}

/** Units of a member that is measured at once. */
const QUICK_UNITS = 8192;

/** `rest` as a task. */
function* restTask(value: Json, depth: number, budget: number, exact: boolean, pace: Pace): Task<number> {
  if (exact && typeof value === "string") return budget - (yield* quotedLengthTask(value, pace));
  if (typeof value !== "object" || value === null) return rest(value, depth, budget, exact, unmetered);
  if (depth >= MAX_NESTING) throw tooDeep();
  const isList = Array.isArray(value);
  let left = budget - (isList ? Math.max(2, (value as readonly Json[]).length + 1) : 2);
  let first = true;
  const keys = isList ? null : Object.keys(value);
  const length = keys?.length ?? (value as readonly Json[]).length;
  if (keys !== null && pace.add(KEY_WORK * length)) yield;
  for (let i = 0; i < length && left >= 0; i++) {
    const key = keys === null ? i : (keys[i] as string);
    if (typeof key === "string") {
      left -= (first ? 1 : 2) + (exact ? quotedLength(key) : 6 * key.length + 2);
      first = false;
      if (left < 0) break;
    }
    const member = (value as { readonly [key: string | number]: Json })[key] as Json;
    if (typeof member !== "object" || member === null) {
      const isLong = exact && typeof member === "string" && member.length > QUICK_UNITS;
      left = isLong ? left - (yield* quotedLengthTask(member, pace)) : rest(member, depth + 1, left, exact, unmetered);
      if (pace.add(exact && typeof member === "string" ? 1 + member.length : 1)) yield;
      continue;
    }
    const room = Math.min(QUICK_UNITS, left);
    const quick = rest(member, depth + 1, room, exact, unmetered);
    pace.note(1 + (quick >= 0 ? room - quick : room) / 16);
    if (pace.isDue()) yield;
    left = quick >= 0 ? left - (room - quick) : yield* restTask(member, depth + 1, left, exact, pace);
  }
  return left;
}

/**
 * Whether the JSON of a value of any depth would be longer than a text may be. Who writes or hashes what a program holds asks first:
 * a list that holds one list ten thousand times takes no room, and minutes to be written.
 */
export function isTooLongToWrite(value: Json): boolean {
  return unitsLeft(value, 0, MAX_TEXT_UNITS) < 0;
}

/** Beyond the nesting of anything that can be written. */
const DEEPEST = 2000;

/** What is left of `units` at best: escapes in texts are not counted. Close to the truth, because each unit may cost a look at an element. */
function unitsLeft(value: Json, depth: number, units: number): number {
  if (typeof value === "number") return units - numberBytes(value);
  if (typeof value === "string") return units - value.length - 2;
  if (typeof value !== "object" || value === null) return units - 4;
  if (depth > DEEPEST) return -1;
  let left = units - 1;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left >= 0; i++) left = unitsLeft(value[i] as Json, depth + 1, left - 1);
    return left;
  }
  for (const key in value as JsonObject) {
    left = unitsLeft((value as JsonObject)[key] as Json, depth + 1, left - key.length - 4);
    if (left < 0) break;
  }
  return left;
}

/** Elements that are walked between two charges. */
const CHARGED = 4095;

/** What is left of `budget` after the JSON of `value`; below 0 as soon as it is passed. */
function rest(value: Json, depth: number, budget: number, exact: boolean, meter: WorkMeter): number {
  if (typeof value === "string") return budget - (exact ? quotedLength(value) : 6 * value.length + 2);
  if (typeof value === "number") return budget - (exact ? String(value).length : 24);
  if (typeof value !== "object" || value === null) return budget - (value === false ? 5 : 4);
  if (depth >= MAX_NESTING) throw tooDeep();
  return Array.isArray(value)
    ? restOfList(value, depth + 1, budget, exact, meter)
    : restOfObject(value as JsonObject, depth + 1, budget, exact, meter);
}

function restOfList(list: readonly Json[], depth: number, budget: number, exact: boolean, meter: WorkMeter): number {
  let left = budget - (list.length === 0 ? 2 : list.length + 1);
  let i = 0;
  for (; i < list.length && left >= 0; i++) {
    if ((i & CHARGED) === CHARGED) meter.charge(CHARGED);
    left = rest(list[i] as Json, depth, left, exact, meter);
  }
  meter.charge(i & CHARGED);
  return left;
}

function restOfObject(object: JsonObject, depth: number, budget: number, exact: boolean, meter: WorkMeter): number {
  let left = budget - 2;
  let count = 0;
  let first = true;
  for (const key in object) {
    left -= (first ? 1 : 2) + (exact ? quotedLength(key) : 6 * key.length + 2);
    first = false;
    if (left < 0) break;
    if ((++count & CHARGED) === 0) meter.charge(CHARGED);
    left = rest(object[key] as Json, depth, left, exact, meter);
  }
  meter.charge(count & CHARGED);
  return left;
}

/** The same as a task. */
function* quotedLengthTask(text: string, pace: Pace): Task<number> {
  let length = 2;
  for (const piece of piecesOf(text)) {
    length += quotedLength(piece) - 2;
    if (pace.add(piece.length)) yield;
  }
  return length;
}

/** UTF-16 units of the text as JSON, quotes included. */
function quotedLength(text: string): number {
  let length = text.length + 2;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22 || unit === 0x5c) length += 1;
    else if (unit < 0x20) length += unit >= 8 && unit <= 13 && unit !== 11 ? 1 : 5;
    else if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(i + 1))) i++;
    else if (isHighSurrogate(unit) || isLowSurrogate(unit)) length += 5;
  }
  return length;
}
