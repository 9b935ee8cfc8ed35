/** Rows of the modules hashlib, hmac and base64. */
import { type Row, row } from "./row.ts";

const linear = { cost: "n" } as const;
const faulty = { raises: "ValueError", cost: "n" } as const;

const hash = (name: string): Row =>
  row(
    `hashlib.${name}`,
    "string=b'', *, usedforsecurity=True",
    "hashlib.HASH",
    `the ${name} of bytes`,
    `len(hashlib.${name}(b'a').hexdigest()) == hashlib.${name}().digest_size * 2`,
    linear,
  );

const methods = (type: string, make: string): readonly Row[] => [
  row(`${type}.update`, "self, obj, /", "None", "more bytes for it", `${make}.update(b'x') is None`, linear),
  row(`${type}.digest`, "self, /", "bytes", "its bytes", `len(${make}.digest()) == 32`, linear),
  row(`${type}.hexdigest`, "self, /", "str", "its hexadecimal digits", `len(${make}.hexdigest()) == 64`, linear),
  row(`${type}.copy`, "self, /", type, "another one with the same bytes", `${make}.copy().digest_size == 32`, linear),
];

export const ENCODINGS: readonly Row[] = [
  ...["md5", "sha1", "sha224", "sha256", "sha384", "sha512"].map(hash),
  row(
    "hashlib.new",
    "name, data=b'', **kwargs",
    "hashlib.HASH",
    "a hash by its name",
    "hashlib.new('md5', b'a').name == 'md5'",
    faulty,
  ),
  ...methods("hashlib.HASH", "hashlib.sha256()"),
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
];
