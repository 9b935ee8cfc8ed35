/**
 * The module random. What the host draws for a call is an identifier, recorded as every answer is; numbers are made of its bits, so a replay gives the same
 * ones. No seed gives what CPython's generator would give for it, so seeds are not known.
 */
import { INDEX_ERROR, raised, TYPE_ERROR, VALUE_ERROR } from "../exceptions.ts";
import { floatOf, intOf } from "../kinds/float.ts";
import { PyList, PyTuple } from "../kinds/list.ts";
import { PyRange } from "../kinds/slice.ts";
import { Bytes, type Calling, type Context, isCalling, type Natives, typeOf, type Value } from "../object.ts";
import { asIndex, binary, isNumber, item, length } from "../operations.ts";
import { comparable, doubleOf } from "../operators/numbers.ts";

const BITS = 96n;
const FLOAT_BITS = 53n;
/** Knuth's constants for 64 bits. */
const FACTOR = 6364136223846793005n;
const SUMMAND = 1442695040888963407n;

/** The 96 random bits at both ends of an identifier of version 4. */
function bitsOf(written: Value): bigint {
  const digits = (written as string).replaceAll("-", "");
  return BigInt(`0x${digits.slice(0, 12)}${digits.slice(-12)}`);
}

/** From 0 up to 1, without 1. */
function fraction(bits: bigint): number {
  return Number(bits >> (BITS - FLOAT_BITS)) / 2 ** 53;
}

/** Below `width`, as likely as any other. */
function below(bits: bigint, width: bigint): bigint {
  return (bits * width) >> BITS;
}

/** As many draws as a call needs, each of 96 bits. */
function* draws(written: Value): Generator<bigint, never> {
  let state = bitsOf(written);
  const next = (): bigint => {
    state = BigInt.asUintN(64, state * FACTOR + SUMMAND);
    return state >> 16n;
  };
  for (;;) yield (next() << 48n) | next();
}

function drawnBelow(drawn: Generator<bigint, never>, width: number): number {
  return Number(below(drawn.next().value, BigInt(width)));
}

/** An int of any length; a whole float is one here, as it is in Python 3.11. */
function whole(value: Value, what: string): bigint {
  if (!isNumber(value)) throw raised(TYPE_ERROR, `int() argument must be a number, not '${typeOf(value).name}'`);
  const plain = comparable(value);
  if (typeof plain === "bigint" || Number.isInteger(plain)) return BigInt(plain);
  throw raised(VALUE_ERROR, `non-integer ${what} for randrange()`);
}

function randrange(_ctx: Context, written: Value, first: Value, second: Value, third: Value): Value {
  const begin = whole(first, "arg 1");
  const [start, stop] = second === null ? [0n, begin] : [begin, whole(second, "stop")];
  const step = whole(third, "step");
  if (step === 0n) throw raised(VALUE_ERROR, "zero step for randrange()");
  const width = stop - start;
  const count = step > 0n ? (width + step - 1n) / step : (width + step + 1n) / step;
  if (count > 0n) return intOf(start + below(bitsOf(written), count) * step);
  const ends = second === null || step !== 1n ? "" : ` (${start}, ${stop}, ${width})`;
  throw raised(VALUE_ERROR, `empty range for randrange()${ends}`);
}

/** What can be asked for its elements by place. */
function elementsOf(population: Value): Value[] {
  if (population instanceof PyList || population instanceof PyTuple) return [...population.items];
  if (population instanceof PyRange)
    return Array.from({ length: population.length }, (_, at) => population.start + at * population.step);
  if (typeof population === "string") return [...population];
  throw raised(TYPE_ERROR, "Population must be a sequence.  For dicts or sets, use sorted(d).");
}

function* choice(ctx: Context, written: Value, seq: Value): Calling {
  const count = length(seq, ctx);
  if (count === 0) throw raised(INDEX_ERROR, "Cannot choose from an empty sequence");
  const found = item(seq, Number(below(bitsOf(written), BigInt(count))), ctx);
  return isCalling(found) ? yield* found : found;
}

function choices(ctx: Context, written: Value, population: Value, weights: Value, k: Value): Value {
  const elements = elementsOf(population);
  const count = asIndex(k);
  ctx.charge(elements.length + Math.max(count, 0));
  const drawn = draws(written);
  if (weights === null) {
    if (elements.length === 0 && count > 0) throw raised(INDEX_ERROR, "list index out of range");
    return listOf(ctx, count, () => elements[drawnBelow(drawn, elements.length)] as Value);
  }
  let sum = 0;
  const sums = elementsOf(weights).map((weight) => {
    if (!isNumber(weight)) throw raised(TYPE_ERROR, `a weight is a number, not ${typeOf(weight).name}`);
    sum += doubleOf(weight);
    return sum;
  });
  if (sums.length !== elements.length) throw raised(VALUE_ERROR, "The number of weights does not match the population");
  if (!(sum > 0)) throw raised(VALUE_ERROR, "Total of weights must be greater than zero");
  if (!Number.isFinite(sum)) throw raised(VALUE_ERROR, "Total of weights must be finite");
  return listOf(ctx, count, () => {
    const at = fraction(drawn.next().value) * sum;
    const place = sums.findIndex((one) => at < one);
    return elements[place < 0 ? elements.length - 1 : place] as Value;
  });
}

function sample(ctx: Context, written: Value, population: Value, k: Value): Value {
  const elements = elementsOf(population);
  const count = asIndex(k);
  if (count < 0 || count > elements.length) throw raised(VALUE_ERROR, "Sample larger than population or is negative");
  ctx.charge(elements.length);
  shuffled(elements, draws(written));
  return listOf(ctx, count, (at) => elements[at] as Value);
}

function listOf(ctx: Context, count: number, make: (at: number) => Value): PyList {
  ctx.alloc(Bytes.Object + Math.max(count, 0) * Bytes.Element);
  return new PyList(Array.from({ length: Math.max(count, 0) }, (_, at) => make(at)));
}

/** Every order is as likely as any other (Fisher and Yates). */
function shuffled(elements: Value[], drawn: Generator<bigint, never>): void {
  for (let at = elements.length - 1; at > 0; at--) {
    const other = drawnBelow(drawn, at + 1);
    [elements[at], elements[other]] = [elements[other] as Value, elements[at] as Value];
  }
}

function shuffle(ctx: Context, written: Value, x: Value): Value {
  if (!(x instanceof PyList)) throw raised(TYPE_ERROR, `'${typeOf(x).name}' object does not support item assignment`);
  ctx.charge(x.items.length);
  shuffled(x.items, draws(written));
  return null;
}

export const RANDOM: Natives = {
  "host.random.random": (_ctx: Context, written: Value) => floatOf(fraction(bitsOf(written))),
  "host.random.uniform": (ctx: Context, written: Value, a: Value, b: Value) =>
    binary("+", a, binary("*", binary("-", b, a, ctx), floatOf(fraction(bitsOf(written))), ctx), ctx),
  "host.random.randint": (ctx: Context, written: Value, a: Value, b: Value) =>
    randrange(ctx, written, a, intOf(whole(b, "arg 2") + 1n), 1),
  "host.random.randrange": randrange,
  "host.random.choice": choice,
  "host.random.choices": choices,
  "host.random.sample": sample,
  "host.random.shuffle": shuffle,
};
