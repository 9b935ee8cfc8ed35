/** Rows of the modules hashlib, hmac and base64. */
import { type Row, row } from "./row.ts";

const linear = { cost: "n" } as const;
const faulty = { raises: "ValueError", cost: "n" } as const;

const hash = (name: string): Row =>
  row(
    `hashlib.${name}`,
    "string=b'', *, usedforsecurity=True",
    name.startsWith("shake") ? "hashlib.HASHXOF" : "hashlib.HASH",
    `the ${name} of bytes`,
    `hashlib.${name}(b'a').name == '${name}'`,
    linear,
  );

/** `length`: the parameter of what gives digests of any length. */
const methods = (type: string, make: string, length?: number): readonly Row[] => {
  const self = length === undefined ? "self, /" : "self, /, length";
  const given = length ?? "";
  const size = length ?? 32;
  return [
    row(`${type}.update`, "self, obj, /", "None", "more bytes for it", `${make}.update(b'x') is None`, linear),
    row(`${type}.digest`, self, "bytes", "its bytes", `len(${make}.digest(${given})) == ${size}`, linear),
    row(`${type}.hexdigest`, self, "str", "its digits", `len(${make}.hexdigest(${given})) == ${size * 2}`, linear),
    row(
      `${type}.copy`,
      "self, /",
      type,
      "another one with the same bytes",
      `${make}.copy().block_size == ${make}.block_size`,
      linear,
    ),
  ];
};

const blake2 = (name: string, size: number): readonly Row[] => [
  row(
    `hashlib.${name}`,
    `data=b'', /, *, digest_size=${size}, key=b'', salt=b'', person=b'', fanout=1, depth=1, leaf_size=0, node_offset=0, node_depth=0, inner_size=0, last_node=False, usedforsecurity=True`,
    `hashlib.${name}`,
    `the ${name} of bytes`,
    `hashlib.${name}(digest_size=9).digest_size == 9`,
    { raises: "ValueError OverflowError", cost: "n" },
  ),
  ...methods(`hashlib.${name}`, `hashlib.${name}(digest_size=32)`),
];

export const ENCODINGS: readonly Row[] = [
  ..."md5 sha1 sha224 sha256 sha384 sha512 sha3_224 sha3_256 sha3_384 sha3_512 shake_128 shake_256"
    .split(" ")
    .map(hash),
  row(
    "hashlib.new",
    "name, data=b'', **kwargs",
    "hashlib.HASH",
    "a hash by its name",
    "hashlib.new('md5', b'a').name == 'md5'",
    faulty,
  ),
  ...methods("hashlib.HASH", "hashlib.sha256()"),
  ...methods("hashlib.HASHXOF", "hashlib.shake_128()", 5),
  ...blake2("blake2b", 64),
  ...blake2("blake2s", 32),
  row(
    "hashlib.pbkdf2_hmac",
    "hash_name, password, salt, iterations, dklen=None",
    "bytes",
    "a key out of a password",
    "len(hashlib.pbkdf2_hmac('md5', b'p', b's', 1)) == 16",
    { raises: "ValueError OverflowError", cost: "iterations * dklen" },
  ),
  row(
    "hmac.new",
    "key, msg=None, digestmod=''",
    "hmac.HMAC",
    "a keyed hash",
    "hmac.new(b'k', b'm', 'sha256').hexdigest()[:4] == 'b600'",
    linear,
  ),
  row(
    "hmac.digest",
    "key, msg, digest",
    "bytes",
    "a keyed hash at once",
    "len(hmac.digest(b'k', b'm', 'md5')) == 16",
    linear,
  ),
  row(
    "hmac.compare_digest",
    "a, b, /",
    "bool",
    "whether two digests are equal",
    "hmac.compare_digest('a', 'a')",
    linear,
  ),
  ...methods("hmac.HMAC", "hmac.new(b'k', b'm', 'sha256')"),
  row("base64.b64encode", "s, altchars=None", "bytes", "base64 of bytes", "base64.b64encode(b'a') == b'YQ=='", linear),
  row(
    "base64.b64decode",
    "s, altchars=None, validate=False",
    "bytes",
    "bytes of base64",
    "base64.b64decode('YQ==') == b'a'",
    faulty,
  ),
  row(
    "base64.standard_b64encode",
    "s",
    "bytes",
    "base64 of bytes",
    "base64.standard_b64encode(b'a') == b'YQ=='",
    linear,
  ),
  row(
    "base64.standard_b64decode",
    "s",
    "bytes",
    "bytes of base64",
    "base64.standard_b64decode('YQ==') == b'a'",
    faulty,
  ),
  row(
    "base64.urlsafe_b64encode",
    "s",
    "bytes",
    "base64 with - and _",
    "base64.urlsafe_b64encode(b'\\xff\\xef') == b'_-8='",
    linear,
  ),
  row(
    "base64.urlsafe_b64decode",
    "s",
    "bytes",
    "bytes of base64 with - and _",
    "base64.urlsafe_b64decode('_-8=') == b'\\xff\\xef'",
    faulty,
  ),
  row("base64.b32encode", "s", "bytes", "base32 of bytes", "base64.b32encode(b'hello') == b'NBSWY3DP'", linear),
  row(
    "base64.b32decode",
    "s, casefold=False, map01=None",
    "bytes",
    "bytes of base32",
    "base64.b32decode('NBSWY3DP') == b'hello'",
    faulty,
  ),
  row("base64.b16encode", "s", "bytes", "upper-case hexadecimal digits", "base64.b16encode(b'ab') == b'6162'", linear),
  row(
    "base64.b16decode",
    "s, casefold=False",
    "bytes",
    "bytes of hexadecimal digits",
    "base64.b16decode('6A') == b'j'",
    faulty,
  ),
  row(
    "base64.b32hexencode",
    "s",
    "bytes",
    "base32 with digits first",
    "base64.b32hexencode(b'a') == b'C4======'",
    linear,
  ),
  row(
    "base64.b32hexdecode",
    "s, casefold=False",
    "bytes",
    "bytes of base32 with digits first",
    "base64.b32hexdecode('C4======') == b'a'",
    faulty,
  ),
  row("base64.b85encode", "b, pad=False", "bytes", "base85 of bytes", "base64.b85encode(b'a') == b'VE'", linear),
  row("base64.b85decode", "b", "bytes", "bytes of base85", "base64.b85decode('VE') == b'a'", faulty),
  row(
    "base64.a85encode",
    "b, *, foldspaces=False, wrapcol=0, pad=False, adobe=False",
    "bytes",
    "Ascii85 of bytes",
    "base64.a85encode(b'a') == b'@/'",
    linear,
  ),
  row(
    "base64.a85decode",
    "b, *, foldspaces=False, adobe=False, ignorechars=...",
    "bytes",
    "bytes of Ascii85",
    "base64.a85decode('@/') == b'a'",
    faulty,
  ),
  row("base64.encodebytes", "s", "bytes", "base64 in lines", "base64.encodebytes(b'a') == b'YQ==\\n'", linear),
  row("base64.decodebytes", "s", "bytes", "bytes of base64", "base64.decodebytes(b'YQ==') == b'a'", faulty),
];
