/**
 * Text conversion of values (docs/runtime.md, values): what `concat`, `str`, `a=b` and messages of programs see, compact
 * JSON, and JSON with sorted keys for ordering. Size and depth are known before anything is built.
 */
import { type Json, type JsonObject, setMember } from "../compiler/json.ts";
import { cutsPair, isHighSurrogate, isLowSurrogate } from "./code-points.ts";
import { numberBytes } from "./frame-size.ts";
import { MAX_NESTING, MAX_TEXT_UNITS, type OpenObject, tooDeep, tooLarge } from "./values.ts";
import { chargeChunk, unmetered, WORK_CHUNK, type WorkMeter } from "./work-meter.ts";

/** JSON of at most this many units, as estimated, is written by the engine in one go. */
const NATIVE_UNITS = 1 << 18;

export function textOf(value: Json, meter: WorkMeter = unmetered): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (value === null) return "null";
  if (typeof value === "boolean") return value ? "true" : "false";
  return jsonText(value, meter);
}

/** Consecutive pieces of a text, charged one by one; none cuts a surrogate pair. */
export function* piecesOf(text: string, meter: WorkMeter): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const cut = start + WORK_CHUNK;
    const end = cutsPair(text, cut) ? cut + 1 : cut;
    chargeChunk(meter, text.length - start);
    yield text.slice(start, end);
    start = end;
  }
}

/** Compact JSON, keys in order, non-ASCII kept, lone surrogates escaped. */
export function jsonText(value: Json, meter: WorkMeter = unmetered): string {
  const units = testJsonLength(value, MAX_TEXT_UNITS, meter);
  return units <= NATIVE_UNITS ? JSON.stringify(value) : longText(value, meter);
}

/** What `JSON.stringify` gives, in groups of members and pieces of texts, each of them charged. */
function longText(value: Json, meter: WorkMeter): string {
  if (typeof value === "string") {
    let text = '"';
    for (const piece of piecesOf(value, meter)) text += JSON.stringify(piece).slice(1, -1);
    return `${text}"`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (!Array.isArray(value)) return longObjectText(value as JsonObject, meter);
  const list = value as readonly Json[];
  const write = createWriter(meter, "[");
  for (let at = 0; at < list.length; ) {
    let end = at;
    for (let room = NATIVE_UNITS; end < list.length; end++) {
      room = rest(list[end] as Json, 0, room, false, unmetered);
      if (room < 0) break;
    }
    if (end > at) write(JSON.stringify(list.slice(at, end)).slice(1, -1));
    else write(longText(list[end++] as Json, meter));
    at = end;
  }
  return `${write("")}]`;
}

function longObjectText(object: JsonObject, meter: WorkMeter): string {
  const write = createWriter(meter, "{");
  let group: OpenObject = {};
  let room = NATIVE_UNITS;
  const flush = (): void => {
    if (room < NATIVE_UNITS) write(JSON.stringify(group).slice(1, -1));
    group = {};
    room = NATIVE_UNITS;
  };
  for (const key in object) {
    const member = object[key] as Json;
    const left = rest(member, 0, room - 6 * key.length - 4, false, unmetered);
    if (left < 0) {
      flush();
      write(`${JSON.stringify(key)}:${longText(member, meter)}`);
    } else {
      setMember(group, key, member);
      room = left;
    }
  }
  flush();
  return `${write("")}}`;
}

/** Joins parts with commas and hands back what there is so far; each part is charged. */
function createWriter(meter: WorkMeter, opening: string): (part: string) => string {
  let text = opening;
  return (part) => {
    if (part === "") return text;
    meter.charge(part.length);
    text += text.length === 1 ? part : `,${part}`;
    return text;
  };
}

/** Compact JSON with the keys of every object in the order of their UTF-16 units: equal values have equal texts. */
export function sortedJsonText(value: Json, meter: WorkMeter = unmetered): string {
  const units = testJsonLength(value, MAX_TEXT_UNITS, meter);
  return sortedText(value, units <= NATIVE_UNITS ? unmetered : meter);
}

function sortedText(value: Json, meter: WorkMeter): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    let text = "[";
    for (let i = 0; i < value.length; i++) {
      if ((i & CHARGED) === CHARGED) meter.charge(CHARGED);
      text += (i === 0 ? "" : ",") + sortedText(value[i] as Json, meter);
    }
    return `${text}]`;
  }
  const object = value as JsonObject;
  let text = "{";
  const keys = Object.keys(object).sort();
  meter.charge(keys.length);
  for (const key of keys) {
    text += `${text.length === 1 ? "" : ","}${JSON.stringify(key)}:${sortedText(object[key] as Json, meter)}`;
  }
  return `${text}}`;
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
