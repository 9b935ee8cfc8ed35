/** The module difflib. */
import { raised, raisedLoosely, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { floatOf } from "../../kinds/float.ts";
import { PyList, PyTuple } from "../../kinds/list.ts";
import { notExact } from "../../not-exact.ts";
import {
  Bytes,
  type Calling,
  type Context,
  END,
  type Natives,
  nextOf,
  type PyIterator,
  PyObject,
  PyType,
  type Slots,
  setType,
  type Value,
} from "../../object.ts";
import { asIndex, equals, identityKey, isInt, iterate, length, order, repr } from "../../operations.ts";
import { madeFloat } from "../../operators/numbers.ts";
import { nameOf } from "../arguments.ts";
import { begun } from "../calling.ts";
import { type Elements, give, lazyType, PyLazy } from "../modules/lazy.ts";
import type { Part } from "../registry.ts";
import { differences } from "./differ.ts";
import { type Compared, contextDiff, unifiedDiff } from "./diffs.ts";
import { elementsOf, keysOf } from "./elements.ts";
import { Chain, type Opcode, type Range } from "./matcher.ts";
import { matchOf, opcodeOf, PySequenceMatcher, SEQUENCE_MATCHER_TYPE } from "./sequence-matcher.ts";

const GENERATOR = lazyType("generator");
/** Two sequences are compared at once, without turns of others, where the product of their sizes is below this. */
const SMALL = 1_000_000;

function sizeOf(value: Value): number {
  if (typeof value === "string") return value.length;
  if (!(value instanceof PyList || value instanceof PyTuple)) return SMALL;
  let size = value.items.length;
  for (const one of value.items) if (typeof one === "string") size += one.length;
  return size;
}

function compared(a: Value, b: Value, elements: Elements): PyLazy {
  return new PyLazy(GENERATOR, elements, sizeOf(a) * sizeOf(b) < SMALL);
}

/** `Differ(linejunk, charjunk)` */
class PyDiffer extends PyObject {
  declare readonly type: PyType;
  readonly lineJunk: Value;
  readonly charJunk: Value;
  constructor(lineJunk: Value, charJunk: Value) {
    super();
    this.lineJunk = lineJunk;
    this.charJunk = charJunk;
  }
}
const differSlots: Slots<PyDiffer> = {
  key: identityKey,
  holds: (self) => [self.lineJunk, self.charJunk],
  attribute: (self, name) => (name === "linejunk" ? self.lineJunk : name === "charjunk" ? self.charJunk : undefined),
};
const DIFFER_TYPE = setType(PyDiffer, new PyType("Differ", [], differSlots, "difflib.Differ"));

function self<T extends PyObject>(made: abstract new (...args: never[]) => T, value: Value): T {
  if (value instanceof made) return value;
  throw raisedLoosely(TYPE_ERROR, `a method of difflib was called on a value of type ${nameOf(value)}`);
}

const matcherOf = (value: Value): PySequenceMatcher => self(PySequenceMatcher, value);

function* made(ctx: Context, isJunk: Value, a: Value, b: Value, autoJunk: Value): Calling {
  ctx.alloc(Bytes.Object);
  const matcher = new PySequenceMatcher(isJunk, autoJunk);
  matcher.setFirst(a);
  yield* matcher.setSecond(b, ctx);
  return matcher;
}

function* setSequences(matcher: PySequenceMatcher, a: Value | undefined, b: Value, ctx: Context): Calling {
  if (a !== undefined) matcher.setFirst(a);
  yield* matcher.setSecond(b, ctx);
  return null;
}

/** A place in a sequence; CPython reads others from its end, or beyond it. */
function placeIn(value: Value, most: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw notExact("find_longest_match takes places within both sequences here");
}

function* longestMatch(ctx: Context, matcher: PySequenceMatcher, places: readonly Value[]): Calling {
  const [alo, ahi, blo, bhi] = places as [Value, Value, Value, Value];
  const chain = matcher.chain(ctx);
  const elements = elementsOf(matcher.a, (value) => (ahi === null ? length(value, ctx) : null));
  const [mostA, mostB] = [elements.length, chain.keys.length];
  const [from, to] = [placeIn(alo, mostA), ahi === null ? mostA : placeIn(ahi, mostA)];
  const range: Range = [from, to, placeIn(blo, mostB), bhi === null ? mostB : placeIn(bhi, mostB)];
  const keys = [...new Array<null>(from).fill(null), ...keysOf(elements.slice(from, to), ctx)];
  return matchOf(yield* chain.longest(keys, range, ctx), ctx);
}

function* groups(ctx: Context, matcher: PySequenceMatcher, n: Value): Elements {
  if (typeof n !== "number" || !isInt(n)) throw notExact("the number of elements around a change is an int here");
  for (const group of yield* matcher.groups(n, ctx)) {
    ctx.alloc(Bytes.Object + group.length * Bytes.Element);
    yield give(new PyList(group.map((code: Opcode) => opcodeOf(code, ctx))));
  }
}

type Scored = { readonly score: number; readonly value: Value };

function* closeMatches(ctx: Context, word: Value, possibilities: Value, n: Value, cutoff: Value): Calling {
  if (!order(">", n, 0, ctx)) throw raised(VALUE_ERROR, `n must be > 0: ${repr(n, ctx)}`);
  if (!order("<=", floatOf(0), cutoff, ctx) || !order("<=", cutoff, floatOf(1), ctx))
    throw raised(VALUE_ERROR, `cutoff must be in [0.0, 1.0]: ${repr(cutoff, ctx)}`);
  const chain = new Chain(
    keysOf(
      elementsOf(word, (value) => iterate(value, ctx)),
      ctx,
    ),
    ctx,
  );
  chain.dropPopular();
  const source: PyIterator = iterate(possibilities, ctx);
  if (word instanceof PyList && !source.isDirect)
    throw notExact("a list is not compared with what code of the program gives one by one; write list(...) around it");
  const reaches = (ratio: number): boolean => order(">=", madeFloat(ratio, ctx), cutoff, ctx);
  const found: Scored[] = [];
  for (let value = yield* nextOf(source, ctx); value !== END; value = yield* nextOf(source, ctx)) {
    if (!reaches(chain.realQuickRatio(length(value, ctx)))) continue;
    const keys = keysOf(
      elementsOf(value, (one) => length(one, ctx)),
      ctx,
    );
    if (!reaches(chain.quickRatio(keys, ctx))) continue;
    const score = yield* chain.ratio(keys, ctx);
    if (reaches(score)) found.push({ score, value });
    yield null;
  }
  if (!isInt(n)) throw notExact("n of get_close_matches is an int here");
  found.sort((one, other) => other.score - one.score || byValue(one.value, other.value, ctx));
  const best = found.slice(0, asIndex(n)).map(({ value }) => value);
  ctx.alloc(Bytes.Object + best.length * Bytes.Element);
  return new PyList(best);
}

/** Those of one score from the largest one down. */
function byValue(one: Value, other: Value, ctx: Context): number {
  if (equals(one, other, ctx)) return 0;
  if (typeof one === "string" && typeof other === "string") return order(">", one, other, ctx) ? -1 : 1;
  throw notExact("of close matches with one ratio only texts have an order here");
}

type Diff = (given: Compared, ctx: Context) => Elements;

const diff =
  (make: Diff) =>
  (ctx: Context, ...[a, b, from, to, fromDate, toDate, n, end]: Value[]): Value => {
    const given = { a, b, files: [from, to], dates: [fromDate, toDate], n, end } as Compared;
    return compared(given.a, given.b, make(given, ctx));
  };

const natives: Natives = {
  "difflib.SequenceMatcher": (ctx, isJunk, a, b, autoJunk) => begun(made(ctx, isJunk, a, b, autoJunk)),
  "difflib.SequenceMatcher.set_seqs": (ctx, value, a, b) => begun(setSequences(matcherOf(value), a, b, ctx)),
  "difflib.SequenceMatcher.set_seq1": (_ctx, value, a) => {
    matcherOf(value).setFirst(a);
    return null;
  },
  "difflib.SequenceMatcher.set_seq2": (ctx, value, b) => begun(setSequences(matcherOf(value), undefined, b, ctx)),
  "difflib.SequenceMatcher.find_longest_match": (ctx, value, ...places) =>
    begun(longestMatch(ctx, matcherOf(value), places)),
  *"difflib.SequenceMatcher.get_matching_blocks"(ctx, value): Calling {
    return (yield* matcherOf(value).blocks(ctx)).list;
  },
  *"difflib.SequenceMatcher.get_opcodes"(ctx, value): Calling {
    return (yield* matcherOf(value).codes(ctx)).list;
  },
  "difflib.SequenceMatcher.get_grouped_opcodes": (ctx, value, n) => {
    const matcher = matcherOf(value);
    return compared(matcher.a, matcher.b, groups(ctx, matcher, n));
  },
  *"difflib.SequenceMatcher.ratio"(ctx, value): Calling {
    return madeFloat(yield* matcherOf(value).ratio(ctx), ctx);
  },
  "difflib.SequenceMatcher.quick_ratio"(ctx, value) {
    const matcher = matcherOf(value);
    const chain = matcher.chain(ctx);
    return madeFloat(
      chain.quickRatio(
        matcher.keys(ctx, (one) => iterate(one, ctx)),
        ctx,
      ),
      ctx,
    );
  },
  "difflib.SequenceMatcher.real_quick_ratio"(ctx, value) {
    const matcher = matcherOf(value);
    return madeFloat(matcher.chain(ctx).realQuickRatio(length(matcher.a, ctx)), ctx);
  },
  "difflib.get_close_matches": (ctx, word, possibilities, n, cutoff) =>
    begun(closeMatches(ctx, word, possibilities, n, cutoff)),
  "difflib.unified_diff": diff(unifiedDiff),
  "difflib.context_diff": diff(contextDiff),
  "difflib.ndiff": (ctx, a, b, lineJunk, charJunk) => compared(a, b, differences(a, b, lineJunk, charJunk, ctx)),
  "difflib.Differ"(ctx, lineJunk, charJunk) {
    ctx.alloc(Bytes.Object);
    return new PyDiffer(lineJunk, charJunk);
  },
  "difflib.Differ.compare"(ctx, value, a, b) {
    const { lineJunk, charJunk } = self(PyDiffer, value);
    return compared(a, b, differences(a, b, lineJunk, charJunk, ctx));
  },
};

export const DIFFERENCES: Part = {
  natives,
  types: { "difflib.SequenceMatcher": SEQUENCE_MATCHER_TYPE, "difflib.Differ": DIFFER_TYPE },
};
