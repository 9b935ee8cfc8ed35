/** Values of Python programs as people are shown them. */
import type { Json } from "../../../compiler/json.ts";
import { left } from "../borders.ts";
import { PyDecimal } from "../decimals/decimal.ts";
import { PyException } from "../exceptions.ts";
import { PyBytes } from "../kinds/bytes.ts";
import { PyDate, PyTime, PyTimedelta } from "../kinds/dates.ts";
import { PyDict } from "../kinds/dict.ts";
import { PyFloat } from "../kinds/float.ts";
import { PyUuid } from "../kinds/identifiers.ts";
import { PyList, PyTuple } from "../kinds/list.ts";
import { PySet } from "../kinds/set.ts";
import { PyRange } from "../kinds/slice.ts";
import { type Context, typeOf, type Value } from "../object.ts";
import { repr } from "../operations.ts";

/** Members of a set are shown in the order in which they were added, which no program can see. */
const ofMember = (member: Value): string => repr(member, UNCOUNTED);

/** Elements of a value that is shown. */
const MOST_SHOWN = 2048;
/** Elements and characters of one that is shown as Python writes it. */
const MOST_WRITTEN = 200;
const MOST_CHARACTERS = 2000;
/** What a value takes at least that has more. */
const LEAST_BYTES = 2 * MOST_SHOWN;

/** The compiler made no variable of this name: not that of a loop over a generator, nor one of a comprehension. */
export function isWritten(name: string): boolean {
  return !name.startsWith("$") && !name.includes(".");
}

/** A value as JSON; null where it has no such form. */
export function shown(value: Value): Json {
  return asJson(value) ?? null;
}

/** A value as JSON, or `{"$python": "{1, 2}"}` where it has no such form. */
export function shownAny(value: Value): Json {
  const json = asJson(value);
  if (json !== undefined) return json;
  const { name } = typeOf(value);
  const length = value instanceof PySet ? value.members.size : value instanceof PyBytes ? value.bytes.length : 0;
  return { $python: length <= MOST_WRITTEN ? written(value, name) : `<${name} of ${length}>` };
}

/** undefined: functions, iterators, sets, and numbers that JSON lacks. */
function asJson(value: Value): Json | undefined {
  if (elementsLeft(value, MOST_SHOWN) < 0) return tooLarge(value);
  try {
    return left(value, UNCOUNTED);
  } catch {
    return undefined;
  }
}

function written(value: Value, name: string): string {
  try {
    const text =
      value instanceof PySet ? `{${[...value.members.values()].map(ofMember).join(", ")}}` : repr(value, UNCOUNTED);
    return text.length <= MOST_CHARACTERS ? text : `<${name}>`;
  } catch {
    return `<${name}>`;
  }
}

/** `most` less the elements in a value; below zero as soon as there are more. */
function elementsLeft(value: Value, most: number): number {
  // It would be shown as the list of its numbers.
  if (value instanceof PyRange) return most - value.length - 1;
  if (!(value instanceof PyList || value instanceof PyTuple || value instanceof PyDict)) return most;
  const items = value instanceof PyDict ? [] : value.items;
  let rest = most - (value instanceof PyDict ? value.size : items.length) - 1;
  if (rest < 0) return rest;
  const elements = value instanceof PyDict ? [...value.keys()].map((key) => value.get(key) as Value) : items;
  for (const element of elements) {
    rest = elementsLeft(element, rest);
    if (rest < 0) break;
  }
  return rest;
}

export const tooLarge = (value: Value): Json => ({ $truncated: LEAST_BYTES, type: typeOf(value).name });

const LONGEST_INT = 1n << 1024n;
/** Of these each is as large as another, or has a text of its own. */
const SMALL = [PyFloat, PyDecimal, PyUuid, PyDate, PyTime, PyTimedelta];

/** `most` less the elements and characters in a value; below zero as soon as there are more, and of what cannot be measured so. */
export function unitsLeft(value: Value, most: number): number {
  if (typeof value === "string") return most - value.length - 1;
  if (typeof value === "bigint") return -LONGEST_INT < value && value < LONGEST_INT ? most - 1 : -1;
  if (typeof value !== "object" || value === null) return most - 1;
  if (value instanceof PySet) return elementsOf(value.members.values(), value.members.size, most);
  if (value instanceof PyBytes) return most - value.bytes.length - 1;
  if (value instanceof PyDict) {
    const rest = elementsOf(value.keys(), value.size, most);
    return rest < 0
      ? rest
      : elementsOf(
          [...value.keys()].map((key) => value.get(key) as Value),
          value.size,
          rest,
        );
  }
  if (value instanceof PyList || value instanceof PyTuple) return elementsOf(value.items, value.items.length, most);
  if (value instanceof PyRange) return most - value.length - 1;
  if (value instanceof PyException) return unitsLeft(value.args, most);
  return SMALL.some((kind) => value instanceof kind) ? most - 1 : -1;
}

function elementsOf(elements: Iterable<Value>, size: number, most: number): number {
  let rest = most - size - 1;
  if (rest < 0) return rest;
  for (const element of elements) {
    rest = unitsLeft(element, rest);
    if (rest < 0) break;
  }
  return rest;
}

/** What is shown changes no count. */
const UNCOUNTED: Context = { charge() {}, alloc() {}, room() {}, open: new Set() };
