/** Texts: methods of str under the names of functions, and JSON. */
import { writeJson } from "../../json/write.ts";
import { PyDict } from "../../kinds/dict.ts";
import type { PyTuple } from "../../kinds/list.ts";
import { PySlice } from "../../kinds/slice.ts";
import type { Context, NativeRun, Value } from "../../object.ts";
import { binary, contains, item } from "../../operations.ts";
import { made } from "../arguments.ts";
import { JSON_PART } from "../json.ts";
import { TEXT } from "../text/part.ts";
import type { Functions } from "./kinds.ts";

/** `more`: defaults of the method's further parameters. */
function method(name: string, kinds: string, ...more: Value[]): readonly [string, NativeRun] {
  const run = TEXT.natives[`str.${name}`] as NativeRun;
  return [kinds, (ctx, ...args: Value[]) => run(ctx, ...args, ...more)];
}

export const JOINED: Functions = {
  concat: ["str*", (ctx, texts: PyTuple) => (TEXT.natives["str.join"] as NativeRun)(ctx, "", texts)],
  join: method("join", "str list"),
  split: method("split", "str str?", -1),
  lower: method("lower", "str"),
  upper: method("upper", "str"),
  replace: method("replace", "str str str", -1),
  startswith: method("startswith", "str str", null, null),
  endswith: method("endswith", "str str", null, null),
  strip: method("strip", "str", null),
  lstrip: method("lstrip", "str", null),
  rstrip: method("rstrip", "str", null),
  contains: ["any any", (ctx, hay: Value, needle: Value) => contains(hay, needle, ctx) as Value],
  substring: [
    "sequence int int?",
    (ctx, value: Value, start: Value, end: Value) => item(value, new PySlice(start, end, null), ctx),
  ],
  repeat: ["sequence int", (ctx, value: Value, count: Value) => binary("*", value, count, ctx)],
  parse: ["str", parse],
  stringify: ["any", (ctx, value: Value) => made(ctx, writeJson(value, ctx))],
};

const HOOKS = 6;

function parse(ctx: Context, text: Value): Value {
  const loads = JSON_PART.natives["json.loads"] as NativeRun;
  return loads(ctx, text, ...new Array<Value>(HOOKS).fill(null), new PyDict()) as Value;
}
