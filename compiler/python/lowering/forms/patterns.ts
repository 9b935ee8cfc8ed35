/** Patterns of the module re that are written out: what the matcher of a run does without is refused here. */
import type { Call, Expr } from "../../../../grammar/python/tree.ts";
import type { Lowerer } from "../lowerer.ts";

/** By function: how many arguments stand before its flags. */
const FLAGS_AT: ReadonlyMap<string, number> = new Map([
  ["re.compile", 1],
  ["re.search", 2],
  ["re.match", 2],
  ["re.fullmatch", 2],
  ["re.findall", 2],
  ["re.finditer", 2],
  ["re.split", 3],
  ["re.sub", 4],
  ["re.subn", 4],
]);

export function checkPattern(f: Lowerer, name: string, { args, keywords }: Call): void {
  const place = FLAGS_AT.get(name);
  if (place === undefined) return;
  const [first] = args;
  const pattern = first === undefined ? null : writtenText(f, first);
  if (first === undefined || pattern === null) return;
  const flags = args[place] ?? keywords.find(({ arg }) => arg === "flags")?.value;
  const names = flags === undefined ? [] : flagNames(flags);
  // Flags that are computed do not say whether comments count.
  if (names === null) return;
  const isVerbose = names.some((flag) => flag === "X" || flag === "VERBOSE") || /^\(\?[a-zA-Z]*x/.test(pattern);
  const what = needsBacktracking(pattern, isVerbose);
  if (what !== null) f.refuse(first, "pattern", { what });
}

/** A text that is written out, there or as the value of a name of the file; null: another expression. */
function writtenText(f: Lowerer, node: Expr): string | null {
  if (node.kind === "Constant") return node.type === "str" ? String(node.value) : null;
  if (node.kind !== "Name" || f.scope.find(node.id).kind !== "global") return null;
  const values = f.names.scopes.body.flatMap((one) =>
    one.kind === "Assign" && one.targets.some((target) => target.kind === "Name" && target.id === node.id)
      ? [one.value]
      : [],
  );
  const [value] = values;
  return values.length === 1 && value?.kind === "Constant" && value.type === "str" ? String(value.value) : null;
}

/** `re.I | re.X` as its names; null: something else. */
function flagNames(node: Expr): string[] | null {
  if (node.kind === "Constant") return [];
  if (node.kind === "Attribute") return [node.attr];
  if (node.kind !== "BinOp" || node.op !== "|") return null;
  const [left, right] = [flagNames(node.left), flagNames(node.right)];
  return left === null || right === null ? null : [...left, ...right];
}

/** After `(?`. */
const GROUPS: readonly (readonly [begin: RegExp, what: string])[] = [
  [/^P=/, "a back reference"],
  [/^>/, "an atomic group"],
  [/^\(/, "a condition on a group"],
];
const REFERENCE = /^\\(?![0-7]{3})[1-9]/;
const POSSESSIVE = /^(?:[*+?]|\{(?:\d+(?:,\d*)?|,\d*)\})\+/;
const SET = /\[\^?\]?(?:[^\]\\]|\\[\s\S])*\]/y;

/** What of a pattern needs backtracking; null: nothing does. `isVerbose`: white space and comments do not count. Whether it is a pattern at all is not asked. */
function needsBacktracking(pattern: string, isVerbose: boolean): string | null {
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at, at + MOST_LOOKED_AT);
    if (rest.startsWith("\\")) {
      if (REFERENCE.test(rest)) return "a back reference";
      at += 2;
    } else if (isVerbose && rest.startsWith("#")) {
      const end = pattern.indexOf("\n", at);
      at = end < 0 ? pattern.length : end;
    } else if (rest.startsWith("[")) {
      SET.lastIndex = at;
      at = SET.test(pattern) ? SET.lastIndex : pattern.length;
    } else if (rest.startsWith("(?#")) {
      const end = pattern.indexOf(")", at);
      at = end < 0 ? pattern.length : end;
    } else if (rest.startsWith("(?")) {
      const found = GROUPS.find(([begin]) => begin.test(rest.slice(2)));
      if (found !== undefined) return found[1];
      at += 2;
    } else {
      if (POSSESSIVE.test(rest)) return "a possessive quantifier";
      at += 1;
    }
  }
  return null;
}

const MOST_LOOKED_AT = 32;
