/** Methods of str that change case, pad, ask for kinds of characters, and translate. */
import { LOOKUP_ERROR, Raised, raised, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { itemNow } from "../../format/item-now.ts";
import { DICT_TYPE, PyDict } from "../../kinds/dict.ts";
import { Bytes, type Calling, type Context, type Natives, type Value } from "../../object.ts";
import { textLength } from "../../operators/texts.ts";
import * as cases from "../../unicode/case.ts";
import * as sets from "../../unicode/sets.ts";
import { made, nameOf, self, sizeOf, smallOf, textOf } from "../arguments.ts";
import { changed, walk } from "./pieces.ts";

const change =
  (to: (text: string, from: number, end: number) => string) =>
  (ctx: Context, value: Value): Value | Calling => {
    const text = self(value);
    return changed(ctx, text, (from, end) => to(text, from, end));
  };

/** Asks for each character of a text, with its place, until a test fails; `whenPassed` is the answer where none did. */
function everyPoint(
  ctx: Context,
  value: Value,
  test: (code: number, at: number) => boolean,
  whenPassed: () => boolean,
): Value | Calling {
  const text = self(value);
  let isFailed = false;
  return walk(
    ctx,
    text,
    (from, to) => {
      for (let at = from; at < to; at += 1) {
        let code = text.charCodeAt(at);
        const begins = at;
        if (code >= 0xd800 && code < 0xdc00) {
          code = text.codePointAt(at) as number;
          if (code > 0xffff) at += 1;
        }
        isFailed = !test(code, begins);
        if (isFailed) return true;
      }
      return false;
    },
    () => !isFailed && whenPassed(),
  );
}

/** Whether all characters of a text that has some pass a test. */
const all =
  (test: (code: number) => boolean, whenEmpty = false) =>
  (ctx: Context, value: Value): Value | Calling =>
    everyPoint(ctx, value, test, () => value !== "" || whenEmpty);

/** Whether a text has letters of the case and none of another one. */
const allCased =
  (own: sets.CodePoints, other: sets.CodePoints) =>
  (ctx: Context, value: Value): Value | Calling => {
    let isCased = false;
    const test = (code: number): boolean => {
      isCased ||= own.has(code);
      return !other.has(code) && !sets.TITLE.has(code);
    };
    return everyPoint(ctx, value, test, () => isCased);
  };

function isTitle(ctx: Context, value: Value): Value | Calling {
  let isCased = false;
  let wasCased = false;
  const test = (code: number): boolean => {
    const begins = sets.UPPER.has(code) || sets.TITLE.has(code);
    const isLower = sets.LOWER.has(code);
    if (begins ? wasCased : isLower && !wasCased) return false;
    wasCased = begins || isLower;
    isCased ||= wasCased;
    return true;
  };
  return everyPoint(ctx, value, test, () => isCased);
}

function isIdentifier(ctx: Context, value: Value): Value | Calling {
  const test = (code: number, at: number): boolean =>
    (at === 0 ? sets.IDENTIFIER_START : sets.IDENTIFIER_PART).has(code);
  return everyPoint(ctx, value, test, () => value !== "");
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

export function expandTabs(ctx: Context, text: string, tabsize: Value): string | Calling<string> {
  const size = smallOf(tabsize);
  let column = 0;
  let blanks = 0;
  return changed(ctx, text, (from, to) =>
    text.slice(from, to).replace(/[^\t\n\r]+|[\n\r]+|\t/g, (run) => {
      if (run === "\t") {
        const added = size > 0 ? size - (column % size) : 0;
        column += added;
        blanks += added;
        ctx.room(blanks * Bytes.Unit);
        return " ".repeat(added);
      }
      column = run < " " && (run[0] === "\n" || run[0] === "\r") ? 0 : column + textLength(run);
      return run;
    }),
  );
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

function translated(ctx: Context, text: string, table: Value): Value | Calling {
  return changed(ctx, text, (from, to) => {
    const parts: string[] = [];
    let units = 0;
    for (const char of text.slice(from, to)) {
      const by = mapped(table, char.codePointAt(0) as number, ctx);
      if (by === undefined) parts.push(char);
      else if (typeof by === "string") {
        units += by.length;
        ctx.room(units * Bytes.Unit);
        parts.push(by);
      } else if (by !== null) parts.push(charOf(by));
    }
    return parts.join("");
  });
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
  "str.istitle": isTitle,
  "str.isidentifier": isIdentifier,
  "str.center": (ctx, text, width, fill) =>
    pad(ctx, text, width, fill, (added, wanted) => Math.floor(added / 2) + (added & wanted & 1)),
  "str.ljust": (ctx, text, width, fill) => pad(ctx, text, width, fill, () => 0),
  "str.rjust": (ctx, text, width, fill) => pad(ctx, text, width, fill, (added) => added),
  "str.zfill": (ctx, text, width) => zeroFilled(ctx, self(text), width),
  "str.expandtabs": (ctx, text, tabsize) => expandTabs(ctx, self(text), tabsize),
  "str.translate": (ctx, text, table) => translated(ctx, self(text), table),
  "str.maketrans": (ctx, x, y, z) => makeTable(ctx, x, y, z),
};
