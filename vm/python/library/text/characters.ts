/** The module unicodedata. */
import { raised, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { notExact } from "../../not-exact.ts";
import { Bytes, type Calling, type Context, type Natives, type Value } from "../../object.ts";
import { textLength } from "../../operators/texts.ts";
import { isAscii } from "../../unicode/case.ts";
import { categoryOf, combiningOf, isUnassigned } from "../../unicode/characters.ts";
import { made, nameOf } from "../arguments.ts";
import { begun } from "../calling.ts";
import type { Part } from "../registry.ts";

type Form = "NFC" | "NFD" | "NFKC" | "NFKD";
const FORMS: readonly string[] = ["NFC", "NFD", "NFKC", "NFKD"] satisfies Form[];

/** Code units of a piece, after which others get a turn, and the work for each. */
const PIECE = 16_384;
const UNITS = 4;
/** Characters that never combine with what stands in front of them: between them a text can be cut. */
const CUT = /[\0-\x7f\u0400-\u0482\u4e00-\u9fff]/g;

function textOf(name: string, place: number, value: Value): string {
  if (typeof value === "string") return value;
  throw raised(TYPE_ERROR, `${name}() argument ${place} must be str, not ${shownType(value)}`);
}

/** CPython names None itself. */
function shownType(value: Value): string {
  return value === null ? "None" : nameOf(value);
}

function* normalized(ctx: Context, name: string, form: Value, given: Value): Calling<string> {
  const wanted = textOf(name, 1, form);
  const text = textOf(name, 2, given);
  // An empty text has every form.
  if (text === "") return text;
  if (!FORMS.includes(wanted)) throw raised(VALUE_ERROR, "invalid normalization form");
  ctx.charge(text.length);
  if (isAscii(text)) return text;
  let result = "";
  for (let from = 0; from < text.length; ) {
    const to = endOfPiece(text, from + PIECE);
    const piece = text.slice(from, to);
    ctx.charge(piece.length * UNITS);
    for (const char of piece)
      if (isUnassigned(char.codePointAt(0) as number))
        throw notExact("the text has a character that is not in CPython's version of Unicode");
    result += piece.normalize(wanted);
    ctx.room(result.length * Bytes.Unit);
    from = to;
    if (from < text.length) yield null;
  }
  return result;
}

function endOfPiece(text: string, from: number): number {
  if (from >= text.length) return text.length;
  CUT.lastIndex = from;
  return CUT.exec(text)?.index ?? text.length;
}

function* isNormalized(ctx: Context, form: Value, text: Value): Calling {
  return (yield* normalized(ctx, "is_normalized", form, text)) === text;
}

function* normalize(ctx: Context, form: Value, text: Value): Calling {
  return made(ctx, yield* normalized(ctx, "normalize", form, text));
}

function codeOf(name: string, value: Value): number {
  if (typeof value !== "string" || textLength(value) !== 1)
    throw raised(TYPE_ERROR, `${name}() argument must be a unicode character, not ${shownType(value)}`);
  return value.codePointAt(0) as number;
}

const natives: Natives = {
  "unicodedata.normalize": (ctx, form: Value, text: Value) => begun(normalize(ctx, form, text)),
  "unicodedata.is_normalized": (ctx, form: Value, text: Value) => begun(isNormalized(ctx, form, text)),
  "unicodedata.category": (_, chr: Value) => categoryOf(codeOf("category", chr)),
  "unicodedata.combining": (_, chr: Value) => combiningOf(codeOf("combining", chr)),
};

export const CHARACTERS: Part = { natives };
