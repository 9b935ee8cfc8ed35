/** Format specs: `[[fill]align][sign][z][#][0][width][,_][.precision][type]`, read as CPython reads them. */
import { raised, VALUE_ERROR } from "../exceptions.ts";
import { notExact } from "../not-exact.ts";
import { digitValue } from "../unicode/sets.ts";

export type Align = "<" | ">" | "^" | "=";

export type Spec = {
  fill: string;
  align: Align;
  /** "": only of negative numbers. */
  sign: "" | "+" | "-" | " ";
  dropsNegativeZero: boolean;
  isAlternate: boolean;
  width: number;
  /** "": digits are not grouped. */
  grouping: "" | "," | "_";
  precision: number | null;
  /** "": the default of the type. */
  type: string;
};

/** Larger widths and precisions work in CPython; here they end the run before anything is built. */
const LARGEST = 10_000;
const MACHINE_WORD = 2n ** 63n - 1n;
const MACHINE_INT = 0x7fffffff;

export function checkedSize(size: number, what: "width" | "precision"): number {
  if (size > LARGEST) throw notExact(`a ${what} above ${LARGEST} is not supported in a format`);
  return size;
}

const isAlign = (char: string | undefined): char is Align =>
  char === "<" || char === ">" || char === "^" || char === "=";

const kept = new Map<string, Spec>();
const MAX_KEPT = 200;

/** `name`: of the type, for messages. The spec of a literal is read once. */
export function parseSpec(text: string, name: string, defaultType: string, defaultAlign: Align): Readonly<Spec> {
  const key = `${name} ${text}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const spec = read([...text], text, name, defaultType, defaultAlign);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(key, spec);
  return spec;
}

function read(chars: readonly string[], text: string, name: string, defaultType: string, defaultAlign: Align): Spec {
  const spec: Spec = {
    fill: " ",
    align: defaultAlign,
    sign: "",
    dropsNegativeZero: false,
    isAlternate: false,
    width: -1,
    grouping: "",
    precision: null,
    type: defaultType,
  };
  let at = 0;
  const take = (char: string): boolean => {
    if (chars[at] !== char) return false;
    at += 1;
    return true;
  };
  let hasFill = false;
  let hasAlign = false;
  const second = chars[1];
  const first = chars[0];
  if (isAlign(second)) {
    [spec.fill, spec.align] = [first as string, second];
    hasFill = hasAlign = true;
    at = 2;
  } else if (isAlign(first)) {
    spec.align = first;
    hasAlign = true;
    at = 1;
  }
  const sign = chars[at];
  if (sign === " " || sign === "+" || sign === "-") {
    spec.sign = sign;
    at += 1;
  }
  spec.dropsNegativeZero = take("z");
  spec.isAlternate = take("#");
  if (!hasFill && take("0")) {
    spec.fill = "0";
    if (!hasAlign && defaultAlign === ">") spec.align = "=";
  }
  const width = integerAt(chars, at);
  at = width.end;
  if (width.value !== null) spec.width = width.value;
  if (take(",")) spec.grouping = ",";
  if (take("_")) {
    if (spec.grouping !== "") throw raised(VALUE_ERROR, "Cannot specify both ',' and '_'.");
    spec.grouping = "_";
  }
  if (chars[at] === "," && spec.grouping === "_") throw raised(VALUE_ERROR, "Cannot specify both ',' and '_'.");
  if (take(".")) {
    const precision = integerAt(chars, at);
    if (precision.value === null) throw raised(VALUE_ERROR, "Format specifier missing precision");
    spec.precision = precision.value;
    at = precision.end;
  }
  if (chars.length - at > 1)
    throw raised(VALUE_ERROR, `Invalid format specifier '${text}' for object of type '${name}'`);
  spec.type = chars[at] ?? defaultType;
  if (spec.grouping !== "" && !isGroupable(spec))
    throw raised(VALUE_ERROR, `Cannot specify '${spec.grouping}' with ${shown(spec.type)}.`);
  if (spec.precision !== null && spec.precision > MACHINE_INT && name !== "str")
    throw raised(VALUE_ERROR, name === "int" && "dboxXcn".includes(spec.type) ? NO_PRECISION : "precision too big");
  checkedSize(spec.width, "width");
  if (spec.precision !== null && name !== "str") checkedSize(spec.precision, "precision");
  return spec;
}

export const NO_PRECISION = "Precision not allowed in integer format specifier";

function isGroupable({ type, grouping }: Spec): boolean {
  return type === "" || "deEfFgG%".includes(type) || (grouping === "_" && "boxX".includes(type));
}

/** `'d'`, or the number of a character that cannot be shown. */
function shown(type: string): string {
  const code = type.codePointAt(0) as number;
  return code > 32 && code < 128 ? `'${type}'` : `'\\x${code.toString(16)}'`;
}

/** Digits of any script count. */
function integerAt(chars: readonly string[], from: number): { value: number | null; end: number } {
  let end = from;
  let value = 0n;
  for (; end < chars.length; end++) {
    const digit = digitValue((chars[end] as string).codePointAt(0) as number);
    if (digit < 0) break;
    value = value * 10n + BigInt(digit);
    if (value > MACHINE_WORD) throw raised(VALUE_ERROR, "Too many decimal digits in format string");
  }
  return { value: end === from ? null : Number(value), end };
}

export function unknownType(type: string, name: string): never {
  throw raised(VALUE_ERROR, `Unknown format code ${shown(type)} for object of type '${name}'`);
}
