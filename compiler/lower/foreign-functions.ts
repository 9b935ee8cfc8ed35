/**
 * Function names and operators of other languages, and what Weft has instead (for WF5004). A replacement is offered as an
 * edit only where it takes the same arguments with the same meaning. Knows names only; what they are called with is
 * looked at just for infix operators.
 */
import type { Operand } from "../../grammar/ast.ts";
import type { Fix } from "../../grammar/diagnostic.ts";
import { calledBy } from "../../grammar/foreign-marks.ts";
import { NO_FUNCTION_IN_PLACE } from "../../grammar/in-place.ts";
import { functionOfOperator, isOperatorWord, readInfix, wordOfOperand } from "../../grammar/infix.ts";
import { type Span, spanOver } from "../../grammar/span.ts";

type FunctionAdvice = { readonly suggestion: string; readonly fix: Fix | null };

/** Own name, and the foreign names that mean the same with the same arguments. */
const SAME: Readonly<Record<string, string>> = {
  len: "length size count strlen",
  upper: "uppercase toupper touppercase upcase",
  lower: "lowercase tolower tolowercase downcase",
  push: "append",
  parse: "jsonparse loads jsonloads parsejson fromjson jsondecode",
  stringify: "jsonstringify dumps jsondumps tojson jsonencode",
  concat: "strcat concatenate",
  contains: "includes",
  startswith: "beginswith hasprefix",
  endswith: "hassuffix",
  type: "typeof",
  add: "plus",
  sub: "subtract minus",
  mul: "multiply times",
  div: "divide",
  mod: "modulo",
  pow: "power",
  unique: "uniq distinct",
  reverse: "reversed",
  replace: "replaceall",
  arr: "array",
  ite: "ternary ifelse",
};

const LOOP = "use Loop with a label that runs for each element";
/** No single function does it: what does. */
const OTHERWISE: Readonly<Record<string, string>> = {
  sum: "use Loop and add each element: X total add total item",
  total: "use Loop and add each element: X total add total item",
  avg: "use Loop to add the elements, then div by len",
  average: "use Loop to add the elements, then div by len",
  mean: "use Loop to add the elements, then div by len",
  map: LOOP,
  foreach: LOOP,
  each: LOOP,
  reduce: LOOP,
  filter: "use Filt: Filt name list field == value",
  sortby: "use Sort: Sort name list field asc",
  substring: "write substr text start length",
  indexof: "write contains text part",
  find: "write contains text part, or use Filt for lists of maps",
  first: "write get list 0",
  last: "write slice list -1, a list of the last element, or get with its index",
  exists: "use If x? to ask whether x is set",
  isset: "use If x? to ask whether x is set",
  defined: "use If x? to ask whether x is set",
  isnull: "write eq x null, or use If x?",
  isempty: "write eq (len x) 0",
  sqrt: "write pow x 0.5",
  random: "use R with an adapter that gives random numbers, or uuid",
  print: "use J to give a result",
  return: "use J to give a result",
  set: "use Set in a step of its own; put object key value gives an object with a member changed",
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
    .replace(/^(?:core|json|string|str|math|list|array)\./, (prefix) => (prefix === "json." ? "json" : ""));
}

/** The function that means the same as a foreign one. */
export function ownNameOf(name: string): string | null {
  return SAME_BY_NAME.get(fold(name)) ?? null;
}

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
