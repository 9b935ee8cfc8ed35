/** The modules textwrap, string and html. */
import { raised, raisedLoosely, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import type { PyDict } from "../../kinds/dict.ts";
import { PyList } from "../../kinds/list.ts";
import { notExact } from "../../not-exact.ts";
import { Bytes, type Calling, type Context, finish, type Natives, type Value } from "../../object.ts";
import { isInt, truth } from "../../operations.ts";
import { capitalize } from "../../unicode/case.ts";
import { dedent, wrap } from "../../wrap/wrap.ts";
import { made } from "../arguments.ts";
import { begun } from "../calling.ts";
import type { Part } from "../registry.ts";
import { REFERENCES } from "./references.ts";
import { expandTabs } from "./shape.ts";
import { lines, words } from "./split.ts";

const DEFAULTS: { readonly [name: string]: Value } = {
  initial_indent: "",
  subsequent_indent: "",
  expand_tabs: true,
  replace_whitespace: true,
  fix_sentence_endings: false,
  break_long_words: true,
  drop_whitespace: true,
  break_on_hyphens: true,
  tabsize: 8,
  max_lines: null,
  placeholder: " [...]",
};

/** Work for a code unit, which nothing interrupts. */
const UNITS_OF_WRAP = 16;
const UNITS_OF_DEDENT = 8;

/** CPython takes some other kinds by accident, or fails in the middle of its work. */
function textOf(value: Value | undefined, what: string): string {
  if (typeof value === "string") return value;
  throw notExact(`${what} is not a text`);
}

function* tabsExpanded(ctx: Context, text: string, tabsize: Value): Calling<string> {
  const expanded = expandTabs(ctx, text, countOf(tabsize, "tabsize"));
  return typeof expanded === "string" ? expanded : yield* expanded;
}

function countOf(value: Value, what: string): number {
  const count = isInt(value) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(count)) return count;
  throw notExact(`${what} is not an int below 2 ** 53`);
}

function wrapped(ctx: Context, text: Value, width: Value, given: PyDict, maxLines?: number): string[] {
  let source = textOf(text, "the text");
  const options: { [name: string]: Value } = { ...DEFAULTS };
  if (maxLines !== undefined) options["max_lines"] = maxLines;
  for (const key of given.keys()) {
    if (typeof key !== "string" || !(key in DEFAULTS) || (key === "max_lines" && maxLines !== undefined))
      throw raisedLoosely(TYPE_ERROR, "textwrap was given a keyword argument that it does not have");
    options[key] = given.get(key) as Value;
  }
  const is = (name: string): boolean => truth(options[name] as Value, ctx);
  const most = options["max_lines"] as Value;
  ctx.charge(source.length * UNITS_OF_WRAP);
  if (is("expand_tabs")) source = finish(tabsExpanded(ctx, source, options["tabsize"] as Value));
  const wrappedLines = wrap(source, {
    width: countOf(width, "width"),
    initialIndent: textOf(options["initial_indent"], "initial_indent"),
    subsequentIndent: textOf(options["subsequent_indent"], "subsequent_indent"),
    replacesWhiteSpace: is("replace_whitespace"),
    fixesSentenceEndings: is("fix_sentence_endings"),
    breaksLongWords: is("break_long_words"),
    dropsWhiteSpace: is("drop_whitespace"),
    // CPython asks for True itself.
    breaksOnHyphens: options["break_on_hyphens"] === true,
    maxLines: most === null ? null : countOf(most, "max_lines"),
    placeholder: textOf(options["placeholder"], "placeholder"),
  });
  const units = wrappedLines.reduce((sum, line) => sum + line.length, 0);
  ctx.room(units * Bytes.Unit);
  ctx.alloc(Bytes.Object + wrappedLines.length * Bytes.Element + units * Bytes.Unit);
  return wrappedLines;
}

/** Lines and words that are made before others get a turn. */
const TURN = 10_000;

function* indented(ctx: Context, text: string, prefix: string, predicate: Value): Calling {
  const parts: string[] = [];
  let units = 0;
  let count = 0;
  for (const line of lines(text, true)) {
    ctx.charge(line.length);
    if (++count % TURN === 0) yield null;
    const chosen: boolean =
      predicate === null ? words(line, 0).length > 0 : truth(yield { callee: predicate, args: [line] }, ctx);
    if (chosen) parts.push(prefix);
    parts.push(line);
    units += (chosen ? prefix.length : 0) + line.length;
    ctx.room(units * Bytes.Unit);
  }
  return made(ctx, parts.join(""));
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
const WHITE_SPACE = " \t\n\r\v\f";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#x27;",
};

function escaped(ctx: Context, value: Value, quote: Value): string {
  const text = textOf(value, "what html.escape is given");
  ctx.charge(text.length);
  ctx.room(text.length * Bytes.Unit);
  const all = truth(quote, ctx) ? /[&<>"']/g : /[&<>]/g;
  return made(
    ctx,
    text.replace(all, (char) => ESCAPES[char] ?? char),
  );
}

const natives: Natives = {
  ...REFERENCES,
  "html.escape": escaped,
  "textwrap.wrap": (ctx, text, width, options) => new PyList(wrapped(ctx, text, width, options)),
  "textwrap.fill": (ctx, text, width, options) => made(ctx, wrapped(ctx, text, width, options).join("\n")),
  "textwrap.shorten": (ctx, text, width, options) => {
    ctx.charge(textOf(text, "the text").length * UNITS_OF_DEDENT);
    const collapsed = words(textOf(text, "the text"), Infinity).join(" ");
    return made(ctx, wrapped(ctx, collapsed, width, options, 1).join("\n"));
  },
  "textwrap.dedent": (ctx, text) => {
    const source = textOf(text, "the text");
    ctx.charge(source.length * UNITS_OF_DEDENT);
    return made(ctx, dedent(source));
  },
  "textwrap.indent": (ctx, text, prefix, predicate) =>
    begun(indented(ctx, textOf(text, "the text"), textOf(prefix, "prefix"), predicate)),
  "string.capwords": (ctx, text, sep) => {
    const source = textOf(text, "the text");
    ctx.charge(source.length * UNITS_OF_DEDENT);
    if (sep === null || sep === "") {
      // With an empty separator the parts are split at it, which fails.
      if (sep === "") throw raised(VALUE_ERROR, "empty separator");
      return made(
        ctx,
        words(source, Infinity)
          .map((word) => capitalize(word))
          .join(" "),
      );
    }
    const between = textOf(sep, "sep");
    return made(
      ctx,
      source
        .split(between)
        .map((part) => capitalize(part))
        .join(between),
    );
  },
};

export const WRAPS: Part = {
  natives,
  values: {
    "string.ascii_letters": LOWER + LOWER.toUpperCase(),
    "string.ascii_lowercase": LOWER,
    "string.ascii_uppercase": LOWER.toUpperCase(),
    "string.digits": DIGITS,
    "string.hexdigits": `${DIGITS}abcdefABCDEF`,
    "string.octdigits": "01234567",
    "string.punctuation": PUNCTUATION,
    "string.printable": DIGITS + LOWER + LOWER.toUpperCase() + PUNCTUATION + WHITE_SPACE,
    "string.whitespace": WHITE_SPACE,
  },
};
