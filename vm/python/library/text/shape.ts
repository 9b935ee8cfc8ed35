/** Methods of str that change case, pad, ask for kinds of characters, and translate. */
import { LOOKUP_ERROR, Raised, raised, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { itemNow } from "../../format/item-now.ts";
import { DICT_TYPE, PyDict } from "../../kinds/dict.ts";
import { Bytes, type Context, type Natives, type Value } from "../../object.ts";
import { textLength } from "../../operators/texts.ts";
import * as cases from "../../unicode/case.ts";
import * as sets from "../../unicode/sets.ts";
import { made, nameOf, self, sizeOf, smallOf, textOf } from "../arguments.ts";

const change =
  (to: (text: string) => string) =>
  (ctx: Context, text: Value): string => {
    ctx.charge(self(text).length);
    return made(ctx, to(text as string));
  };

/** Whether all characters of a text that has some pass a test. */
const all =
  (test: (code: number) => boolean, whenEmpty = false) =>
  (ctx: Context, value: Value): boolean => {
    const text = self(value);
    ctx.charge(text.length);
    for (const char of text) if (!test(char.codePointAt(0) as number)) return false;
    return text !== "" || whenEmpty;
  };

/** Whether a text has letters of the case and none of another one. */
const allCased =
  (own: sets.CodePoints, other: sets.CodePoints) =>
  (ctx: Context, value: Value): boolean => {
    const text = self(value);
    ctx.charge(text.length);
    let isCased = false;
    for (const char of text) {
      const code = char.codePointAt(0) as number;
      if (other.has(code) || sets.TITLE.has(code)) return false;
      isCased ||= own.has(code);
    }
    return isCased;
  };

function isTitle(text: string): boolean {
  let isCased = false;
  let wasCased = false;
  for (const char of text) {
    const code = char.codePointAt(0) as number;
    const begins = sets.UPPER.has(code) || sets.TITLE.has(code);
    if (begins ? wasCased : sets.LOWER.has(code) && !wasCased) return false;
    wasCased = begins || sets.LOWER.has(code);
    isCased ||= wasCased;
  }
  return isCased;
}

function isIdentifier(text: string): boolean {
  let isFirst = true;
  for (const char of text) {
    const code = char.codePointAt(0) as number;
    if (!(isFirst ? sets.IDENTIFIER_START : sets.IDENTIFIER_PART).has(code)) return false;
    isFirst = false;
  }
  return !isFirst;
}

function fillOf(fill: Value): string {
  if (typeof fill !== "string")
    throw raised(TYPE_ERROR, `The fill character must be a unicode character, not ${nameOf(fill)}`);
  if (textLength(fill) !== 1) throw raised(TYPE_ERROR, "The fill character must be exactly one character long");
  return fill;
}

/** `left` returns how many of the added characters stand before the text. */
function pad(
  ctx: Context,
  value: Value,
  width: Value,
  fill: Value,
  left: (added: number, wanted: number) => number,
): string {
  const text = self(value);
  const wanted = sizeOf(width);
  const char = fillOf(fill);
  const added = wanted - textLength(text);
  if (added <= 0) return text;
  ctx.room((text.length + added * char.length) * Bytes.Unit);
  ctx.charge(added >> 3);
  const before = left(added, wanted);
  return made(ctx, char.repeat(before) + text + char.repeat(added - before));
}

function zeroFilled(ctx: Context, text: string, width: Value): string {
  const added = sizeOf(width) - textLength(text);
  if (added <= 0) return text;
  ctx.room((text.length + added) * Bytes.Unit);
  ctx.charge(added >> 3);
  const sign = /^[+-]/.exec(text)?.[0] ?? "";
  return made(ctx, sign + "0".repeat(added) + text.slice(sign.length));
}

export function expandTabs(ctx: Context, text: string, tabsize: Value): string {
  const size = smallOf(tabsize);
  ctx.charge(text.length);
  let result = "";
  let column = 0;
  for (const char of text) {
    if (char === "\t") {
      const added = size > 0 ? size - (column % size) : 0;
      column += added;
      ctx.room((result.length + added) * Bytes.Unit);
      result += " ".repeat(added);
    } else {
      column = char === "\n" || char === "\r" ? 0 : column + 1;
      result += char;
    }
  }
  return made(ctx, result);
}

const LAST_CODE = 0x10ffff;

/** What a table says of a character; undefined: nothing. */
function mapped(table: Value, code: number, ctx: Context): Value | undefined {
  if (table instanceof PyDict && table.type === DICT_TYPE) return table.get(code);
  try {
    return itemNow(table, code, ctx);
  } catch (error) {
    if (error instanceof Raised && error.exception.type.isA(LOOKUP_ERROR)) return undefined;
    throw error;
  }
}

function translated(ctx: Context, text: string, table: Value): string {
  ctx.charge(text.length);
  let result = "";
  for (const char of text) {
    const to = mapped(table, char.codePointAt(0) as number, ctx);
    if (to === undefined) result += char;
    else if (typeof to === "string") {
      ctx.room((result.length + to.length) * Bytes.Unit);
      result += to;
    } else if (to !== null) result += charOf(to);
  }
  return made(ctx, result);
}

function charOf(code: Value): string {
  const number = typeof code === "boolean" ? Number(code) : code;
  if (typeof number === "bigint" || (typeof number === "number" && Number.isInteger(number))) {
    if (number < 0 || number > LAST_CODE) throw raised(VALUE_ERROR, "character mapping must be in range(0x110000)");
    return String.fromCodePoint(Number(number));
  }
  throw raised(TYPE_ERROR, "character mapping must return integer, None or str");
}

function makeTable(ctx: Context, x: Value, y: Value | undefined, z: Value | undefined): PyDict {
  const table = new PyDict();
  const add = (char: string, to: Value): void => {
    const code = char.codePointAt(0) as number;
    table.set(code, code, to);
  };
  if (y === undefined) {
    if (!(x instanceof PyDict) || x.type !== DICT_TYPE)
      throw raised(TYPE_ERROR, "if you give only one argument to maketrans it must be a dict");
    for (const key of x.keys()) {
      const spelled = x.spelling(key);
      const to = x.get(key) as Value;
      if (typeof spelled === "string") {
        if (textLength(spelled) !== 1) throw raised(VALUE_ERROR, "string keys in translate table must be of length 1");
        add(spelled, to);
      } else if (typeof key === "bigint" || (typeof key === "number" && Number.isInteger(key) && isIntKey(spelled))) {
        table.set(key, spelled, to);
      } else throw raised(TYPE_ERROR, "keys in translate table must be strings or integers");
    }
  } else {
    const to = [...textOf(y, "maketrans() argument 2")];
    const dropped = z === undefined ? "" : textOf(z, "maketrans() argument 3");
    const from = typeof x === "string" ? [...x] : null;
    if (from === null)
      throw raised(TYPE_ERROR, "first maketrans argument must be a string if there is a second argument");
    if (from.length !== to.length)
      throw raised(VALUE_ERROR, "the first two maketrans arguments must have equal length");
    for (const [index, char] of from.entries()) add(char, (to[index] as string).codePointAt(0) as number);
    for (const char of dropped) add(char, null);
  }
  ctx.charge(table.size);
  ctx.alloc(Bytes.Object + table.size * Bytes.Entry);
  return table;
}

/** Not a float: 97.0 has the look-up key of 97. */
function isIntKey(spelled: Value): boolean {
  return typeof spelled === "number" || typeof spelled === "boolean";
}

export const SHAPE: Natives = {
  "str.upper": change(cases.upper),
  "str.lower": change(cases.lower),
  "str.title": change(cases.title),
  "str.capitalize": change(cases.capitalize),
  "str.casefold": change(cases.casefold),
  "str.swapcase": change(cases.swapcase),
  "str.isalpha": all((code) => sets.ALPHA.has(code)),
  "str.isdecimal": all((code) => sets.DECIMAL.has(code)),
  "str.isdigit": all((code) => sets.DIGIT.has(code)),
  "str.isnumeric": all((code) => sets.NUMERIC.has(code)),
  "str.isalnum": all(sets.isAlphanumeric),
  "str.isspace": all(sets.isSpace),
  "str.isprintable": all(sets.isPrintable, true),
  "str.isascii": (ctx, text) => {
    ctx.charge(self(text).length);
    return cases.isAscii(text);
  },
  "str.islower": allCased(sets.LOWER, sets.UPPER),
  "str.isupper": allCased(sets.UPPER, sets.LOWER),
  "str.istitle": (ctx, text) => {
    ctx.charge(self(text).length);
    return isTitle(text);
  },
  "str.isidentifier": (ctx, text) => {
    ctx.charge(self(text).length);
    return isIdentifier(text);
  },
  "str.center": (ctx, text, width, fill) =>
    pad(ctx, text, width, fill, (added, wanted) => Math.floor(added / 2) + (added & wanted & 1)),
  "str.ljust": (ctx, text, width, fill) => pad(ctx, text, width, fill, () => 0),
  "str.rjust": (ctx, text, width, fill) => pad(ctx, text, width, fill, (added) => added),
  "str.zfill": (ctx, text, width) => zeroFilled(ctx, self(text), width),
  "str.expandtabs": (ctx, text, tabsize) => expandTabs(ctx, self(text), tabsize),
  "str.translate": (ctx, text, table) => translated(ctx, self(text), table),
  "str.maketrans": (ctx, x, y, z) => makeTable(ctx, x, y, z),
};
