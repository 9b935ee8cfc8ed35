/** Lists: ends, parts, order, sets and lists of records. Results share the elements with their arguments, as in Python. */
import { RECURSION_ERROR, raised, VALUE_ERROR } from "../../exceptions.ts";
import { PyDict } from "../../kinds/dict.ts";
import { PyList, type PyTuple } from "../../kinds/list.ts";
import { PySlice } from "../../kinds/slice.ts";
import { Bytes, type Calling, type Context, isCalling, type Key, type NativeRun, type Value } from "../../object.ts";
import { compoundKey, each, equals, isNumber, isSame, item, keyOf, length, order } from "../../operations.ts";
import { setMember } from "../../types/dict.ts";
import { begun } from "../calling.ts";
import { TEXT } from "../text/part.ts";
import { sortEntries, sorted } from "../values/sorting.ts";
import type { Functions } from "./kinds.ts";
import { isItems } from "./kinds.ts";
import { fieldOf } from "./paths.ts";

type Result = Value | Calling;

function listOf(ctx: Context, items: Value[]): PyList {
  ctx.alloc(Bytes.Object + items.length * Bytes.Element);
  return new PyList(items);
}

/** A list of what `step` adds for each element. */
function built(ctx: Context, list: Value, step: (element: Value, into: Value[]) => void): Result {
  const items: Value[] = [];
  return each<Value>(
    list,
    ctx,
    (element) => step(element, items),
    () => listOf(ctx, items),
  );
}

function part(ctx: Context, value: Value, start: Value, end: Value): Result {
  return item(value, new PySlice(start, end, null), ctx);
}

function end(index: 0 | -1): readonly [string, NativeRun] {
  return ["sequence", (ctx, value: Value) => (length(value, ctx) === 0 ? null : item(value, index, ctx))];
}

function least(count: number | bigint): number | bigint {
  return count < 0 ? 0 : count;
}

const MOST_LEVELS = 512;

/** What equal values have in common, lists and dicts as well. */
function identityOf(value: Value, ctx: Context, level = 0): Key {
  if (level > MOST_LEVELS) throw raised(RECURSION_ERROR, "maximum recursion depth exceeded in comparison");
  ctx.charge(1);
  if (value instanceof PyList)
    return counted(
      ctx,
      compoundKey(
        "[",
        value.items.map((inner) => identityOf(inner, ctx, level + 1)),
      ),
    );
  if (!(value instanceof PyDict)) return keyOf(value, ctx);
  const members = [...value.keys()].map((key) =>
    compoundKey("=", [key, identityOf(value.get(key) as Value, ctx, level + 1)]),
  );
  return counted(ctx, compoundKey("{", (members as string[]).sort()));
}

function counted(ctx: Context, key: Key): Key {
  ctx.room((key as string).length * Bytes.Unit);
  ctx.charge((key as string).length >> 3);
  return key;
}

/** The elements of the list that are in the other one, or those that are not; each once where `isOnce`. */
function compared(isWanted: boolean, isOnce: boolean): readonly [string, NativeRun] {
  const run = (ctx: Context, list: Value, other: Value): Result => {
    const others = new Set<Key>();
    const seen = new Set<Key>();
    const collected = each(
      other,
      ctx,
      (element) => void others.add(identityOf(element, ctx)),
      () => null,
    );
    const select = (): Result =>
      built(ctx, list, (element, into) => {
        const key = identityOf(element, ctx);
        if (others.has(key) !== isWanted || (isOnce && seen.has(key))) return;
        seen.add(key);
        into.push(element);
      });
    return isCalling(collected) ? after(collected, select) : select();
  };
  return ["list list", run];
}

function* after(first: Calling, then: () => Result): Calling {
  yield* first;
  const result = then();
  return isCalling(result) ? yield* result : result;
}

function unique(ctx: Context, list: Value): Result {
  const seen = new Set<Key>();
  return built(ctx, list, (element, into) => {
    const key = identityOf(element, ctx);
    if (seen.has(key)) return;
    seen.add(key);
    into.push(element);
  });
}

function flatten(ctx: Context, list: Value): Result {
  return built(ctx, list, (element, into) => {
    if (!isItems(element)) into.push(element);
    else {
      ctx.charge(element.items.length);
      ctx.room((into.length + element.items.length) * Bytes.Element);
      for (const inner of element.items) into.push(inner);
    }
  });
}

function chunk(ctx: Context, list: Value, size: number | bigint): Result {
  if (size < 1) throw raised(VALUE_ERROR, "chunk() argument 'size' must be at least 1");
  return built(ctx, list, (element, into) => {
    const open = into.at(-1) as PyList | undefined;
    if (open !== undefined && open.items.length < size) open.items.push(element);
    else into.push(listOf(ctx, [element]));
    ctx.alloc(Bytes.Element);
  });
}

function count(ctx: Context, value: Value, wanted: Value | undefined): Result {
  if (wanted === undefined) return length(value, ctx);
  if (typeof value === "string") return (TEXT.natives["str.count"] as NativeRun)(ctx, value, wanted, null, null);
  let found = 0;
  return each<Value>(
    value,
    ctx,
    (element) => {
      if (isSame(element, wanted, ctx)) found += 1;
    },
    () => found,
  );
}

function sortBy(ctx: Context, list: Value, field: Value, direction: string): Result {
  const isDescending = direction.toLowerCase() === "desc";
  if (!isDescending && direction.toLowerCase() !== "asc")
    throw raised(VALUE_ERROR, "sort_by() argument 'order' must be 'asc' or 'desc'");
  const entries: { key: Value; value: Value }[] = [];
  const step = (value: Value): void => void entries.push({ key: fieldOf("sort_by", value, field, ctx), value });
  const collected = each(list, ctx, step, () => null);
  return begun(sortedBy(ctx, collected, entries, isDescending));
}

function* sortedBy(
  ctx: Context,
  collected: Value | Calling,
  entries: { key: Value; value: Value }[],
  isDescending: boolean,
): Calling {
  if (isCalling(collected)) yield* collected;
  yield* sortEntries(entries, isDescending, ctx);
  return listOf(
    ctx,
    entries.map(({ value }) => value),
  );
}

/** A dict with what `next` makes of each element and of what its field has so far. */
function keyed(name: string, next: (ctx: Context, element: Value, found: Value | undefined) => Value) {
  const run = (ctx: Context, list: Value, field: Value): Result => {
    const dict = new PyDict();
    ctx.alloc(Bytes.Object);
    const step = (element: Value): void => {
      const key = fieldOf(name, element, field, ctx);
      const found = dict.get(keyOf(key, ctx));
      const made = next(ctx, element, found);
      if (made !== found) setMember(dict, key, made, ctx);
    };
    return each<Value>(list, ctx, step, () => dict);
  };
  return ["list field", run] as const;
}

function grouped(ctx: Context, element: Value, found: Value | undefined): Value {
  if (found === undefined) return listOf(ctx, [element]);
  ctx.alloc(Bytes.Element);
  (found as PyList).items.push(element);
  return found;
}

function extreme(name: string, op: "<" | ">"): readonly [string, NativeRun] {
  const run = (ctx: Context, list: Value, field: Value): Result => {
    let best: Value = null;
    let bestField: Value | undefined;
    const step = (element: Value): void => {
      const value = fieldOf(name, element, field, ctx);
      if (bestField !== undefined && !order(op, value, bestField, ctx)) return;
      best = element;
      bestField = value;
    };
    return each<Value>(list, ctx, step, () => best);
  };
  return ["list field", run];
}

function find(ctx: Context, list: Value, field: Value, wanted: Value): Result {
  let found: Value = null;
  const step = (element: Value): boolean => {
    const isFound = equals(fieldOf("find", element, field, ctx), wanted, ctx);
    if (isFound) found = element;
    return isFound;
  };
  return each<Value>(list, ctx, step, () => found);
}

function filterHighScore(ctx: Context, list: Value, minimum: Value): Result {
  return built(ctx, list, (element, into) => {
    let score = fieldOf("filter_high_score", element, "score", ctx);
    if (score === null) score = fieldOf("filter_high_score", element, "relevance", ctx) ?? 0;
    if (isNumber(score) && order(">=", score, minimum, ctx)) into.push(element);
  });
}

export const LISTS: Functions = {
  length: ["any", (ctx, value: Value) => length(value, ctx)],
  arr: ["any*", (ctx, values: PyTuple) => listOf(ctx, [...values.items])],
  push: ["items any", (ctx, list: PyList | PyTuple, value: Value) => listOf(ctx, [...list.items, value])],
  first: end(0),
  last: end(-1),
  take: ["sequence int", (ctx, value: Value, size: number | bigint) => part(ctx, value, 0, least(size))],
  drop: ["sequence int", (ctx, value: Value, size: number | bigint) => part(ctx, value, least(size), null)],
  sort: ["list", (ctx, list: Value) => sorted(ctx, list, null, false)],
  reverse: [
    "sequence",
    (ctx, value: Value) => {
      ctx.charge(length(value, ctx));
      return listOf(ctx, [...(isItems(value) ? value.items : (value as string))].reverse());
    },
  ],
  unique: ["list", unique],
  flatten: ["list", flatten],
  chunk: ["list int", chunk],
  count: ["any any", count],
  diff: compared(false, false),
  intersect: compared(true, true),
  sort_by: ["list field str", sortBy],
  group_by: keyed("group_by", grouped),
  count_by: keyed("count_by", (_, __, found) => ((found as number | undefined) ?? 0) + 1),
  index_by: keyed("index_by", (_, element) => element),
  min_by: extreme("min_by", "<"),
  max_by: extreme("max_by", ">"),
  find: ["list field any", find],
  filter_high_score: ["list number", filterHighScore],
};
