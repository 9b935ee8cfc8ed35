/**
 * Numbers of twice a float's precision, as the unevaluated sum of two floats, and the functions exp, log, sin and cos of them. Rounded to
 * one float their results are the nearest ones in all but very rare cases, which the engine's own functions are not.
 */

/** high + low, where high is the float nearest to the sum. */
export type Double2 = readonly [high: number, low: number];

const SPLITTER = 134217729;

function quickSum(a: number, b: number): Double2 {
  const sum = a + b;
  return [sum, b - (sum - a)];
}

export function exactSum(a: number, b: number): Double2 {
  const sum = a + b;
  const other = sum - a;
  return [sum, a - (sum - other) + (b - other)];
}

export function exactProduct(a: number, b: number): Double2 {
  const product = a * b;
  const scaledA = SPLITTER * a;
  const highA = scaledA - (scaledA - a);
  const lowA = a - highA;
  const scaledB = SPLITTER * b;
  const highB = scaledB - (scaledB - b);
  const lowB = b - highB;
  return [product, lowA * lowB - (product - highA * highB - lowA * highB - highA * lowB)];
}

export function add(a: Double2, b: Double2): Double2 {
  const [sum, error] = exactSum(a[0], b[0]);
  const [low, lowest] = exactSum(a[1], b[1]);
  const [high, rest] = quickSum(sum, error + low);
  return quickSum(high, rest + lowest);
}

export function negate(a: Double2): Double2 {
  return [-a[0], -a[1]];
}

export function multiply(a: Double2, b: Double2): Double2 {
  const [product, error] = exactProduct(a[0], b[0]);
  return quickSum(product, error + (a[0] * b[1] + a[1] * b[0]));
}

export function divide(a: Double2, b: Double2): Double2 {
  const first = a[0] / b[0];
  const rest = add(a, negate(multiply([first, 0], b)));
  const second = rest[0] / b[0];
  const last = add(rest, negate(multiply([second, 0], b)));
  return add(quickSum(first, second), [last[0] / b[0], 0]);
}

export function squareRoot(a: Double2): Double2 {
  if (a[0] === 0) return a;
  const root = Math.sqrt(a[0]);
  const rest = add(a, negate(exactProduct(root, root)));
  return quickSum(root, rest[0] / (2 * root));
}

export const LN2: Double2 = [Math.LN2, 2.3190468138462996e-17];
const HALF_PI: Double2 = [1.5707963267948966, 6.123233995736766e-17];
/** What `HALF_PI` leaves of a half of pi. */
const HALF_PI_REST = -1.4973849048591833e-33;
const SIXTH: Double2 = [1 / 6, 9.25185853854297e-18];

/** A table of functions at equal distances, made when it is first needed by series that are slow and exact. */
function lazyTable<T>(make: (index: number) => T): (index: number) => T {
  const made: (T | undefined)[] = [];
  return (index) => {
    let value = made[index];
    if (value === undefined) {
      value = make(index);
      made[index] = value;
    }
    return value;
  };
}

/** Steps of the exponents of two in the table of powers. */
const STEPS = 64;
const LN2_STEP: Double2 = [LN2[0] / STEPS, LN2[1] / STEPS];

/** The sum of a power series in `a` whose terms grow by `a / n` each. */
function slowExponential(a: Double2): Double2 {
  let sum: Double2 = [1, 0];
  for (let term = 30; term >= 1; term -= 1) sum = add(multiply(divide(sum, [term, 0]), a), [1, 0]);
  return sum;
}

const powerOfTwo = lazyTable((index) => slowExponential(multiply([index, 0], LN2_STEP)));

/** e^a - 1 for numbers up to a hundredth. */
function smallExponential(a: Double2): Double2 {
  const [x] = a;
  const square = multiply(a, a);
  const cube = multiply(square, a);
  const rest = x * x * x * x * (1 / 24 + x * (1 / 120 + x * (1 / 720 + x * (1 / 5040 + x / 40320))));
  return add(add(a, [square[0] / 2, square[1] / 2]), add(multiply(cube, SIXTH), [rest, 0]));
}

/** e^a as a number between 1 and 2 and the power of two that it is to be multiplied by. */
export function exponential(a: Double2): [value: Double2, power: number] {
  const steps = Math.round(a[0] / LN2_STEP[0]);
  const index = ((steps % STEPS) + STEPS) % STEPS;
  const small = smallExponential(add(a, negate(multiply([steps, 0], LN2_STEP))));
  const base = powerOfTwo(index);
  return [add(base, multiply(base, small)), (steps - index) / STEPS];
}

/** The natural logarithm: one step of Newton's method from the engine's. `a` is within the range of floats and above 0. */
export function logarithm(a: Double2): Double2 {
  const guess = Math.log(a[0]);
  const [value, power] = exponential([-guess, 0]);
  // a * e^-guess is near 1, and so the rest of its logarithm is small.
  const rest = add(multiply(scale(a, power), value), [-1, 0]);
  const square = rest[0] * rest[0];
  return add([guess, 0], add(rest, [-square / 2, 0]));
}

/** a * 2^power in steps that stay in range. */
export function scale(a: Double2, power: number): Double2 {
  const first = Math.trunc(power / 2);
  const [x, y] = [2 ** first, 2 ** (power - first)];
  return [a[0] * x * y, a[1] * x * y];
}

/** Parts of a quarter turn in the table of sines and cosines. */
const PARTS = 32;
const PART: Double2 = [HALF_PI[0] / PARTS, HALF_PI[1] / PARTS];
const PART_REST = HALF_PI_REST / PARTS;

/** Sine and cosine of parts of a quarter turn. */
const turn = lazyTable((index) => {
  const a = multiply([index, 0], PART);
  const square = negate(multiply(a, a));
  let sine: Double2 = [1, 0];
  let cosine: Double2 = [1, 0];
  for (let term = 35; term >= 3; term -= 2) {
    sine = add(divide(multiply(sine, square), [term * (term - 1), 0]), [1, 0]);
    cosine = add(divide(multiply(cosine, square), [(term - 1) * (term - 2), 0]), [1, 0]);
  }
  return [multiply(sine, a), cosine] as const;
});

/** Sine and cosine together, of arguments up to about 10^6. */
export function sineAndCosine(a: Double2): [sine: Double2, cosine: Double2] {
  const parts = Math.round(a[0] / PART[0]);
  let rest = add(a, negate(exactProduct(parts, PART[0])));
  rest = add(rest, negate(exactProduct(parts, PART[1])));
  rest = add(rest, [-parts * PART_REST, 0]);
  const index = ((parts % PARTS) + PARTS) % PARTS;
  const [tableSine, tableCosine] = turn(index);
  const [smallSine, smallCosine] = smallSineAndCosine(rest);
  const sine = add(tableSine, add(multiply(tableSine, smallCosine), multiply(tableCosine, smallSine)));
  const cosine = add(tableCosine, add(multiply(tableCosine, smallCosine), negate(multiply(tableSine, smallSine))));
  switch (((((parts - index) / PARTS) % 4) + 4) % 4) {
    case 0:
      return [sine, cosine];
    case 1:
      return [cosine, negate(sine)];
    case 2:
      return [negate(sine), negate(cosine)];
    default:
      return [negate(cosine), sine];
  }
}

/** Sine, and cosine less one, of numbers up to a fortieth. */
function smallSineAndCosine(a: Double2): [sine: Double2, cosine: Double2] {
  const square = multiply(a, a);
  const [y] = square;
  const cube = multiply(square, a);
  const fifth = cube[0] * y * (1 / 120 - y * (1 / 5040 - y / 362880));
  const sine = add(a, add(negate(multiply(cube, SIXTH)), [fifth, 0]));
  const fourth = multiply(square, square);
  const sixth = -fourth[0] * y * (1 / 720 - y * (1 / 40320 - y / 3628800));
  const cosine = add([-square[0] / 2, -square[1] / 2], add(divide(fourth, [24, 0]), [sixth, 0]));
  return [sine, cosine];
}

/** a ** exponent for whole exponents, by squaring. In range for results that are. */
export function wholePower(a: number, exponent: number): Double2 {
  let result: Double2 = [1, 0];
  let factor: Double2 = [a, 0];
  for (let rest = exponent; ; factor = multiply(factor, factor)) {
    if (rest & 1) result = multiply(result, factor);
    rest >>= 1;
    if (rest === 0) return result;
  }
}
