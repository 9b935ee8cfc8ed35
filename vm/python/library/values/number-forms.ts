/** Ints as bytes and floats as hexadecimal texts. */
import { OVERFLOW_ERROR, raised, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { PyBytes } from "../../kinds/bytes.ts";
import { intOf, PyFloat } from "../../kinds/float.ts";
import { Bytes, type Calling, type Context, isCalling, type Natives, typeOf, type Value } from "../../object.ts";
import { asIndex, each, truth } from "../../operations.ts";
import { floatText } from "../../operators/floats.ts";
import { type Int, quotient } from "../../operators/integers.ts";
import { intValue, madeFloat } from "../../operators/numbers.ts";
import { textOf } from "../arguments.ts";
import { indexOf } from "./iterators.ts";

const BITS = 8;

function isBig(order: Value, callee: string): boolean {
  const word = textOf(order, `${callee}() argument 'byteorder'`);
  if (word === "big") return true;
  if (word === "little") return false;
  throw raised(VALUE_ERROR, "byteorder must be either 'little' or 'big'");
}

function toBytes(ctx: Context, self: Int | boolean, length: Value, order: Value, signed: Value): Value {
  const size = asIndex(length);
  const isFromTop = isBig(order, "to_bytes");
  if (size < 0) throw raised(VALUE_ERROR, "length argument must be non-negative");
  ctx.room(size);
  ctx.charge(size);
  ctx.alloc(Bytes.Object + size);
  const value = BigInt(intValue(self));
  const isSigned = truth(signed, ctx);
  if (value < 0n && !isSigned) throw raised(OVERFLOW_ERROR, "can't convert negative int to unsigned");
  const limit = 1n << BigInt(Math.max(0, isSigned ? size * BITS - 1 : size * BITS));
  const fits = size === 0 ? value === 0n : value < limit && value >= -limit;
  if (!fits) throw raised(OVERFLOW_ERROR, "int too big to convert");
  const hex = BigInt.asUintN(size * BITS, value)
    .toString(16)
    .padStart(2 * size, "0");
  const bytes = Uint8Array.from({ length: size }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));
  return new PyBytes(isFromTop ? bytes : bytes.reverse());
}

function ofBytes(bytes: readonly number[], isFromTop: boolean, signed: Value, ctx: Context): Value {
  ctx.charge(bytes.length);
  const ordered = isFromTop ? bytes : [...bytes].reverse();
  const hex = ordered.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const value = hex === "" ? 0n : BigInt(`0x${hex}`);
  return intOf(truth(signed, ctx) ? BigInt.asIntN(bytes.length * BITS, value) : value);
}

function fromBytes(ctx: Context, source: Value, order: Value, signed: Value): Value | Calling {
  const isFromTop = isBig(order, "from_bytes");
  if (source instanceof PyBytes) return ofBytes([...source.bytes], isFromTop, signed, ctx);
  if (typeof source === "string" || typeOf(source).slots.iterate === undefined)
    throw raised(TYPE_ERROR, `cannot convert '${typeOf(source).name}' object to bytes`);
  const bytes: number[] = [];
  const step = (item: Value): void => {
    const byte = Number(indexOf(item));
    if (byte < 0 || byte > 255) throw raised(VALUE_ERROR, "bytes must be in range(0, 256)");
    bytes.push(byte);
  };
  return each(source, ctx, step, () => ofBytes(bytes, isFromTop, signed, ctx));
}

const buffer = new DataView(new ArrayBuffer(8));
const MANTISSA_BITS = 52;
const BIAS = 1023;

function hex(_: Context, self: number | PyFloat): Value {
  const value = self instanceof PyFloat ? self.value : self;
  if (!Number.isFinite(value)) return floatText(value);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (value === 0) return `${sign}0x0.0p+0`;
  buffer.setFloat64(0, value);
  const bits = buffer.getBigUint64(0);
  const digits = BigInt.asUintN(MANTISSA_BITS, bits).toString(16).padStart(13, "0");
  const biased = Number((bits >> 52n) & 0x7ffn);
  const exponent = biased === 0 ? 1 - BIAS : biased - BIAS;
  return `${sign}0x${biased === 0 ? 0 : 1}.${digits}p${exponent < 0 ? "-" : "+"}${Math.abs(exponent)}`;
}

const HEX_FLOAT = /^([+-]?)(?:0x)?([0-9a-f]*)(?:\.([0-9a-f]*))?(?:p([+-]?\d+))?$/i;
const SPECIAL = /^([+-]?)(inf|infinity|nan)$/i;
/** Exponents beyond these give 0 or do not fit, whatever the digits are. */
const MAX_EXPONENT = 100_000;

function fromHex(ctx: Context, text: Value): Value {
  if (typeof text !== "string") throw raised(TYPE_ERROR, "bad argument type for built-in operation");
  const trimmed = text.replace(/^[\t-\r ]+|[\t-\r ]+$/g, "");
  ctx.charge(text.length);
  const special = SPECIAL.exec(trimmed);
  if (special !== null) {
    const value = special[2]?.toLowerCase() === "nan" ? Number.NaN : Number.POSITIVE_INFINITY;
    return madeFloat(special[1] === "-" ? -value : value, ctx);
  }
  const [, sign, whole = "", fraction = "", power = "0"] = HEX_FLOAT.exec(trimmed) ?? [];
  if (whole + fraction === "") throw raised(VALUE_ERROR, "invalid hexadecimal floating-point string");
  const digits = BigInt(`0x${whole}${fraction}`);
  const exponent = Math.max(-MAX_EXPONENT, Math.min(MAX_EXPONENT, Number(power))) - 4 * fraction.length;
  const size = digits === 0n ? 0 : floatOfDigits(digits, exponent);
  return madeFloat(sign === "-" ? -size : size, ctx);
}

function floatOfDigits(digits: bigint, exponent: number): number {
  try {
    return exponent < 0 ? quotient(digits, 1n << BigInt(-exponent)) : quotient(digits << BigInt(exponent), 1n);
  } catch {
    throw raised(OVERFLOW_ERROR, "hexadecimal value too large to represent as a float");
  }
}

function* isTrue(made: Calling, ctx: Context): Calling {
  return truth(yield* made, ctx);
}

export const FORMS: Natives = {
  "int.to_bytes": toBytes,
  "int.from_bytes": fromBytes,
  "bool.from_bytes"(ctx, source: Value, order: Value, signed: Value) {
    const made = fromBytes(ctx, source, order, signed);
    return isCalling(made) ? isTrue(made, ctx) : truth(made, ctx);
  },
  "float.hex": hex,
  "float.fromhex": fromHex,
};
