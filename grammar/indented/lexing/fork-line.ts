/**
 * `call graph for item in list limit 5 settle` and `call a, b, c settle`: the places of their parts. The list is an expression
 * that is read elsewhere. Does not know whether the graphs exist.
 */

import type { Name, Slot } from "../../ast.ts";
import { findOutside, lexSlots } from "../../steps/slots.ts";
import { skipBlanks, spanOnLine } from "../../text/source.ts";
import { spanOver } from "../../text/span.ts";
import { nameAt } from "../lower/steps.ts";
import type { Statement } from "../program.ts";
import * as T from "../tokens.ts";
import { type Lexeme, lexeme } from "../tokens.ts";
import type { Node } from "../tree.ts";
import { ExpressionLexer, type LexingContext } from "./expression-lexer.ts";

/** Offsets in the source. */
type Part = { readonly start: number; readonly end: number };

export type ForkLine = { readonly mode: Part | null; readonly end: number } & (
  | {
      readonly kind: "each";
      readonly target: Part;
      readonly item: Part;
      readonly list: Part;
      readonly limit: Part | null;
    }
  | { readonly kind: "par"; readonly targets: readonly Part[] }
);

const NAME = String.raw`[\p{L}_][\p{L}\p{Nd}_]*`;
const GRAPH = String.raw`${NAME}(?:\/[\p{L}\p{Nd}_]+)*`;
const EACH = new RegExp(String.raw`(${GRAPH})[ \t]+for[ \t]+(${NAME})[ \t]+in[ \t]+`, "uy");
const PAR = new RegExp(String.raw`(${GRAPH}(?:[ \t]*,[ \t]*${GRAPH})*)(?:[ \t]+(settle))?$`, "uy");
const TAIL = /^(.*?)(?:[ \t]+limit[ \t]*=?[ \t]*([0-9]+))?(?:[ \t]+(settle))?$/su;

/** Reads the branches at `start`, after the word `call`; null for a call of one graph and for anything else. */
export function forkAt(text: string, start: number, limit: number): ForkLine | null {
  const comment = findOutside(text, start, limit, (character) => character === "#").at;
  const end = start + text.slice(start, comment).trimEnd().length;
  const line = text.slice(0, end);
  EACH.lastIndex = start;
  const each = EACH.exec(line);
  if (each !== null) return eachLine(line, start, each as unknown as readonly [string, string, string], end);
  PAR.lastIndex = start;
  const [, graphs, settle] = PAR.exec(line) ?? [];
  if (graphs === undefined || (settle === undefined && !graphs.includes(","))) return null;
  const targets: Part[] = [];
  let at = start;
  for (const graph of graphs.split(",")) {
    const from = skipBlanks(text, at, end);
    targets.push({ start: from, end: from + graph.trim().length });
    at += graph.length + 1;
  }
  return { kind: "par", targets, mode: settle === undefined ? null : { start: end - settle.length, end }, end };
}

function eachLine(
  line: string,
  start: number,
  [head, graph, item]: readonly [string, string, string],
  end: number,
): ForkLine {
  const list = start + head.length;
  const [, written = "", digits, settle] = TAIL.exec(line.slice(list, end)) ?? [];
  const named = line.indexOf(item, start + graph.length + " for ".length);
  const beforeMode = end - (settle === undefined ? 0 : settle.length);
  const limitEnd = line.slice(0, beforeMode).trimEnd().length;
  return {
    kind: "each",
    target: { start, end: start + graph.length },
    item: { start: named, end: named + item.length },
    list: { start: list, end: list + written.length },
    limit: digits === undefined ? null : { start: limitEnd - digits.length, end: limitEnd },
    mode: settle === undefined ? null : { start: beforeMode, end },
    end,
  };
}

/** What `call graph for item in list` has before its list; belongs to the first token of the line. */
export type EachPayload = Omit<Extract<Node, { readonly s: "each" }>, "s" | "list">;

/** Returns the statement, or the tokens for it. `word` begins the line. */
export function readFork(
  context: LexingContext,
  line: number,
  fork: ForkLine,
  { word, out }: { readonly word: Slot; readonly out: Name },
): { readonly statement: Statement } | { readonly tokens: readonly Lexeme[] } {
  const { reporter } = context;
  const { source } = reporter;
  const part = ({ start, end }: Part): Slot => {
    return { span: spanOnLine(source, line, start, end), text: source.text.slice(start, end), quoted: false };
  };
  const mode = fork.mode === null ? null : part(fork.mode);
  const span = spanOver(word.span, spanOnLine(source, line, fork.end, fork.end));
  const base = { word, span, faulty: false, out, mode };
  if (fork.kind === "par") {
    // Keeps the comment of the line.
    lexSlots(reporter, line, fork.end);
    return { statement: { s: "par", ...base, targets: fork.targets.map(part) } };
  }
  const item = part(fork.item);
  const limit = fork.limit === null ? null : part(fork.limit);
  const each: EachPayload = { ...base, target: part(fork.target), item: nameAt(item.text, item), limit };
  const { tokens } = new ExpressionLexer(context, line, fork.list.start, false, fork.list.end);
  lexSlots(reporter, line, fork.end);
  const faulty = reporter.lexicalErrors.length > 0;
  const head = spanOnLine(source, line, word.span.start, fork.list.start);
  const payload = { faulty, hasColon: false, opens: false, statement: null, head, colon: null, each };
  return { tokens: [lexeme(T.Each, word.span, word.text, word.text, false, payload), ...tokens] };
}
