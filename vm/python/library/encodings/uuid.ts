/** The module uuid, but for what draws random numbers or looks at the clock. */
import { createHash } from "node:crypto";
import { newBytes } from "../../bytes/slots.ts";
import { ATTRIBUTE_ERROR, raised, raisedLoosely, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { PyBytes } from "../../kinds/bytes.ts";
import { intOf } from "../../kinds/float.ts";
import { PyUuid, UUID_TYPE } from "../../kinds/identifiers.ts";
import { notExact } from "../../not-exact.ts";
import { Bytes, type Context, fillSlots, type Natives, type Value } from "../../object.ts";
import { compoundKey, isInt } from "../../operations.ts";
import { trimEnd, trimStart } from "../../unicode/trim.ts";
import { nameOf, textOf } from "../arguments.ts";
import type { Part } from "../registry.ts";

function written({ hex }: PyUuid): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const RESERVED_NCS = "reserved for NCS compatibility";
const RFC_4122 = "specified in RFC 4122";
const RESERVED_MICROSOFT = "reserved for Microsoft compatibility";
const RESERVED_FUTURE = "reserved for future definition";

/** The two highest bits of the ninth byte say which layout it is. */
function variantOf({ hex }: PyUuid): string {
  const digit = Number.parseInt(hex.charAt(16), 16);
  if (digit < 8) return RESERVED_NCS;
  if (digit < 12) return RFC_4122;
  return digit < 14 ? RESERVED_MICROSOFT : RESERVED_FUTURE;
}

const OTHERS: ReadonlySet<string> = new Set([
  "bytes_le",
  "clock_seq",
  "clock_seq_hi_variant",
  "clock_seq_low",
  "fields",
  "is_safe",
  "node",
  "time",
  "time_hi_version",
  "time_low",
  "time_mid",
]);

fillSlots<PyUuid>(UUID_TYPE, {
  equals: (self, other) => (other instanceof PyUuid ? self.hex === other.hex : undefined),
  order(self, op, other) {
    if (!(other instanceof PyUuid)) return undefined;
    if (op === "<") return self.hex < other.hex;
    if (op === "<=") return self.hex <= other.hex;
    return op === ">" ? self.hex > other.hex : self.hex >= other.hex;
  },
  key: ({ hex }) => compoundKey("uuid", [hex]),
  repr: (self) => `UUID('${written(self)}')`,
  text: written,
  attribute(self, name, ctx) {
    switch (name) {
      case "hex":
        return self.hex;
      case "int":
        return intOf(BigInt(`0x${self.hex}`));
      case "bytes":
        return newBytes(ctx, Buffer.from(self.hex, "hex"));
      case "urn":
        return `urn:uuid:${written(self)}`;
      case "variant":
        return variantOf(self);
      case "version":
        return variantOf(self) === RFC_4122 ? Number.parseInt(self.hex.charAt(12), 16) : null;
      default:
        if (OTHERS.has(name)) throw notExact(`the attribute ${name} of a UUID is not supported; use hex or int`);
        return undefined;
    }
  },
});

function make(
  ctx: Context,
  hex: Value,
  bytes: Value,
  littleEndian: Value,
  fields: Value,
  int: Value,
  version: Value,
  isSafe: Value | undefined,
): PyUuid {
  if (isSafe !== undefined) throw notExact("is_safe of a UUID is not supported");
  const given = [hex, bytes, littleEndian, fields, int].filter((value) => value !== null);
  if (given.length !== 1)
    throw raised(TYPE_ERROR, "one of the hex, bytes, bytes_le, fields, or int arguments must be given");
  if (littleEndian !== null || fields !== null) throw notExact("a UUID is made from hex, bytes or int here");
  let digits = "";
  if (hex !== null) {
    if (typeof hex !== "string") throw raisedLoosely(ATTRIBUTE_ERROR, `the hex of a UUID is of type ${nameOf(hex)}`);
    digits = hexDigits(hex);
  } else if (bytes !== null) {
    if (!(bytes instanceof PyBytes))
      throw raisedLoosely(TYPE_ERROR, `the bytes of a UUID are of type ${nameOf(bytes)}`);
    if (bytes.bytes.length !== 16) throw raised(VALUE_ERROR, "bytes is not a 16-char string");
    digits = Buffer.from(bytes.bytes).toString("hex");
  } else {
    if (!isInt(int)) throw notExact("the int of a UUID are of another type");
    const number = BigInt(int);
    if (number < 0n || number >= 1n << 128n) throw raised(VALUE_ERROR, "int is out of range (need a 128-bit value)");
    digits = number.toString(16).padStart(32, "0");
  }
  ctx.alloc(Bytes.Object + 32 * Bytes.Unit);
  if (version === null) return new PyUuid(digits);
  if (!isInt(version)) throw notExact("the version of a UUID are of another type");
  const number = Number(version);
  if (number < 1 || number > 5) throw raised(VALUE_ERROR, "illegal version number");
  return versioned(digits, number);
}

const isBrace = (unit: number): boolean => unit === 123 || unit === 125;

function hexDigits(text: string): string {
  const plain = text.replaceAll("urn:", "").replaceAll("uuid:", "");
  const digits = trimEnd(trimStart(plain, isBrace), isBrace).replaceAll("-", "");
  if ([...digits].length !== 32) throw raised(VALUE_ERROR, "badly formed hexadecimal UUID string");
  if (/^[0-9a-fA-F]{32}$/.test(digits)) return digits.toLowerCase();
  if (/^[\s0-9a-fA-F_+xX]+$/.test(digits)) throw notExact("a UUID is 32 hexadecimal digits");
  throw raisedLoosely(VALUE_ERROR, "a UUID is 32 hexadecimal digits");
}

/** With the version, in the layout of RFC 4122. */
function versioned(digits: string, version: number): PyUuid {
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 3) | 8).toString(16);
  return new PyUuid(`${digits.slice(0, 12)}${version}${digits.slice(13, 16)}${variant}${digits.slice(17)}`);
}

const named =
  (algorithm: string, version: number) =>
  (ctx: Context, namespace: Value, name: Value): PyUuid => {
    if (!(namespace instanceof PyUuid))
      throw raisedLoosely(ATTRIBUTE_ERROR, `the namespace of a UUID is of type ${nameOf(namespace)}`);
    const bytes = Buffer.from(textOf(name, "name"), "utf8");
    ctx.charge(bytes.length);
    ctx.alloc(Bytes.Object + 32 * Bytes.Unit);
    const digest = createHash(algorithm).update(Buffer.from(namespace.hex, "hex")).update(bytes).digest("hex");
    return versioned(digest.slice(0, 32), version);
  };

const natives: Natives = {
  "uuid.UUID": make,
  "uuid.uuid3": named("md5", 3),
  "uuid.uuid5": named("sha1", 5),
};

const namespace = (digits: string): PyUuid => new PyUuid(`${digits}9dad11d180b400c04fd430c8`);

export const UUIDS: Part = {
  natives,
  types: { "uuid.UUID": UUID_TYPE },
  values: {
    "uuid.RFC_4122": RFC_4122,
    "uuid.RESERVED_NCS": RESERVED_NCS,
    "uuid.RESERVED_MICROSOFT": RESERVED_MICROSOFT,
    "uuid.RESERVED_FUTURE": RESERVED_FUTURE,
    "uuid.NAMESPACE_DNS": namespace("6ba7b810"),
    "uuid.NAMESPACE_URL": namespace("6ba7b811"),
    "uuid.NAMESPACE_OID": namespace("6ba7b812"),
    "uuid.NAMESPACE_X500": namespace("6ba7b814"),
  },
};
