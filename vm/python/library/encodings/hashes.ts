/** The modules hashlib and hmac. */
import { createHash, createHmac } from "node:crypto";
import { Blake2b, Blake2s } from "../../bytes/blake2.ts";
import { latin, newBytes } from "../../bytes/slots.ts";
import { raised, raisedLoosely, TYPE_ERROR } from "../../exceptions.ts";
import { PyBytes } from "../../kinds/bytes.ts";
import { PyBuiltin } from "../../kinds/callable.ts";
import type { PyDict } from "../../kinds/dict.ts";
import { ALGORITHMS, BLAKE2_TYPES, HASH_TYPE, HMAC_TYPE, PyHash, XOF_TYPE } from "../../kinds/hash.ts";
import { notExact } from "../../not-exact.ts";
import { Bytes, type Calling, type Context, fillSlots, type Natives, type PyType, type Value } from "../../object.ts";
import { isAscii } from "../../unicode/case.ts";
import { made, nameOf, sizeOf } from "../arguments.ts";
import { bytesOf } from "../bytes.ts";
import { begun } from "../calling.ts";
import type { Part } from "../registry.ts";
import { type Blake2Name, blake2Parameters, blake2Words } from "./blake2.ts";
import { derivedKey } from "./derived-keys.ts";

function sizeOfDigest({ algorithm, more }: PyHash): number {
  return more.blake2?.size ?? ALGORITHMS[algorithm]?.size ?? 0;
}

for (const type of [HASH_TYPE, XOF_TYPE, HMAC_TYPE, ...Object.values(BLAKE2_TYPES)])
  fillSlots<PyHash>(type, {
    attribute: (self, name) => {
      if (name === "digest_size") return sizeOfDigest(self);
      if (name === "block_size") return ALGORITHMS[self.algorithm]?.block;
      return name === "name" ? (self.more.key === undefined ? "" : "hmac-") + self.algorithm : undefined;
    },
  });

function hashed(value: Value | undefined): Uint8Array {
  if (value === undefined) return new Uint8Array();
  if (typeof value === "string") throw raised(TYPE_ERROR, "Strings must be encoded before hashing");
  if (value instanceof PyBytes) return value.bytes;
  throw raised(TYPE_ERROR, "object supporting the buffer API required");
}

function start(ctx: Context, algorithm: string, data: Value): PyHash {
  const bytes = hashed(data);
  ctx.charge(bytes.length);
  ctx.alloc(Bytes.Object + bytes.length);
  return new PyHash(ALGORITHMS[algorithm]?.size === 0 ? XOF_TYPE : HASH_TYPE, algorithm, [bytes]);
}

function startBlake2(ctx: Context, name: Blake2Name, data: Value, ...given: readonly (Value | undefined)[]): PyHash {
  const blake2 = blake2Parameters(name, given, ctx);
  const bytes = hashed(data);
  ctx.charge(bytes.length);
  ctx.alloc(Bytes.Object * 2 + bytes.length);
  return new PyHash(BLAKE2_TYPES[name], name, [bytes], { blake2 });
}

function hashOf(value: Value): PyHash {
  if (value instanceof PyHash) return value;
  throw raisedLoosely(TYPE_ERROR, `a method of a hash was called on a value of type ${nameOf(value)}`);
}

/** Bytes that are hashed in one go: some milliseconds. */
const PIECE = 1_000_000;
/** The same for what is computed here. */
const PIECE_HERE = 65_536;
const UNITS_HERE = 4;
/** The engine gives a digest in one go. */
const LONGEST = 1_000_000;

type Computing = { update(bytes: Uint8Array): unknown; digest(): Uint8Array };

function computing({ algorithm, more: { key, blake2 } }: PyHash, length: number | undefined): Computing {
  const { engine } = ALGORITHMS[algorithm] as { readonly engine: string };
  if (blake2 !== undefined) return algorithm === "blake2b" ? new Blake2b(blake2) : new Blake2s(blake2);
  if (key !== undefined) return createHmac(engine, key);
  return createHash(engine, length === undefined ? {} : { outputLength: length });
}

function* digestOf(ctx: Context, hash: PyHash, length?: number): Calling<Uint8Array> {
  const work = computing(hash, length);
  const [piece, units] = hash.more.blake2 === undefined ? [PIECE, 1] : [PIECE_HERE, UNITS_HERE];
  for (const part of hash.parts)
    for (let from = 0; from < part.length; from += piece) {
      const bytes = part.subarray(from, from + piece);
      ctx.charge(bytes.length * units);
      work.update(bytes);
      if (from + piece < part.length) yield null;
    }
  return work.digest();
}

function* bytesOfDigest(ctx: Context, hash: PyHash, length?: number): Calling {
  return newBytes(ctx, yield* digestOf(ctx, hash, length));
}

function* textOfDigest(ctx: Context, hash: PyHash, length?: number): Calling {
  return made(ctx, Buffer.from(yield* digestOf(ctx, hash, length)).toString("hex"));
}

/** The length of a digest that has any. */
function lengthOf(ctx: Context, value: Value): number {
  const length = sizeOf(value);
  if (length < 0) throw notExact("the length of a digest is not negative here");
  if (length > LONGEST) throw notExact(`digests have up to ${LONGEST} bytes here`);
  ctx.charge(length);
  return length;
}

/** Names of OpenSSL, which takes them in upper and lower case, besides those of Python. */
function algorithmNamed(value: string): string | undefined {
  if (Object.hasOwn(ALGORITHMS, value)) return value;
  const name = value.toLowerCase();
  if (/^sha3-\d+$/.test(name)) return algorithmNamed(name.replace("-", "_"));
  const plain = name.replace(/^sha-/, "sha");
  return /^(?:md5|sha\d+)$/.test(plain) && Object.hasOwn(ALGORITHMS, plain) ? plain : undefined;
}

function known(value: string): string {
  const name = algorithmNamed(value);
  if (name === undefined) throw notExact(`only the hashes ${Object.keys(ALGORITHMS).join(", ")} are supported`);
  return name;
}

/** Of an HMAC. */
function algorithmOf(value: Value): string {
  if (value instanceof PyBuiltin && value.native.name.startsWith("hashlib."))
    return algorithmOf(value.native.name.slice("hashlib.".length));
  if (value === BLAKE2_TYPES.blake2b || value === BLAKE2_TYPES.blake2s) return algorithmOf("blake2b");
  if (typeof value !== "string") throw raisedLoosely(TYPE_ERROR, "digestmod is not the name of a hash");
  const name = known(value);
  if (/^(?:blake2|shake)/.test(name)) throw notExact("hmac takes md5, sha1, sha2 and sha3 here");
  return name;
}

function keyed(ctx: Context, key: Value, message: Value, digestmod: Value): PyHash {
  if (!(key instanceof PyBytes)) throw raised(TYPE_ERROR, `key: expected bytes or bytearray, but got '${nameOf(key)}'`);
  if (digestmod === "" || digestmod === null) throw raised(TYPE_ERROR, "Missing required parameter 'digestmod'.");
  const parts = message === null ? [] : [hashed(message)];
  ctx.alloc(Bytes.Object + key.bytes.length);
  return new PyHash(HMAC_TYPE, algorithmOf(digestmod), parts, { key: key.bytes });
}

/** `hashlib.new` */
function named(ctx: Context, name: Value, data: Value, more: PyDict): Value {
  if (typeof name !== "string") throw raised(TYPE_ERROR, "name must be a string");
  const algorithm = known(name);
  if (algorithm === "blake2b" || algorithm === "blake2s")
    return startBlake2(ctx, algorithm, data, ...blake2Words(more));
  for (const word of more.keys())
    if (word !== "usedforsecurity") throw raised(TYPE_ERROR, `'${word}' is an invalid keyword argument for new()`);
  return start(ctx, algorithm, data);
}

/** Both texts of ASCII, or both bytes. */
function isSameDigest(a: Value, b: Value): boolean {
  if (typeof a === "string" && typeof b === "string") {
    if (!isAscii(a) || !isAscii(b))
      throw raised(TYPE_ERROR, "comparing strings with non-ASCII characters is not supported");
    return a === b;
  }
  if (a instanceof PyBytes && b instanceof PyBytes) return latin(a.bytes) === latin(b.bytes);
  throw raisedLoosely(TYPE_ERROR, "a text is compared with bytes");
}

const methods = (prefix: string): Natives => ({
  [`${prefix}.update`]: (ctx: Context, hash: Value, data: Value) => {
    const bytes = hashed(data);
    ctx.alloc(bytes.length);
    hashOf(hash).parts.push(bytes);
    return null;
  },
  [`${prefix}.digest`]: (ctx: Context, hash: Value) => begun(bytesOfDigest(ctx, hashOf(hash))),
  [`${prefix}.hexdigest`]: (ctx: Context, hash: Value) => begun(textOfDigest(ctx, hashOf(hash))),
  [`${prefix}.copy`]: (ctx: Context, hash: Value) => {
    ctx.alloc(Bytes.Object);
    return hashOf(hash).copy();
  },
});

const natives: Natives = {
  ...Object.fromEntries(
    Object.keys(ALGORITHMS)
      .filter((name) => !Object.hasOwn(BLAKE2_TYPES, name))
      .map((name) => [`hashlib.${name}`, (ctx: Context, data: Value) => start(ctx, name, data)]),
  ),
  "hashlib.blake2b": (ctx: Context, data: Value, ...given: Value[]) => startBlake2(ctx, "blake2b", data, ...given),
  "hashlib.blake2s": (ctx: Context, data: Value, ...given: Value[]) => startBlake2(ctx, "blake2s", data, ...given),
  "hashlib.new": named,
  ...methods("hashlib.HASH"),
  ...methods("hashlib.HASHXOF"),
  "hashlib.HASHXOF.digest": (ctx: Context, hash: Value, length: Value) =>
    begun(bytesOfDigest(ctx, hashOf(hash), lengthOf(ctx, length))),
  "hashlib.HASHXOF.hexdigest": (ctx: Context, hash: Value, length: Value) =>
    begun(textOfDigest(ctx, hashOf(hash), lengthOf(ctx, length))),
  ...methods("hashlib.blake2b"),
  ...methods("hashlib.blake2s"),
  "hashlib.pbkdf2_hmac": (ctx: Context, name: Value, password: Value, salt: Value, iterations: Value, size: Value) => {
    if (typeof name !== "string")
      throw raised(TYPE_ERROR, `pbkdf2_hmac() argument 'hash_name' must be str, not ${nameOf(name)}`);
    return begun(derivedKey(ctx, algorithmOf(name), bytesOf(password), bytesOf(salt), iterations, size));
  },
  "hmac.new": keyed,
  "hmac.digest": (ctx: Context, key: Value, message: Value, digest: Value) =>
    begun(bytesOfDigest(ctx, keyed(ctx, key, new PyBytes(bytesOf(message)), digest))),
  "hmac.compare_digest": (_ctx: Context, a: Value, b: Value) => isSameDigest(a, b),
  ...methods("hmac.HMAC"),
};

const sizes = (name: Blake2Name, digest: number): { readonly [name: string]: Value } => ({
  [`hashlib.${name}.MAX_DIGEST_SIZE`]: digest,
  [`hashlib.${name}.MAX_KEY_SIZE`]: digest,
  [`hashlib.${name}.SALT_SIZE`]: digest / 4,
  [`hashlib.${name}.PERSON_SIZE`]: digest / 4,
});

const types: { readonly [name: string]: PyType } = {
  "hashlib.HASH": HASH_TYPE,
  "hashlib.HASHXOF": XOF_TYPE,
  "hashlib.blake2b": BLAKE2_TYPES.blake2b,
  "hashlib.blake2s": BLAKE2_TYPES.blake2s,
  "hmac.HMAC": HMAC_TYPE,
};

export const HASHES: Part = { natives, types, values: { ...sizes("blake2b", 64), ...sizes("blake2s", 32) } };
