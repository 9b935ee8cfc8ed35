/** Values on their way in and out of a run: trees of JSON (python.md V-1). Nothing outside shares a cell with a program. */
import { type Json, setMember } from "../../compiler/json.ts";
import { exactText, readExactly } from "../inputs/exact-text.ts";
import { raised, TYPE_ERROR, VALUE_ERROR } from "./exceptions.ts";
import { readJson } from "./json/read.ts";
import { writeJson } from "./json/write.ts";
import { PyDict } from "./kinds/dict.ts";
import { PyFloat } from "./kinds/float.ts";
import { PyList, PyTuple } from "./kinds/list.ts";
import { PyRange } from "./kinds/slice.ts";
import { notExact } from "./not-exact.ts";
import { Bytes, type Context, type Key, typeOf, type Value } from "./object.ts";
import { bitLength } from "./operators/integers.ts";
import { repr } from "./operators/text.ts";
import { PyAnswer, PyHeaders, PyRecord, PyResponse } from "./record.ts";

/** Deeper values do not leave. */
const MOST_LEVELS = 512;

/** How dicts of what comes in are made: plain, or as data that Weft itself makes. */
export type Made = "dict" | "record" | "answer" | "response" | "headers";

const MAKES: { readonly [made in Made]: new () => PyDict } = {
  dict: PyDict,
  record: PyRecord,
  answer: PyAnswer,
  response: PyResponse,
  headers: PyHeaders,
};

/** A value of JSON as one of the program, by its text where it has one. Whole numbers are ints; those that JavaScript may have changed have no exact form. */
export function entered(json: Json, ctx: Context, made: Made = "dict"): Value {
  const text = exactText(json);
  return text === undefined ? enteredPlain(json, ctx, made) : readJson(text, { ctx, dictOf: makerOf(made) });
}

/** `key`: of the outermost object, none. */
function makerOf(made: Made): ((level: number, key: string | null) => PyDict) | undefined {
  if (made === "dict") return undefined;
  return (level, key) => {
    if (level === 1) return new MAKES[made]();
    return made === "response" && level === 2 && key === "headers" ? new PyHeaders() : new PyRecord();
  };
}

function enteredPlain(json: Json, ctx: Context, made: Made): Value {
  if (typeof json === "string") {
    ctx.alloc(json.length * Bytes.Unit);
    return json;
  }
  if (typeof json === "number") {
    if (!Number.isInteger(json) || Number.isSafeInteger(json)) return json + 0;
    throw notExact(
      `the number ${json} may have lost digits in JavaScript; give it as JSON text, or its digits as a text`,
    );
  }
  if (typeof json !== "object" || json === null) return json;
  ctx.charge(1);
  const inner = made === "dict" ? "dict" : "record";
  if (Array.isArray(json)) {
    const items: Value[] = [];
    for (const item of json as readonly Json[]) items.push(enteredPlain(item, ctx, inner));
    ctx.alloc(Bytes.Object + items.length * Bytes.Element);
    return new PyList(items);
  }
  const dict = new MAKES[made]();
  const members = json as { readonly [key: string]: Json };
  for (const key of Object.keys(members)) {
    const kind = made === "response" && key === "headers" ? "headers" : inner;
    dict.set(key, key, enteredPlain(members[key] as Json, ctx, kind));
  }
  ctx.alloc(Bytes.Object + dict.size * Bytes.Entry);
  return dict;
}

/** A value as JSON that keeps its text where that says more: an argument of a call. */
export function leftExactly(value: Value, ctx: Context): Json {
  if (isPlain(value)) return left(value, ctx);
  return readExactly(writeJson(value, ctx));
}

/** Work for the copy of a container. */
const UNITS_OF_COPY = 8;

/** What leaves at once is counted, because a container that many others hold leaves once for each of them. */
class Leaving {
  #bytes = 0;
  readonly ctx: Context;

  constructor(ctx: Context) {
    this.ctx = ctx;
  }

  count(bytes: number): void {
    this.ctx.charge(UNITS_OF_COPY);
    this.#bytes += bytes;
    this.ctx.room(this.#bytes);
  }
}

/** A value as JSON, as json.dumps would write it. TypeError for what has no such form. */
export function left(value: Value, ctx: Context): Json {
  return leaving(value, new Leaving(ctx), 0);
}

function leaving(value: Value, out: Leaving, level: number): Json {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "number":
      return value;
    case "bigint":
      throw notExact(`the int ${shown(value)} is too large for a caller of JavaScript; give it as a text: str(n)`);
    default:
      return value === null ? null : container(value, out, level);
  }
}

/**
 * Whether `left` loses nothing of a value: it has no whole float, no long int, and no dict whose members JavaScript would put in another order.
 * True as well for what cannot leave at all. `seen`: the containers that were looked at already; one that many others hold is looked at once.
 */
export function isPlain(value: Value, level = 0, seen: Set<Value> = new Set()): boolean {
  if (typeof value === "bigint" || value instanceof PyFloat) return false;
  if (level >= MOST_LEVELS || typeof value !== "object" || value === null || seen.has(value)) return true;
  seen.add(value);
  if (value instanceof PyList || value instanceof PyTuple)
    return value.items.every((item) => isPlain(item, level + 1, seen));
  if (value instanceof PyDict) {
    // A dict of another kind than plain may have keys that look like places of a list.
    if (value.plain === null && [...value.keys()].some((key) => typeof key !== "string" || INDEX.test(key)))
      return false;
    for (const key of value.keys()) if (!isPlain(value.get(key) as Value, level + 1, seen)) return false;
    return true;
  }
  return value instanceof PyRange || value.type.slots.json === undefined;
}

const INDEX = /^\d{1,10}$/;

function container(
  value: Exclude<Value, string | boolean | number | bigint | null>,
  out: Leaving,
  level: number,
): Json {
  if (value instanceof PyFloat) {
    if (Number.isFinite(value.value)) return value.value + 0;
    throw notExact(`${Number.isNaN(value.value) ? "nan" : "inf"} has no JSON form; give None or a text instead`);
  }
  if (level >= MOST_LEVELS) throw raised(VALUE_ERROR, "Circular reference detected");
  if (value instanceof PyList || value instanceof PyTuple) {
    out.count(Bytes.Object + value.items.length * Bytes.Element);
    const items: Json[] = [];
    for (const item of value.items) items.push(leaving(item, out, level + 1));
    return items;
  }
  if (value instanceof PyDict) return members(value, out, level);
  if (value instanceof PyRange) {
    out.count(Bytes.Object + value.length * Bytes.Element);
    return Array.from({ length: value.length }, (_, at) => value.start + at * value.step);
  }
  out.count(Bytes.Object);
  const json = value.type.slots.json?.(value, out.ctx, (inner: Value) => leaving(inner, out, level + 1));
  if (json !== undefined) return json;
  throw raised(TYPE_ERROR, `Object of type ${typeOf(value).name} is not JSON serializable`);
}

function members(dict: PyDict, out: Leaving, level: number): Json {
  out.count(Bytes.Object + dict.size * Bytes.Entry);
  const object: { [key: string]: Json } = {};
  for (const key of dict.keys()) {
    const written = keyText(dict.spelling(key), out.ctx);
    if (Object.hasOwn(object, written))
      throw notExact(`two keys of a dict are both written ${JSON.stringify(written)} in JSON`);
    setMember(object, written, leaving(dict.get(key as Key) as Value, out, level + 1));
  }
  return object;
}

/** As json.dumps writes keys. */
function keyText(key: Value, ctx: Context): string {
  if (typeof key === "string") return key;
  if (key === null) return "null";
  if (typeof key === "boolean") return key ? "true" : "false";
  if (typeof key === "number" || typeof key === "bigint") return repr(key, ctx);
  if (key instanceof PyFloat) {
    if (Number.isFinite(key.value)) return repr(key, ctx);
    throw notExact("inf and nan have no JSON form; use texts as keys");
  }
  throw raised(TYPE_ERROR, `keys must be str, int, float, bool or None, not ${typeOf(key).name}`);
}

function shown(value: bigint): string {
  // Writing a long one takes time that grows with its square.
  if (bitLength(value) > 4_096) return `of ${bitLength(value)} bits`;
  const text = String(value);
  return text.length > 30 ? `${text.slice(0, 27)}...` : text;
}
