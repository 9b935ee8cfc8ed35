/**
 * Whether a text can still become a program: `plausible(prefix)` is true when some continuation has no lexical fault (WF1xxx), no
 * unknown statement (WF2001) and no statement with too few slots (WF2004). In the opcode form the last statement is continued in
 * the ways that the parser's rules have and given to the parser; in the indented form it has to begin a sentence of the grammar
 * that the parser's rules give.
 */
import { rule } from "./generate/expression.ts";
import { Following, takeCharacter } from "./generate/following.ts";
import { indentedRules } from "./generate/forms/indented.ts";
import { lastOfGraph, lastStatement, MAX_STATEMENT_LENGTH } from "./last-statement.ts";
import { DECLARATION_PREFIXES, findOp, OP_WORDS, OPS } from "./ops.ts";
import { parse } from "./parse.ts";
import { plausiblePython } from "./python/ahead/plausible.ts";
import { isLabelWord } from "./steps/slots.ts";
import { declarationEnds, stepEnds } from "./steps-ahead.ts";
import { isIndented, isPython } from "./surface.ts";

const FAULT = /^WF(1|2001|2004)/;

/** Whether some continuation makes a program of `prefix`, in the form that it begins in. */
export function plausible(prefix: string): boolean {
  if (isPython(prefix)) return plausiblePython(prefix);
  return plausibleSteps(prefix) || plausibleGraphs(prefix);
}

function plausibleSteps(prefix: string): boolean {
  const tail = lastStatement(prefix, parse(prefix));
  const line = prefix.lastIndexOf("\n") + 1;
  // An open bracket may belong to a statement that began above, or to a line before that is simply wrong.
  return [...new Set([tail.from, line])].some((from) => isSound(prefix.slice(0, from)) && canEnd(prefix.slice(from)));
}

// ---- the indented form ----

/** Statements that begin blocks, in front of what may only stand in or after them. */
const CONTEXTS = ["", "if a:\n    pass\n  ", "try:\n    pass\n  ", "for a in b:\n    "];
/** Findings that further graphs of the file would take away. */
const TO_COME = / takes |^nothing uses this value: write name = [\p{L}_][\p{L}\p{Nd}_]*\(/u;
let graphs: Following<string> | null = null;

function beginsGraphs(text: string): boolean {
  const declarations = OPS.filter(({ kind }) => kind === "declaration").map(({ name }) => name);
  const rules = graphs === null ? indentedRules({ adapters: null, functions: [], declarations, closed: null }) : [];
  graphs ??= new Following(new Map(rules.map(({ name, body }) => [name, body])), takeCharacter);
  return graphs.after(rule("program"), text).length > 0;
}

/** What is above the last statement is read by the parser, the last statement by the grammar of the parser's rules. */
function plausibleGraphs(prefix: string): boolean {
  // A longer statement is judged by what is above it.
  if (prefix.length > MAX_STATEMENT_LENGTH && !isIndented(prefix)) return false;
  const { text, from } = lastOfGraph(prefix);
  const above = prefix.slice(0, from);
  const statement = text.trimStart();
  const indent = indentOf(text);
  if (statement.length > MAX_STATEMENT_LENGTH) return isSoundAbove(above, indent);
  if (indent === "" && statement !== "") return isSoundAbove(above, null) && beginsGraphs(statement);
  const isPlaced = placesBelow(above, indent).some((place) => isSoundAbove(above, place));
  if (statement === "" || statement.startsWith("#")) return isPlaced || isSoundAbove(above, null);
  return isPlaced && CONTEXTS.some((context) => beginsGraphs(`main:\n  ${context}${statement}`));
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** Indentations that begin like the written one: as it is, or deeper than the line above. */
function placesBelow(above: string, indent: string): readonly string[] {
  const lines = above.trimEnd();
  const before = indentOf(lines.slice(lines.lastIndexOf("\n") + 1));
  return [...new Set([indent, before, `${before}  `])].filter((place) => place.startsWith(indent));
}

/** Whether the parser reads the lines above, with a statement at `indent` below them; null: at the margin. */
function isSoundAbove(above: string, indent: string | null): boolean {
  const text = indent === null ? `${above}zz_last:\n  out 1\n` : `${above}${indent}pass\n`;
  const findings = parse(text).findings.filter(({ code }) => FAULT.test(code));
  // The handler of the last try, the inputs of the last graph and a graph that is called may be still to come.
  const isToCome = ({ code, suggestion }: (typeof findings)[number]): boolean =>
    code === "WF1104" || TO_COME.test(suggestion ?? "");
  return isIndented(text) && findings.every(isToCome);
}

// ---- the opcode form ----

function isSound(text: string): boolean {
  return !parse(text).findings.some(({ code }) => FAULT.test(code));
}

/** Whether some continuation of one statement is sound. */
function canEnd(statement: string): boolean {
  if (isSound(statement)) return true;
  const word = /^\s*(\S*)$/.exec(statement)?.[1];
  if (word !== undefined && startsStatement(statement, word)) return true;
  return hasEnd(statement) || [...QUOTES].some((quote) => isSound(statement + quote) || hasEnd(statement + quote));
}

/** What a text that is open ends with. */
const QUOTES = `"'`;

function hasEnd(statement: string): boolean {
  const word = /^\s*([^\s#"']+)/.exec(statement)?.[1] ?? "";
  const op = findOp(word);
  const isWords = op?.kind === "declaration" || op?.kind === "include";
  const ends = isWords ? declarationEnds(op, statement.trimStart().slice(word.length)) : stepEnds(statement);
  for (const end of ends) if (isSound(statement + end)) return true;
  return false;
}

/** A statement of one unfinished word: the ops and labels it may become. */
function startsStatement(statement: string, word: string): boolean {
  if (word.startsWith("L") && !isLabelWord(word) && isSound(`${statement}1:`)) return true;
  const ops = [...OP_WORDS, ...OP_WORDS.flatMap((name) => DECLARATION_PREFIXES.map((prefix) => prefix + name))];
  return ops.some((name) => name.startsWith(word) && hasEnd(`${statement}${name.slice(word.length)} `));
}
