/** The one edit that repairs a statement with forms of other languages, and what is said of the call that gave it away. */
import type { Finding } from "../../diagnostic.ts";
import { type Span, spanOver } from "../../text/span.ts";
import * as T from "../tokens.ts";
import { groupEnd, type Lexeme } from "../tokens.ts";
import { isForeignFunction, isOwnFunction } from "./functions.ts";
import { isMethod } from "./methods.ts";
import { Rewriting, type Use } from "./rewrite.ts";
import type { Facts } from "./rows.ts";

export type Repair = Required<Pick<Finding, "suggestion" | "fix" | "covers">>;

const MAX_SHOWN = 80;
/** Longer statements are not written anew. */
const MAX_TOKENS = 400;

const USES: ReadonlyMap<unknown, Use> = new Map([
  [T.Target, "assigned"],
  [T.Out, "result"],
  [T.Bare, "nothing"],
]);

/** `head` is the first word of the statement, `tokens` are those of its expressions. */
export function repairOf(head: Lexeme, all: readonly Lexeme[], facts: Facts): Repair | null {
  const tokens =
    head.tokenType === T.For ? all.slice(all.findIndex(({ tokenType }) => tokenType === T.InWord) + 1) : all;
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (first === undefined || last === undefined || tokens.length > MAX_TOKENS) return null;
  if (tokens.some(({ span }) => span.start < first.span.start || span.end < span.start)) return null;
  const line = facts.source.slice(facts.source.lastIndexOf("\n", head.span.start) + 1, head.span.start);
  const text = new Rewriting(tokens, facts).text(USES.get(head.tokenType) ?? "value", /^[ \t]*/.exec(line)?.[0] ?? "");
  if (text === null) return null;
  const span = spanOver(first.span, last.span);
  const suggestion = text.length <= MAX_SHOWN && !text.includes("\n") ? `write ${text}` : "write it as the fix does";
  return {
    suggestion,
    fix: { title: suggestion.slice(0, MAX_SHOWN), edits: [{ span, new_text: text }] },
    covers: span,
  };
}

/** What is said of a callee that other languages have; null for one that may be of this form. `of` is the callee, `open` the bracket after it. */
export function foreignCallee(
  of: Span,
  open: Lexeme,
  tokens: readonly Lexeme[],
  facts: Facts,
): Pick<Finding, "code" | "span" | "words"> | null {
  const name = facts.source.slice(of.start, open.span.start);
  const span = { ...of, end: open.span.start, end_line: open.span.line, end_column: open.span.column };
  const token = `'${name.slice(0, 100)}'`;
  const isRead = name === "type" || name === "str";
  if (isForeignFunction(name) || isRead) {
    const isOwn = isOwnFunction(name) || isRead;
    return isOwn ? { code: "WF5014", span, words: { name } } : { code: "WF5004", span, words: { name } };
  }
  const dot = name.lastIndexOf(".");
  const root = /^[\p{L}_][\p{L}\p{Nd}_]*/u.exec(name)?.[0];
  if (dot === -1)
    return hasNames(open, tokens) && facts.inputsOf(name) !== null ? { code: "WF5014", span, words: { name } } : null;
  if (!isMethod(name.slice(dot + 1))) return null;
  if (root === name.slice(0, dot) ? !facts.isVariable(root) : false) return null;
  const isPath = /^[\p{L}_][\p{L}\p{Nd}_.]*$/u.test(name);
  if (isPath && root !== undefined && !facts.isVariable(root)) return null;
  if (isPath) return { code: "WF1009", span, words: { token } };
  const start = of.start + dot;
  const member = { ...span, start, column: span.end_column - (span.end - start), line: span.end_line };
  return { code: "WF1009", span: member, words: { token: `'${name.slice(dot, dot + 100)}'` } };
}

function hasNames(open: Lexeme, tokens: readonly Lexeme[]): boolean {
  const at = tokens.indexOf(open);
  return tokens.slice(at, groupEnd(tokens, at)).some(({ tokenType }) => tokenType === T.ArgumentName);
}

const HEADER = /^[ \t]*(?:def[ \t]+)?([\p{L}_][\p{L}\p{Nd}_]*)[ \t]*\(([^()\n]*)\)[ \t]*(?:->[^:\n]*)?:/gmu;

/** The inputs of all graphs that have them in brackets, by the graph's name. */
export function inputsOfGraphs(source: string): (graph: string) => readonly string[] | null {
  let known: Map<string, readonly string[]> | null = null;
  return (graph) => {
    known ??= new Map(
      [...source.matchAll(HEADER)].map(([, name = "", inputs = ""]) => [
        name,
        inputs.split(",").map((input) => /^\s*([^\s:=!]*)/.exec(input)?.[1] ?? ""),
      ]),
    );
    return known.get(graph) ?? null;
  };
}

const SETS = /^[^\S\n]*([\p{L}_][\p{L}\p{Nd}_]*)[^\S\n]*=(?!=)[^\S\n]*(\[|f?["'])?(?:[^\n]*(["'])[^\S\n]*$)?/gmu;
const TAKES =
  /\bfor\b([^\n]*?)\bin\b|^[^\S\n]*in[^\S\n]*:([^\n]*)|^(?:def[^\S\n]+)?\w+\(([^\n]*)\)[^\n]*:|\bframe:([^\n]*)/gmu;

/** What a name holds wherever a line sets it: lists and texts that are written out. Inputs and items of loops may hold anything. */
export function heldIn(source: string): (name: string) => "list" | "text" | null {
  let known: Map<string, "list" | "text" | null> | null = null;
  return (name) => {
    if (known === null) {
      known = new Map();
      for (const [, set = "", begins, ends] of source.matchAll(SETS)) {
        const held = begins === "[" ? "list" : begins !== undefined && ends !== undefined ? "text" : null;
        known.set(set, known.has(set) && known.get(set) !== held ? null : held);
      }
      for (const found of source.matchAll(TAKES))
        for (const taken of (found.slice(1).find(Boolean) ?? "").split(/[^\p{L}\p{Nd}_]+/u)) known.set(taken, null);
    }
    return known.get(name) ?? null;
  };
}

const HANDLER = /^[ \t]*except[ \t]+(?:[^\n:]*[ \t]as[ \t]+)?([\p{L}_][\p{L}\p{Nd}_]*)[ \t]*:/gmu;

/** Whether a name is that of an `except`, and no line sets it or takes it in. */
export function failuresIn(source: string): (name: string) => boolean {
  let known: Set<string> | null = null;
  return (name) => {
    if (known === null) {
      known = new Set([...source.matchAll(HANDLER)].map(([, handler = ""]) => handler));
      for (const handler of known) {
        const sets = new RegExp(
          String.raw`^[^\S\n]*${handler}[^\S\n]*(?:[-+*/%]|//|\*\*)?=[^=]|\bfor\b[^\n]*\b${handler}\b[^\n]*\bin\b|^[^\S\n]*in:[^\n]*\b${handler}\b|^(?:def[^\S\n]+)?\w+\([^\n]*\b${handler}\b`,
          "mu",
        );
        if (sets.test(source)) known.delete(handler);
      }
    }
    return known.has(name);
  };
}
