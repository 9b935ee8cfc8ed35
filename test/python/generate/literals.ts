/** Literals that programs meet, and those at the edges of numbers and texts. */
import type { Draw } from "./draw.ts";
import type { Type } from "./types.ts";

const INTS = ["0", "1", "2", "3", "4", "5", "7", "10", "-1", "-2", "-7", "12", "100", "255", "1000"];
const EDGE_INTS = [
  "2147483648",
  "-2147483649",
  "9007199254740991",
  "9007199254740993",
  "-9007199254740992",
  "10**19",
  "1_000",
];
const FLOATS = ["0.0", "0.5", "1.0", "2.0", "2.5", "-1.5", "0.1", "0.2", "3.14", "10.0", "-2.0", "99.99"];
const EDGE_FLOATS = [
  "-0.0",
  "1e16",
  "1e-05",
  "2.675",
  "1e22",
  "123456789.125",
  "9007199254740992.0",
  "5e-324",
  "1.5e300",
];
const STRINGS = [
  '""',
  '"a"',
  '"b"',
  '"abc"',
  '"Ab c"',
  '"x,y,z"',
  '"  pad "',
  '"10"',
  '"-5"',
  '"b-2"',
  '"key"',
  '"aXbXc"',
];
const EDGE_STRINGS = [
  '"3.0"',
  '"é"',
  '"ß"',
  '"😀z"',
  '"it\'s"',
  "'\"q\"'",
  '"a\\nb\\n"',
  '"\\t"',
  'r"\\d+"',
  '"A" "B"',
  '"""t"""',
  '"\\x1c "',
  '"%"',
  '"{}"',
  '"İ"',
];
const EDGE = 0.15;

export function literalOf(draw: Draw, type: Type): string {
  const one = (common: readonly string[], edge: readonly string[]) => draw.pick(draw.chance(EDGE) ? edge : common);
  if (type.kind === "int") return one(INTS, EDGE_INTS);
  if (type.kind === "float") return one(FLOATS, EDGE_FLOATS);
  if (type.kind === "bool") return draw.pick(["True", "False"]);
  if (type.kind === "str") return one(STRINGS, EDGE_STRINGS);
  if (type.kind === "tuple") {
    const items = type.items.map((item) => literalOf(draw, item));
    return `(${items.join(", ")}${items.length === 1 ? "," : ""})`;
  }
  if (type.kind === "dict") {
    const members = draw.many(
      draw.chance(0.3) ? 0 : 1,
      3,
      () => `${literalOf(draw, type.key)}: ${literalOf(draw, type.item)}`,
    );
    return `{${members.join(", ")}}`;
  }
  const items = draw.many(draw.chance(0.15) ? 0 : 1, 4, () => literalOf(draw, type.item)).join(", ");
  if (type.kind === "list") return `[${items}]`;
  return items === "" ? "set()" : `{${items}}`;
}
