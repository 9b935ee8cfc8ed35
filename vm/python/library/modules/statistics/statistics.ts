/** The module statistics. Sums are exact fractions, rounded once at the end, as CPython computes them. */
import { ATTRIBUTE_ERROR, Raised, raised, TYPE_ERROR, VALUE_ERROR } from "../../../exceptions.ts";
import { floatOf } from "../../../kinds/float.ts";
import { PyList, PyTuple } from "../../../kinds/list.ts";
import { Bytes, type Calling, type Context, type Key, type Natives, type Value } from "../../../object.ts";
import { binary, equals, gathered, isNumber, keyOf, length, order, repr, truth, visit } from "../../../operations.ts";
import { quotient } from "../../../operators/integers.ts";
import { madeFloat } from "../../../operators/numbers.ts";
import { nameElements } from "../../../types/named-tuple.ts";
import type { Part } from "../../registry.ts";
import { indexOf } from "../../values/iterators.ts";
import { FUNCTIONS, realOf } from "../math/functions.ts";
import { ExactSum } from "../math/sums.ts";
import { medianGrouped, NORMAL } from "./normal.ts";
import { converted, failed, refuseDecimal, rootOf, STATISTICS_ERROR, Sums, sortedValues, sumsOf } from "./sums.ts";

function* mean(ctx: Context, data: Value): Calling {
  const sums = yield* sumsOf(yield* gathered(data, ctx), ctx);
  if (sums.count < 1) throw failed("mean requires at least one data point");
  if (sums.special !== null) return madeFloat(sums.special / sums.count, ctx);
  return converted(sums.sumOver(sums.count), sums.isFloat, ctx);
}

function* exactSum(values: readonly Value[], ctx: Context): Calling<number> {
  const sum = new ExactSum();
  yield* visit(values, ctx, (value) => sum.add(realOf(value)));
  return sum.value();
}

function* fmean(ctx: Context, data: Value, weights: Value): Calling {
  const values = yield* gathered(data, ctx);
  if (weights === null) {
    const total = yield* exactSum(values, ctx);
    if (values.length === 0) throw failed("fmean requires at least one data point");
    return madeFloat(total / values.length, ctx);
  }
  const factors = yield* gathered(weights, ctx);
  const products = values.slice(0, factors.length).map((value, at) => binary("*", value, factors[at] as Value, ctx));
  const total = yield* exactSum(products, ctx);
  if (values.length !== factors.length) throw failed("data and weights must be the same length");
  const weight = yield* exactSum(factors, ctx);
  if (weight === 0) throw failed("sum of weights must be non-zero");
  return madeFloat(total / weight, ctx);
}

function* geometricMean(ctx: Context, data: Value): Calling {
  const values = yield* gathered(data, ctx);
  try {
    const logs: Value[] = [];
    const log = FUNCTIONS["math.log"] as (...args: unknown[]) => Value;
    yield* visit(values, ctx, (value) => void logs.push(log(ctx, value)));
    if (logs.length === 0) throw raised(VALUE_ERROR, "empty");
    const average = madeFloat((yield* exactSum(logs, ctx)) / logs.length, ctx);
    return (FUNCTIONS["math.exp"] as (...args: unknown[]) => Value)(ctx, average);
  } catch (error) {
    if (!(error instanceof Raised) || !error.exception.type.isA(VALUE_ERROR)) throw error;
    throw failed("geometric mean requires a non-empty dataset containing positive numbers");
  }
}

function* harmonicMean(ctx: Context, data: Value, weights: Value): Calling {
  const negative = "harmonic mean does not support negative values";
  const values = yield* gathered(data, ctx);
  if (values.length < 1) throw failed("harmonic_mean requires at least one data point");
  const [first] = values as [Value];
  if (values.length === 1 && weights === null) {
    refuseDecimal(first);
    if (!isNumber(first)) throw raised(TYPE_ERROR, "unsupported type");
    if (order("<", first, 0, ctx)) throw failed(negative);
    return first;
  }
  const factors = weights === null ? values.map(() => 1) : yield* gathered(weights, ctx);
  if (factors.length !== values.length) throw failed("Number of weights does not match data size");
  const weight = new Sums();
  yield* visit(factors, ctx, (factor) => {
    if (order("<", factor, 0, ctx)) throw failed(negative);
    weight.add(factor);
  });
  const sums = new Sums();
  let isZero = false;
  yield* visit(values, ctx, (value, at) => {
    if (isZero) return;
    if (order("<", value, 0, ctx)) throw failed(negative);
    const factor = factors[at] as Value;
    if (!truth(factor, ctx)) sums.add(0);
    else if (equals(value, 0, ctx)) isZero = true;
    else sums.add(binary("/", factor, value, ctx));
  });
  if (isZero) return 0;
  if (sums.special !== null || weight.special !== null) return madeFloat(asFloat(weight, 1) / asFloat(sums, 1), ctx);
  const [total, denominator] = sums.sumOver(1);
  if (total <= 0n) throw failed("Weighted sum must be positive");
  const [numerator, other] = weight.sumOver(1);
  return converted([numerator * denominator, other * total], sums.isFloat, ctx);
}

function asFloat(sums: Sums, divisor: number): number {
  return sums.special ?? quotient(...sums.sumOver(divisor));
}

/** The middle of sorted values; `pick` chooses between the two middle ones of an even number. */
function median(pick: (low: Value, high: Value, ctx: Context) => Value) {
  return function* (ctx: Context, data: Value): Calling {
    const values = yield* sortedValues(ctx, data);
    if (values.length === 0) throw failed("no median for empty data");
    const middle = values.length >> 1;
    const high = values[middle] as Value;
    return values.length % 2 === 1 ? high : pick(values[middle - 1] as Value, high, ctx);
  };
}

/** Values with their counts, in the order of their first occurrence. */
function* counted(ctx: Context, data: Value): Calling<{ readonly value: Value; count: number }[]> {
  const counts = new Map<Key, { readonly value: Value; count: number }>();
  yield* visit(yield* gathered(data, ctx), ctx, (value) => {
    const key = keyOf(value, ctx);
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { value, count: 1 });
    else known.count += 1;
  });
  return [...counts.values()];
}

function* mode(ctx: Context, data: Value): Calling {
  const counts = yield* counted(ctx, data);
  const [first] = counts;
  if (first === undefined) throw failed("no mode for empty data");
  return counts.reduce((best, one) => (one.count > best.count ? one : best), first).value;
}

function* multimode(ctx: Context, data: Value): Calling {
  const counts = yield* counted(ctx, data);
  const most = counts.reduce((max, { count }) => Math.max(max, count), 0);
  const values = counts.filter(({ count }) => count === most).map(({ value }) => value);
  ctx.alloc(Bytes.Object + values.length * Bytes.Element);
  return new PyList(values);
}

function* quantiles(ctx: Context, data: Value, n: Value, method: Value): Calling {
  if (order("<", n, 1, ctx)) throw failed("n must be at least 1");
  const values = yield* sortedValues(ctx, data);
  const size = values.length;
  if (size < 2) throw failed("must have at least two data points");
  if (method !== "inclusive" && method !== "exclusive")
    throw raised(VALUE_ERROR, `Unknown method: ${repr(method, ctx)}`);
  const parts = Number(indexOf(n));
  ctx.room(parts * Bytes.Element);
  const between = (low: number, delta: number): Value => {
    const left = binary("*", values[low] as Value, parts - delta, ctx);
    const right = binary("*", values[low + 1] as Value, delta, ctx);
    return binary("/", binary("+", left, right, ctx), parts, ctx);
  };
  const cuts: Value[] = [];
  for (let cut = 1; cut < parts; cut += 1) {
    ctx.charge(1);
    if (method === "inclusive") {
      const at = cut * (size - 1);
      cuts.push(between(Math.floor(at / parts), at % parts));
      continue;
    }
    const at = cut * (size + 1);
    const low = Math.min(Math.max(Math.floor(at / parts), 1), size - 1);
    cuts.push(between(low - 1, at - low * parts));
  }
  ctx.alloc(Bytes.Object + cuts.length * Bytes.Element);
  return new PyList(cuts);
}

/** `stdev`, `variance` and those of a population: `least` data points, of which `less` do not count. */
function spread(name: string, least: number, less: number, isRoot: boolean) {
  return function* (ctx: Context, data: Value, center: Value): Calling {
    let values = yield* gathered(data, ctx);
    if (center !== null)
      values = values.map((value) => {
        const distance = binary("-", value, center, ctx);
        return binary("*", distance, distance, ctx);
      });
    const sums = yield* sumsOf(values, ctx);
    if (sums.count < least)
      throw failed(`${name} requires at least ${least === 1 ? "one data point" : "two data points"}`);
    if (sums.special !== null) {
      if (isRoot) throw raised(ATTRIBUTE_ERROR, "'float' object has no attribute 'numerator'");
      return madeFloat(sums.special / (sums.count - less), ctx);
    }
    const result = center === null ? sums.squaresOver(sums.count - less) : sums.sumOver(sums.count - less);
    return isRoot ? madeFloat(rootOf(result), ctx) : converted(result, sums.isFloat, ctx);
  };
}

/** Sums of the products of distances from the means: of both, of x alone and of y alone. */
type Products = {
  readonly both: number;
  readonly alone: number;
  readonly other: number;
  readonly meanX: number;
  readonly meanY: number;
  readonly count: number;
};

/** `fromZero`: the distances are the values themselves. */
function* products(ctx: Context, name: string, x: Value, y: Value, fromZero = false): Calling<Products> {
  const count = length(x, ctx);
  if (length(y, ctx) !== count) throw failed(`${name} requires that both inputs have same number of data points`);
  if (count < 2) throw failed(`${name} requires at least two data points`);
  const [first, second] = [yield* gathered(x, ctx), yield* gathered(y, ctx)];
  const meanX = fromZero ? 0 : (yield* exactSum(first, ctx)) / count;
  const meanY = fromZero ? 0 : (yield* exactSum(second, ctx)) / count;
  const distanceFrom = (mean: number) => {
    const center = floatOf(mean);
    return (value: Value): Value => (fromZero ? value : binary("-", value, center, ctx));
  };
  const [fromX, fromY] = [distanceFrom(meanX), distanceFrom(meanY)];
  const [both, alone, other] = [new ExactSum(), new ExactSum(), new ExactSum()];
  yield* visit(first, ctx, (value, at) => {
    const [distanceX, distanceY] = [fromX(value), fromY(second[at] as Value)];
    both.add(realOf(binary("*", distanceX, distanceY, ctx)));
    alone.add(realOf(binary("*", distanceX, distanceX, ctx)));
    if (!fromZero) other.add(realOf(binary("*", distanceY, distanceY, ctx)));
  });
  return { both: both.value(), alone: alone.value(), other: other.value(), meanX, meanY, count };
}

function* covariance(ctx: Context, x: Value, y: Value): Calling {
  const { both, count } = yield* products(ctx, "covariance", x, y);
  return madeFloat(both / (count - 1), ctx);
}

function* correlation(ctx: Context, x: Value, y: Value): Calling {
  const { both, alone, other } = yield* products(ctx, "correlation", x, y);
  const root = Math.sqrt(alone * other);
  if (root === 0) throw failed("at least one of the inputs is constant");
  return madeFloat(both / root, ctx);
}

class PyLinearRegression extends PyTuple {}
nameElements(PyLinearRegression, "statistics.LinearRegression", ["slope", "intercept"]);

function* linearRegression(ctx: Context, x: Value, y: Value, isProportional: Value): Calling {
  const fromZero = truth(isProportional, ctx);
  const { both, alone, meanX, meanY } = yield* products(ctx, "linear regression", x, y, fromZero);
  if (alone === 0) throw failed("x is constant");
  const slope = both / alone;
  ctx.alloc(Bytes.Object + 2 * Bytes.Element);
  const intercept = fromZero ? 0 : meanY - slope * meanX;
  return new PyLinearRegression([slope, intercept].map((part) => madeFloat(part, ctx)));
}

const natives: Natives = {
  "statistics.mean": mean,
  "statistics.fmean": fmean,
  "statistics.geometric_mean": geometricMean,
  "statistics.harmonic_mean": harmonicMean,
  "statistics.median": median((low, high, ctx) => binary("/", binary("+", low, high, ctx), 2, ctx)),
  "statistics.median_low": median((low) => low),
  "statistics.median_high": median((_, high) => high),
  "statistics.median_grouped": medianGrouped,
  "statistics.mode": mode,
  "statistics.multimode": multimode,
  "statistics.quantiles": quantiles,
  "statistics.variance": spread("variance", 2, 1, false),
  "statistics.pvariance": spread("pvariance", 1, 0, false),
  "statistics.stdev": spread("stdev", 2, 1, true),
  "statistics.pstdev": spread("pstdev", 1, 0, true),
  "statistics.covariance": covariance,
  "statistics.correlation": correlation,
  "statistics.linear_regression": linearRegression,
};

export const STATISTICS: Part = {
  natives: { ...natives, ...NORMAL.natives },
  types: { "statistics.StatisticsError": STATISTICS_ERROR, ...NORMAL.types },
};
