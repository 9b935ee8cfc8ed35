/**
 * Arguments that are read as a text: words that no run accepts (`sort_by(rows, "n", "descending")`), and values that are a text elsewhere: a time,
 * which is a number here (`date_add(…)[:10]`), and a caught failure, which is an object (`"timeout" in e`).
 */
import type { Operand } from "../../../grammar/ast.ts";
import { listed } from "../../../grammar/text/english.ts";
import { nearest } from "../../../grammar/text/nearest.ts";
import { spanAfter, spanBefore } from "../../../grammar/text/span.ts";
import { CHOICES, FORMAT_SPEC } from "../../guide/function-choices.ts";
import { type Advice, type Call, type Place, type Rule, shown } from "./call-advice.ts";

/** `date_part(t, "dow")` */
export function choice(name: string, { args }: Call): Advice | null {
  const known = Object.hasOwn(CHOICES, name) ? CHOICES[name] : undefined;
  const word = known === undefined ? undefined : args[known.at];
  if (known === undefined || word?.k !== "str") return zone(name, args);
  const lower = word.v.toLowerCase();
  if (known.words.includes(lower)) return null;
  const meant = Object.hasOwn(known.meant, lower) ? known.meant[lower] : nearest(word.v, known.words);
  if (meant === undefined || meant === null)
    return { suggestion: `write one of ${listed(known.shown.map((one) => `"${one}"`))}`, fix: null };
  const title = `write "${meant}"`;
  return { suggestion: title, fix: { title, edits: [{ span: word.span, new_text: `"${meant}"` }] } };
}

/** `date_parse("05.03.2024", "%d.%m.%Y")` */
function zone(name: string, args: readonly Operand[]): Advice | null {
  const [, pattern] = args;
  if (name !== "date_parse" || pattern?.k !== "str" || !/%[A-Za-z]|[Yy]{2,4}|[Dd]{2}/.test(pattern.v)) return null;
  const suggestion =
    "a second argument is a time zone: date_parse reads 2024-03-05 and RFC 3339; take other dates apart with split or match";
  return { suggestion, fix: null };
}

const textual: Rule = ({ args: [whole, ...more], span }, place) => {
  if (whole === undefined) return null;
  const type = place.types.of(whole);
  if (type === "failure") return ofFailure(whole, place);
  return type === "time" ? ofTime(whole, more, span, place) : null;
};

function ofFailure(whole: Operand, { text, isMarked }: Place): Advice | null {
  if (whole.k !== "name" && whole.k !== "var") return null;
  const written = `${text(whole)}.message`;
  const edits = [{ span: spanAfter(whole.span), new_text: ".message" }];
  return { suggestion: `write ${shown(written)}`, fix: isMarked ? { title: `write ${written}`, edits } : null };
}

/** Lengths of a date and of a year in RFC 3339, and their patterns. */
const PATTERNS: Readonly<Record<number, string>> = { 4: "%Y", 7: "%Y-%m", 10: "%Y-%m-%d" };

function ofTime(whole: Operand, [from, to]: readonly Operand[], span: Call["span"], { text }: Place): Advice {
  const starts = from?.k === "null" || (from?.k === "num" && from.v === 0);
  const pattern = starts && to?.k === "num" ? PATTERNS[to.v] : undefined;
  const format = `date_format(${shown(text(whole))}, "${pattern ?? "%Y-%m-%d"}")`;
  const suggestion = `a time is a number of milliseconds: write ${format} for its text`;
  if (pattern === undefined) return { suggestion, fix: null };
  const edits = [
    { span: { ...spanBefore(span), end: whole.span.start }, new_text: "date_format(" },
    { span: { ...spanAfter(whole.span), end: span.end }, new_text: `, "${pattern}")` },
  ];
  return { suggestion, fix: { title: `write ${format}`, edits } };
}

/** `f"{name:>{width}}"`, `f"{n:#x}"` */
const format: Rule = ({ args: [template] }) => {
  if (template?.k !== "str") return null;
  if (/(?<!\{)\{[^{}:]*:[^{}]*\{/.test(template.v))
    return { suggestion: "a format holds no value: write pad(text, width), or round(n, digits)", fix: null };
  for (const [, spec = ""] of template.v.matchAll(/(?<!\{)\{[^{}:]*:([^{}]*)\}/g)) {
    if (!FORMAT_SPEC.test(spec))
      return {
        suggestion: `'${shown(spec)}' is not a format: write one as in {:.2f}, {:>8}, {:05d} or {:,}`,
        fix: null,
      };
  }
  return null;
};

const NAMES = "slice substr split startswith endswith contains replace lower upper strip take match find_all";
export const TEXT_RULES: Readonly<Record<string, Rule | undefined>> = {
  ...Object.fromEntries(NAMES.split(" ").map((name) => [name, textual])),
  format,
};
