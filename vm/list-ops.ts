/**
 * The ops Filt and Sort (docs/language.md, steps) as functions of values. Must not know of nodes, frames or limits;
 * long work is charged as it goes.
 */
import { isObject, type Json, type JsonObject } from "../compiler/json.ts";
import { compareStrict, compareText, equal } from "./compare.ts";
import { OperationFailure } from "./errors.ts";
import { sortedJsonText } from "./text.ts";
import { containsText } from "./text-search.ts";
import { isList, MAX_TEXT_UNITS, tooLarge } from "./values.ts";
import { CHUNK_MASK, chargeChunk, createTally, WORK_CHUNK, type WorkMeter } from "./work-meter.ts";

type Test = (entry: Json, value: Json, meter: WorkMeter) => boolean;

/** Whether `collection` has `part`: an equal element of a list, or a stretch of a text. */
function holds(collection: Json, part: Json, meter: WorkMeter): boolean {
  if (isList(collection)) return listContains(collection, part, meter);
  return typeof collection === "string" && typeof part === "string" && containsText(collection, part, meter);
}

export function listContains(list: readonly Json[], part: Json, meter: WorkMeter): boolean {
  for (let i = 0; i < list.length; i++) {
    if ((i & CHUNK_MASK) === 0) chargeChunk(meter, list.length - i);
    if (equal(list[i] as Json, part, meter)) return true;
  }
  return false;
}

const COMPARATORS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ["==", equal],
  ["=", equal],
  ["!=", (entry, value, meter) => !equal(entry, value, meter)],
  ["<", (entry, value, meter) => compareStrict(entry, value, meter) < 0],
  ["<=", (entry, value, meter) => compareStrict(entry, value, meter) <= 0],
  [">", (entry, value, meter) => compareStrict(entry, value, meter) > 0],
  [">=", (entry, value, meter) => compareStrict(entry, value, meter) >= 0],
  ["in", (entry, value, meter) => holds(value, entry, meter)],
  ["contains", (entry, value, meter) => holds(entry, value, meter)],
]);

/** The objects of `list` whose own entry `field` (missing is null) compares true; [] for what is no list. */
export function filterList(list: Json, field: string, cmp: string, value: Json, meter: WorkMeter): Json {
  const test = COMPARATORS.get(cmp);
  if (test === undefined) throw new OperationFailure("unknown comparator", "value_error");
  if (!isList(list)) return [];
  const kept: Json[] = [];
  for (let i = 0; i < list.length; i++) {
    if ((i & CHUNK_MASK) === 0) chargeChunk(meter, list.length - i);
    const element = list[i] as Json;
    if (!isObject(element)) continue;
    // Read here and not in a function that others call with other names: at one name the engine remembers where members are.
    const entry = element[field] as Json | undefined;
    if (test(isCertain(entry, field) ? entry : entryOf(element, field), value, meter)) kept.push(element);
  }
  return kept;
}

/** What objects inherit are functions and `__proto__`; everything else that is there is their own. */
function isCertain(entry: Json | undefined, field: string): entry is Json {
  return entry !== undefined && typeof entry !== "function" && field !== "__proto__";
}

function entryOf(object: JsonObject, field: string): Json {
  return Object.hasOwn(object, field) ? (object[field] as Json) : null;
}

/** Ranks ascending; keyless elements keep their order. */
const RANK = { boolean: 0, object: 1, list: 2, number: 3, text: 4, keyless: 5 } as const;

type Sortable = { readonly rank: number; readonly key: number | string; readonly element: Json };

function rankOf(key: Json): number {
  if (typeof key === "number") return RANK.number;
  if (typeof key === "string") return RANK.text;
  if (typeof key === "boolean") return RANK.boolean;
  if (key === null) return RANK.keyless;
  return isList(key) ? RANK.list : RANK.object;
}

/** A stable new order by own entry `field`; [] for what is no list. */
export function sortList(list: Json, field: string, order: "asc" | "desc", meter: WorkMeter): Json {
  if (!isList(list)) return [];
  const kind = commonKind(list, field);
  if (kind !== null) return sortedByKey(list as readonly JsonObject[], field, kind, order, meter);
  const tally = createTally(meter);
  const rows: Sortable[] = [];
  let keyUnits = 0;
  for (const element of list) {
    const key = isObject(element) ? entryOf(element, field) : null;
    const rank = rankOf(key);
    tally(1);
    if (typeof key === "object" && key !== null) {
      const text = sortedJsonText(key, meter);
      keyUnits += text.length;
      tally(text.length);
      if (keyUnits > MAX_TEXT_UNITS) throw tooLarge();
      rows.push({ rank, key: text, element });
    } else {
      rows.push({ rank, key: typeof key === "string" ? key : Number(key), element });
    }
  }
  const direction = order === "desc" ? -1 : 1;
  return sortedElements(rows, direction, meter);
}

/** "text" or "number" when every element is an object whose field is of that type: then nothing need be set aside. */
function commonKind(list: readonly Json[], field: string): "text" | "number" | null {
  const first = list[0];
  const type = isObject(first) ? typeof entryOf(first, field) : "none";
  if (type !== "string" && type !== "number") return null;
  for (const element of list) {
    if (!isObject(element)) return null;
    const entry = element[field] as Json | undefined;
    if (typeof (isCertain(entry, field) ? entry : entryOf(element, field)) !== type) return null;
  }
  return type === "string" ? "text" : "number";
}

const SURROGATE = /[\ud800-\udfff]/;
/** Up to here looking at each unit takes less than the engine's pattern search. */
const SHORT_KEY = 32;

function hasSurrogates(list: readonly JsonObject[], field: string, meter: WorkMeter): boolean {
  const tally = createTally(meter);
  for (let i = 0; i < list.length; i++) {
    const key = (list[i] as JsonObject)[field] as string;
    tally(1 + (key.length >> 4));
    if (key.length > SHORT_KEY) {
      if (SURROGATE.test(key)) return true;
      continue;
    }
    for (let unit = 0; unit < key.length; unit++) {
      if ((key.charCodeAt(unit) & 0xf800) === 0xd800) return true;
    }
  }
  return false;
}

function sortedByKey(
  list: readonly JsonObject[],
  field: string,
  kind: "text" | "number",
  order: "asc" | "desc",
  meter: WorkMeter,
): Json {
  const direction = order === "desc" ? -1 : 1;
  const elements = list.slice();
  // Counted here and not by a tally: one call fewer for each of n·log n comparisons.
  let work = 0;
  const count = (units: number): void => {
    meter.charge(units);
    work = 0;
  };
  if (kind === "number") {
    elements.sort((a, b) => {
      if (++work >= WORK_CHUNK) count(work);
      return direction * ((a[field] as number) - (b[field] as number));
    });
  } else if (hasSurrogates(elements, field, meter)) {
    elements.sort((a, b) => {
      const x = a[field] as string;
      work += 1 + (x.length >> 4);
      if (work >= WORK_CHUNK) count(work);
      return direction * compareText(x, b[field] as string);
    });
  } else {
    // Without surrogates the engine's order of units is that of code points.
    elements.sort((a, b) => {
      const x = a[field] as string;
      const y = b[field] as string;
      work += 1 + (x.length >> 4);
      if (work >= WORK_CHUNK) count(work);
      return x < y ? -direction : x > y ? direction : 0;
    });
  }
  return elements;
}

function sortedElements(rows: Sortable[], direction: 1 | -1, meter: WorkMeter): Json[] {
  const tally = createTally(meter);
  rows.sort((a, b) => {
    if (a.rank !== b.rank) return direction * (a.rank - b.rank);
    if (typeof a.key === "string" && typeof b.key === "string") {
      tally(1 + (Math.min(a.key.length, b.key.length) >> 4));
      return direction * compareText(a.key, b.key);
    }
    tally(1);
    return direction * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
  });
  return rows.map((row) => row.element);
}
