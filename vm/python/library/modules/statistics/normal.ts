/** `statistics.NormalDist` and `median_grouped`. */
import { Raised, raised, TYPE_ERROR, VALUE_ERROR } from "../../../exceptions.ts";
import { PyList } from "../../../kinds/list.ts";
import { notExact } from "../../../not-exact.ts";
import {
  Bytes,
  type Calling,
  type Context,
  fillSlots,
  type Key,
  type Operator,
  PyObject,
  PyType,
  setType,
  typeOf,
  type Value,
} from "../../../object.ts";
import { binary, compoundKey, gathered, keyOf, order, repr } from "../../../operations.ts";
import { quotient } from "../../../operators/integers.ts";
import { madeFloat } from "../../../operators/numbers.ts";
import type { Part } from "../../registry.ts";
import { indexOf } from "../../values/iterators.ts";
import { makeFloat } from "../../values/numbers.ts";
import { errorFunction } from "../math/erf.ts";
import { exp, log, norm, realOf } from "../math/functions.ts";
import { failed, rootOf, sortedValues, sumsOf } from "./sums.ts";

class PyNormalDist extends PyObject {
  declare readonly type: PyType;
  readonly mu: number;
  readonly sigma: number;
  constructor(mu: number, sigma: number) {
    super();
    this.mu = mu;
    this.sigma = sigma;
  }

  get variance(): number {
    return this.sigma * this.sigma;
  }
}
const NORMAL_TYPE = setType(PyNormalDist, new PyType("NormalDist", [], {}, "statistics.NormalDist"));

/** `float(value)` */
function floatOf(ctx: Context, value: Value): number {
  return realOf(makeFloat(ctx, value));
}

function made(ctx: Context, mu: Value, sigma: Value): PyNormalDist {
  if (order("<", sigma, madeFloat(0, ctx), ctx)) throw failed("sigma must be non-negative");
  ctx.alloc(Bytes.Object);
  return new PyNormalDist(floatOf(ctx, mu), floatOf(ctx, sigma));
}

const SQRT_2 = Math.SQRT2;
const TAU = 2 * Math.PI;

/** What an operator of the float `a` and any value gives, as a float. */
function real(op: Operator, a: number, b: Value, ctx: Context): number {
  return realOf(binary(op, madeFloat(a, ctx), b, ctx));
}

function distance(self: PyNormalDist, x: Value, ctx: Context): number {
  return realOf(binary("-", x, madeFloat(self.mu, ctx), ctx));
}

function density(ctx: Context, self: PyNormalDist, x: Value): Value {
  const { variance } = self;
  if (variance === 0) throw failed("pdf() not defined when sigma is zero");
  const difference = distance(self, x, ctx);
  const power = exp((difference * difference) / (-2 * variance));
  return madeFloat(power / Math.sqrt(TAU * variance), ctx);
}

function cumulated({ mu, sigma }: PyNormalDist, x: number): number {
  return 0.5 * (1 + errorFunction((x - mu) / (sigma * SQRT_2)));
}

function cumulative(ctx: Context, self: PyNormalDist, x: Value): Value {
  const { sigma } = self;
  if (sigma === 0) throw failed("cdf() not defined when sigma is zero");
  return madeFloat(0.5 * (1 + errorFunction(distance(self, x, ctx) / (sigma * SQRT_2))), ctx);
}

function score(ctx: Context, self: PyNormalDist, x: Value): Value {
  if (self.sigma === 0) throw failed("zscore() not defined when sigma is zero");
  return madeFloat(distance(self, x, ctx) / self.sigma, ctx);
}

// Numerators and denominators of algorithm AS 241, from the highest power on: in the middle, at the sides, and far out.
const MIDDLE = [
  2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946, 1971.5909503065513,
  133.14166789178438, 3.3871328727963665,
];
const MIDDLE_UNDER = [
  5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751, 687.1870074920579,
  42.31333070160091, 1,
];
const SIDE = [
  0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
  5.769497221460691, 4.630337846156546, 1.4234371107496835,
];
const SIDE_UNDER = [
  1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
  1.6763848301838038, 2.053191626637759, 1,
];
const TAIL = [
  2.0103343992922881e-7, 2.7115555687434876e-5, 0.0012426609473880784, 0.026532189526576124, 0.29656057182850487,
  1.7848265399172913, 5.463784911164114, 6.657904643501103,
];
const TAIL_UNDER = [
  2.0442631033899397e-15, 1.421511758316446e-7, 1.8463183175100548e-5, 0.0007868691311456133, 0.014875361290850615,
  0.1369298809227358, 0.599832206555888, 1,
];

function polynomial(coefficients: readonly number[], r: number): number {
  return coefficients.reduce((sum, coefficient) => sum * r + coefficient);
}

function inverse(p: number, { mu, sigma }: PyNormalDist): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return mu + ((polynomial(MIDDLE, r) * q) / polynomial(MIDDLE_UNDER, r)) * sigma;
  }
  const r = Math.sqrt(-log(q <= 0 ? p : 1 - p));
  const x =
    r <= 5
      ? polynomial(SIDE, r - 1.6) / polynomial(SIDE_UNDER, r - 1.6)
      : polynomial(TAIL, r - 5) / polynomial(TAIL_UNDER, r - 5);
  return mu + (q < 0 ? -x : x) * sigma;
}

function inverted(ctx: Context, self: PyNormalDist, p: Value): Value {
  const [zero, one] = [madeFloat(0, ctx), madeFloat(1, ctx)];
  if (order("<=", p, zero, ctx) || order(">=", p, one, ctx)) throw failed("p must be in the range 0.0 < p < 1.0");
  if (self.sigma <= 0) throw failed("cdf() not defined when sigma at or below zero");
  return madeFloat(inverse(realOf(p), self), ctx);
}

function quantiles(ctx: Context, self: PyNormalDist, n: Value): PyList {
  const parts = Number(indexOf(n));
  ctx.room(Math.max(0, parts) * Bytes.Element);
  const cuts: Value[] = [];
  for (let at = 1; at < parts; at += 1) {
    ctx.charge(16);
    cuts.push(inverted(ctx, self, madeFloat(at / parts, ctx)));
  }
  ctx.alloc(Bytes.Object + cuts.length * Bytes.Element);
  return new PyList(cuts);
}

function overlap(ctx: Context, self: PyNormalDist, other: Value): Value {
  if (!(other instanceof PyNormalDist)) throw raised(TYPE_ERROR, "Expected another NormalDist instance");
  const isBefore = other.sigma !== self.sigma ? other.sigma < self.sigma : other.mu < self.mu;
  const [x, y] = isBefore ? [other, self] : [self, other];
  if (x.variance === 0 || y.variance === 0) throw failed("overlap() not defined when sigma is zero");
  const spread = y.variance - x.variance;
  const apart = Math.abs(y.mu - x.mu);
  if (!Number.isFinite(spread) || !Number.isFinite(apart)) throw notExact("distributions with nan or infinity overlap");
  if (spread === 0) return madeFloat(1 - errorFunction(apart / (2 * x.sigma * SQRT_2)), ctx);
  const a = x.mu * y.variance - y.mu * x.variance;
  const b = x.sigma * y.sigma * Math.sqrt(apart * apart + spread * log(y.variance / x.variance));
  const between = (at: number): number => Math.abs(cumulated(y, at) - cumulated(x, at));
  return madeFloat(1 - (between((a + b) / spread) + between((a - b) / spread)), ctx);
}

function* fromSamples(ctx: Context, data: Value): Calling {
  const sums = yield* sumsOf(yield* gathered(data, ctx), ctx);
  if (sums.count < 2) throw failed("stdev requires at least two data points");
  if (sums.special !== null) throw notExact("samples with nan or infinity have no normal distribution");
  ctx.alloc(Bytes.Object);
  return new PyNormalDist(quotient(...sums.sumOver(sums.count)), rootOf(sums.squaresOver(sums.count - 1)));
}

const FIELDS: Readonly<Record<string, (self: PyNormalDist) => number>> = {
  mean: ({ mu }) => mu,
  median: ({ mu }) => mu,
  mode: ({ mu }) => mu,
  stdev: ({ sigma }) => sigma,
  variance: ({ variance }) => variance,
};

/** `self op other`; a float is a distance or a factor. */
function computed(self: PyNormalDist, op: Operator, other: Value, ctx: Context): PyNormalDist | undefined {
  const { mu, sigma } = self;
  const of = (first: number, second: number): PyNormalDist => made(ctx, madeFloat(first, ctx), madeFloat(second, ctx));
  if (op === "+" || op === "-") {
    if (!(other instanceof PyNormalDist)) return of(real(op, mu, other, ctx), sigma);
    return of(op === "+" ? mu + other.mu : mu - other.mu, norm([sigma, other.sigma]));
  }
  if (op !== "*" && op !== "/") return undefined;
  // CPython fails with the size of the other one, or has no such operator of a float.
  if (other instanceof PyNormalDist)
    throw op === "*"
      ? raised(TYPE_ERROR, "must be real number, not NormalDist")
      : raised(TYPE_ERROR, "unsupported operand type(s) for /: 'float' and 'NormalDist'");
  const moved = real(op, mu, other, ctx);
  return of(moved, real(op, sigma, madeFloat(Math.abs(realOf(other)), ctx), ctx));
}

function negated(self: PyNormalDist, ctx: Context): PyNormalDist {
  ctx.alloc(Bytes.Object);
  return new PyNormalDist(-self.mu, self.sigma);
}

fillSlots<PyNormalDist>(NORMAL_TYPE, {
  attribute(self, name, ctx) {
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    return field === undefined ? undefined : madeFloat(field(self), ctx);
  },
  binary: computed,
  reflected(self, op, other, ctx) {
    if (op === "/") return undefined;
    const result = computed(self, op, other, ctx);
    return op === "-" && result !== undefined ? negated(result, ctx) : result;
  },
  unary(self, op, ctx) {
    if (op === "-") return negated(self, ctx);
    return op === "+" ? made(ctx, madeFloat(self.mu, ctx), madeFloat(self.sigma, ctx)) : undefined;
  },
  equals: (self, other) =>
    other instanceof PyNormalDist ? self.mu === other.mu && self.sigma === other.sigma : undefined,
  key: (self, ctx): Key =>
    compoundKey("normal", [keyOf(madeFloat(self.mu, ctx), ctx), keyOf(madeFloat(self.sigma, ctx), ctx)]),
  repr: (self, ctx) =>
    `NormalDist(mu=${repr(madeFloat(self.mu, ctx), ctx)}, sigma=${repr(madeFloat(self.sigma, ctx), ctx)})`,
});

/** A method, which may be called on the type with any value. */
function method<T extends Value>(run: (ctx: Context, self: PyNormalDist, other: Value) => T) {
  return (ctx: Context, self: Value, other: Value): T => {
    if (self instanceof PyNormalDist) return run(ctx, self, other);
    throw notExact(`a method of NormalDist was called on a value of type ${typeOf(self).name}`);
  };
}

export function* medianGrouped(ctx: Context, data: Value, interval: Value): Calling {
  const values = yield* sortedValues(ctx, data);
  if (values.length === 0) throw failed("no median for empty data");
  const middle = values[values.length >> 1] as Value;
  const isBelow = (value: Value): boolean => order("<", value, middle, ctx);
  const isUpTo = (value: Value): boolean => !order("<", middle, value, ctx);
  const from = firstNot(values, isBelow, ctx);
  const to = firstNot(values, isUpTo, ctx);
  const [width, x] = [groupedFloat(ctx, interval), groupedFloat(ctx, middle)];
  const least = x - width / 2;
  return madeFloat(least + (width * (values.length / 2 - from)) / (to - from), ctx);
}

function groupedFloat(ctx: Context, value: Value): number {
  try {
    return floatOf(ctx, value);
  } catch (error) {
    if (!(error instanceof Raised) || !error.exception.type.isA(VALUE_ERROR)) throw error;
    throw raised(TYPE_ERROR, "Value cannot be converted to a float");
  }
}

/** Where the first value is that does not pass a test which those before it pass. */
function firstNot(values: readonly Value[], test: (value: Value) => boolean, ctx: Context): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    ctx.charge(1);
    const middle = (low + high) >> 1;
    if (test(values[middle] as Value)) low = middle + 1;
    else high = middle;
  }
  return low;
}

const TYPE = "statistics.NormalDist";

export const NORMAL: Part = {
  natives: {
    [TYPE]: made,
    [`${TYPE}.from_samples`]: fromSamples,
    [`${TYPE}.pdf`]: method(density),
    [`${TYPE}.cdf`]: method(cumulative),
    [`${TYPE}.inv_cdf`]: method(inverted),
    [`${TYPE}.quantiles`]: method(quantiles),
    [`${TYPE}.overlap`]: method(overlap),
    [`${TYPE}.zscore`]: method(score),
  },
  types: { [TYPE]: NORMAL_TYPE },
};
