/** The module json. */
import { decode } from "../bytes/codecs.ts";
import { JSON_DECODE_ERROR, raised, raisedLoosely, TYPE_ERROR, VALUE_ERROR } from "../exceptions.ts";
import { HookCalls } from "../json/hooks.ts";
import { readJson } from "../json/read.ts";
import { jsonText } from "../json/write.ts";
import { PyBytes } from "../kinds/bytes.ts";
import type { PyDict } from "../kinds/dict.ts";
import { notExact } from "../not-exact.ts";
import { Bytes, type Calling, type Context, type Natives, type Value } from "../object.ts";
import { isInt, known, truth } from "../operations.ts";
import { made, nameOf, sizeOf, textOf } from "./arguments.ts";
import { begun } from "./calling.ts";
import type { Part } from "./registry.ts";

/** Of a value of an argument that is a parameter of CPython's, but not supported. */
function refuse(arguments_: { readonly [name: string]: Value | undefined }, advice: string): void {
  for (const [name, value] of Object.entries(arguments_))
    if (value !== null && value !== undefined) throw notExact(`the argument ${name} is not supported; ${advice}`);
}

function loads(
  ctx: Context,
  source: Value,
  cls: Value,
  objectHook: Value,
  floatHook: Value,
  intHook: Value,
  constantHook: Value,
  pairsHook: Value,
  others: PyDict,
): Value | Calling {
  refuse({ cls }, "change what json.loads returns");
  const strict = others.get("strict");
  if (others.size > (strict === undefined ? 0 : 1))
    throw raisedLoosely(TYPE_ERROR, "json.loads was given a keyword argument that it does not have");
  const hooks = { object: objectHook, pairs: pairsHook, float: floatHook, int: intHook, constant: constantHook };
  const hooked = Object.values(hooks).some((hook) => hook !== null) ? new HookCalls(hooks) : null;
  const options = { ctx, isStrict: strict === undefined || truth(strict, ctx), hooked };
  const read = (text: string): Value | Calling =>
    hooked === null ? readJson(text, options) : begun(hooked.run(() => readJson(text, options)));
  if (typeof source === "string") return read(source);
  if (!(source instanceof PyBytes))
    throw raised(TYPE_ERROR, `the JSON object must be str, bytes or bytearray, not ${nameOf(source)}`);
  const { bytes } = source;
  ctx.charge(bytes.length);
  if (bytes.includes(0) || bytes[0] === 0xfe || bytes[0] === 0xff)
    throw notExact("JSON bytes must be utf-8; decode them first");
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return read(decode(hasMark ? bytes.subarray(3) : bytes, "utf-8", "strict"));
}

const MOST_INDENT = 10_000;

function indentOf(indent: Value): string | null {
  if (indent === null || typeof indent === "string") return indent;
  if (!isInt(indent)) throw raised(TYPE_ERROR, `can't multiply sequence by non-int of type '${nameOf(indent)}'`);
  const count = sizeOf(indent);
  if (count > MOST_INDENT) throw notExact(`an indent above ${MOST_INDENT} is not supported`);
  return " ".repeat(Math.max(0, count));
}

function separatorsOf(separators: Value, indent: string | null, ctx: Context): [string, string] {
  if (separators === null) return [indent === null ? ", " : ",", ": "];
  const parts = known(separators, ctx);
  if (parts.length < 2) throw raised(VALUE_ERROR, `not enough values to unpack (expected 2, got ${parts.length})`);
  if (parts.length > 2) throw raised(VALUE_ERROR, "too many values to unpack (expected 2)");
  return [textOf(parts[0], "item separator"), textOf(parts[1], "key separator")];
}

function dumps(
  ctx: Context,
  value: Value,
  skipkeys: Value,
  ensureAscii: Value,
  checkCircular: Value,
  allowNan: Value,
  cls: Value,
  indent: Value,
  separators: Value,
  otherwise: Value,
  sortKeys: Value,
  others: Value,
): Value | Calling {
  refuse({ cls }, "use default=");
  if (!truth(checkCircular, ctx)) throw notExact("check_circular=False is not supported");
  if (truth(others, ctx))
    throw raisedLoosely(TYPE_ERROR, "json.dumps was given a keyword argument that it does not have");
  const lead = indentOf(indent);
  const [itemSeparator, keySeparator] = separatorsOf(separators, lead, ctx);
  return begun(
    counted(
      ctx,
      jsonText(
        value,
        {
          skipsKeys: truth(skipkeys, ctx),
          isAscii: truth(ensureAscii, ctx),
          allowsNan: truth(allowNan, ctx),
          indent: lead,
          itemSeparator,
          keySeparator,
          otherwise,
          sortsKeys: truth(sortKeys, ctx),
          isBorder: false,
        },
        ctx,
      ),
    ),
  );
}

function* counted(ctx: Context, writing: Calling<string>): Calling {
  const text = yield* writing;
  ctx.room(text.length * Bytes.Unit);
  return made(ctx, text);
}

const natives: Natives = { "json.loads": loads, "json.dumps": dumps };

export const JSON_PART: Part = {
  natives,
  types: { "json.JSONDecodeError": JSON_DECODE_ERROR },
  values: { "json.decoder.JSONDecodeError": JSON_DECODE_ERROR },
};
