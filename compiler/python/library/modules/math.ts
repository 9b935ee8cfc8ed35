/** The module math. */
import { type Row, row } from "../row.ts";

type More = { readonly raises?: string; readonly cost?: string; readonly size?: string };

const math = (name: string, params: string, result: string, help: string, example: string, more?: More): Row =>
  row(`math.${name}`, params, result, help, example, more);
const float = (name: string, help: string, example: string, raises = "ValueError OverflowError"): Row =>
  math(name, "x, /", "float", help, example, { raises });

export const MATH: readonly Row[] = [
  float("sqrt", "the square root", "math.sqrt(4) == 2.0"),
  float("exp", "e to the power of x", "math.exp(0) == 1.0"),
  float("exp2", "2 to the power of x", "math.exp2(3) == 8.0"),
  float("erf", "the error function", "math.erf(0) == 0.0"),
  float("expm1", "exp(x) - 1", "math.expm1(0) == 0.0"),
  math("log", "x, base=..., /", "float", "the logarithm", "math.log(1) == 0.0", {
    raises: "ValueError OverflowError ZeroDivisionError",
  }),
  float("log2", "the logarithm to base 2", "math.log2(8) == 3.0"),
  float("log10", "the logarithm to base 10", "math.log10(1000) == 3.0"),
  float("log1p", "log(1 + x)", "math.log1p(0) == 0.0"),
  float("sin", "the sine", "math.sin(0) == 0.0"),
  float("cos", "the cosine", "math.cos(0) == 1.0"),
  float("tan", "the tangent", "math.tan(0) == 0.0"),
  float("asin", "the arc sine", "math.asin(0) == 0.0"),
  float("acos", "the arc cosine", "math.acos(1) == 0.0"),
  float("atan", "the arc tangent", "math.atan(0) == 0.0"),
  math("atan2", "y, x, /", "float", "the angle of a point", "math.atan2(0, 1) == 0.0", { raises: "OverflowError" }),
  float("sinh", "the hyperbolic sine", "math.sinh(0) == 0.0"),
  float("cosh", "the hyperbolic cosine", "math.cosh(0) == 1.0"),
  float("tanh", "the hyperbolic tangent", "math.tanh(0) == 0.0"),
  float("asinh", "its inverse", "math.asinh(0) == 0.0"),
  float("acosh", "its inverse", "math.acosh(1) == 0.0"),
  float("atanh", "its inverse", "math.atanh(0) == 0.0"),
  float("fabs", "the size as a float", "math.fabs(-1) == 1.0"),
  float("degrees", "radians as degrees", "math.degrees(0) == 0.0"),
  float("radians", "degrees as radians", "math.radians(0) == 0.0"),
  float("ulp", "the value of the last bit", "math.ulp(0.0) == 5e-324"),
  math("pow", "x, y, /", "float", "x to the power of y", "math.pow(2, 3) == 8.0", {
    raises: "ValueError OverflowError",
  }),
  math("hypot", "*coordinates", "float", "the distance from the origin", "math.hypot(3, 4) == 5.0", {
    raises: "OverflowError",
    cost: "n",
  }),
  math("dist", "p, q, /", "float", "the distance of two points", "math.dist([0], [2]) == 2.0", {
    raises: "ValueError OverflowError",
    cost: "n",
  }),
  math("fmod", "x, y, /", "float", "the rest with the sign of x", "math.fmod(-7, 3) == -1.0", {
    raises: "ValueError OverflowError",
  }),
  math("remainder", "x, y, /", "float", "the rest of the nearest quotient", "math.remainder(5, 3) == -1.0", {
    raises: "ValueError OverflowError",
  }),
  math("copysign", "x, y, /", "float", "x with the sign of y", "math.copysign(1, -2) == -1.0", {
    raises: "OverflowError",
  }),
  math("modf", "x, /", "tuple[float, float]", "fraction and whole part", "math.modf(1.5) == (0.5, 1.0)", {
    raises: "OverflowError",
  }),
  math("frexp", "x, /", "tuple[float, int]", "mantissa and exponent", "math.frexp(8) == (0.5, 4)", {
    raises: "OverflowError",
  }),
  math("ldexp", "x, i, /", "float", "x * 2 ** i", "math.ldexp(0.5, 4) == 8.0", { raises: "OverflowError" }),
  math("nextafter", "x, y, /", "float", "the next float towards y", "math.nextafter(0, 1) == 5e-324", {
    raises: "OverflowError",
  }),
  math("isnan", "x, /", "bool", "whether x is not a number", "not math.isnan(1)", { raises: "OverflowError" }),
  math("isinf", "x, /", "bool", "whether x is infinite", "not math.isinf(1)", { raises: "OverflowError" }),
  math("isfinite", "x, /", "bool", "whether x is finite", "math.isfinite(1)", { raises: "OverflowError" }),
  math(
    "isclose",
    "a, b, *, rel_tol=1e-09, abs_tol=0.0",
    "bool",
    "whether two numbers are near",
    "math.isclose(1, 1 + 1e-12)",
    {
      raises: "ValueError OverflowError",
    },
  ),
  math("floor", "x, /", "int", "rounded down", "math.floor(-1.5) == -2", { raises: "ValueError OverflowError" }),
  math("ceil", "x, /", "int", "rounded up", "math.ceil(1.2) == 2", { raises: "ValueError OverflowError" }),
  math("trunc", "x, /", "int", "without its fraction", "math.trunc(-1.5) == -1", {
    raises: "ValueError OverflowError",
  }),
  math("factorial", "n, /", "int", "1 * 2 * … * n", "math.factorial(5) == 120", {
    raises: "ValueError",
    cost: "n * n",
    size: "n * log2(n) / 8",
  }),
  math("perm", "n, k=None, /", "int", "orders of k out of n", "math.perm(5, 2) == 20", {
    raises: "ValueError",
    cost: "k * n",
    size: "k * log2(n) / 8",
  }),
  math("comb", "n, k, /", "int", "choices of k out of n", "math.comb(5, 2) == 10", {
    raises: "ValueError",
    cost: "k * n",
    size: "k * log2(n) / 8",
  }),
  math("isqrt", "n, /", "int", "the whole part of the root", "math.isqrt(17) == 4", {
    raises: "ValueError",
    cost: "n * n",
  }),
  math("gcd", "*integers", "int", "the greatest common divisor", "math.gcd(12, 18) == 6", { cost: "n" }),
  math("lcm", "*integers", "int", "the least common multiple", "math.lcm(4, 6) == 12", { cost: "n" }),
  math("fsum", "seq, /", "float", "the exact sum, rounded once", "math.fsum([0.1] * 10) == 1.0", {
    raises: "ValueError OverflowError",
    cost: "n",
  }),
  math("prod", "iterable, /, *, start=1", "Any", "the product of the elements", "math.prod([2, 3]) == 6", {
    cost: "n",
  }),
];
