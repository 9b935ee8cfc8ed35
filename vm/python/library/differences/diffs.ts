/** `unified_diff` and `context_diff`: the header of each group, and its lines. */
import { raised, TYPE_ERROR } from "../../exceptions.ts";
import { notExact } from "../../not-exact.ts";
import { Bytes, type Calling, type Context, typeOf, type Value } from "../../object.ts";
import { binary, isInt, item, repr, truth } from "../../operations.ts";
import { type Elements, give } from "../modules/lazy.ts";
import { chained } from "./differ.ts";
import { elementsOf, Lines } from "./elements.ts";
import { cutEnds, groupsOf, NO_CODES, type Opcode, opcodesOf } from "./matcher.ts";

/** What both are given. */
export type Compared = {
  readonly a: Value;
  readonly b: Value;
  readonly files: readonly [from: Value, to: Value];
  readonly dates: readonly [from: Value, to: Value];
  readonly n: Value;
  readonly end: Value;
};

type Checked = {
  readonly a: Lines;
  readonly b: Lines;
  readonly names: readonly [string, string];
  readonly end: string;
};

function checkLines(value: Value, ctx: Context): void {
  if (!truth(value, ctx)) return;
  const [first = null] = elementsOf(value, (one) => item(one, 0, ctx));
  if (typeof first !== "string")
    throw raised(TYPE_ERROR, `lines to compare must be str, not ${typeOf(first).name} (${repr(first, ctx)})`);
}

function checked({ a, b, files, dates, end }: Compared, ctx: Context): Checked {
  checkLines(a, ctx);
  checkLines(b, ctx);
  for (const one of [...files, ...dates, end])
    if (typeof one !== "string") throw raised(TYPE_ERROR, `all arguments must be str, not: ${repr(one, ctx)}`);
  const nameOf = (at: 0 | 1): string => `${files[at]}${dates[at] === "" ? "" : `\t${dates[at]}`}`;
  return { a: new Lines(a), b: new Lines(b), names: [nameOf(0), nameOf(1)], end: String(end) };
}

/** Groups of changes, with `n` lines around each. */
function* groups({ a, b, n }: Compared, ctx: Context): Calling<Iterable<readonly Opcode[]>> {
  const { chain, keys } = chained(a, b, ctx);
  const blocks = yield* chain.blocks(keys, ctx);
  if (typeof n !== "number" || !isInt(n)) throw notExact("the number of lines around a change is an int here");
  const codes = opcodesOf(blocks);
  if (codes.length === 0) codes.push(...NO_CODES);
  cutEnds(codes, n);
  return groupsOf(codes, n);
}

function counted(ctx: Context, line: string) {
  ctx.alloc(line.length * Bytes.Unit);
  return give(line);
}

function* marked(mark: string, lines: Lines, from: number, to: number, ctx: Context): Elements {
  for (const line of lines.all.slice(from, to)) yield give(binary("+", mark, line, ctx));
}

export function* unifiedDiff(given: Compared, ctx: Context): Elements {
  const { a, b, names, end } = checked(given, ctx);
  let isStarted = false;
  for (const group of yield* groups(given, ctx)) {
    if (!isStarted) {
      isStarted = true;
      yield counted(ctx, `--- ${names[0]}${end}`);
      yield counted(ctx, `+++ ${names[1]}${end}`);
    }
    const [i1, i2, j1, j2] = boundsOf(group);
    yield counted(ctx, `@@ -${unifiedRange(i1, i2)} +${unifiedRange(j1, j2)} @@${end}`);
    for (const [tag, from, to, other, otherTo] of group) {
      if (tag === "equal") yield* marked(" ", a, from, to, ctx);
      if (tag === "replace" || tag === "delete") yield* marked("-", a, from, to, ctx);
      if (tag === "replace" || tag === "insert") yield* marked("+", b, other, otherTo, ctx);
    }
  }
}

const MARKS = { insert: "+ ", delete: "- ", replace: "! ", equal: "  " } as const;

export function* contextDiff(given: Compared, ctx: Context): Elements {
  const { a, b, names, end } = checked(given, ctx);
  let isStarted = false;
  for (const group of yield* groups(given, ctx)) {
    if (!isStarted) {
      isStarted = true;
      yield counted(ctx, `*** ${names[0]}${end}`);
      yield counted(ctx, `--- ${names[1]}${end}`);
    }
    const [i1, i2, j1, j2] = boundsOf(group);
    yield counted(ctx, `***************${end}`);
    yield counted(ctx, `*** ${contextRange(i1, i2)} ****${end}`);
    if (group.some(([tag]) => tag === "replace" || tag === "delete"))
      for (const [tag, from, to] of group) if (tag !== "insert") yield* marked(MARKS[tag], a, from, to, ctx);
    yield counted(ctx, `--- ${contextRange(j1, j2)} ----${end}`);
    if (group.some(([tag]) => tag === "replace" || tag === "insert"))
      for (const [tag, , , from, to] of group) if (tag !== "delete") yield* marked(MARKS[tag], b, from, to, ctx);
  }
}

function boundsOf(group: readonly Opcode[]): readonly [number, number, number, number] {
  const [first, last] = [group[0] as Opcode, group.at(-1) as Opcode];
  return [first[1], last[2], first[3], last[4]];
}

function unifiedRange(start: number, stop: number): string {
  const count = stop - start;
  return count === 1 ? `${start + 1}` : `${count === 0 ? start : start + 1},${count}`;
}

function contextRange(start: number, stop: number): string {
  const count = stop - start;
  const beginning = count === 0 ? start : start + 1;
  return count <= 1 ? `${beginning}` : `${beginning},${beginning + count - 1}`;
}
