/** The module re: functions, and the methods of patterns. */
import { raised, raisedLoosely, TYPE_ERROR, VALUE_ERROR } from "../exceptions.ts";
import { PyBytes } from "../kinds/bytes.ts";
import { PyDict } from "../kinds/dict.ts";
import { PyFloat } from "../kinds/float.ts";
import { PyList, PyTuple } from "../kinds/list.ts";
import { PySet } from "../kinds/set.ts";
import { notExact } from "../not-exact.ts";
import {
  Bytes,
  type Calling,
  type Context,
  END,
  finish,
  type Natives,
  type Next,
  PyIterator,
  PyObject,
  type PyType,
  setType,
  type Value,
} from "../object.ts";
import { keyOf } from "../operators/keys.ts";
import { offsetOf, textLength } from "../operators/texts.ts";
import { MATCH_TYPE, PATTERN_TYPE, PyMatch, PyPattern, PyRegexFlag } from "../regex/pattern.ts";
import "../regex/slots.ts";
import { Flag } from "../regex/flags.ts";
import { Matcher, type Registers } from "../regex/matcher.ts";
import { parsePattern } from "../regex/parse.ts";
import { programOf } from "../regex/program.ts";
import { expanded, groupText, parseTemplate, type Template } from "../regex/template.ts";
import { RE_ERROR } from "../regex/tokens.ts";
import { iteratorType } from "../types/elements.ts";
import { indexOf, made, nameOf, sizeOf } from "./arguments.ts";
import { begun } from "./calling.ts";
import { MATCH } from "./match.ts";
import type { Part } from "./registry.ts";
import { PIECE } from "./text/pieces.ts";

const MAX_KEPT = 300;
const kept = new Map<string, PyPattern>();

function flagsOf(value: Value): number {
  return value instanceof PyRegexFlag ? value.value : Number(indexOf(value));
}

function compiled(ctx: Context, pattern: Value, given: Value): PyPattern {
  const flags = flagsOf(given);
  if (pattern instanceof PyPattern) {
    if (flags !== 0) throw raised(VALUE_ERROR, "cannot process flags argument with a compiled pattern");
    return pattern;
  }
  if (pattern instanceof PyBytes) throw notExact("patterns of bytes are not supported; decode the bytes");
  if (typeof pattern !== "string") {
    keyOf(pattern, ctx);
    throw raised(TYPE_ERROR, "first argument must be string or compiled pattern");
  }
  const key = `${flags}:${pattern}`;
  let made = kept.get(key);
  if (made === undefined) {
    ctx.charge(pattern.length * 8);
    const parsed = parsePattern(pattern, flags);
    const { tree, groups, names } = parsed;
    made = new PyPattern(pattern, parsed.flags, groups, names, new Matcher(programOf(tree, groups), groups));
    if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value as string);
    kept.set(key, made);
  }
  return made;
}

function patternOf(value: Value): PyPattern {
  if (value instanceof PyPattern) return value;
  throw raisedLoosely(TYPE_ERROR, `a method of a pattern was called on a value of type ${nameOf(value)}`);
}

function searched(value: Value): string {
  if (typeof value === "string") return value;
  if (value instanceof PyBytes) throw raised(TYPE_ERROR, "cannot use a string pattern on a bytes-like object");
  throw raised(TYPE_ERROR, `expected string or bytes-like object, got '${nameOf(value)}'`);
}

/** The matches of a text, from the left to the right. After an empty one the next is longer or further on. */
class Scanner {
  readonly pattern: PyPattern;
  readonly text: string;
  readonly #pos: number;
  readonly #endpos: number;
  readonly #end: number;
  #at: number;
  #mustAdvance = false;

  constructor(pattern: PyPattern, text: string, pos: Value = 0, endpos: Value = null) {
    this.pattern = pattern;
    this.text = text;
    const count = textLength(text);
    const clamp = (value: Value): number => Math.min(Math.max(sizeOf(value), 0), count);
    this.#pos = clamp(pos);
    this.#endpos = endpos === null ? count : clamp(endpos);
    this.#at = offsetOf(text, this.#pos);
    this.#end = offsetOf(text, this.#endpos);
  }

  /** Only at the start if `isAnchored`, only the whole text if `isWhole`. */
  *find(ctx: Context, isAnchored = false, isWhole = false): Calling<Registers | null> {
    if (this.#at > this.#end) return null;
    const found = yield* this.pattern.matcher.find(
      { text: this.text, from: this.#at, end: this.#end, isAnchored, isWhole, mustAdvance: this.#mustAdvance },
      ctx,
    );
    if (found === null) return null;
    this.#at = found[1] as number;
    this.#mustAdvance = found[0] === found[1];
    return found;
  }

  match(ctx: Context, registers: Registers | null): PyMatch | null {
    if (registers === null) return null;
    ctx.alloc(Bytes.Object + registers.length * Bytes.Element);
    return new PyMatch(this.pattern, this.text, registers, this.#pos, this.#endpos);
  }
}

class PyMatches extends PyIterator {
  declare readonly type: PyType;
  override readonly isDirect: boolean;
  readonly #scanner: Scanner;
  constructor(scanner: Scanner) {
    super();
    this.#scanner = scanner;
    this.isDirect = scanner.text.length <= PIECE;
  }
  override next(ctx: Context): Next {
    return finish(this.pull(ctx));
  }
  override *pull(ctx: Context): Calling<Next> {
    return this.#scanner.match(ctx, yield* this.#scanner.find(ctx)) ?? END;
  }
}
setType(PyMatches, iteratorType("callable_iterator"));

const first =
  (isAnchored: boolean, isWhole: boolean) =>
  (ctx: Context, pattern: PyPattern, text: Value, pos: Value = 0, endpos: Value = null): Value | Calling => {
    const scanner = new Scanner(pattern, searched(text), pos, endpos);
    return begun(firstOf(ctx, scanner, isAnchored, isWhole));
  };
function* firstOf(ctx: Context, scanner: Scanner, isAnchored: boolean, isWhole: boolean): Calling {
  return scanner.match(ctx, yield* scanner.find(ctx, isAnchored, isWhole));
}

const search = first(false, false);
const match = first(true, false);
const fullmatch = first(true, true);

/** What `findall` gives of one match: the match, its only group, or all groups. */
function foundOf({ groups }: PyPattern, text: string, registers: Registers): Value {
  if (groups < 2) return groupText(text, registers, groups) ?? "";
  return new PyTuple(Array.from({ length: groups }, (_, index) => groupText(text, registers, index + 1) ?? ""));
}

function* findall(ctx: Context, pattern: PyPattern, text: Value, pos: Value = 0, endpos: Value = null): Calling {
  const scanner = new Scanner(pattern, searched(text), pos, endpos);
  const items: Value[] = [];
  let turns = 0;
  for (let found = yield* scanner.find(ctx); found !== null; found = yield* scanner.find(ctx)) {
    items.push(foundOf(pattern, scanner.text, found));
    ctx.alloc(Bytes.Element * (1 + pattern.groups) + Bytes.Unit * ((found[1] as number) - (found[0] as number)));
    if (++turns % TURN === 0) yield null;
  }
  return new PyList(items);
}

/** After this number of matches others get a turn. */
const TURN = 5_000;

function* split(ctx: Context, pattern: PyPattern, source: Value, maxsplit: Value): Calling {
  const most = sizeOf(maxsplit);
  const text = searched(source);
  const scanner = new Scanner(pattern, text);
  const items: Value[] = [];
  let at = 0;
  for (let count = 0; most === 0 || count < most; count++) {
    const found = yield* scanner.find(ctx);
    if (found === null) break;
    items.push(text.slice(at, found[0]));
    for (let number = 1; number <= pattern.groups; number++) items.push(groupText(text, found, number));
    at = found[1] as number;
    if (count % TURN === TURN - 1) yield null;
  }
  items.push(text.slice(at));
  ctx.alloc(Bytes.Object + items.length * Bytes.Element + text.length * Bytes.Unit);
  return new PyList(items);
}

/** How a match is replaced: by text with groups in it, or by a function of the program. */
type Replacement = { readonly template: Template } | { readonly callee: Value };

function replacementOf(ctx: Context, pattern: PyPattern, value: Value): Replacement {
  if (typeof value === "string")
    return { template: value.includes("\\") ? parseTemplate(value, pattern, ctx) : [value] };
  const isData =
    value instanceof PySet ||
    value instanceof PyBytes ||
    value instanceof PyList ||
    value instanceof PyTuple ||
    value instanceof PyDict;
  // CPython looks up what it made of the replacement before, and so asks for its hash first.
  if (!(value instanceof PyObject) || value instanceof PyFloat)
    throw raised(TYPE_ERROR, `decoding to str: need a bytes-like object, ${nameOf(value)} found`);
  if (isData) throw raisedLoosely(TYPE_ERROR, `the replacement is of type ${nameOf(value)}`);
  return { callee: value };
}

function* substituted(ctx: Context, pattern: PyPattern, repl: Value, source: Value, count: Value): Calling<PyTuple> {
  const most = sizeOf(count);
  const replacement = replacementOf(ctx, pattern, repl);
  const text = searched(source);
  const scanner = new Scanner(pattern, text);
  let result = "";
  let at = 0;
  let done = 0;
  for (; most === 0 || done < most; done++) {
    const found = yield* scanner.find(ctx);
    if (found === null) break;
    result += text.slice(at, found[0]);
    at = found[1] as number;
    if ("template" in replacement) result += expanded(replacement.template, text, found);
    else {
      const by: Value = yield { callee: replacement.callee, args: [scanner.match(ctx, found) as PyMatch] };
      if (typeof by === "string") result += by;
      else if (by !== null)
        throw raisedLoosely(TYPE_ERROR, `the replacement function returned a value of type ${nameOf(by)}`);
    }
    ctx.room((result.length + text.length - at) * Bytes.Unit);
    if (done % TURN === TURN - 1) yield null;
  }
  return new PyTuple([made(ctx, result + text.slice(at)), done]);
}

function* sub(ctx: Context, pattern: PyPattern, repl: Value, text: Value, count: Value): Calling {
  return (yield* substituted(ctx, pattern, repl, text, count)).items[0] as Value;
}

const ESCAPED = /[()[\]{}?*+\-|^$\\.&~# \t\n\r\v\f]/g;

const natives: Natives = {
  "re.compile": compiled,
  "re.search": (ctx, pattern, text, flags) => search(ctx, compiled(ctx, pattern, flags), text),
  "re.match": (ctx, pattern, text, flags) => match(ctx, compiled(ctx, pattern, flags), text),
  "re.fullmatch": (ctx, pattern, text, flags) => fullmatch(ctx, compiled(ctx, pattern, flags), text),
  "re.findall": (ctx, pattern, text, flags) => begun(findall(ctx, compiled(ctx, pattern, flags), text)),
  "re.finditer": (ctx, pattern, text, flags) =>
    new PyMatches(new Scanner(compiled(ctx, pattern, flags), searched(text))),
  "re.split": (ctx, pattern, text, maxsplit, flags) => begun(split(ctx, compiled(ctx, pattern, flags), text, maxsplit)),
  "re.sub": (ctx, pattern, repl, text, count, flags) =>
    begun(sub(ctx, compiled(ctx, pattern, flags), repl, text, count)),
  "re.subn": (ctx, pattern, repl, text, count, flags) =>
    begun(substituted(ctx, compiled(ctx, pattern, flags), repl, text, count)),
  "re.escape": (ctx, pattern) => {
    if (pattern instanceof PyBytes) throw notExact("patterns of bytes are not supported; decode the bytes");
    if (typeof pattern !== "string") throw raisedLoosely(TYPE_ERROR, "re.escape takes a text");
    ctx.charge(pattern.length);
    return made(ctx, pattern.replace(ESCAPED, "\\$&"));
  },
  "re.purge": () => null,
  "re.Pattern.search": (ctx, pattern, text, pos, endpos) => search(ctx, patternOf(pattern), text, pos, endpos),
  "re.Pattern.match": (ctx, pattern, text, pos, endpos) => match(ctx, patternOf(pattern), text, pos, endpos),
  "re.Pattern.fullmatch": (ctx, pattern, text, pos, endpos) => fullmatch(ctx, patternOf(pattern), text, pos, endpos),
  "re.Pattern.findall": (ctx, pattern, text, pos, endpos) => begun(findall(ctx, patternOf(pattern), text, pos, endpos)),
  "re.Pattern.finditer": (_ctx, pattern, text, pos, endpos) =>
    new PyMatches(new Scanner(patternOf(pattern), searched(text), pos, endpos)),
  "re.Pattern.split": (ctx, pattern, text, maxsplit) => begun(split(ctx, patternOf(pattern), text, maxsplit)),
  "re.Pattern.sub": (ctx, pattern, repl, text, count) => begun(sub(ctx, patternOf(pattern), repl, text, count)),
  "re.Pattern.subn": (ctx, pattern, repl, text, count) =>
    begun(substituted(ctx, patternOf(pattern), repl, text, count)),
  ...MATCH,
};

const FLAGS: { readonly [name: string]: number } = {
  A: Flag.A,
  ASCII: Flag.A,
  DEBUG: Flag.DEBUG,
  I: Flag.I,
  IGNORECASE: Flag.I,
  L: Flag.L,
  LOCALE: Flag.L,
  M: Flag.M,
  MULTILINE: Flag.M,
  NOFLAG: 0,
  S: Flag.S,
  DOTALL: Flag.S,
  U: Flag.U,
  UNICODE: Flag.U,
  X: Flag.X,
  VERBOSE: Flag.X,
};

export const RE: Part = {
  natives,
  types: { "re.Pattern": PATTERN_TYPE, "re.Match": MATCH_TYPE, "re.error": RE_ERROR },
  values: Object.fromEntries(Object.entries(FLAGS).map(([name, flag]) => [`re.${name}`, new PyRegexFlag(flag)])),
};
