/**
 * Function names and operators of other languages, and what Weft has instead (for WF5004). A replacement is offered as an
 * edit only where it takes the same arguments with the same meaning. Knows names only; what they are called with is
 * looked at just for infix operators.
 */
import type { Operand } from "../../../grammar/ast.ts";
import type { Fix } from "../../../grammar/diagnostic.ts";
import { NO_FUNCTION_IN_PLACE } from "../../../grammar/foreign/in-place.ts";
import { functionOfOperator, isOperatorWord, readInfix, wordOfOperand } from "../../../grammar/foreign/infix.ts";
import { calledBy } from "../../../grammar/foreign/marks.ts";
import { type Span, spanOver } from "../../../grammar/text/span.ts";

import { findFunction } from "../../functions.ts";

type FunctionAdvice = { readonly suggestion: string; readonly fix: Fix | null };

/** Own name, and the foreign names that mean the same with the same arguments. */
const SAME: Readonly<Record<string, string>> = {
  len: "strlen",
  upper: "uppercase toupper touppercase upcase",
  lower: "lowercase tolower tolowercase downcase",
  parse: "jsonparse loads jsonloads parsejson jsondecode",
  stringify: "jsonstringify dumps jsondumps jsonencode",
  concat: "strcat concatenate",
  startswith: "beginswith hasprefix",
  endswith: "hassuffix",
  type: "typeof",
  sub: "subtract minus",
  mul: "multiply times",
  div: "divide",
  mod: "modulo",
  pow: "power",
  unique: "uniq distinct dedupe",
  reverse: "reversed",
  replace: "replaceall strreplace",
  ite: "ternary ifelse",
  sort: "sorted",
  sum: "total",
  strip: "trimspace",
  lstrip: "trimstart trimleft ltrim",
  rstrip: "trimend trimright rtrim",
  at: "nth elementat",
  first: "head",
  drop: "skip",
  chars: "characters",
  flatten: "flat",
  from_entries: "fromentries todict",
  count_by: "countby",
  match: "regexmatch",
  find_all: "findall",
  replace_all: "regexreplace",
  date_parse: "parsedate fromisoformat todate",
  date_format: "formatdate strftime",
};

const LOOP = "use Loop with a label that runs for each element";
const MATHS = "this function does not exist; compute it with add, mul and pow, or get it from a tool";
const CALL = "an adapter asks: name = http.Get(url), or R http.Get url ->name, in a step of its own";
/** Functions with no equivalent: what to write instead. */
const OTHERWISE: Readonly<Record<string, string>> = {
  map: LOOP,
  foreach: LOOP,
  reduce: LOOP,
  fold: LOOP,
  apply: LOOP,
  iter: LOOP,
  next: LOOP,
  filter: "use Filt: Filt name list field == value",
  reject: "use Filt with !=: Filt name list field != value",
  where: "use Filt: Filt name list field == value",
  indexof: "write contains text part, or match text pattern for the place",
  counter: "group the list, group_by(list, field), or count in a loop: d[x] = get(d, x, 0) + 1",
  exists: "use If x? to ask whether x is set",
  isset: "use If x? to ask whether x is set",
  defined: "use If x? to ask whether x is set",
  isnull: "write eq x null, or use If x?",
  isnone: "write eq x null, or use If x?",
  isempty: "write eq (len x) 0",
  isdigit: "write get (match text '^[0-9]+$') \"found\"",
  isnumeric: "write get (match text '^[0-9.]+$') \"found\"",
  sqrt: "write pow x 0.5",
  random: "use R with an adapter that gives random numbers, or uuid",
  rand: "use R with an adapter that gives random numbers, or uuid",
  randint: "use R with an adapter that gives random numbers, or uuid",
  print: "use J to give a result",
  return: "use J to give a result",
  raise: "write fail with the text of the failure",
  throw: "write fail with the text of the failure",
  error: "write fail with the text of the failure",
  pop: "write drop list 1, or slice list 0 -1 for all but the last element",
  shift: "write drop list 1",
  remove: "write diff list [value]; omit object key for a member",
  delete: "write omit object key",
  del: "write omit object key",
  insert: "write plus (plus (take list n) [value]) (drop list n)",
  extend: "write plus list other",
  update: "write merge object other",
  union: "write unique (plus list other)",
  tail: "write drop list 1",
  median: "sort the list and read it at half of its length",
  mode: "write count_by list field, and take the largest count",
  sin: MATHS,
  cos: MATHS,
  tan: MATHS,
  log: MATHS,
  exp: MATHS,
  ord: "this function does not exist; compare characters as texts",
  chr: "this function does not exist; write the character itself",
  hex: 'write format "{:x}" number',
  bin: 'write format "{:b}" number',
  oct: 'write format "{:o}" number',
  xor: "write ne (bool a) (bool b)",
  sign: "write ite (lt x 0) -1 (ite (gt x 0) 1 0)",
  trunc: "write int x",
  left: "write take text n",
  right: "write slice text (sub 0 n)",
  mid: "write substr text start length",
  zfill: 'write pad text width "0" "start"',
  padstart: 'write pad text width fill "start"',
  rjust: 'write pad text width fill "start"',
  lpad: 'write pad text width fill "start"',
  padend: "write pad text width fill",
  ljust: "write pad text width fill",
  rpad: "write pad text width fill",
  center: 'write pad text width fill "both"',
  datetime: "write date_parse text; for the present, give now() a line of its own: t = now()",
  fetch: CALL,
  axios: CALL,
  today: "give iso() a line of its own: t = iso(); the date is t[0:10]",
  timedelta: "write date_add time count unit",
  strptime: "write date_parse text, which reads RFC 3339",
  lambda: NO_FUNCTION_IN_PLACE,
  fn: NO_FUNCTION_IN_PLACE,
  func: NO_FUNCTION_IN_PLACE,
  function: NO_FUNCTION_IN_PLACE,
};

const SAME_BY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(SAME).flatMap(([own, foreign]) => foreign.split(" ").map((name): [string, string] => [name, own])),
);

function fold(name: string): string {
  return name
    .toLowerCase()
    .replaceAll("_", "")
    .replace(/^(?:core|json|string|str|math|list|array|re|_|object|date|datetime)\./, (prefix) =>
      prefix === "json." ? "json" : "",
    );
}

/** The function that means the same as a foreign one. */
export function ownNameOf(name: string): string | null {
  const folded = fold(name);
  const same = SAME_BY_NAME.get(folded);
  if (same !== undefined) return same;
  // `math.floor`, `str.upper`: ours under the name of a library.
  return folded === name.toLowerCase() ? null : (ownUnder(name, folded) ?? null);
}

function ownUnder(name: string, folded: string): string | undefined {
  return name.includes(".") ? findFunction(folded)?.name : undefined;
}

/** What a name means with one argument: Python makes a list or a set of one value by these. */
export function withOneArgument(name: string): string | undefined {
  return { list: "each", set: "unique" }[name.toLowerCase()];
}

/** A call of an adapter may stand there: `r = fetch(url)`. */
const ASSIGNED = /(?:^|\n)[ \t]+[\p{L}_][\p{L}\p{Nd}_]*[ \t]*=[ \t]*$/u;
const MAX_BEFORE = 200;

/** What to write instead of the unknown function `name` at `span` with these arguments; null when nothing is known. */
export function functionAdvice(
  name: string,
  span: Span,
  args: readonly Operand[],
  source: string,
): FunctionAdvice | null {
  const infix = infixAdvice(name, span, args, source);
  if (infix !== null) return infix;
  const called = calledBy(name, span, source);
  if (called !== null) {
    const written = [called.name, ...(called.args ?? ["…"])].join(" ");
    const edits = [{ span: called.span, new_text: written }];
    return { suggestion: `write ${written}`, fix: called.args === null ? null : { title: `write ${written}`, edits } };
  }
  const symbol = /^[^\p{L}\p{Nd}_]+$/u.test(name) ? functionOfOperator(name) : null;
  const own = symbol ?? ownNameOf(name);
  if (own !== null) {
    return { suggestion: `write ${own}`, fix: { title: `write ${own}`, edits: [{ span, new_text: own }] } };
  }
  const folded = fold(name);
  if (folded === "fetch" && args.length === 1 && ASSIGNED.test(source.slice(0, span.start).slice(-MAX_BEFORE))) {
    const title = "write http.Get";
    return { suggestion: title, fix: { title, edits: [{ span, new_text: "http.Get" }] } };
  }
  const suggestion = Object.hasOwn(OTHERWISE, folded) ? OTHERWISE[folded] : undefined;
  return suggestion === undefined ? null : { suggestion, fix: null };
}

/** `a + 1` where a function and its arguments belong. */
function infixAdvice(name: string, span: Span, args: readonly Operand[], source: string): FunctionAdvice | null {
  const kind = /^["']/.test(source.charAt(span.start)) ? ("str" as const) : ("name" as const);
  const words = [{ text: name, kind, span }, ...args.map((argument) => wordOfOperand(argument, source))];
  const [, operator] = words;
  const last = args.at(-1);
  if (operator === undefined || last === undefined || !isOperatorWord(operator)) return null;
  const reading = readInfix(words, "value");
  if (reading === null || reading.used < words.length) return null;
  const call = reading.text.slice(1, -1);
  const edits = [{ span: spanOver(span, last.span), new_text: call }];
  return { suggestion: `write ${reading.text}`, fix: reading.exact ? { title: `write ${call}`, edits } : null };
}
