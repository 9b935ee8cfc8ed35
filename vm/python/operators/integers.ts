/** Arithmetic of ints: exact, with plain numbers as long as results stay below 2^53 and BigInt beyond. */
import { OVERFLOW_ERROR, raised, VALUE_ERROR, ZERO_DIVISION_ERROR } from "../exceptions.ts";
import { floatOf, intOf, type PyFloat } from "../kinds/float.ts";
import { notExact } from "../not-exact.ts";
import { Bytes, type Context, type Operator } from "../object.ts";

export type Int = number | bigint;

const MAX_SAFE = Number.MAX_SAFE_INTEGER;
/** The engine's limit is 2^30. */
const MAX_BITS = 2 ** 30 - 64;
const WORD_BITS = 64;
const BITS_OF_A_HEX_DIGIT = 4;

/** Bits without leading zeros: 0 has none. */
export function bitLength(value: Int): number {
  if (typeof value === "number") {
    let rest = Math.abs(value);
    if (rest < 2 ** 32) return 32 - Math.clz32(rest);
    rest = Math.floor(rest / 2 ** 32);
    return 64 - Math.clz32(rest);
  }
  const digits = (value < 0n ? -value : value).toString(16);
  return (
    digits.length * BITS_OF_A_HEX_DIGIT -
    BITS_OF_A_HEX_DIGIT +
    32 -
    Math.clz32(Number.parseInt(digits[0] as string, 16))
  );
}

function words(value: bigint): number {
  return Math.ceil(bitLength(value) / WORD_BITS);
}

/** Asked before an int of this size is computed. */
function room(bits: number, ctx: Context): void {
  ctx.room(bits / 8);
  if (bits > MAX_BITS) throw notExact("an int of more than 2^30 bits cannot be computed; use smaller numbers");
}

function made(value: bigint, ctx: Context): Int {
  const result = intOf(value);
  if (typeof result === "bigint") ctx.alloc(Bytes.Object + words(result) * (WORD_BITS / 8));
  return result;
}

export function addInts(a: Int, b: Int, ctx: Context): Int {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (sum <= MAX_SAFE && sum >= -MAX_SAFE) return sum;
  }
  return made(BigInt(a) + BigInt(b), ctx);
}

export function multiplyInts(a: Int, b: Int, ctx: Context): Int {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    // `+ 0` because ints have one zero.
    if (product <= MAX_SAFE && product >= -MAX_SAFE) return product + 0;
    return made(BigInt(a) * BigInt(b), ctx);
  }
  const [x, y] = [BigInt(a), BigInt(b)];
  const [first, second] = [words(x), words(y)];
  room((first + second) * WORD_BITS, ctx);
  ctx.charge(first * second);
  return made(x * y, ctx);
}

/** `a // b`, rounded down. */
export function floorDivideInts(a: Int, b: Int, ctx: Context): Int {
  if (b === 0) throw raised(ZERO_DIVISION_ERROR, "integer division or modulo by zero");
  if (typeof a === "number" && typeof b === "number") {
    const rest = a % b;
    const quotient = (a - rest) / b + 0;
    return rest !== 0 && rest < 0 !== b < 0 ? quotient - 1 : quotient;
  }
  const [x, y] = [BigInt(a), BigInt(b)];
  ctx.charge(words(x) * words(y));
  const quotient = x / y;
  const rest = x - quotient * y;
  return made(rest !== 0n && rest < 0n !== y < 0n ? quotient - 1n : quotient, ctx);
}

/** `a % b`, with the sign of b. */
export function moduloInts(a: Int, b: Int, ctx: Context): Int {
  if (b === 0) throw raised(ZERO_DIVISION_ERROR, "integer modulo by zero");
  if (typeof a === "number" && typeof b === "number") {
    const rest = a % b;
    return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest + 0;
  }
  const [x, y] = [BigInt(a), BigInt(b)];
  ctx.charge(words(x) * words(y));
  const rest = x % y;
  return made(rest !== 0n && rest < 0n !== y < 0n ? rest + y : rest, ctx);
}

/** For exponents from 0 on. */
export function powerInts(base: Int, exponent: Int, ctx: Context): Int {
  if (exponent === 0 || base === 1) return 1;
  if (base === 0) return 0;
  if (base === -1) return BigInt(exponent) % 2n === 0n ? 1 : -1;
  const size = bitLength(base) * Number(exponent);
  if (size <= 53) {
    // Every step is exact: no factor reaches 2^53.
    let [result, factor, rest] = [1, base as number, exponent as number];
    for (;;) {
      if (rest % 2 === 1) result *= factor;
      rest = Math.floor(rest / 2);
      if (rest === 0) return result;
      factor *= factor;
    }
  }
  room(size, ctx);
  ctx.charge((size / WORD_BITS) ** 1.6);
  return made(BigInt(base) ** BigInt(exponent), ctx);
}

/** `pow(base, exponent, modulus)`. */
export function powerModulo(base: Int, exponent: Int, modulus: Int, ctx: Context): Int {
  if (modulus === 0) throw raised(VALUE_ERROR, "pow() 3rd argument cannot be 0");
  const m = BigInt(modulus);
  const size = m < 0n ? -m : m;
  let factor = ((BigInt(base) % size) + size) % size;
  let rest = BigInt(exponent);
  if (rest < 0n) {
    factor = inverse(factor, size);
    rest = -rest;
  }
  const each = words(size) ** 2 + 1;
  let result = 1n % size;
  while (rest > 0n) {
    ctx.charge(each);
    if (rest & 1n) result = (result * factor) % size;
    factor = (factor * factor) % size;
    rest >>= 1n;
  }
  return made(m < 0n && result !== 0n ? result - size : result, ctx);
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [r, nextR, t, nextT] = [modulus, value, 0n, 1n];
  while (nextR !== 0n) {
    const quotient = r / nextR;
    [r, nextR] = [nextR, r - quotient * nextR];
    [t, nextT] = [nextT, t - quotient * nextT];
  }
  if (r !== 1n) throw raised(VALUE_ERROR, "base is not invertible for the given modulus");
  return t < 0n ? t + modulus : t;
}

const INT32 = 0x7fffffff;

function shift(op: "<<" | ">>", a: Int, b: Int, ctx: Context): Int {
  if (b < 0) throw raised(VALUE_ERROR, "negative shift count");
  if (op === ">>") {
    if (b > bitLength(a)) return a < 0 ? -1 : 0;
    return made(BigInt(a) >> BigInt(b), ctx);
  }
  if (a === 0) return 0;
  if (b > 2 ** 62) throw raised(OVERFLOW_ERROR, "too many digits in integer");
  const count = Number(b);
  if (typeof a === "number" && count < 53) {
    const result = a * 2 ** count;
    if (result <= MAX_SAFE && result >= -MAX_SAFE) return result;
  }
  room(bitLength(a) + count, ctx);
  return made(BigInt(a) << BigInt(count), ctx);
}

function bits(op: "|" | "^" | "&", a: Int, b: Int, ctx: Context): Int {
  if (typeof a === "number" && typeof b === "number" && Math.abs(a) <= INT32 && Math.abs(b) <= INT32)
    return op === "|" ? a | b : op === "&" ? a & b : a ^ b;
  const [x, y] = [BigInt(a), BigInt(b)];
  return made(op === "|" ? x | y : op === "&" ? x & y : x ^ y, ctx);
}

/** `a / b`, correctly rounded. Zero by a negative number is -0.0, as in CPython. */
function divideInts(a: Int, b: Int): number | PyFloat {
  if (b === 0) throw raised(ZERO_DIVISION_ERROR, "division by zero");
  if (typeof a === "number" && typeof b === "number") return floatOf(a / b);
  return floatOf(quotient(BigInt(a), BigInt(b)));
}

const SIGNIFICANT_BITS = 53;
const MIN_EXPONENT = -1074;

/** The float nearest to a / b: the quotient is taken with two bits more than a float has, and a last one that says whether more follows. */
export function quotient(a: bigint, b: bigint): number {
  const [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  // Below the smallest exponent a float has fewer bits.
  const shift = Math.max(bitLength(x) - bitLength(y) - SIGNIFICANT_BITS - 2, MIN_EXPONENT - 2);
  const [dividend, divisor] = shift < 0 ? [x << BigInt(-shift), y] : [x, y << BigInt(shift)];
  let digits = dividend / divisor;
  if (digits * divisor !== dividend) digits |= 1n;
  const value = scaled(digits, shift);
  if (value === Number.POSITIVE_INFINITY) throw raised(OVERFLOW_ERROR, "integer division result too large for a float");
  return a < 0n !== b < 0n ? -value : value;
}

/** digits * 2^exponent, rounded once, half to even. */
function scaled(digits: bigint, exponent: number): number {
  const surplus = Math.max(bitLength(digits) - SIGNIFICANT_BITS, MIN_EXPONENT - exponent, 0);
  let whole = digits >> BigInt(surplus);
  const rest = digits - (whole << BigInt(surplus));
  const half = surplus === 0 ? 1n : 1n << BigInt(surplus - 1);
  if (rest > half || (rest === half && (whole & 1n) === 1n)) whole += 1n;
  const power = exponent + surplus;
  // In two factors, because 2^power alone can be out of range.
  const first = Math.trunc(power / 2);
  return Number(whole) * 2 ** first * 2 ** (power - first);
}

/** Undefined: ints have no such operator. */
export function intArithmetic(op: Operator, a: Int, b: Int, ctx: Context): Int | PyFloat | undefined {
  switch (op) {
    case "+":
      return addInts(a, b, ctx);
    case "-":
      return typeof b === "number" ? addInts(a, -b, ctx) : made(BigInt(a) - b, ctx);
    case "*":
      return multiplyInts(a, b, ctx);
    case "/":
      return divideInts(a, b);
    case "//":
      return floorDivideInts(a, b, ctx);
    case "%":
      return moduloInts(a, b, ctx);
    case "<<":
    case ">>":
      return shift(op, a, b, ctx);
    case "|":
    case "^":
    case "&":
      return bits(op, a, b, ctx);
    default:
      return undefined;
  }
}
