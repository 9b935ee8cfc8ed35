/** `hashlib.pbkdf2_hmac` (RFC 8018). Its many hashes are made one by one, with turns of others between them. */
import { createHmac } from "node:crypto";
import { newBytes } from "../../bytes/slots.ts";
import { OVERFLOW_ERROR, raised, VALUE_ERROR } from "../../exceptions.ts";
import { ALGORITHMS } from "../../kinds/hash.ts";
import type { Calling, Context, Value } from "../../object.ts";
import { indexOf } from "../arguments.ts";

/** Hashes between two turns, and the units of one. */
const TURN = 512;
const UNITS = 200;

const MOST_LONG = 0x7fffffffffffffffn;
const MOST_INT = 0x7fffffff;

function longOf(value: Value, least: string, large: string): number {
  const number = indexOf(value);
  if (BigInt(number) > MOST_LONG || BigInt(number) < -MOST_LONG - 1n)
    throw raised(OVERFLOW_ERROR, "Python int too large to convert to C long");
  if (number < 1) throw raised(VALUE_ERROR, least);
  if (number > MOST_INT) throw raised(OVERFLOW_ERROR, large);
  return Number(number);
}

export function* derivedKey(
  ctx: Context,
  algorithm: string,
  password: Uint8Array,
  salt: Uint8Array,
  iterations: Value,
  wanted: Value,
): Calling {
  const { engine, size } = ALGORITHMS[algorithm] as { readonly engine: string; readonly size: number };
  const times = longOf(iterations, "iteration value must be greater than 0.", "iteration value is too great.");
  const length =
    wanted === null ? size : longOf(wanted, "key length must be greater than 0.", "key length is too great.");
  ctx.room(length);
  ctx.charge(password.length + salt.length);
  const hashOf = (...parts: readonly Uint8Array[]): Buffer => {
    const hmac = createHmac(engine, password);
    for (const part of parts) hmac.update(part);
    return hmac.digest();
  };
  const key = new Uint8Array(length);
  const index = Buffer.alloc(4);
  for (let from = 0; from < length; from += size) {
    index.writeUInt32BE(from / size + 1);
    let last = hashOf(salt, index);
    const block = Uint8Array.from(last);
    for (let time = 1; ; time += 1) {
      if ((from / size + time) % TURN === 0) {
        ctx.charge(TURN * UNITS);
        yield null;
      }
      if (time === times) break;
      last = hashOf(last);
      for (let at = 0; at < size; at += 1) block[at] = (block[at] as number) ^ (last[at] as number);
    }
    key.set(block.subarray(0, length - from), from);
  }
  return newBytes(ctx, key);
}
