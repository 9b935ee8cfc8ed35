/**
 * Arguments in the order of other languages, which run and give something else than they say: `contains("@", mail)`, `match('\d+', text)`,
 * `sort_by("price", rows)`. The edit swaps them where only one order can be meant; where both can, a warning names both.
 */
import type { Operand } from "../../../grammar/ast.ts";
import { type Advice, isPattern, type Place, type Rule, shown } from "./call-advice.ts";
import { kindOf } from "./value-types.ts";

/** With the arguments in another order: `order` are their places now. */
function reordered(args: readonly Operand[], order: readonly number[], { text }: Place, name: string): Advice | null {
  const moved = order.map((at) => args[at]);
  if (moved.length !== args.length || moved.includes(undefined)) return null;
  const texts = moved.map((one) => text(one as Operand));
  const edits = args.flatMap(({ span }, at) => (order[at] === at ? [] : [{ span, new_text: texts[at] as string }]));
  const title = `write ${name}(${texts.map(shown).join(", ")})`;
  return { suggestion: title, fix: { title, edits } };
}

/** With its first two arguments the other way round. */
function swapped(args: readonly Operand[], place: Place, name: string): Advice | null {
  return reordered(args, [1, 0, ...[...args.keys()].slice(2)], place, name);
}

/** A variable, or what is read from one. */
function isHeld({ k }: Operand): boolean {
  return k === "name" || k === "var" || k === "path";
}

function kind(operand: Operand | undefined, { types }: Place): string | null {
  return operand === undefined ? null : kindOf(types.of(operand), types.records);
}

const SEPARATOR = /^(?:[^\p{L}\p{Nd}]{0,3}|\s.{1,5}\s)$/u;

/** Signs, or a word between blanks. */
function isSeparator(operand: Operand): boolean {
  return operand.k === "str" && SEPARATOR.test(operand.v);
}

/** Both orders may be meant. */
function unsure(args: readonly Operand[], { text }: Place, name: string): Advice {
  const written = `${name}(${args
    .toReversed()
    .map((one) => shown(text(one)))
    .join(", ")})`;
  return { suggestion: `if the order is wrong, write ${written}`, fix: null, severity: "warning" };
}

/** `join(xs, ",")`: the separator comes first. */
const join: Rule = ({ args }, place) => {
  const [a, b] = args;
  if (a === undefined || args.length > 2) return null;
  if (b === undefined)
    return { suggestion: `the separator comes first: write join(", ", ${shown(place.text(a))})`, fix: null };
  if (kind(a, place) === "list" || (isSeparator(b) && a.k !== "str")) return swapped(args, place, "join");
  return b.k === "str" && a.k !== "str" ? unsure(args, place, "join") : null;
};

/** `split(",", t)`; `split("a b c", separator)` is as it should be. */
const split: Rule = ({ args }, place) => {
  const [a, b] = args;
  if (a?.k !== "str" || b === undefined || b.k === "str") return null;
  if (isSeparator(a)) return swapped(args, place, "split");
  return a.v.length <= 3 && args.length === 2 ? unsure(args, place, "split") : null;
};

/** `push(1, xs)`: what is not a list counts as an empty one. `take(3, xs)` */
const first =
  (name: string, isWrong: (kind: string) => boolean): Rule =>
  ({ args }, place) => {
    const [a, b] = args;
    const known = args.length === 2 ? kind(a, place) : null;
    if (known === null || b === undefined || !isWrong(known)) return null;
    const isWritten = (a?.k === "str" || a?.k === "num") && (isHeld(b) || b.k === "call");
    const mayBeList = (isHeld(b) || b.k === "call" || b.k === "list") && (kind(b, place) ?? "list") === "list";
    return (name === "push" && mayBeList) || isWritten ? swapped(args, place, name) : null;
  };

/** Letters in the order of the alphabet, signs, a list of words: what a character or a choice is looked for in. */
function isSetOf(text: string): boolean {
  const letters = text.replace(/[^\p{L}\p{Nd}]/gu, "");
  return (
    letters === "" || /[,;|]/.test(text) || [...letters].every((one, at, all) => at === 0 || one > (all[at - 1] ?? ""))
  );
}

/** `contains("refund", note)`: looks for the note in the word. */
const part =
  (name: string): Rule =>
  ({ args }, place) => {
    const [a, b] = args;
    if (a === undefined || b === undefined || args.length !== 2) return null;
    const [whole, other] = [kind(a, place), kind(b, place)];
    if (whole === "number" || whole === "boolean")
      return name === "contains" && b.k !== "str" ? swapped(args, place, name) : null;
    if (whole === "text" && (other === "list" || other === "map")) return swapped(args, place, name);
    if (a.k !== "str" || !isHeld(b) || ("v" in b && place.isItem(String(b.v)))) return null;
    // Of one character both orders find the same.
    if ([...a.v].length === 1) return swapped(args, place, name);
    if (name === "contains" && isSetOf(a.v)) return null;
    const [text, written] = [shown(place.text(b)), shown(place.text(a))];
    const instead = name === "contains" ? `, or ${text} in ${written} if that is meant` : "";
    return {
      suggestion: `what is searched comes first: write ${name}(${text}, ${written})${instead}`,
      fix: null,
      severity: "warning",
    };
  };

/** `match('\d+', text)` */
const pattern =
  (name: string): Rule =>
  ({ args }, place) => {
    const [a, b] = args;
    if (a?.k !== "str" || b === undefined || args.length !== 2 || !isPattern(a.v)) return null;
    return isHeld(b) || b.k === "call" || (b.k === "str" && !isPattern(b.v)) ? swapped(args, place, name) : null;
  };

/** `replace_all('\s+', "-", text)` */
const replaceAll: Rule = ({ args }, place) => {
  const [a, b, c] = args;
  if (a?.k !== "str" || b === undefined || c === undefined || args.length !== 3 || !isPattern(a.v)) return null;
  return c.k !== "str" || !isPattern(c.v) ? reordered(args, [2, 0, 1], place, "replace_all") : null;
};

/** `replace("a", "b", text)`: what is replaced is not in the first text. */
const replace: Rule = ({ args }, place) => {
  const [a, b, c] = args;
  if (a?.k !== "str" || b?.k !== "str" || c === undefined || c.k === "str" || args.length !== 3) return null;
  return a.v.includes(b.v) ? null : reordered(args, [2, 0, 1], place, "replace");
};

/** `get("name", d)` */
const get: Rule = ({ args }, place) => {
  const [a, b] = args;
  return a?.k === "str" && b !== undefined && (b.k === "name" || b.k === "var") ? swapped(args, place, "get") : null;
};

/** `round(2, x)`: a whole number that is written out needs no rounding. */
const round: Rule = ({ args }, place) => {
  const [a, b] = args;
  return a?.k === "num" && Number.isInteger(a.v) && b !== undefined && isHeld(b) ? swapped(args, place, "round") : null;
};

/** `find("id", 3, rows)` */
const find: Rule = ({ args }, place) => {
  const [a, b, c] = args;
  if (a?.k !== "str" || b === undefined || c === undefined || args.length !== 3) return null;
  if (isHeld(b) === isHeld(c)) return null;
  return reordered(args, isHeld(b) ? [1, 0, 2] : [2, 0, 1], place, "find");
};

const notList = (one: string): boolean => one !== "list";
const isNumber = (one: string): boolean => one === "number";
const table = (names: string, isWrong: (kind: string) => boolean): Readonly<Record<string, Rule>> =>
  Object.fromEntries(names.split(" ").map((name) => [name, first(name, isWrong)]));

export const ORDER_RULES: Readonly<Record<string, Rule | undefined>> = {
  join,
  ...table("push sort_by group_by count_by index_by min_by max_by sum avg chunk", notList),
  ...table("take drop count", isNumber),
  split,
  contains: part("contains"),
  startswith: part("startswith"),
  endswith: part("endswith"),
  match: pattern("match"),
  find_all: pattern("find_all"),
  split_by: pattern("split_by"),
  replace_all: replaceAll,
  replace,
  get,
  round,
  find,
};
