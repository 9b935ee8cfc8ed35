/**
 * Lines that start with no op word: what was meant, and how Weft writes it. Words of other languages, labels without their
 * `L` or colon, assignments, adapter calls without R. Everything is decided by the line alone; no finding is made here.
 */
import type { Slot } from "../ast.ts";
import type { Fix } from "../diagnostic.ts";
import { insertBefore } from "../operands/operands.ts";
import { isName } from "../operands/tokens.ts";
import { findOp, OP_WORDS } from "../ops.ts";
import { nearest } from "../text/nearest.ts";
import { type Span, spanOver } from "../text/span.ts";

type LineAdvice = { readonly suggestion: string; readonly fix: Fix | null };

const FENCE = "send the program alone: leave the fences of Markdown out";
const ESCAPED_LINES = "write line breaks in place of \\n";
const COMMENT = "a comment begins with #";

/** What words of the predecessor and of other languages are here. */
const FORMS: readonly (readonly [words: string, advice: string])[] = [
  ["END End end EndFor EndIf EndWhile fi done }", "labels need no closing word; remove the line"],
  ["Ret Return return RETURN yield out exit", "use J to end a label with a value"],
  [
    "begin: rescue: try try: catch except except: finally: else:",
    "a label's steps need no block words; use Err and If with labels",
  ],
  ["Else else elif elseif switch then", "write If condition ->L_then ->L_else"],
  ["For for each foreach forEach", "write Loop list item ->L_body ->L_after"],
  ["break Break", "a loop cannot be left early; use While with a condition, or Filt the list first"],
  ["continue", "end the body of the loop with J"],
  ["pass", "leave the line out"],
  ["def func function fn", "write a label, L_name: on a line of its own, with its steps below"],
  ["let var const Let", "write Set name value"],
  ["import from use", 'write include "path" as name above the first label'],
  ["goto Goto", "use Call L_name, or If true ->L_name"],
  ["raise throw", 'use X x fail "message"'],
  ["print Print echo log", "use J to give a result, or R with an adapter to write somewhere"],
  ["sleep wait Sleep Wait", "use X x sleep milliseconds"],
];
const ADVICE: ReadonlyMap<string, string> = new Map(
  FORMS.flatMap(([words, advice]) => words.split(" ").map((word) => [word, advice] as const)),
);
const REMOVED_OP = /^(?:memory|persona)\.[A-Za-z_]+$/;
const ADAPTER_CALL = /^[a-z][a-z0-9_]*\.[A-Za-z][A-Za-z0-9_.]*$/;
/** `Cache.set`; no declaration has both a capital in front and none after. */
const CAPITAL_CALL = /^[A-Z][a-z0-9_]*\.[a-z][a-z0-9_]*$/;
/** Modules of declarations, and prefixes that declarations may have. */
const OP_PREFIX = /^(?:ops|fe|rag|arch|test)\./;
const ASSIGNMENT = /^([\p{L}_][\p{L}\p{Nd}_]*)(?::=|=)(.+)$/u;
const MAX_ECHO_LENGTH = 80;

/** Words so short, or all in lower case, are names and text far more often than misspelt declarations. */
const MAX_SHORT_WORD_LENGTH = 3;
const STEP_WORDS: readonly string[] = OP_WORDS.filter((word) => findOp(word)?.kind !== "declaration");

/** The op word nearest to an unknown one. */
export function nearestOp(word: string): string | null {
  const guarded = word.length <= MAX_SHORT_WORD_LENGTH || (word === word.toLowerCase() && !word.includes("."));
  return nearest(word, guarded ? STEP_WORDS : OP_WORDS);
}

/** What the line that starts with `word` should be; null when only a near op word can say more. */
export function adviceForLine(word: Slot, slots: readonly Slot[], source: string): LineAdvice | null {
  if (word.quoted) return null;
  const assigned = assignmentAdvice(word, slots, source);
  if (assigned !== null) return assigned;
  if (/^(?:\/\*|\*\/|<!--)/.test(word.text)) return { suggestion: COMMENT, fix: null };
  if (/^(?:\/\/|--)/.test(word.text)) {
    const slashes = { ...word.span, end_column: word.span.column + 2, end: word.span.start + 2 };
    return {
      suggestion: COMMENT,
      fix: { title: "write #", edits: [{ span: slashes, new_text: "#" }] },
    };
  }
  if (/^(?:```|~~~)/.test(word.text)) {
    const line = spanOver(word.span, (slots.at(-1) ?? word).span);
    return { suggestion: FENCE, fix: { title: "remove the line", edits: [{ span: line, new_text: "" }] } };
  }
  if (word.text.includes("\\n")) return { suggestion: ESCAPED_LINES, fix: null };
  const known = ADVICE.get(word.text.replace(/\(.*$/s, ""));
  if (known !== undefined) return { suggestion: known, fix: null };
  const label = labelMeant(word, slots);
  if (label !== null) {
    return { suggestion: `write ${label}`, fix: rewrite(word.span, label) };
  }
  if (REMOVED_OP.test(word.text)) return { suggestion: "use R memory.… to reach the memory adapter", fix: null };
  if (ADAPTER_CALL.test(word.text) && !OP_PREFIX.test(word.text)) {
    const line = lineText(word, slots, source);
    return { suggestion: `write R ${line}`, fix: { title: "write R", edits: [insertBefore(word.span, "R ")] } };
  }
  if (CAPITAL_CALL.test(word.text)) {
    const call = `R ${word.text.toLowerCase()}`;
    return { suggestion: `write ${call} …`, fix: rewrite(word.span, call) };
  }
  return null;
}

/** The steps whose names are not words of a sentence: `done: J ok` is a label, `Task: Set the table` need not be one. */
const BARE_STEPS: ReadonlySet<string> = new Set(["R", "J", "X"]);

/** The label line that `main:`, `done: J ok` or a lone `L_ok` is meant as. */
export function labelMeant({ text, quoted }: Slot, slots: readonly Slot[]): string | null {
  const [next] = slots;
  const steps = text.endsWith(":") && next !== undefined && !next.quoted && BARE_STEPS.has(next.text);
  if (quoted || (next !== undefined && !steps) || ADVICE.has(text)) return null;
  if (/^L[\p{L}\p{Nd}_]+$/u.test(text)) return /^L(?:_|[0-9]|[A-Z])/.test(text) ? `${text}:` : null;
  const name = text.endsWith(":") ? text.slice(0, -1) : "";
  return isName(name) && findOp(name) === undefined ? `L_${name}:` : null;
}

/** `x = 5`, `x=5`, `x := 5`, `let x = 5`. */
function assignmentAdvice(word: Slot, slots: readonly Slot[], source: string): LineAdvice | null {
  const declared = ["let", "const", "var"].includes(word.text) && slots.length > 1;
  const [name, ...rest] = declared ? slots : [word, ...slots];
  if (name === undefined || name.quoted) return null;
  const [sign, value, ...more] = rest;
  const glued = ASSIGNMENT.exec(name.text);
  if (glued !== null && rest.length === 0 && !declared) {
    const [, left = "", right = ""] = glued;
    // A joined string lost its quotes in the slot's text.
    const written = source.slice(name.span.start, name.span.end).slice(name.text.length - right.length);
    const isPlain = name.span.end - name.span.start === name.text.length && !right.startsWith("=");
    const text = `Set ${left} ${written.slice(0, MAX_ECHO_LENGTH)}`;
    return right.startsWith("=")
      ? null
      : { suggestion: `write ${text}`, fix: isPlain ? rewrite(word.span, text) : null };
  }
  if (!isName(name.text) || sign === undefined || (sign.text !== "=" && sign.text !== ":=") || value === undefined) {
    return null;
  }
  if (more.length > 0) return { suggestion: `write Set ${name.text} and one value, or X with a function`, fix: null };
  const written = source.slice(value.span.start, value.span.end);
  const text = `Set ${name.text} ${written}`;
  const isPlain = value.quoted || /^[\p{L}\p{Nd}_.$-]+$/u.test(value.text);
  const shown = `Set ${name.text} ${written.slice(0, MAX_ECHO_LENGTH)}`;
  return { suggestion: `write ${shown}`, fix: isPlain ? rewrite(spanOver(word.span, value.span), text) : null };
}

function rewrite(span: Span, text: string): Fix {
  return { title: `write ${text.slice(0, MAX_ECHO_LENGTH)}`, edits: [{ span, new_text: text }] };
}

function lineText(word: Slot, slots: readonly Slot[], source: string): string {
  const text = source.slice(word.span.start, (slots.at(-1) ?? word).span.end);
  return text.length <= MAX_ECHO_LENGTH ? text : `${word.text.slice(0, MAX_ECHO_LENGTH)} …`;
}
