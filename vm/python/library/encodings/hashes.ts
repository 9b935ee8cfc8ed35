/** The modules hashlib and hmac. */
import { createHash, createHmac } from "node:crypto";
import { latin, newBytes } from "../../bytes/slots.ts";
import { raised, raisedLoosely, TYPE_ERROR } from "../../exceptions.ts";
import { PyBytes } from "../../kinds/bytes.ts";
import { PyBuiltin } from "../../kinds/callable.ts";
import { DIGEST_SIZES, HASH_TYPE, HMAC_TYPE, PyHash } from "../../kinds/hash.ts";
import { notExact } from "../../not-exact.ts";
import { Bytes, type Context, fillSlots, type Natives, type Value } from "../../object.ts";
import { isAscii } from "../../unicode/case.ts";
import { made, nameOf } from "../arguments.ts";
import { bytesOf } from "../bytes.ts";
import type { Part } from "../registry.ts";

const BLOCKS_OF_64: ReadonlySet<string> = new Set(["md5", "sha1", "sha224", "sha256"]);
const blockSize = (name: string): number => (BLOCKS_OF_64.has(name) ? 64 : 128);

for (const type of [HASH_TYPE, HMAC_TYPE])
  fillSlots<PyHash>(type, {
    attribute: (self, name) => {
      if (name === "digest_size") return DIGEST_SIZES[self.algorithm] as number;
      if (name === "block_size") return blockSize(self.algorithm);
      return name === "name" ? (self.key === null ? "" : "hmac-") + self.algorithm : undefined;
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
  return new PyHash(HASH_TYPE, algorithm, null, [bytes]);
}

function hashOf(value: Value): PyHash {
  if (value instanceof PyHash) return value;
  throw raisedLoosely(TYPE_ERROR, `a method of a hash was called on a value of type ${nameOf(value)}`);
}

function digestOf(ctx: Context, hash: PyHash): Buffer {
  const computing = hash.key === null ? createHash(hash.algorithm) : createHmac(hash.algorithm, hash.key);
  for (const part of hash.parts) {
    ctx.charge(part.length);
    computing.update(part);
  }
  return computing.digest();
}

function algorithmOf(value: Value): string {
  if (value instanceof PyBuiltin) {
    const { name } = value.native;
    if (name.startsWith("hashlib.")) return algorithmOf(name.slice("hashlib.".length));
  }
  if (typeof value !== "string") throw raisedLoosely(TYPE_ERROR, "digestmod is not the name of a hash");
  const name = value.toLowerCase().replace(/^sha-/, "sha");
  if (DIGEST_SIZES[name] === undefined)
    throw notExact("only the hashes md5, sha1, sha224, sha256, sha384 and sha512 are supported");
  return name;
}

function keyed(ctx: Context, key: Value, message: Value, digestmod: Value): PyHash {
  if (!(key instanceof PyBytes)) throw raised(TYPE_ERROR, `key: expected bytes or bytearray, but got '${nameOf(key)}'`);
  if (digestmod === "" || digestmod === null) throw raised(TYPE_ERROR, "Missing required parameter 'digestmod'.");
  const parts = message === null ? [] : [hashed(message)];
  ctx.alloc(Bytes.Object + key.bytes.length);
  return new PyHash(HMAC_TYPE, algorithmOf(digestmod), key.bytes, parts);
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
  [`${prefix}.digest`]: (ctx: Context, hash: Value) => newBytes(ctx, digestOf(ctx, hashOf(hash))),
  [`${prefix}.hexdigest`]: (ctx: Context, hash: Value) => made(ctx, digestOf(ctx, hashOf(hash)).toString("hex")),
  [`${prefix}.copy`]: (ctx: Context, hash: Value) => {
    ctx.alloc(Bytes.Object);
    return hashOf(hash).copy();
  },
});

const natives: Natives = {
  ...Object.fromEntries(
    Object.keys(DIGEST_SIZES).map((name) => [`hashlib.${name}`, (ctx: Context, data: Value) => start(ctx, name, data)]),
  ),
  "hashlib.new": (ctx: Context, name: Value, data: Value) => {
    if (typeof name !== "string") throw raised(TYPE_ERROR, "name must be a string");
    return start(ctx, algorithmOf(name), data);
  },
  ...methods("hashlib.HASH"),
  "hmac.new": keyed,
  "hmac.digest": (ctx: Context, key: Value, message: Value, digest: Value) =>
    newBytes(ctx, digestOf(ctx, keyed(ctx, key, new PyBytes(bytesOf(message)), digest))),
  "hmac.compare_digest": (_ctx: Context, a: Value, b: Value) => isSameDigest(a, b),
  ...methods("hmac.HMAC"),
};

export const HASHES: Part = { natives, types: { "hashlib.HASH": HASH_TYPE, "hmac.HMAC": HMAC_TYPE } };
