/**
 * The words that begin the lines of the indented form, and advice for lines that begin with another word: the nearest valid form.
 * Knows single lines, not blocks.
 */
import type { Fix } from "../../diagnostic.ts";
import { isWritable, nameEnd, pathEnd } from "../../operands/tokens.ts";
import { findOp } from "../../ops.ts";
import { findOutside, HASH, isLabelWord, isQuote, slotWordEnd } from "../../steps/slots.ts";
import { isImport } from "../../surface.ts";
import { nearest } from "../../text/nearest.ts";
import { isBlank, skipBlanks } from "../../text/source.ts";
import type { Span } from "../../text/span.ts";
import { linesFor } from "../repair/lines.ts";
import * as T from "../tokens.ts";

export const KEYWORDS: readonly string[] = [...T.LINE_WORDS.keys(), "call", "in", "config", "state"];

const KEYWORD_SET: ReadonlySet<string> = new Set(KEYWORDS);

/** Whether the word cannot be the name of a graph: at the left margin it is a statement without its indentation. */
export function isStatementWord(word: string): boolean {
  return word === "in" || T.BLOCK_WORDS.has(word);
}

/** The keyword a line begins with. */
export function keywordAt(text: string, start: number, limit: number): string | null {
  const end = nameEnd(text, start);
  const word = text.slice(start, end);
  if (end > limit || !KEYWORD_SET.has(word)) return null;
  const code = text.charCodeAt(end);
  const ends = end === limit || isBlank(code) || code === HASH || isQuote(code) || "([{:".includes(text.charAt(end));
  return ends ? word : null;
}

/** Where the `=` of `name = …` stands; -1 for a line that assigns nothing. */
export function assignmentAt(text: string, start: number, limit: number): number {
  const end = nameEnd(text, start);
  if (end === start || end > limit || !isWritable(text.slice(start, end))) return -1;
  const at = skipBlanks(text, end, limit);
  return at < limit && text.charAt(at) === "=" && text.charAt(at + 1) !== "=" ? at : -1;
}

const OPERATOR_EQUALS = /(?:\/\/|\*\*|[-+*/%])?=(?!=)/y;

const MEMBER = /\.(?:[\p{L}_][\p{L}\p{Nd}_]*|[0-9]+)/uy;

/** Where `rows[0].name` ends, and whether it has brackets; null for what does not begin with a name. */
function placeAt(
  text: string,
  start: number,
  limit: number,
): { readonly end: number; readonly isIndexed: boolean } | null {
  let end = nameEnd(text, start);
  let isIndexed = false;
  if (end === start || end > limit || !isWritable(text.slice(start, end))) return null;
  for (;;) {
    if (text.charAt(end) === "[") {
      const close = closingBracket(text, end, limit);
      if (close === -1) return null;
      end = close + 1;
      isIndexed = true;
    } else {
      MEMBER.lastIndex = end;
      if (!MEMBER.test(text) || MEMBER.lastIndex > limit) return { end, isIndexed };
      end = MEMBER.lastIndex;
    }
  }
}

/** `rows[0] = …`, `a.b = …`, `n += …`: where the operator with its `=` begins and ends; null for anything else. */
export function putAt(
  text: string,
  start: number,
  limit: number,
): { readonly start: number; readonly end: number } | null {
  const place = placeAt(text, start, limit);
  if (place === null) return null;
  const at = skipBlanks(text, place.end, limit);
  OPERATOR_EQUALS.lastIndex = at;
  if (!OPERATOR_EQUALS.test(text) || OPERATOR_EQUALS.lastIndex > limit) return null;
  return { start: at, end: OPERATOR_EQUALS.lastIndex };
}

/** Where the bracket that opens at `from` is closed; -1 when not before `limit`. */
export function closingBracket(text: string, from: number, limit: number): number {
  const { at } = findOutside(text, from, limit, (character, depth) => depth === 0 && ")]}".includes(character));
  return at < limit ? at : -1;
}

/** `helper(a)`, `xs.push(a)` at the beginning of a line: a name that brackets touch and that is not a word of another language. */
export function isBareCall(text: string, start: number, limit: number): boolean {
  const end = pathEnd(text, start, limit);
  const word = text.slice(start, nameEnd(text, start));
  return end > start && text.charAt(end) === "(" && !Object.hasOwn(EXPLAINED, word) && !Object.hasOwn(REWRITTEN, word);
}

/** `g[r.k].append(a)` at the beginning of a line: what is called has a computed index. */
export function isIndexedCall(text: string, start: number, limit: number): boolean {
  const place = placeAt(text, start, limit);
  return place?.isIndexed === true && text.charAt(place.end) === "(";
}

/** Whether the rest of the line from `from` is spaces and a comment. */
export function endsLine(text: string, from: number, limit: number): boolean {
  const at = skipBlanks(text, from, limit);
  return at >= limit || text.charCodeAt(at) === HASH;
}

/** `cache.set`, the first word of an adapter call. */
export function isDotted(word: string): boolean {
  const end = nameEnd(word, 0);
  return end > 0 && word.charAt(end) === "." && /^[^\s.()[\]{},:=<>!?]/u.test(word.slice(end + 1));
}

/** Whether a line inside an open bracket begins a statement of its own: then the closing bracket is missing. */
export function startsIndentedStatement(text: string, start: number, limit: number): boolean {
  const end = slotWordEnd(text, start, limit);
  const word = text.slice(start, end);
  if (isLabelWord(word)) return true;
  const equals = assignmentAt(text, start, limit);
  // `k="v"` may be a word of a list.
  if (equals !== -1 && isBlank(text.charCodeAt(equals + 1))) return true;
  const after = skipBlanks(text, end, limit);
  if (after === end || after >= limit || ":,)]}#".includes(text.charAt(after))) return false;
  return KEYWORD_SET.has(word) || findOp(word) !== undefined;
}

/** `for x in xs` and `if x.ok` inside brackets, without the colon that a statement ends with. */
export function continuesExpression(text: string, start: number, limit: number): boolean {
  const end = nameEnd(text, start);
  const word = text.slice(start, Math.min(end, limit));
  if (word !== "for" && word !== "if" && word !== "else" && word !== "in") return false;
  return !/:\s*(?:#.*)?$/.test(text.slice(start, limit));
}

export type LineAdvice = { readonly suggestion: string | null; readonly fix: Fix | null };

/** What to write instead of words of other languages; `{rest}` is the rest of the line. */
const REWRITTEN: Readonly<Record<string, string>> = {
  output: "out{rest}",
  throw: "err{rest}",
  error: "err{rest}",
  elseif: "elif{rest}",
  elsif: "elif{rest}",
  foreach: "for{rest}",
  input: "in:{rest}",
  inputs: "in:{rest}",
  let: "{assignment}",
  var: "{assignment}",
  const: "{assignment}",
  retry: "Retry{rest}",
  set: "{assignment}",
};

const EXPLAINED: Readonly<Record<string, string>> = {
  function: "a graph is a name and a colon at the left margin",
  graph: "a graph is a name and a colon at the left margin",
  catch: "write except:",
  finally: "write its lines below the try, where both ways come together",
  def: "a graph begins at the left margin",
  print: "a graph gives one value: out",
  import: 'write include "file.wf" as name at the left margin, above the first graph',
  include: "put it at the left margin, above the first graph",
  switch: "write if, elif and else",
  match: "write if, elif and else",
  case: "write if, elif and else",
  do: "write while and a condition",
  await: "leave the word out: calls wait for their result",
  yield: "yield does not exist: collect values in a list, with push, and return it with out",
  with: "leave it out: adapters open and close what they use",
  assert: "write raise under an if",
  del: "write d = omit(d, key) for a key of an object; a name can be set to None",
  global:
    "a call with brackets has variables of its own: pass the value, return the new one, and store what the call gives",
};

/** Suggests what the line from `start` to `limit` should be. */
export function adviceFor(text: string, start: number, limit: number, span: Span): LineAdvice {
  const line = text.slice(start, limit).trimEnd();
  const word = /^[^\s:("'#]+/.exec(line)?.[0] ?? line.slice(0, 1);
  const rest = line.slice(word.length).replace(/^:/, "");
  const indent = /(?<=^|\n)[ \t]*$/.exec(text.slice(Math.max(0, start - 200), start))?.[0] ?? "";
  const lines = line.length > MAX_LINE ? null : linesFor(line, indent, text);
  if (lines !== null)
    return {
      suggestion: `write ${lines === "" ? "nothing here" : shortened(lines.replaceAll(/\n\s*/g, "; "))}`,
      fix: fixed(span, line, lines),
    };
  const printed = PRINTED.exec(line)?.[1];
  if (printed !== undefined && !RESULT.test(graphAround(text, start)))
    return { suggestion: `a graph gives its value by return: return ${shortened(printed)}`, fix: null };
  if (DROPPED.test(line) || isImport(line))
    return {
      suggestion: "remove the line: it does nothing here",
      fix: fixed(span, line, isWholeBlock(text, start, limit) ? "pass" : ""),
    };
  const known =
    annotated(line) ?? deleted(line) ?? rewritten(word, rest) ?? colonAssignment(line) ?? sigilAssignment(line);
  if (known !== null) {
    const written = known.replace(/;$/, "");
    return { suggestion: `write ${shortened(written)}`, fix: fixed(span, line, written) };
  }
  const explained = unassignable(line);
  if (explained !== null) return { suggestion: explained, fix: null };
  if (Object.hasOwn(EXPLAINED, word)) return { suggestion: EXPLAINED[word] ?? null, fix: null };
  const near = nearest(word, KEYWORDS);
  if (near === null || rest.trim() === "")
    return { suggestion: near === null ? adviceByForm(line) : `did you mean ${near}?`, fix: null };
  return { suggestion: `did you mean ${near}?`, fix: fixed(span, word, near) };
}

const PRINTED = /^(?:print|console\.log)\((.+)\);?$/;
/** A line that gives a value. */
const RESULT = /^[ \t]+(?:[^\n#]*:[ \t]*)?(?:return|out|output|yield|J)\b/m;

/** Characters before and after a line that are looked at. */
const AROUND = 2000;

/** The lines near the line at `start` that are of its graph. */
function graphAround(text: string, start: number): string {
  const before = text.slice(Math.max(0, start - AROUND), start);
  const after = text.slice(start, start + AROUND);
  const begin = [...before.matchAll(/^[^\s#]/gm)].at(-1)?.index ?? 0;
  const end = after.search(/\n[^\s#]/);
  return before.slice(begin) + (end === -1 ? after : after.slice(0, end));
}

/** Whether the line stands alone in the block of a statement, which would have no lines without it. */
function isWholeBlock(text: string, start: number, limit: number): boolean {
  const before = text.slice(Math.max(0, start - AROUND), start);
  const opens = /:[ \t]*(?:#[^\n]*)?(?:\n[ \t]*(?:#[^\n]*)?)*$/.test(before);
  const depth = before.length - before.lastIndexOf("\n") - 1;
  const next = /^[ \t]*(?=[^\s#])/m.exec(text.slice(limit, limit + AROUND))?.[0] ?? "";
  return opens && next.length < depth;
}

/** Lines that have no effect on the result in other languages either. */
const DROPPED = /^(?:print\(.*\)|console\.log\(.*\);?)$/;

/** `n: int = 1` */
function annotated(line: string): string | null {
  const [, name = "", value = ""] =
    /^([\p{L}_][\p{L}\p{Nd}_]*)[ \t]*:[ \t]*[A-Za-z_][\w.]*(?:\[[^=]*\])?(?:[ \t]*\|[ \t]*\w+)*[ \t]*=[ \t]*(?!=)(.+)$/u.exec(
      line,
    ) ?? [];
  return isWritable(name) && !KEYWORD_SET.has(name) ? `${name} = ${value}` : null;
}

/** `del d["k"]` */
function deleted(line: string): string | null {
  const [, name = "", key = ""] =
    /^del[ \t]+([\p{L}_][\p{L}\p{Nd}_]*)\[["']([\p{L}\p{Nd}_-]+)["']\]$/u.exec(line) ?? [];
  return name === "" ? null : `${name} = omit(${name}, "${key}")`;
}

function rewritten(word: string, rest: string): string | null {
  if (!Object.hasOwn(REWRITTEN, word) || rest.startsWith("(")) return null;
  const form = REWRITTEN[word] ?? "";
  if (form !== "{assignment}") return form.replace("{rest}", () => rest);
  const value = rest.trim();
  return assignmentAt(value, 0, value.length) === -1 ? null : value;
}

/** `n: 1`, `n := 1`. */
function colonAssignment(line: string): string | null {
  const [, name = "", value = ""] = /^([\p{L}_][\p{L}\p{Nd}_]*)\s*:=?\s+(\S+)$/u.exec(line) ?? [];
  return !isWritable(name) || KEYWORD_SET.has(name) ? null : `${name} = ${value}`;
}

/** `$x = 1`, `x++`, `x == 1`. */
function sigilAssignment(line: string): string | null {
  const [, name = "", step] = /^([\p{L}_][\p{L}\p{Nd}_]*)(\+\+|--)$/u.exec(line) ?? [];
  if (isWritable(name)) return `${name} ${step === "++" ? "+" : "-"}= 1`;
  const own = line.startsWith("$") ? line.slice(1) : line.replace("==", "=");
  return own !== line && assignmentAt(own, 0, own.length) !== -1 ? own : null;
}

/** `x, y = 1, 2`, `1x = 2`: what stands before the `=` is not a name. */
function unassignable(line: string): string | null {
  if (/^[^\s,=]+,[^=]*=(?!=)/u.test(line)) return "a line sets one name: name = value";
  return /^[^\s="'#(]+\s*=(?!=)/u.test(line) ? "a name has letters, digits and _, and is not a constant" : null;
}

function adviceByForm(line: string): string | null {
  return /^[^\s:]+:$/.test(line) ? "a graph begins at the left margin: name:" : null;
}

const MAX_ECHO_LENGTH = 80;
const MAX_LINE = 500;

function shortened(text: string): string {
  return text.length <= MAX_ECHO_LENGTH ? text : `${text.slice(0, MAX_ECHO_LENGTH)}…`;
}

/** A fix that replaces the beginning of the line. */
function fixed(span: Span, written: string, new_text: string): Fix {
  const end = span.start + written.length;
  const place = { ...span, end, end_column: span.column + written.length };
  return {
    title: new_text === "" ? "remove the line" : `write ${shortened(new_text)}`,
    edits: [{ span: place, new_text }],
  };
}
