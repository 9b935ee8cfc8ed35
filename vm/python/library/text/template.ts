/** `string.Template`. */
import { KEY_ERROR, Raised, raised, raisedLoosely, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { PyBytes } from "../../kinds/bytes.ts";
import type { PyDict } from "../../kinds/dict.ts";
import { PyList } from "../../kinds/list.ts";
import {
  Bytes,
  type Calling,
  type Context,
  isCalling,
  type Natives,
  PyObject,
  PyType,
  setType,
  type Value,
} from "../../object.ts";
import { identityKey, item, keyOf, text } from "../../operations.ts";
import { textLength } from "../../operators/texts.ts";
import { made, nameOf } from "../arguments.ts";
import { begun } from "../calling.ts";
import type { Part } from "../registry.ts";
import { lines } from "./split.ts";

class PyTemplate extends PyObject {
  declare readonly type: PyType;
  readonly template: Value;
  constructor(template: Value) {
    super();
    this.template = template;
  }
}
const TEMPLATE_TYPE = setType(
  PyTemplate,
  new PyType(
    "Template",
    [],
    {
      key: identityKey,
      attribute: (self: PyTemplate, name: string) => (name === "template" ? self.template : undefined),
    },
    "string.Template",
  ),
);

/** A dollar sign that is doubled, before a name, before one in braces, or invalid. */
const PLACEHOLDER = /\$(?:(\$)|([_a-z][_a-z0-9]*)|\{([_a-z][_a-z0-9]*)\})?/gi;

/** A name is looked up; null is a dollar sign with nothing valid after it. */
type Piece = { readonly before: string; readonly whole: string; readonly name: string | null; readonly at: number };

function sourceOf(value: Value): string {
  const template = value instanceof PyTemplate ? value.template : undefined;
  if (typeof template === "string") return template;
  if (template === undefined)
    throw raisedLoosely(TYPE_ERROR, `a method of Template was called on a value of type ${nameOf(value)}`);
  if (template instanceof PyBytes) throw raised(TYPE_ERROR, "cannot use a string pattern on a bytes-like object");
  throw raised(TYPE_ERROR, `expected string or bytes-like object, got '${nameOf(template)}'`);
}

/** The placeholders with the text in front of each, and the text after the last one. */
function piecesOf(ctx: Context, source: string): { readonly pieces: readonly Piece[]; readonly rest: string } {
  ctx.charge(source.length);
  const pieces: Piece[] = [];
  let from = 0;
  let before = "";
  for (const found of source.matchAll(PLACEHOLDER)) {
    before += source.slice(from, found.index);
    from = found.index + found[0].length;
    if (found[1] !== undefined) before += "$";
    else {
      pieces.push({ before, whole: found[0], name: found[2] ?? found[3] ?? null, at: found.index + 1 });
      before = "";
    }
  }
  return { pieces, rest: before + source.slice(from) };
}

function invalid(source: string, at: number): Raised {
  const above = lines(source.slice(0, at), true);
  const column = textLength(above.at(-1) ?? "");
  return raised(VALUE_ERROR, `Invalid placeholder in string: line ${above.length}, col ${column}`);
}

function* lookedUp(ctx: Context, name: string, mapping: Value | undefined, given: PyDict): Calling {
  const named = given.get(keyOf(name, ctx));
  if (named !== undefined) return named;
  if (mapping === undefined) throw raised(KEY_ERROR, name);
  const found = item(mapping, name, ctx);
  return isCalling(found) ? yield* found : found;
}

function* substituted(
  ctx: Context,
  self: Value,
  mapping: Value | undefined,
  given: PyDict,
  isSafe: boolean,
): Calling<string> {
  const source = sourceOf(self);
  const { pieces, rest } = piecesOf(ctx, source);
  let result = "";
  for (const { before, whole, name, at } of pieces) {
    if (name === null && !isSafe) throw invalid(source, at);
    result += before;
    result += name === null ? whole : yield* shown(ctx, name, whole, mapping, given, isSafe);
    ctx.room(result.length * Bytes.Unit);
  }
  return made(ctx, result + rest);
}

function* shown(
  ctx: Context,
  name: string,
  whole: string,
  mapping: Value | undefined,
  given: PyDict,
  isSafe: boolean,
): Calling<string> {
  try {
    return text(yield* lookedUp(ctx, name, mapping, given), ctx);
  } catch (error) {
    if (isSafe && error instanceof Raised && error.exception.type.isA(KEY_ERROR)) return whole;
    throw error;
  }
}

const substitute =
  (isSafe: boolean) =>
  (ctx: Context, self: Value, mapping: Value | undefined, given: PyDict): Value | Calling =>
    begun(substituted(ctx, self, mapping, given, isSafe));

const natives: Natives = {
  "string.Template"(ctx, template: Value) {
    ctx.alloc(Bytes.Object);
    return new PyTemplate(template);
  },
  "string.Template.substitute": substitute(false),
  "string.Template.safe_substitute": substitute(true),
  "string.Template.is_valid": (ctx, self: Value) =>
    piecesOf(ctx, sourceOf(self)).pieces.every(({ name }) => name !== null),
  "string.Template.get_identifiers"(ctx, self: Value) {
    const names = piecesOf(ctx, sourceOf(self)).pieces.flatMap(({ name }) => (name === null ? [] : [name]));
    const unique = [...new Set(names)];
    ctx.alloc(Bytes.Object + unique.length * Bytes.Element);
    return new PyList(unique);
  },
};

export const TEMPLATE: Part = { natives, types: { "string.Template": TEMPLATE_TYPE } };
