/**
 * Whether a text can still become a program: `plausible(prefix)` is true when some continuation has no lexical fault (WF1xxx), no
 * unknown statement (WF2001) and no statement with too few slots (WF2004). It continues the last statement in the ways there are
 * (close what is open, fill what is missing) and asks the parser, so true is always right.
 */
import { lastStatement } from "./complete.ts";
import { findOp, OP_WORDS, type Op, type Slot } from "./ops.ts";
import { parse } from "./parse.ts";
import { isLabelWord } from "./slots.ts";

const FAULT = /^WF(1|2001|2004)/;

/** Whether some continuation makes a program of `prefix`. */
export function plausible(prefix: string): boolean {
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
  const op = findOp(/^\s*([^\s#"'>-]+)/.exec(statement)?.[1] ?? "");
  for (const close of closings(statement))
    for (const fill of fillings(op)) if (isSound(statement + close + fill)) return true;
  return false;
}

/** A statement of one unfinished word: the ops and labels it may become. */
function startsStatement(statement: string, word: string): boolean {
  if (word.startsWith("L") && !isLabelWord(word) && isSound(`${statement}1:`)) return true;
  const ops = OP_WORDS.flatMap((name) => [name, `arch.${name}`, `test.${name}`]).filter((name) =>
    name.startsWith(word),
  );
  return ops.some((name) => {
    const op = findOp(name);
    return op !== undefined && isSound(`${statement}${name.slice(word.length)} ${requiredText(op)}`);
  });
}

/** A word for every slot an op requires. */
function requiredText(op: Op): string {
  return op.slots
    .filter((slot) => !slot.optional)
    .map(sampleOf)
    .join(" ");
}

function sampleOf({ class: slotClass, values }: Slot): string {
  switch (slotClass) {
    case "call":
      return "a.b";
    case "ref":
    case "eref":
      return "->L1";
    case "out":
      return "->x";
    case "cmp":
      return "==";
    case "int":
      return "1";
    case "enum":
      return values?.[0] ?? "x";
    case "kv":
      return "k=v";
    case "field":
      return "f:S";
    default:
      return "x";
  }
}

/** What may be missing of the op's slots: any tail of them, glued to the last word or apart. */
function fillings(op: Op | undefined): readonly string[] {
  if (op === undefined) return ["", " x"];
  const words = op.slots.filter((slot) => !slot.optional).map(sampleOf);
  const tails = words.map((_, index) => words.slice(index).join(" "));
  return ["", ...tails.flatMap((tail) => [` ${tail}`, tail]), "x", "1"];
}

/** Ends of words that need one, alone or with the brackets that are open. */
const PIECES = ["", "x", "1", '"', "'", "]", '"]', "']", "x]", "1]", ">x", " x", "=", "= x"];
/** What the innermost bracket may lack before it is closed. */
const INNER = [
  "",
  "x",
  "1",
  '"',
  "'",
  ": 1",
  '": 1',
  "': 1",
  "x: 1",
  " 1",
  '"x": 1',
  " x",
  "= x",
  "x == 1",
  '"]',
  "']",
  "x]",
  "1]",
  "]",
];

function closings(statement: string): string[] {
  const brackets = openBrackets(statement);
  if (brackets === "") return PIECES;
  return INNER.map((piece) => piece + brackets);
}

/** The closing brackets of those that are open, innermost first; strings and comments are skipped. */
function openBrackets(statement: string): string {
  const open: string[] = [];
  for (let at = 0; at < statement.length; at++) {
    const character = statement.charAt(at);
    if (character === "#") at = endOfLine(statement, at);
    else if (character === '"' || character === "'") at = endOfText(statement, at);
    else if ("([{".includes(character) && (open.length > 0 || startsToken(statement, at)))
      open.push({ "(": ")", "[": "]", "{": "}" }[character] ?? "");
    else if (open.at(-1) === character) open.pop();
  }
  return open.reverse().join("");
}

/** A bracket opens a structure only at the start of a token; inside one it always does. */
function startsToken(statement: string, at: number): boolean {
  return at === 0 || /[\s"'=<>!]/.test(statement.charAt(at - 1));
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

function endOfText(text: string, from: number): number {
  const quote = text.charAt(from);
  for (let at = from + 1; at < text.length; at++) {
    if (text.charAt(at) === "\\") at++;
    else if (text.charAt(at) === quote || text.charAt(at) === "\n") return at;
  }
  return text.length;
}
