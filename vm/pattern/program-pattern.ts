/**
 * Expressions of programs: the syntax that RE2 and other engines without backtracking share, with `(?i)`, `(?m)` and
 * `(?s)` at the beginning and `(?P<name>…)`. Compiled ones are kept, so that one in a loop is read once.
 */

import { stepsOf } from "./automaton.ts";
import { MAX_STEPS } from "./bounded-pattern.ts";
import { Matcher } from "./matcher.ts";
import { PatternFault, type PatternNode, parsePattern } from "./syntax.ts";

export type ProgramPattern = {
  readonly matcher: Matcher;
  /** Names of groups by number − 1; null for those without one. */
  readonly names: readonly (string | null)[];
  readonly steps: number;
};

const MAX_KEPT = 200;
const kept = new Map<string, ProgramPattern>();

/** Throws PatternFault. */
export function programPattern(source: string): ProgramPattern {
  const known = kept.get(source);
  if (known !== undefined) return known;
  const pattern = compiled(source);
  if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value as string);
  kept.set(source, pattern);
  return pattern;
}

const FLAGS = /^\(\?([ims]+)\)/;

function compiled(source: string): ProgramPattern {
  const [written = "", letters = ""] = FLAGS.exec(source) ?? [];
  const body = inOurSyntax(source.slice(written.length));
  const flags = `u${letters.includes("i") ? "i" : ""}${letters.includes("s") ? "s" : ""}`;
  try {
    new RegExp(body, flags);
  } catch {
    throw new PatternFault("it is not a regular expression");
  }
  const tree = parsePattern(body, true);
  const steps = stepsOf(tree, MAX_STEPS);
  if (steps > MAX_STEPS) throw new PatternFault(`it stands for more than ${MAX_STEPS} steps`);
  const names: (string | null)[] = [];
  readGroups(tree, names);
  return {
    matcher: new Matcher(tree, { flags, multiline: letters.includes("m"), groups: names.length }),
    names,
    steps,
  };
}

/** An escape, a class with its escapes, or the beginning of a named group. */
const PIECE = /\\([\s\S])|\(\?P</g;
/** Escaped, they stand for themselves, and the engine's syntax wants them plain. */
const PLAIN_SIGN = /[!-#%-',\-:->@_`~ ]/;

/** `\A`, `\z`, `(?P<` and needless escapes as the engine writes them. */
function inOurSyntax(source: string): string {
  let depth = 0;
  let at = 0;
  let written = "";
  for (const found of source.matchAll(PIECE)) {
    const before = source.slice(at, found.index);
    written += before;
    for (const letter of before) depth = letter === "[" ? 1 : letter === "]" ? 0 : depth;
    at = found.index + found[0].length;
    const [piece, letter] = found;
    if (letter === undefined) written += depth === 0 ? "(?<" : piece;
    else if (depth === 0 && letter === "A") written += "^";
    else if (depth === 0 && (letter === "z" || letter === "Z")) written += "$";
    else if (PLAIN_SIGN.test(letter) && !(depth === 1 && letter === "-")) written += letter;
    else written += piece;
  }
  return written + source.slice(at);
}

function readGroups(node: PatternNode, names: (string | null)[]): void {
  switch (node.kind) {
    case "look":
      throw new PatternFault("it looks ahead or back");
    case "group":
      names[node.number - 1] = node.name;
      readGroups(node.part, names);
      return;
    case "repeat":
      readGroups(node.part, names);
      return;
    case "sequence":
    case "choice":
      for (const part of node.kind === "sequence" ? node.parts : node.choices) readGroups(part, names);
  }
}
