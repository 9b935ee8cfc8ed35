/** Rows of the module decimal. */
import { type Row, row } from "../row.ts";

const TYPE = "decimal.Decimal";
const X = "decimal.Decimal('1.50')";
const ROUNDED = "self, /, rounding=None, context=None";
const IN = "self, /, context=None";
const WITH = "self, /, other, context=None";

type Line = readonly [name: string, params: string, result: string, help: string, example: string];

const METHODS: readonly Line[] = [
  ["from_float", "f, /", TYPE, "all digits of a float", "str(decimal.Decimal.from_float(0.5)) == '0.5'"],
  [
    "quantize",
    "self, /, exp, rounding=None, context=None",
    TYPE,
    "with as many places as another one",
    `str(${X}.quantize(decimal.Decimal('1'))) == '2'`,
  ],
  ["to_integral", ROUNDED, TYPE, "to_integral_value", `str(${X}.to_integral()) == '2'`],
  [
    "to_integral_value",
    ROUNDED,
    TYPE,
    "rounded to a whole number",
    `str(${X}.to_integral_value(decimal.ROUND_DOWN)) == '1'`,
  ],
  ["to_integral_exact", ROUNDED, TYPE, "to_integral_value", `str(${X}.to_integral_exact()) == '2'`],
  ["normalize", IN, TYPE, "without zeros at its end", `str(${X}.normalize()) == '1.5'`],
  ["sqrt", IN, TYPE, "the square root", "str(decimal.Decimal(9).sqrt()) == '3'"],
  ["copy_abs", "self, /", TYPE, "without its sign", "str(decimal.Decimal(-2).copy_abs()) == '2'"],
  ["copy_negate", "self, /", TYPE, "with the other sign", "str(decimal.Decimal(2).copy_negate()) == '-2'"],
  ["copy_sign", WITH, TYPE, "with another sign", "str(decimal.Decimal(2).copy_sign(-1)) == '-2'"],
  ["compare", WITH, TYPE, "-1, 0 or 1", `${X}.compare(2) == -1`],
  ["max", WITH, TYPE, "the larger one", `${X}.max(2) == 2`],
  ["min", WITH, TYPE, "the smaller one", `${X}.min(2) == ${X}`],
  ["scaleb", WITH, TYPE, "moved by powers of ten", `str(${X}.scaleb(2)) == '150'`],
  ["fma", "self, /, other, third, context=None", TYPE, "self * other + third", `str(${X}.fma(2, 1)) == '4.00'`],
  ["adjusted", "self, /", "int", "its power of ten", `${X}.adjusted() == 0`],
  ["as_tuple", "self, /", "tuple", "its sign, digits and exponent", `${X}.as_tuple().digits == (1, 5, 0)`],
  ["as_integer_ratio", "self, /", "tuple[int, int]", "as a fraction", `${X}.as_integer_ratio() == (3, 2)`],
];

const QUESTIONS = ["is_nan", "is_infinite", "is_finite", "is_zero", "is_signed"];

const more = { raises: "decimal.InvalidOperation", cost: "n" } as const;

export const DECIMALS: readonly Row[] = [
  row(TYPE, "value='0', context=None", TYPE, "an exact number", `str(${X} * 3) == '4.50'`, more),
  ...METHODS.map(([name, params, result, help, example]) =>
    row(`${TYPE}.${name}`, params, result, help, example, more),
  ),
  ...QUESTIONS.map((name) =>
    row(
      `${TYPE}.${name}`,
      "self, /",
      "bool",
      name.replace("_", " "),
      `${X}.${name}() == (${name === "is_finite" ? "True" : "False"})`,
    ),
  ),
];
