/** `str.format` and `str.format_map`: literal text, fields with `.name` and `[key]`, conversions, nested specs (as CPython's unicode_format.h). */
import { INDEX_ERROR, KEY_ERROR, raised, VALUE_ERROR } from "../exceptions.ts";
import type { PyDict } from "../kinds/dict.ts";
import { notExact } from "../not-exact.ts";
import { type Calling, type Context, isCalling, type Value } from "../object.ts";
import { attribute, item } from "../operators/access.ts";
import { format, repr, text } from "../operators/text.ts";
import { digitValue } from "../unicode/sets.ts";
import { asciiOf } from "./texts.ts";

/** Where fields get their values from. `positional` is null for `format_map`. */
export type FieldSources = {
  readonly positional: readonly Value[] | null;
  named(name: string): Value | Calling;
};

export function keywords(names: PyDict): (name: string) => Value {
  return (name) => {
    const value = names.get(name);
    if (value === undefined) throw raised(KEY_ERROR, name);
    return value;
  };
}

/** Numbering of the fields of one text: by hand or automatic, never both. */
type Numbering = { mode: "" | "automatic" | "manual"; next: number };

const DEEPEST = 2;

export function* formatFields(template: string, sources: FieldSources, ctx: Context): Calling<string> {
  return yield* build(template, sources, ctx, DEEPEST, { mode: "", next: 0 });
}

function* build(
  template: string,
  sources: FieldSources,
  ctx: Context,
  depth: number,
  numbering: Numbering,
): Calling<string> {
  if (depth <= 0) throw raised(VALUE_ERROR, "Max string recursion exceeded");
  ctx.charge(template.length);
  let result = "";
  for (let at = 0; at < template.length; ) {
    const { literal, end, isField } = readLiteral(template, at);
    result += literal;
    at = end;
    if (!isField) continue;
    const field = readField(template, at);
    at = field.end;
    const value = converted(yield* fieldValue(field.name, sources, ctx, numbering), field.conversion, ctx);
    const spec = field.isNested ? yield* build(field.spec, sources, ctx, depth - 1, numbering) : field.spec;
    result += format(value, spec, ctx);
    ctx.room(result.length * 2);
  }
  return result;
}

/** Text up to a field or to a doubled brace, of which one is kept. */
function readLiteral(template: string, start: number): { literal: string; end: number; isField: boolean } {
  let at = start;
  while (at < template.length && template[at] !== "{" && template[at] !== "}") at += 1;
  if (at === template.length) return { literal: template.slice(start), end: at, isField: false };
  const brace = template[at] as string;
  const isDoubled = template[at + 1] === brace;
  if (!isDoubled && (brace === "}" || at + 1 === template.length))
    throw raised(VALUE_ERROR, `Single '${brace}' encountered in format string`);
  if (isDoubled) return { literal: template.slice(start, at + 1), end: at + 2, isField: false };
  return { literal: template.slice(start, at), end: at + 1, isField: true };
}

type Field = {
  readonly name: string;
  readonly conversion: string;
  readonly spec: string;
  readonly isNested: boolean;
  readonly end: number;
};

function readField(template: string, start: number): Field {
  let at = start;
  let char = "";
  while (at < template.length) {
    char = template[at++] as string;
    if (char === "{") throw raised(VALUE_ERROR, "unexpected '{' in field name");
    if (char === "[") while (at < template.length && template[at] !== "]") at += 1;
    else if (char === "}" || char === ":" || char === "!") break;
  }
  const isEnded = char === "}" || char === ":" || char === "!";
  if (!isEnded) throw raised(VALUE_ERROR, "expected '}' before end of string");
  const name = template.slice(start, at - 1);
  if (char === "}") return { name, conversion: "", spec: "", isNested: false, end: at };
  let conversion = "";
  if (char === "!") {
    if (at >= template.length) throw raised(VALUE_ERROR, "end of string while looking for conversion specifier");
    conversion = String.fromCodePoint(template.codePointAt(at) as number);
    at += conversion.length;
    if (at < template.length) {
      const after = template[at++];
      if (after === "}") return { name, conversion, spec: "", isNested: false, end: at };
      if (after !== ":") throw raised(VALUE_ERROR, "expected ':' after conversion specifier");
    }
  }
  const begin = at;
  let isNested = false;
  for (let open = 1; at < template.length; ) {
    const next = template[at++];
    if (next === "{") {
      isNested = true;
      open += 1;
    } else if (next === "}") {
      open -= 1;
      if (open === 0) return { name, conversion, spec: template.slice(begin, at - 1), isNested, end: at };
    }
  }
  throw raised(VALUE_ERROR, "unmatched '{' in format spec");
}

function converted(value: Value, conversion: string, ctx: Context): Value {
  switch (conversion) {
    case "":
      return value;
    case "s":
      return text(value, ctx);
    case "r":
      return repr(value, ctx);
    case "a":
      return asciiOf(repr(value, ctx));
    default: {
      const code = conversion.codePointAt(0) as number;
      const shown = code > 32 && code < 127 ? conversion : `\\x${code.toString(16)}`;
      throw raised(VALUE_ERROR, `Unknown conversion specifier ${shown}`);
    }
  }
}

function* fieldValue(name: string, sources: FieldSources, ctx: Context, numbering: Numbering): Calling {
  const end = /[.[]/.exec(name)?.index ?? name.length;
  const first = name.slice(0, end);
  let value = yield* firstOf(first, sources, numbering);
  for (let at = end; at < name.length; ) {
    const sign = name[at++];
    if (sign === ".") {
      const stop = at + (/[.[]/.exec(name.slice(at))?.index ?? name.length - at);
      const member = name.slice(at, stop);
      if (member === "") throw raised(VALUE_ERROR, "Empty attribute in format string");
      if (member.startsWith("_"))
        throw notExact("a format field cannot read a name that begins with '_'; use another attribute");
      value = attribute(value, member, ctx);
      at = stop;
    } else if (sign === "[") {
      const stop = name.indexOf("]", at);
      if (stop < 0) throw raised(VALUE_ERROR, "Missing ']' in format string");
      const key = name.slice(at, stop);
      if (key === "") throw raised(VALUE_ERROR, "Empty attribute in format string");
      const found = item(value, integerOf(key) ?? key, ctx);
      value = isCalling(found) ? yield* found : found;
      at = stop + 1;
    } else throw raised(VALUE_ERROR, "Only '.' or '[' may follow ']' in format field specifier");
  }
  return value;
}

function* firstOf(first: string, { positional, named }: FieldSources, numbering: Numbering): Calling {
  let index = integerOf(first);
  const isAutomatic = first === "";
  if (!isAutomatic && index === null) {
    const found = named(first);
    return isCalling(found) ? yield* found : found;
  }
  const mode = isAutomatic ? "automatic" : "manual";
  if (numbering.mode !== "" && numbering.mode !== mode)
    throw raised(
      VALUE_ERROR,
      isAutomatic
        ? "cannot switch from manual field specification to automatic field numbering"
        : "cannot switch from automatic field numbering to manual field specification",
    );
  numbering.mode = mode;
  index ??= numbering.next++;
  if (positional === null) throw raised(VALUE_ERROR, "Format string contains positional fields");
  const value = positional[index];
  if (value === undefined)
    throw raised(INDEX_ERROR, `Replacement index ${index} out of range for positional args tuple`);
  return value;
}

const LARGEST_INDEX = 2 ** 63;

/** The int of a text of digits only, of any script; null: another text. */
function integerOf(name: string): number | null {
  if (name === "") return null;
  let value = 0;
  for (const char of name) {
    const digit = digitValue(char.codePointAt(0) as number);
    if (digit < 0) return null;
    value = value * 10 + digit;
  }
  if (value >= LARGEST_INDEX) throw raised(VALUE_ERROR, "Too many decimal digits in format string");
  return value;
}
