/**
 * Whether a text can still become a program: `plausible(prefix)` is true when some continuation has no lexical fault (WF1xxx), no
 * unknown statement (WF2001) and no statement with too few slots (WF2004). The last statement is continued in the ways that
 * the parser's rules have and given to the parser.
 */
import { lastStatement } from "./last-statement.ts";
import { DECLARATION_PREFIXES, findOp, OP_WORDS } from "./ops.ts";
import { parse } from "./parse.ts";
import { plausiblePython } from "./python/ahead/plausible.ts";
import { isLabelWord } from "./steps/slots.ts";
import { declarationEnds, stepEnds } from "./steps-ahead.ts";
import { isPython } from "./surface.ts";

const FAULT = /^WF(1|2001|2004)/;

/** Whether some continuation makes a program of `prefix`, in the form that it begins in. */
export function plausible(prefix: string): boolean {
  if (isPython(prefix)) return plausiblePython(prefix);
  return plausibleSteps(prefix);
}

function plausibleSteps(prefix: string): boolean {
  const tail = lastStatement(prefix, parse(prefix));
  const line = prefix.lastIndexOf("\n") + 1;
  // An open bracket may belong to a statement that began above, or to a line before that is simply wrong.
  return [...new Set([tail.from, line])].some((from) => isSound(prefix.slice(0, from)) && canEnd(prefix.slice(from)));
}

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
