/** The module urllib.parse. */
import "../../urls/slots.ts";
import { decode, encode } from "../../bytes/codecs.ts";
import { latin, newBytes } from "../../bytes/slots.ts";
import { ATTRIBUTE_ERROR, raised, raisedLoosely, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
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
import { known, repr, text as textOfValue, truth } from "../../operations.ts";
import { quoteBytes, unquoteBytes, unquoteText } from "../../urls/quote.ts";
import { joinParsed, joinSplit, joinUrls, type ParsedUrl, parseUrl, splitUrl } from "../../urls/split.ts";
import { made, nameOf, sizeOf, textOf } from "../arguments.ts";
import type { Part } from "../registry.ts";

function urlOf(ctx: Context, value: Value): string {
  if (typeof value === "string") {
    ctx.charge(value.length);
    return value;
  }
  if (value instanceof PyBytes || value === null) throw notExact("URLs are texts here; decode the bytes");
  throw raisedLoosely(ATTRIBUTE_ERROR, `a URL is of type ${nameOf(value)}`);
}

function parseResult(ctx: Context, { scheme, netloc, path, params, query, fragment }: ParsedUrl): PyParseResult {
  ctx.alloc(Bytes.Object + 6 * Bytes.Element);
  return new PyParseResult([scheme, netloc, path, params, query, fragment]);
}

function splitResult(ctx: Context, url: Value, scheme: Value, fragments: Value): PySplitResult {
  const parts = splitUrl(urlOf(ctx, url), textOf(scheme, "scheme"), truth(fragments, ctx));
  ctx.alloc(Bytes.Object + 5 * Bytes.Element);
  return new PySplitResult([parts.scheme, parts.netloc, parts.path, parts.query, parts.fragment]);
}

function textParts(ctx: Context, value: Value, count: number): string[] {
  const parts = known(value, ctx);
  if (parts.length !== count)
    throw raisedLoosely(
      parts.length < count || parts.length > count ? VALUE_ERROR : TYPE_ERROR,
      "wrong number of parts",
    );
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

// Quoting

function safeOf(safe: Value): string {
  const text = safe instanceof PyBytes ? latin(safe.bytes) : textOf(safe, "safe");
  return text.replace(/[^\0-\x7f]/g, "");
}

function quoted(ctx: Context, value: Value, safe: Value, encoding: Value, errors: Value): string {
  if (typeof value === "string") {
    ctx.charge(value.length);
    const bytes = encode(
      value,
      encoding === null ? "utf-8" : textOf(encoding, "encoding"),
      errors === null ? "strict" : textOf(errors, "errors"),
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
  if (!hasSpace) return quoted(ctx, value, safe, encoding, errors);
  return quoted(ctx, value, `${safeOf(safe)} `, encoding, errors).replaceAll(" ", "+");
}

function unquoted(ctx: Context, value: Value, encoding: Value, errors: Value): string {
  const name = encoding === null ? "utf-8" : textOf(encoding, "encoding");
  const handler = errors === null ? "replace" : textOf(errors, "errors");
  if (value instanceof PyBytes) {
    ctx.charge(value.bytes.length);
    return made(ctx, decode(unquoteBytes(value.bytes), name, handler));
  }
  if (typeof value !== "string") throw raised(TYPE_ERROR, `argument of type '${nameOf(value)}' is not iterable`);
  ctx.charge(value.length);
  return made(ctx, unquoteText(value, name, handler));
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
  if (typeof separator !== "string" || separator === "")
    throw raised(VALUE_ERROR, "Separator must be of type string or bytes.");
  const [keeps, isStrict] = [truth(keepBlank, ctx), truth(strict, ctx)];
  const fields = query === "" ? [] : query.split(separator);
  if (most !== null && sizeOf(most) < fields.length) throw raised(VALUE_ERROR, "Max number of fields exceeded");
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
  ]),
);

const natives: Natives = {
  "urllib.parse.urlparse": (ctx, url, scheme, fragments) =>
    parseResult(ctx, parseUrl(urlOf(ctx, url), textOf(scheme, "scheme"), truth(fragments, ctx))),
  "urllib.parse.urlsplit": splitResult,
  "urllib.parse.urlunparse": unparsed,
  "urllib.parse.urlunsplit": unsplit,
  "urllib.parse.urljoin": (ctx, base, url, fragments) =>
    made(ctx, joinUrls(urlOf(ctx, base), urlOf(ctx, url), truth(fragments, ctx))),
  "urllib.parse.urldefrag": defragmented,
  "urllib.parse.quote": quoted,
  "urllib.parse.quote_plus": quotedPlus,
  "urllib.parse.unquote": unquoted,
  "urllib.parse.unquote_plus": (ctx, value, encoding, errors) =>
    unquoted(ctx, textOf(value, "").replaceAll("+", " "), encoding, errors),
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
};
