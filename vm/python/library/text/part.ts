/** The type str: what calling it does, and all its methods. */
import "../../format/slots.ts";
import { raised, TYPE_ERROR } from "../../exceptions.ts";
import { formatFields, keywords } from "../../format/fields.ts";
import { PyBytes } from "../../kinds/bytes.ts";
import type { PyDict } from "../../kinds/dict.ts";
import type { PyTuple } from "../../kinds/list.ts";
import { type Context, type Natives, STR_TYPE, type Value } from "../../object.ts";
import { item, text as textOfValue } from "../../operations.ts";
import { made, nameOf, self, wordOf } from "../arguments.ts";
import { decoded } from "../bytes.ts";
import { begun } from "../calling.ts";
import type { Part } from "../registry.ts";
import { FIND } from "./find.ts";
import { SHAPE } from "./shape.ts";
import { SPLIT } from "./split.ts";

function make(ctx: Context, value: Value | undefined, encoding: Value | undefined, errors: Value | undefined): string {
  if (encoding === undefined && errors === undefined) {
    if (value === undefined || typeof value === "string") return value ?? "";
    return made(ctx, textOfValue(value, ctx));
  }
  const name = encoding === undefined ? "utf-8" : wordOf(encoding, "str() argument 'encoding'");
  const handler = errors === undefined ? "strict" : wordOf(errors, "str() argument 'errors'");
  if (value === undefined) return "";
  if (typeof value === "string") throw raised(TYPE_ERROR, "decoding str is not supported");
  if (!(value instanceof PyBytes))
    throw raised(TYPE_ERROR, `decoding to str: need a bytes-like object, ${nameOf(value)} found`);
  return decoded(ctx, value.bytes, name, handler);
}

const natives: Natives = {
  str: make,
  ...FIND,
  ...SPLIT,
  ...SHAPE,
  "str.format": (ctx: Context, text: Value, args: PyTuple, names: PyDict) =>
    begun(formatFields(self(text), { positional: args.items, named: keywords(names) }, ctx)),
  "str.format_map": (ctx: Context, text: Value, mapping: Value) =>
    begun(formatFields(self(text), { positional: null, named: (name) => item(mapping, name, ctx) }, ctx)),
};

export const TEXT: Part = { natives, types: { str: STR_TYPE } };
