/** `html.unescape`: references to characters, by number and by name. */
import { raisedLoosely, VALUE_ERROR } from "../../exceptions.ts";
import { notExact } from "../../not-exact.ts";
import type { Calling, Context, Natives, Value } from "../../object.ts";
import { ENTITIES } from "../../unicode/entities.ts";
import { made } from "../arguments.ts";
import { begun } from "../calling.ts";

/** References between two turns. */
const TURN = 4096;
/** Work for one: its name is looked for in all its lengths. */
const UNITS = 16;

const REFERENCE = /&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)/uy;

/** What HTML reads in place of numbers: those of Windows. "": as they are. */
const WINDOWS =
  "\u20ac\0\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\0\u017d\0\0\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\0\u017e\u0178";
const FIRST_OF_WINDOWS = 0x80;

/** Digits that CPython makes an int of. */
const MOST_DIGITS = 4300;

let known: ReadonlyMap<string, string> | null = null;

/** Names, with a semicolon and, where they are known so, without. */
function names(): ReadonlyMap<string, string> {
  if (known !== null) return known;
  const found = new Map<string, string>();
  for (const entry of ENTITIES.split(" ")) {
    const at = entry.search(/[!=]/);
    const name = entry.slice(0, at);
    const codes = entry.slice(at + 1).split(".");
    const text = String.fromCodePoint(...codes.map((code) => Number.parseInt(code, 16)));
    found.set(`${name};`, text);
    if (entry[at] === "!") found.set(name, text);
  }
  known = found;
  return found;
}

/** Code points that are read as nothing. */
function isDropped(code: number): boolean {
  if (code < 0x20) return code !== 9 && code !== 10 && code !== 12 && code !== 13 && code !== 0;
  if (code >= 0x7f && code <= 0x9f) return true;
  return (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) === 0xfffe;
}

function ofNumber(code: number): string {
  if (code === 0 || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return "\ufffd";
  const windows = WINDOWS[code - FIRST_OF_WINDOWS];
  if (windows !== undefined) return windows === "\0" ? String.fromCharCode(code) : windows;
  return isDropped(code) ? "" : String.fromCodePoint(code);
}

function numberOf(digits: string): number {
  if (/^[xX]/.test(digits)) return Number.parseInt(digits.slice(1), 16);
  if (digits.length > MOST_DIGITS) throw raisedLoosely(VALUE_ERROR, "a number of a character has too many digits");
  return Number(digits);
}

function ofName(reference: string): string {
  const all = names();
  const whole = all.get(reference);
  if (whole !== undefined) return whole;
  for (let end = reference.length - 1; end > 1; end -= 1) {
    const found = all.get(reference.slice(0, end));
    if (found !== undefined) return found + reference.slice(end);
  }
  return `&${reference}`;
}

function* unescaped(ctx: Context, value: Value): Calling {
  if (typeof value !== "string") throw notExact("what html.unescape is given is not a text");
  const text = value;
  ctx.charge(Math.ceil(text.length / 16));
  let result = "";
  let from = 0;
  for (let count = 1; ; count += 1) {
    const at = text.indexOf("&", from);
    if (at < 0) break;
    result += text.slice(from, at);
    REFERENCE.lastIndex = at;
    const [whole, reference] = REFERENCE.exec(text) ?? ["&"];
    from = at + whole.length;
    ctx.charge(whole.length);
    if (reference === undefined) result += whole;
    else
      result += reference.startsWith("#") ? ofNumber(numberOf(reference.slice(1).replace(";", ""))) : ofName(reference);
    if (count % TURN !== 0) continue;
    ctx.charge(TURN * UNITS);
    yield null;
  }
  return made(ctx, result + text.slice(from));
}

export const REFERENCES: Natives = { "html.unescape": (ctx, value: Value) => begun(unescaped(ctx, value)) };
