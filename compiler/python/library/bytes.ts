/** Rows of the type bytes. */
import { type Row, row } from "./row.ts";

const linear = { cost: "n" } as const;

export const BYTES: readonly Row[] = [
  row(
    "bytes",
    "source=..., encoding=..., errors=...",
    "bytes",
    "bytes of a text, of ints, or zeros",
    "bytes([104, 105]) == b'hi'",
    {
      raises: "ValueError UnicodeEncodeError",
      cost: "n",
      size: "source",
    },
  ),
  row(
    "bytes.decode",
    "self, encoding='utf-8', errors='strict'",
    "str",
    "the text of bytes in utf-8, ascii or latin-1",
    "b'\\xc3\\xa9'.decode() == 'é'",
    {
      raises: "UnicodeDecodeError LookupError",
      cost: "n",
    },
  ),
  row(
    "bytes.endswith",
    "self, suffix, start=None, end=None, /",
    "bool",
    "whether they end with some bytes",
    "b'abc'.endswith(b'c')",
    linear,
  ),
  row(
    "bytes.find",
    "self, sub, start=None, end=None, /",
    "int",
    "the first place of some bytes, or -1",
    "b'abc'.find(b'c') == 2",
    linear,
  ),
  row("bytes.fromhex", "string, /", "bytes", "bytes from hexadecimal digits", "bytes.fromhex('68 69') == b'hi'", {
    raises: "ValueError",
    cost: "n",
  }),
  row("bytes.hex", "self, sep=..., bytes_per_sep=1", "str", "hexadecimal digits", "b'hi'.hex() == '6869'", {
    raises: "ValueError",
    cost: "n",
  }),
  row(
    "bytes.index",
    "self, sub, start=None, end=None, /",
    "int",
    "the first place of some bytes",
    "b'abc'.index(b'c') == 2",
    {
      raises: "ValueError",
      cost: "n",
    },
  ),
  row(
    "bytes.join",
    "self, iterable, /",
    "bytes",
    "bytes with these between them",
    "b'-'.join([b'a', b'b']) == b'a-b'",
    {
      cost: "n",
      size: "sum(map(len, iterable)) + len(self) * len(iterable)",
    },
  ),
  ...[
    ["lstrip", "in front", "b' a '.lstrip() == b'a '"],
    ["rstrip", "at the end", "b'YQ=='.rstrip(b'=') == b'YQ'"],
    ["strip", "at both ends", "b' a '.strip() == b'a'"],
  ].map(([name, where, example]) =>
    row(
      `bytes.${name}`,
      "self, bytes=None, /",
      "bytes",
      `without white space or some bytes ${where}`,
      example as string,
      linear,
    ),
  ),
  row(
    "bytes.startswith",
    "self, prefix, start=None, end=None, /",
    "bool",
    "whether they begin with some bytes",
    "b'abc'.startswith(b'a')",
    linear,
  ),
];
