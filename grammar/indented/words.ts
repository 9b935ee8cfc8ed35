/**
 * The words that begin the lines of the indented form, and what is said about lines that begin with none of them: the nearest valid form.
 * Knows single lines, no blocks.
 */
import type { Fix } from "../diagnostic.ts";
import { nearest } from "../nearest.ts";
import { findOp } from "../ops.ts";
import { HASH, isQuote, slotWordEnd } from "../slots.ts";
import { isBlank, skipBlanks } from "../source.ts";
import type { Span } from "../span.ts";
import { isWritable, nameEnd } from "../tokens.ts";

export const KEYWORDS = ["in", "out", "err", "call", "if", "elif", "else", "for", "while", "config", "state"] as const;
export type Keyword = (typeof KEYWORDS)[number];

const KEYWORD_SET: ReadonlySet<string> = new Set(KEYWORDS);
/** Of these a graph cannot have its name: at the left margin they are statements that lost their place. */
const BLOCK_WORDS: ReadonlySet<string> = new Set(["in", "if", "elif", "else", "for", "while"]);

export function isBlockWord(word: string): boolean {
  return BLOCK_WORDS.has(word);
}

/** The keyword a line begins with. */
export function keywordAt(text: string, start: number, limit: number): Keyword | null {
  const end = nameEnd(text, start);
  const word = text.slice(start, end);
  if (end > limit || !KEYWORD_SET.has(word)) return null;
  const code = text.charCodeAt(end);
  const ends = end === limit || isBlank(code) || code === HASH || isQuote(code) || "([{:".includes(text.charAt(end));
  return ends ? (word as Keyword) : null;
}

/** Where the `=` of `name = …` stands; -1 for a line that assigns nothing. */
export function assignmentAt(text: string, start: number, limit: number): number {
  const end = nameEnd(text, start);
  if (end === start || end > limit || !isWritable(text.slice(start, end))) return -1;
  const at = skipBlanks(text, end, limit);
  return at < limit && text.charAt(at) === "=" && text.charAt(at + 1) !== "=" ? at : -1;
}

/** Whether only blanks and a comment stand from `from` on. */
export function endsLine(text: string, from: number, limit: number): boolean {
  const at = skipBlanks(text, from, limit);
  return at >= limit || text.charCodeAt(at) === HASH;
}

/** `cache.set`, the first word of an adapter call. */
export function isDotted(word: string): boolean {
  const end = nameEnd(word, 0);
  return end > 0 && word.charAt(end) === "." && /^[^\s.()[\]{},:=<>!?]/u.test(word.slice(end + 1));
}

/** Whether a line inside an open bracket begins a statement of its own: then the bracket was forgotten. */
export function startsIndentedStatement(text: string, start: number, limit: number): boolean {
  const equals = assignmentAt(text, start, limit);
  // `k="v"` may be a word of a list.
  if (equals !== -1 && isBlank(text.charCodeAt(equals + 1))) return true;
  const end = slotWordEnd(text, start, limit);
  const behind = skipBlanks(text, end, limit);
  if (behind === end || behind >= limit || ":,)]}#".includes(text.charAt(behind))) return false;
  const word = text.slice(start, end);
  return KEYWORD_SET.has(word) || findOp(word) !== undefined;
}

export type LineAdvice = { readonly suggestion: string | null; readonly fix: Fix | null };

/** What is written here for words of other languages; `{rest}` is what follows on the line. */
const REWRITTEN: Readonly<Record<string, string>> = {
  return: "out{rest}",
  output: "out{rest}",
  raise: "err{rest}",
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
  set: "{assignment}",
};

const EXPLAINED: Readonly<Record<string, string>> = {
  break: "there is no break: out ends the graph; else put the rest of the block under an if",
  continue: "there is no continue: put the rest of the block under an if",
  pass: "leave the line out",
  def: "a graph is a name and a colon at the left margin",
  function: "a graph is a name and a colon at the left margin",
  graph: "a graph is a name and a colon at the left margin",
  try: "write Err ->handler under the statement that may fail",
  except: "write Err ->handler under the statement that may fail, and a graph of that name",
  catch: "write Err ->handler under the statement that may fail, and a graph of that name",
  print: "a graph gives one value: out",
  import: 'write include "file.wf" as name at the left margin, above the first graph',
  include: "put it at the left margin, above the first graph",
  switch: "write if, elif and else",
  match: "write if, elif and else",
  case: "write if, elif and else",
  unless: "write if not",
  until: "write while not",
  do: "write while and a condition",
  await: "leave the word out: calls wait for their answer",
  yield: "there is no yield: collect values in a list, with push, and give it with out",
  with: "leave it out: adapters open and close what they use",
  assert: "write err under an if",
  del: "write name = null",
  global: "leave the line out: graphs share their variables",
  end: "a block ends where its indentation ends: leave the line out",
  endif: "a block ends where its indentation ends: leave the line out",
  done: "a block ends where its indentation ends: leave the line out",
};

/** What the line from `start` to `limit` should be. */
export function adviceFor(text: string, start: number, limit: number, span: Span): LineAdvice {
  const line = text.slice(start, limit).trimEnd();
  const word = /^[^\s:("'#]+/.exec(line)?.[0] ?? line.slice(0, 1);
  const rest = line.slice(word.length).replace(/^:/, "");
  const known = rewritten(word, rest) ?? operatorAssignment(line) ?? sigilAssignment(line) ?? dottedCall(line);
  if (known !== null) return { suggestion: `write ${shortened(known)}`, fix: fixed(span, line, known) };
  const explained = unassignable(line);
  if (explained !== null) return { suggestion: explained, fix: null };
  if (Object.hasOwn(EXPLAINED, word)) return { suggestion: EXPLAINED[word] ?? null, fix: null };
  const near = nearest(word, KEYWORDS);
  if (near === null || rest.trim() === "")
    return { suggestion: near === null ? adviceByForm(line) : `did you mean ${near}?`, fix: null };
  return { suggestion: `did you mean ${near}?`, fix: fixed(span, word, near) };
}

function rewritten(word: string, rest: string): string | null {
  if (!Object.hasOwn(REWRITTEN, word) || rest.startsWith("(")) return null;
  const form = REWRITTEN[word] ?? "";
  if (form !== "{assignment}") return form.replace("{rest}", () => rest);
  const value = rest.trim();
  return assignmentAt(value, 0, value.length) === -1 ? null : value;
}

/** `n += 1`, `n: 1`, `n := 1`. */
function operatorAssignment(line: string): string | null {
  const [, name = "", operator = "", value = ""] =
    /^([\p{L}_][\p{L}\p{Nd}_]*)\s*([-+*/:]?)[=:]\s+(\S+)$/u.exec(line) ?? [];
  if (!isWritable(name) || KEYWORD_SET.has(name)) return null;
  const fn = { "+": "add", "-": "sub", "*": "mul", "/": "div" }[operator];
  return fn === undefined ? `${name} = ${value}` : `${name} = (${fn} ${name} ${value})`;
}

/** `$x = 1`, `x++`, `x == 1`. */
function sigilAssignment(line: string): string | null {
  const [, name = "", step] = /^([\p{L}_][\p{L}\p{Nd}_]*)(\+\+|--)$/u.exec(line) ?? [];
  if (isWritable(name)) return `${name} = (${step === "++" ? "add" : "sub"} ${name} 1)`;
  const own = line.startsWith("$") ? line.slice(1) : line.replace("==", "=");
  return own !== line && assignmentAt(own, 0, own.length) !== -1 ? own : null;
}

/** `xs[0] = 1`, `x, y = 1, 2`, `1x = 2`: what stands before the `=` is no name. */
function unassignable(line: string): string | null {
  if (/^[\p{L}_][\p{L}\p{Nd}_]*[.[][^\s=]*\s*=(?!=)/u.test(line)) return "write name = (put name key value)";
  if (/^[^\s,=]+,[^=]*=(?!=)/u.test(line)) return "a line sets one name: name = value";
  return /^[^\s="'#(]+\s*=(?!=)/u.test(line) ? "a name has letters, digits and _, and is no constant" : null;
}

/** `http.get(url, 5)` → `http.get url 5`, when the arguments are single words. */
function dottedCall(line: string): string | null {
  const [, target = "", args = ""] = /^([\p{L}_][\p{L}\p{Nd}_]*\.[\p{L}\p{Nd}_.]+)\(([^()[\]{}]*)\)$/u.exec(line) ?? [];
  if (target === "") return null;
  return [target, ...args.split(",").map((argument) => argument.trim())].filter((part) => part !== "").join(" ");
}

function adviceByForm(line: string): string | null {
  return /^[^\s:]+:$/.test(line) ? "a graph begins at the left margin: name:" : null;
}

const LONGEST_ECHO = 80;

function shortened(text: string): string {
  return text.length <= LONGEST_ECHO ? text : `${text.slice(0, LONGEST_ECHO)}…`;
}

/** Replaces what the line begins with. */
function fixed(span: Span, written: string, new_text: string): Fix {
  const end = span.start + written.length;
  const place = { ...span, end, end_column: span.column + written.length };
  return { title: `write ${shortened(new_text)}`, edits: [{ span: place, new_text }] };
}
