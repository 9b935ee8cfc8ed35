/**
 * The ops Filt and Sort (docs/language.md, steps) as functions of values. Must not know of nodes, frames or limits;
 * long work is charged as it goes.
 */
import { isObject, type Json, type JsonObject } from "../../compiler/json.ts";
import { OperationFailure } from "../errors/failures.ts";
import { type Order, sortedList } from "../tasks/sorting.ts";
import { completed, Pace, type Task } from "../tasks/task.ts";
import { unmetered, type WorkMeter } from "../tasks/work-meter.ts";
import { compareStrict, compareText, longEqual, quickEqual } from "./compare.ts";
import { sortedJsonTextTask } from "./text.ts";
import { containsText, containsTextTask } from "./text-search.ts";
import { isList, MAX_TEXT_UNITS, SIZE, type Sized, tooLarge } from "./values.ts";

/** Whether an entry passes; undefined: asking takes long, and is done in pieces. */
type Test = (entry: Json, value: Json, pace: Pace) => boolean | undefined;

/** The least units that a look at an element takes. */
const FEW_ELEMENTS = 1024;

/** Whether `collection` has `part`: an equal element of a list, or a stretch of a text. */
function holds(collection: Json, part: Json, pace: Pace): boolean | undefined {
  if (isList(collection)) return collection.length > FEW_ELEMENTS ? undefined : quickContains(collection, part, pace);
  if (typeof collection !== "string" || typeof part !== "string") return false;
  if (collection.length > FEW_ELEMENTS * 16) return undefined;
  pace.note(1 + (collection.length >> 4));
  return containsText(collection, part, unmetered);
}

function quickContains(list: readonly Json[], part: Json, pace: Pace): boolean | undefined {
  for (let i = 0; i < list.length; i++) {
    const same = quickEqual(list[i] as Json, part, pace);
    if (same !== false) return same;
    // A thousand comparisons may each be a long one.
    if (pace.isFull) return undefined;
  }
  return false;
}

/** The same as a task. */
function* holdsTask(collection: Json, part: Json, pace: Pace): Task<boolean> {
  if (isList(collection)) return yield* contains(collection, part, pace);
  return yield* containsTextTask(collection as string, part as string, pace);
}

export function* listContainsTask(list: readonly Json[], part: Json, meter: WorkMeter): Task<boolean> {
  const pace = new Pace(meter);
  const found = yield* contains(list, part, pace);
  pace.end();
  return found;
}

function* contains(list: readonly Json[], part: Json, pace: Pace): Task<boolean> {
  for (let i = 0; i < list.length; i++) {
    const same = quickEqual(list[i] as Json, part, pace) ?? (yield* longEqual(list[i] as Json, part, pace));
    if (same) return true;
    if (pace.isDue()) yield;
  }
  return false;
}

function inverted(same: boolean | undefined): boolean | undefined {
  return same === undefined ? undefined : !same;
}

function ordered(entry: Json, value: Json, pace: Pace): number {
  pace.note(
    typeof entry === "string" && typeof value === "string" ? 1 + (Math.min(entry.length, value.length) >> 4) : 1,
  );
  return compareStrict(entry, value);
}

const COMPARATORS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ["==", quickEqual],
  ["=", quickEqual],
  ["!=", (entry, value, pace) => inverted(quickEqual(entry, value, pace))],
  ["<", (entry, value, pace) => ordered(entry, value, pace) < 0],
  ["<=", (entry, value, pace) => ordered(entry, value, pace) <= 0],
  [">", (entry, value, pace) => ordered(entry, value, pace) > 0],
  [">=", (entry, value, pace) => ordered(entry, value, pace) >= 0],
  ["in", (entry, value, pace) => holds(value, entry, pace)],
  ["contains", (entry, value, pace) => holds(entry, value, pace)],
]);

/** What a comparator comes to where its test gave undefined. */
function* tested(cmp: string, entry: Json, value: Json, pace: Pace): Task<boolean> {
  if (cmp === "in") return yield* holdsTask(value, entry, pace);
  if (cmp === "contains") return yield* holdsTask(entry, value, pace);
  return (yield* longEqual(entry, value, pace)) === (cmp !== "!=");
}

/** The objects of `list` whose own entry `field` (missing is null) compares true; [] for what is not a list. */
export function filterList(list: Json, field: string, cmp: string, value: Json, meter: WorkMeter): Json {
  return completed(filterTask(list, field, cmp, value, meter));
}

export function* filterTask(list: Json, field: string, cmp: string, value: Json, meter: WorkMeter): Task<Json> {
  const test = COMPARATORS.get(cmp);
  if (test === undefined) throw new OperationFailure("unknown comparator", "value_error");
  if (!isList(list)) return [];
  const pace = new Pace(meter);
  const filter = new Filter(list, field, test, value, pace);
  while (filter.at < list.length) {
    const entry = filter.advance();
    if (pace.isDue()) yield;
    if (entry !== undefined) filter.decide(yield* tested(cmp, entry, value, pace));
  }
  pace.end();
  return filter.kept;
}

/** Elements that are tested between two looks at the pace. */
const STRETCH = 256;

/** A plain loop: the engine makes less of those in tasks. */
class Filter {
  readonly #list: readonly Json[];
  readonly #field: string;
  readonly #test: Test;
  readonly #value: Json;
  readonly #pace: Pace;
  readonly kept: Json[] = [];
  at = 0;

  constructor(list: readonly Json[], field: string, test: Test, value: Json, pace: Pace) {
    this.#list = list;
    this.#field = field;
    this.#test = test;
    this.#value = value;
    this.#pace = pace;
  }

  /** Tests some elements, until a piece is full. Stops at one whose test takes long, and returns its entry. */
  advance(): Json | undefined {
    const { kept } = this;
    const list = this.#list;
    const field = this.#field;
    const test = this.#test;
    const value = this.#value;
    const pace = this.#pace;
    const end = Math.min(list.length, this.at + STRETCH);
    for (let at = this.at; at < end; at++) {
      const element = list[at] as Json;
      if (!isObject(element)) {
        pace.note(1);
        continue;
      }
      // Read here and not in a function that others call with other names: at one name the engine remembers where members are.
      const found = element[field] as Json | undefined;
      const entry = isCertain(found, field) ? found : entryOf(element, field);
      const passes = test(entry, value, pace);
      if (passes === undefined) {
        this.at = at;
        return entry;
      }
      if (passes) kept.push(element);
      if (pace.isFull) {
        this.at = at + 1;
        return undefined;
      }
    }
    this.at = end;
    return undefined;
  }

  /** What came of the element that `advance` stopped at. */
  decide(passes: boolean): void {
    if (passes) this.kept.push(this.#list[this.at] as Json);
    this.at += 1;
  }
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

/** A stable new order by own entry `field`; [] for what is not a list. */
export function sortList(list: Json, field: string, order: "asc" | "desc", meter: WorkMeter): Json {
  return completed(sortTask(list, field, order, meter));
}

export function* sortTask(list: Json, field: string, order: "asc" | "desc", meter: WorkMeter): Task<Json> {
  if (!isList(list)) return [];
  const pace = new Pace(meter);
  const direction = order === "desc" ? -1 : 1;
  const kind = yield* commonKind(list, field, pace);
  const sorted =
    kind === null
      ? yield* sortedByRank(list, (element) => (isObject(element) ? entryOf(element, field) : null), direction, pace)
      : yield* sortedList(list as readonly JsonObject[], orderOf(field, kind, direction), pace);
  pace.end();
  const size = (list as Sized)[SIZE];
  // The same elements in another order are as large as before.
  if (size !== undefined) (sorted as Sized)[SIZE] = size;
  return sorted;
}

type CommonKind = { readonly type: "text" | "number"; readonly surrogates: boolean; readonly longest: number };

/** What every element has when all are objects whose field is text, or a number: then nothing need be set aside. */
function* commonKind(list: readonly Json[], field: string, pace: Pace): Task<CommonKind | null> {
  const first = list[0];
  const type = isObject(first) ? typeof entryOf(first, field) : "none";
  if (type !== "string" && type !== "number") return null;
  const kind: OpenKind = { type: type === "string" ? "text" : "number", surrogates: false, longest: 0 };
  for (let start = 0; start < list.length; start += STRETCH) {
    if (!isOfKind(list, start, field, kind, pace)) return null;
    if (pace.add(STRETCH)) yield;
  }
  return kind;
}

type OpenKind = { -readonly [member in keyof CommonKind]: CommonKind[member] };

/** Whether a stretch of elements is of the kind; what their texts are like is noted there. */
function isOfKind(list: readonly Json[], start: number, field: string, kind: OpenKind, pace: Pace): boolean {
  const type = kind.type === "text" ? "string" : "number";
  const end = Math.min(list.length, start + STRETCH);
  for (let i = start; i < end; i++) {
    const element = list[i] as Json;
    if (!isObject(element)) return false;
    const found = element[field] as Json | undefined;
    const entry = isCertain(found, field) ? found : entryOf(element, field);
    if (typeof entry !== type) return false;
    if (typeof entry !== "string") continue;
    if (entry.length > kind.longest) kind.longest = entry.length;
    kind.surrogates ||= hasSurrogate(entry);
    if (entry.length >= 16) pace.note(entry.length >> 4);
  }
  return true;
}

const SURROGATE = /[\ud800-\udfff]/;
/** Up to here looking at each unit takes less than the engine's pattern search. */
const SHORT_KEY = 32;

function hasSurrogate(key: string): boolean {
  if (key.length > SHORT_KEY) return SURROGATE.test(key);
  for (let unit = 0; unit < key.length; unit++) {
    if ((key.charCodeAt(unit) & 0xf800) === 0xd800) return true;
  }
  return false;
}

function orderOf(field: string, kind: CommonKind, direction: 1 | -1): Order<JsonObject> {
  if (kind.type === "number") {
    return { compare: (a, b) => direction * ((a[field] as number) - (b[field] as number)), units: () => 1, most: 1 };
  }
  const units = (a: JsonObject): number => 1 + ((a[field] as string).length >> 4);
  const most = 1 + (kind.longest >> 4);
  if (kind.surrogates) {
    return { compare: (a, b) => direction * compareText(a[field] as string, b[field] as string), units, most };
  }
  // Without surrogates the engine's order of units is that of code points.
  const compare = (a: JsonObject, b: JsonObject): number => {
    const x = a[field] as string;
    const y = b[field] as string;
    return x < y ? -direction : x > y ? direction : 0;
  };
  return { compare, units, most };
}

/** The same order by what `keyOf` reads of an element. */
export function* sortByTask(
  list: readonly Json[],
  keyOf: (element: Json) => Json,
  order: "asc" | "desc",
  pace: Pace,
): Task<Json> {
  return yield* sortedByRank(list, keyOf, order === "desc" ? -1 : 1, pace);
}

function* sortedByRank(
  list: readonly Json[],
  keyOf: (element: Json) => Json,
  direction: 1 | -1,
  pace: Pace,
): Task<Json[]> {
  const rows: Sortable[] = [];
  let keyUnits = 0;
  let longest = 0;
  for (const element of list) {
    const key = keyOf(element);
    const rank = rankOf(key);
    if (typeof key === "object" && key !== null) {
      const text = yield* sortedJsonTextTask(key, pace);
      keyUnits += text.length;
      if (keyUnits > MAX_TEXT_UNITS) throw tooLarge();
      rows.push({ rank, key: text, element });
      longest = Math.max(longest, text.length);
    } else {
      rows.push({ rank, key: typeof key === "string" ? key : Number(key), element });
      if (typeof key === "string") longest = Math.max(longest, key.length);
    }
    if (pace.add(1)) yield;
  }
  const compare = (a: Sortable, b: Sortable): number => {
    if (a.rank !== b.rank) return direction * (a.rank - b.rank);
    if (typeof a.key === "string" && typeof b.key === "string") return direction * compareText(a.key, b.key);
    return direction * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
  };
  const units = (a: Sortable): number => (typeof a.key === "string" ? 1 + (a.key.length >> 4) : 1);
  const sorted = yield* sortedList(rows, { compare, units, most: 1 + (longest >> 4) }, pace);
  const elements: Json[] = [];
  for (const row of sorted) {
    elements.push(row.element);
    if (pace.add(1)) yield;
  }
  return elements;
}
