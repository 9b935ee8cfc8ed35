/** `int`, `float`, `bool` with their methods, and builtins of numbers. */
import { type Row, row } from "../row.ts";

export const NUMBERS: readonly Row[] = [
  row("int", "x=..., /, base=...", "int", "an int out of a number or text", "int(' 12 ') == 12", {
    raises: "ValueError OverflowError",
    cost: "n",
  }),
  row("float", "x=..., /", "float", "a float out of a number or text", "float('1.5') == 1.5", {
    raises: "ValueError OverflowError",
    cost: "n",
  }),
  row("bool", "x=False, /", "bool", "the truth of a value", "bool([]) == False"),
  row("abs", "x, /", "Any", "the size of a number", "abs(-5) == 5"),
  row("round", "number, ndigits=None", "Any", "a number rounded half to even", "round(2.5) == 2", {
    raises: "ValueError OverflowError",
  }),
  row("divmod", "x, y, /", "tuple", "quotient and rest", "divmod(7, 2) == (3, 1)", {
    raises: "ZeroDivisionError OverflowError",
  }),
  row("pow", "base, exp, mod=None", "Any", "a power, with a modulus for ints", "pow(2, 5, 7) == 4", {
    raises: "ValueError ZeroDivisionError OverflowError",
    cost: "n * m",
    size: "exp * bits(base) / 8",
  }),
  row("bin", "number, /", "str", "an int in base 2", "bin(5) == '0b101'", { cost: "n" }),
  row("oct", "number, /", "str", "an int in base 8", "oct(8) == '0o10'", { cost: "n" }),
  row("hex", "number, /", "str", "an int in base 16", "hex(255) == '0xff'", { cost: "n" }),
  row("int.bit_length", "self, /", "int", "number of bits", "(5).bit_length() == 3"),
  row("int.bit_count", "self, /", "int", "number of bits that are set", "(5).bit_count() == 2"),
  row("int.conjugate", "self, /", "int", "the number itself", "(5).conjugate() == 5"),
  row("int.as_integer_ratio", "self, /", "tuple[int, int]", "the number and 1", "(5).as_integer_ratio() == (5, 1)"),
  row("float.is_integer", "self, /", "bool", "whether the float is whole", "(5.0).is_integer()"),
  row("float.conjugate", "self, /", "float", "the number itself", "(1.5).conjugate() == 1.5"),
  row(
    "float.as_integer_ratio",
    "self, /",
    "tuple[int, int]",
    "the float as a fraction",
    "(1.5).as_integer_ratio() == (3, 2)",
    {
      raises: "ValueError OverflowError",
    },
  ),
  row(
    "int.to_bytes",
    "self, length=1, byteorder='big', *, signed=False",
    "bytes",
    "an int as bytes",
    "(5).to_bytes(1, 'big') == b'\\x05'",
    {
      raises: "OverflowError ValueError",
      cost: "n",
      size: "length",
    },
  ),
  row(
    "int.from_bytes",
    "bytes, byteorder='big', *, signed=False",
    "int",
    "the int of bytes",
    "int.from_bytes(b'\\x05', 'big') == 5",
    {
      raises: "ValueError",
      cost: "n",
    },
  ),
  row(
    "bool.from_bytes",
    "bytes, byteorder='big', *, signed=False",
    "bool",
    "whether bytes have one that is not 0",
    "bool.from_bytes(b'\\x05', 'big') is True",
    {
      raises: "ValueError",
      cost: "n",
    },
  ),
  row("float.hex", "self, /", "str", "a float in base 16", "(1.0).hex() == '0x1.0000000000000p+0'"),
  row("float.fromhex", "string, /", "float", "the float of such a text", "float.fromhex('0x1p3') == 8.0", {
    raises: "ValueError OverflowError",
    cost: "n",
  }),
];
