/** The module urllib.parse. */
import "../../urls/slots.ts";
import { decode, encode } from "../../bytes/codecs.ts";
import { latin, newBytes } from "../../bytes/slots.ts";
import { raised, raisedLoosely, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { PyBytes } from "../../kinds/bytes.ts";
import { PyBuiltin } from "../../kinds/callable.ts";
import { PyDict } from "../../kinds/dict.ts";
import {
  DEFRAG_RESULT_TYPE,
  PARSE_RESULT_TYPE,
  PyDefragResult,
  PyParseResult,
  PySplitResult,
  PyUrl,
  SPLIT_RESULT_TYPE,
} from "../../kinds/identifiers.ts";
import { PyList, PyTuple } from "../../kinds/list.ts";
import { notExact } from "../../not-exact.ts";
import { Bytes, type Context, type Natives, typeOf, type Value } from "../../object.ts";
import { isInt, keyOf, known, repr, text as textOfValue, truth } from "../../operations.ts";
import { quoteBytes, unquoteBytes, unquoteText } from "../../urls/quote.ts";
import { joinParsed, joinSplit, joinUrls, type ParsedUrl, parseUrl, splitUrl } from "../../urls/split.ts";
import { made, nameOf } from "../arguments.ts";
import type { Part } from "../registry.ts";

function urlOf(ctx: Context, value: Value): string {
  const url = optionOf(value);
  ctx.charge(url.length);
  return url;
}

/** CPython takes some other kinds by accident. */
function optionOf(value: Value): string {
  if (typeof value === "string") return value;
  throw notExact("urllib.parse takes texts here; decode bytes, and write str(...) around numbers");
}

/** Whether fragments are cut off. CPython remembers results by this argument, too. */
function fragmentsOf(ctx: Context, value: Value): boolean {
  keyOf(value, ctx);
  return truth(value, ctx);
}

function parseResult(ctx: Context, { scheme, netloc, path, params, query, fragment }: ParsedUrl): PyParseResult {
  ctx.alloc(Bytes.Object + 6 * Bytes.Element);
  return new PyParseResult([scheme, netloc, path, params, query, fragment]);
}

function splitResult(ctx: Context, url: Value, scheme: Value, fragments: Value): PySplitResult {
  const parts = splitUrl(urlOf(ctx, url), optionOf(scheme), fragmentsOf(ctx, fragments));
  ctx.alloc(Bytes.Object + 5 * Bytes.Element);
  return new PySplitResult([parts.scheme, parts.netloc, parts.path, parts.query, parts.fragment]);
}

function textParts(ctx: Context, value: Value, count: number): string[] {
  const parts = value instanceof PyTuple || value instanceof PyList ? known(value, ctx) : [];
  if (parts.length !== count) throw notExact(`a URL is put together from ${count} texts`);
  return parts.map((part) => (part === null ? "" : urlOf(ctx, part)));
}

function unparsed(ctx: Context, value: Value): string {
  const [scheme, netloc, path, params, query, fragment] = textParts(ctx, value, 6) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  return made(ctx, joinParsed({ scheme, netloc, path, params, query, fragment }));
}

function unsplit(ctx: Context, value: Value): string {
  const [scheme, netloc, path, query, fragment] = textParts(ctx, value, 5) as [string, string, string, string, string];
  return made(ctx, joinSplit({ scheme, netloc, path, query, fragment }));
}

function defragmented(ctx: Context, value: Value): PyDefragResult {
  const url = urlOf(ctx, value);
  ctx.alloc(Bytes.Object + 2 * Bytes.Element);
  if (!url.includes("#")) return new PyDefragResult([url, ""]);
  const parts = parseUrl(url, "", true);
  return new PyDefragResult([joinParsed({ ...parts, fragment: "" }), parts.fragment]);
}

function geturl(ctx: Context, value: Value): string {
  if (value instanceof PyParseResult) return unparsed(ctx, value);
  if (value instanceof PySplitResult) return unsplit(ctx, value);
  if (!(value instanceof PyDefragResult))
    throw raisedLoosely(TYPE_ERROR, `geturl() of a value of type ${nameOf(value)}`);
  const [url, fragment] = value.items as [string, string];
  return fragment === "" ? url : made(ctx, `${url}#${fragment}`);
}

function replaced(ctx: Context, value: Value, changes: PyDict): Value {
  if (!(value instanceof PyUrl)) throw raisedLoosely(TYPE_ERROR, `_replace() of a value of type ${nameOf(value)}`);
  const items = [...value.items];
  for (const key of changes.keys()) {
    const index = value.names.indexOf(key as string);
    if (index < 0) throw raisedLoosely(VALUE_ERROR, "a field has another name");
    items[index] = changes.get(key) as Value;
  }
  ctx.alloc(Bytes.Object + items.length * Bytes.Element);
  const make = value.constructor as new (items: readonly Value[]) => PyUrl;
  return new make(items);
}

function asDict(ctx: Context, value: PyUrl): PyDict {
  const dict = new PyDict();
  ctx.alloc(Bytes.Object + value.names.length * Bytes.Entry);
  for (const [at, name] of value.names.entries()) dict.set(name, name, value.items[at] as Value);
  return dict;
}

function fieldsOf({ prototype }: { readonly prototype: PyUrl }): PyTuple {
  return new PyTuple(prototype.names);
}

// Quoting

function safeOf(safe: Value): string {
  const text = safe instanceof PyBytes ? latin(safe.bytes) : optionOf(safe);
  return text.replace(/[^\0-\x7f]/g, "");
}

function quoted(ctx: Context, value: Value, safe: Value, encoding: Value, errors: Value): string {
  if (typeof value === "string") {
    ctx.charge(value.length);
    const bytes = encode(
      value,
      encoding === null ? "utf-8" : optionOf(encoding),
      errors === null ? "strict" : optionOf(errors),
    );
    ctx.room(bytes.length * 3 * Bytes.Unit);
    return made(ctx, quoteBytes(bytes, safeOf(safe)));
  }
  if (encoding !== null) throw raised(TYPE_ERROR, "quote() doesn't support 'encoding' for bytes");
  if (errors !== null) throw raised(TYPE_ERROR, "quote() doesn't support 'errors' for bytes");
  if (!(value instanceof PyBytes)) throw raised(TYPE_ERROR, "quote_from_bytes() expected bytes");
  ctx.charge(value.bytes.length);
  return made(ctx, quoteBytes(value.bytes, safeOf(safe)));
}

function quotedPlus(ctx: Context, value: Value, safe: Value, encoding: Value, errors: Value): string {
  const hasSpace =
    value instanceof PyBytes ? value.bytes.includes(32) : typeof value === "string" && value.includes(" ");
  if (typeof value !== "string" && !(value instanceof PyBytes))
    throw raisedLoosely(TYPE_ERROR, `a value of type ${nameOf(value)} cannot be quoted`);
  if (!hasSpace) return quoted(ctx, value, safe, encoding, errors);
  return quoted(ctx, value, `${safeOf(safe)} `, encoding, errors).replaceAll(" ", "+");
}

function unquoted(ctx: Context, value: Value, encoding: Value, errors: Value): string {
  const name = encoding === null ? "utf-8" : optionOf(encoding);
  const handler = errors === null ? "replace" : optionOf(errors);
  if (value instanceof PyBytes) {
    ctx.charge(value.bytes.length);
    return made(ctx, decode(unquoteBytes(value.bytes), name, handler));
  }
  const text = optionOf(value);
  ctx.charge(text.length);
  return made(ctx, unquoteText(text, name, handler));
}

// Queries

function queryPairs(
  ctx: Context,
  source: Value,
  keepBlank: Value,
  strict: Value,
  encoding: Value,
  errors: Value,
  most: Value,
  separator: Value,
): [string, string][] {
  const query = urlOf(ctx, source);
  if (optionOf(separator) === "") throw raised(VALUE_ERROR, "Separator must be of type string or bytes.");
  const [keeps, isStrict] = [truth(keepBlank, ctx), truth(strict, ctx)];
  const fields = query === "" ? [] : query.split(optionOf(separator));
  if (most !== null && !isInt(most)) throw notExact("max_num_fields is not an int");
  if (most !== null && Number(most) < fields.length) throw raised(VALUE_ERROR, "Max number of fields exceeded");
  const plain = (text: string): string => unquoted(ctx, text.replaceAll("+", " "), encoding, errors);
  const pairs: [string, string][] = [];
  for (const field of fields) {
    if (field === "" && !isStrict) continue;
    const at = field.indexOf("=");
    if (at < 0) {
      if (isStrict) throw raised(VALUE_ERROR, `bad query field: ${repr(field, ctx)}`);
      if (!keeps) continue;
    }
    const value = at < 0 ? "" : field.slice(at + 1);
    if (value !== "" || keeps) pairs.push([plain(at < 0 ? field : field.slice(0, at)), plain(value)]);
  }
  return pairs;
}

function grouped(ctx: Context, pairs: readonly (readonly [string, string])[]): PyDict {
  const dict = new PyDict();
  for (const [name, value] of pairs) {
    const list = dict.get(name);
    if (list instanceof PyList) list.items.push(value);
    else dict.set(name, name, new PyList([value]));
  }
  ctx.alloc(Bytes.Object + dict.size * (Bytes.Entry + Bytes.Object) + pairs.length * Bytes.Element);
  return dict;
}

type Quote = typeof quoted;

/** `quote_via`: one of the two functions of this module. */
function quoteOf(via: Value | undefined): Quote {
  if (via === undefined) return quotedPlus;
  const name = via instanceof PyBuiltin ? via.native.name : "";
  if (name === "urllib.parse.quote") return quoted;
  if (name === "urllib.parse.quote_plus") return quotedPlus;
  throw notExact("quote_via is quote or quote_plus here");
}

function urlencode(
  ctx: Context,
  query: Value,
  doseq: Value,
  safe: Value,
  encoding: Value,
  errors: Value,
  via: Value | undefined,
): string {
  const quote = quoteOf(via);
  const wrong = () => raised(TYPE_ERROR, "not a valid non-string sequence or mapping object");
  const one = (value: Value): string =>
    value instanceof PyBytes
      ? quote(ctx, value, safe, null, null)
      : quote(ctx, typeof value === "string" ? value : textOfValue(value, ctx), safe, encoding, errors);
  const spreads = truth(doseq, ctx);
  const parts: string[] = [];
  for (const [key, value] of pairsOf(ctx, query, wrong)) {
    const name = one(key);
    const isList =
      spreads && typeof value !== "string" && !(value instanceof PyBytes) && typeOf(value).slots.length !== undefined;
    for (const element of isList ? known(value, ctx) : [value]) parts.push(`${name}=${one(element)}`);
  }
  return made(ctx, parts.join("&"));
}

function pairsOf(ctx: Context, query: Value, wrong: () => unknown): [Value, Value][] {
  if (query instanceof PyDict) return [...query.keys()].map((key) => [query.spelling(key), query.get(key) as Value]);
  if (typeof query === "string" && query !== "") throw wrong();
  if (typeOf(query).slots.length === undefined || typeOf(query).slots.iterate === undefined) throw wrong();
  const items = known(query, ctx);
  if (items.length > 0 && !(items[0] instanceof PyTuple)) throw wrong();
  return items.map((item) => {
    const pair = known(item, ctx);
    if (pair.length !== 2)
      throw raised(
        VALUE_ERROR,
        pair.length > 2
          ? "too many values to unpack (expected 2)"
          : `not enough values to unpack (expected 2, got ${pair.length})`,
      );
    return [pair[0] as Value, pair[1] as Value];
  });
}

const results: Natives = Object.fromEntries(
  ["ParseResult", "SplitResult", "DefragResult"].flatMap((name) => [
    [`urllib.parse.${name}.geturl`, geturl],
    [`urllib.parse.${name}._replace`, replaced],
    [`urllib.parse.${name}._asdict`, asDict],
  ]),
);

const natives: Natives = {
  "urllib.parse.urlparse": (ctx, url, scheme, fragments) =>
    parseResult(ctx, parseUrl(urlOf(ctx, url), optionOf(scheme), fragmentsOf(ctx, fragments))),
  "urllib.parse.urlsplit": splitResult,
  "urllib.parse.urlunparse": unparsed,
  "urllib.parse.urlunsplit": unsplit,
  "urllib.parse.urljoin": (ctx, base, url, fragments) =>
    made(ctx, joinUrls(urlOf(ctx, base), urlOf(ctx, url), fragmentsOf(ctx, fragments))),
  "urllib.parse.urldefrag": defragmented,
  "urllib.parse.quote": quoted,
  "urllib.parse.quote_plus": quotedPlus,
  "urllib.parse.unquote": unquoted,
  "urllib.parse.unquote_plus": (ctx, value, encoding, errors) =>
    unquoted(ctx, optionOf(value).replaceAll("+", " "), encoding, errors),
  "urllib.parse.unquote_to_bytes": (ctx, value) => {
    const bytes = value instanceof PyBytes ? value.bytes : encode(urlOf(ctx, value), "utf-8", "strict");
    return newBytes(ctx, unquoteBytes(bytes));
  },
  "urllib.parse.urlencode": urlencode,
  "urllib.parse.parse_qs": (
    ctx,
    ...args: Parameters<typeof queryPairs> extends [Context, ...infer Rest] ? Rest : never
  ) => grouped(ctx, queryPairs(ctx, ...args)),
  "urllib.parse.parse_qsl": (
    ctx,
    ...args: Parameters<typeof queryPairs> extends [Context, ...infer Rest] ? Rest : never
  ) => {
    const pairs = queryPairs(ctx, ...args);
    ctx.alloc(Bytes.Object + pairs.length * (Bytes.Object + 3 * Bytes.Element));
    return new PyList(pairs.map((pair) => new PyTuple(pair)));
  },
  ...results,
};

export const URLS: Part = {
  natives,
  types: {
    "urllib.parse.ParseResult": PARSE_RESULT_TYPE,
    "urllib.parse.SplitResult": SPLIT_RESULT_TYPE,
    "urllib.parse.DefragResult": DEFRAG_RESULT_TYPE,
  },
  values: {
    "urllib.parse.ParseResult._fields": fieldsOf(PyParseResult),
    "urllib.parse.SplitResult._fields": fieldsOf(PySplitResult),
    "urllib.parse.DefragResult._fields": fieldsOf(PyDefragResult),
  },
};
