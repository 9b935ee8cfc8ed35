/** Types as values, and what can be asked of any value. */
import { ATTRIBUTE_ERROR, OVERFLOW_ERROR, Raised, raised, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { PyBytes } from "../../kinds/bytes.ts";
import { isCallable } from "../../kinds/callable.ts";
import { PyTuple } from "../../kinds/list.ts";
import { PyUnion, UNION_TYPE } from "../../kinds/union.ts";
import { notExact } from "../../not-exact.ts";
import {
  type Context,
  fillSlots,
  type Natives,
  NONE_TYPE,
  OBJECT_TYPE,
  PyType,
  TYPE_TYPE,
  typeOf,
  type Value,
} from "../../object.ts";
import { attribute, format, length, repr } from "../../operations.ts";
import { hasSpecial } from "../../operators/special-members.ts";
import { isPlain, textLength } from "../../operators/texts.ts";
import { ABSTRACT_TYPES, isValueOf } from "../../types/abstract.ts";
import { textOf } from "../arguments.ts";
import type { Part } from "../registry.ts";
import { indexOf } from "./iterators.ts";

/** Whether one of the types that `wanted` names fits. They are looked at in turn, so a wrong one may go unnoticed. */
function isOneOf(fits: (type: PyType) => boolean, wanted: Value, wrong: string): boolean {
  if (wanted instanceof PyType) return fits(wanted);
  if (wanted instanceof PyUnion) return wanted.types.some(fits);
  if (!(wanted instanceof PyTuple)) throw raised(TYPE_ERROR, wrong);
  return wanted.items.some((one) => isOneOf(fits, one, wrong));
}

/** `int | None`. */
function unionOf(a: Value, b: Value): PyUnion | PyType | undefined {
  const types: PyType[] = [];
  for (const part of [a, b]) {
    const members =
      part === null ? [NONE_TYPE] : part instanceof PyUnion ? part.types : part instanceof PyType ? [part] : null;
    if (members === null) return undefined;
    for (const type of members) if (!types.includes(type)) types.push(type);
  }
  return types.length === 1 ? types[0] : new PyUnion(types);
}

fillSlots<PyType>(TYPE_TYPE, {
  binary: (self, op, other) => (op === "|" ? unionOf(self, other) : undefined),
  reflected: (self, op, other) => (op === "|" ? unionOf(other, self) : undefined),
});
fillSlots<PyUnion>(UNION_TYPE, {
  binary: (self, op, other) => (op === "|" ? unionOf(self, other) : undefined),
  reflected: (self, op, other) => (op === "|" ? unionOf(other, self) : undefined),
  equals: (self, other) =>
    other instanceof PyUnion
      ? self.types.length === other.types.length && self.types.every((type) => other.types.includes(type))
      : undefined,
  repr: (self) => self.types.map((type) => (type === NONE_TYPE ? "None" : type.name)).join(" | "),
});

function getAttribute(ctx: Context, value: Value, name: Value, fallback: Value | undefined): Value | undefined {
  if (typeof name !== "string") throw raised(TYPE_ERROR, `attribute name must be string, not '${typeOf(name).name}'`);
  try {
    return attribute(value, name, ctx);
  } catch (error) {
    if (!(error instanceof Raised) || error.exception.type !== ATTRIBUTE_ERROR || fallback === undefined) throw error;
    return fallback;
  }
}

function hasAttribute(ctx: Context, value: Value, name: Value): Value {
  const special = typeof name === "string" ? hasSpecial(value, name) : null;
  if (typeof special === "boolean") return special;
  return getAttribute(ctx, value, name, MISSING) !== MISSING;
}

const MAX_POINT = 0x10ffff;
const MAX_C_INT = 0x7fffffff;

function chr(_: Context, code: Value): Value {
  const point = indexOf(code);
  if (point > MAX_C_INT || point < -MAX_C_INT - 1)
    throw raised(OVERFLOW_ERROR, "Python int too large to convert to C int");
  if (typeof point === "bigint" || point < 0 || point > MAX_POINT)
    throw raised(VALUE_ERROR, "chr() arg not in range(0x110000)");
  if (point >= 0xd800 && point < 0xe000)
    throw notExact("texts with lone surrogates are not supported; use another code point");
  return String.fromCodePoint(point);
}

function ord(_: Context, text: Value): Value {
  if (text instanceof PyBytes) {
    if (text.bytes.length === 1) return text.bytes[0] as number;
    throw raised(TYPE_ERROR, `ord() expected a character, but string of length ${text.bytes.length} found`);
  }
  if (typeof text !== "string")
    throw raised(TYPE_ERROR, `ord() expected string of length 1, but ${typeOf(text).name} found`);
  const points = text.length > 2 && isPlain(text) ? text.length : textLength(text);
  if (points !== 1) throw raised(TYPE_ERROR, `ord() expected a character, but string of length ${points} found`);
  return text.codePointAt(0) as number;
}

function ascii(ctx: Context, value: Value): Value {
  let written = "";
  for (const point of repr(value, ctx)) {
    const code = point.codePointAt(0) as number;
    if (code < 0x80) written += point;
    else if (code < 0x100) written += `\\x${code.toString(16)}`;
    else if (code < 0x10000) written += `\\u${code.toString(16).padStart(4, "0")}`;
    else written += `\\U${code.toString(16).padStart(8, "0")}`;
  }
  ctx.alloc(written.length * 2);
  return written;
}

const natives: Natives = {
  len: (ctx, value: Value) => length(value, ctx),
  type: (_, value: Value) => typeOf(value),
  isinstance: (_, value: Value, types: Value) =>
    isOneOf((type) => isValueOf(value, type), types, "isinstance() arg 2 must be a type, a tuple of types, or a union"),
  issubclass(_, type: Value, types: Value) {
    if (types instanceof PyTuple && types.items.length === 0) return false;
    if (!(type instanceof PyType)) throw raised(TYPE_ERROR, "issubclass() arg 1 must be a class");
    return isOneOf(
      (wanted) => type.isA(wanted),
      types,
      "issubclass() arg 2 must be a class, a tuple of classes, or a union",
    );
  },
  callable: (_, value: Value) => isCallable(value),
  hasattr: hasAttribute,
  getattr: getAttribute as (ctx: Context, ...args: Value[]) => Value,
  repr(ctx, value: Value) {
    const written = repr(value, ctx);
    ctx.alloc(written.length * 2);
    return written;
  },
  ascii,
  format(ctx, value: Value, spec: Value) {
    const wanted = textOf(spec, "format() argument 2");
    const written = format(value, wanted, ctx);
    ctx.alloc(written.length * 2);
    return written;
  },
  chr,
  ord,
};

/** Not a value of any program. */
const MISSING = new PyUnion([]);

export const TYPES: Part = { natives, types: { type: TYPE_TYPE, object: OBJECT_TYPE, ...ABSTRACT_TYPES } };
