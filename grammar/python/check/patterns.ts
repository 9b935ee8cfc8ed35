/** What CPython checks in the patterns of a `match`: names that are bound twice, and cases that nothing can reach. */
import { boundParts, Refusal, type Stretch } from "../refusal.ts";
import type { Constant, Expr, MatchCase, Pattern } from "../tree.ts";

type Told = { readonly bind: (name: string, at: Stretch) => void; readonly value: (expression: Expr) => void };

export function checkCases(cases: readonly MatchCase[], told: Told, body: (one: MatchCase) => void): void {
  cases.forEach((one, index) => {
    const isLast = index === cases.length - 1;
    visit(one.pattern, told);
    checkPattern(one.pattern, one.guard !== null || isLast, new Set());
    body(one);
  });
}

/** Tells what the pattern reads and binds. */
function visit(pattern: Pattern, told: Told): void {
  const { bind, value } = told;
  switch (pattern.kind) {
    case "MatchValue":
      value(pattern.value);
      return;
    case "MatchSingleton":
      return;
    case "MatchStar":
      if (pattern.name !== null) bind(pattern.name, pattern);
      return;
    case "MatchAs":
      if (pattern.pattern !== null) visit(pattern.pattern, told);
      if (pattern.name !== null) bind(pattern.name, pattern);
      return;
    case "MatchMapping":
      pattern.keys.forEach(value);
      for (const one of pattern.patterns) visit(one, told);
      if (pattern.rest !== null) bind(pattern.rest, pattern);
      return;
    case "MatchClass":
      value(pattern.cls);
      for (const one of [...pattern.patterns, ...pattern.kwd_patterns]) visit(one, told);
      return;
    default:
      for (const one of pattern.patterns) visit(one, told);
  }
}

/** `mayFitAll`: a pattern that everything fits is allowed here. `names`: what the case has bound so far. */
function checkPattern(pattern: Pattern, mayFitAll: boolean, names: Set<string>): void {
  switch (pattern.kind) {
    case "MatchValue":
    case "MatchSingleton":
      return;
    case "MatchStar":
      if (pattern.name !== null) addName(pattern.name, pattern, names);
      return;
    case "MatchAs":
      if (pattern.pattern !== null) checkPattern(pattern.pattern, mayFitAll, names);
      else if (!mayFitAll)
        throw new Refusal("pattern_unreachable", pattern, { words: { pattern: `'${pattern.name ?? "_"}'` } });
      if (pattern.name !== null) addName(pattern.name, pattern, names);
      return;
    case "MatchOr":
      boundParts(pattern.patterns);
      checkAlternatives(pattern, mayFitAll, names);
      return;
    case "MatchMapping":
      checkKeys(pattern.keys);
      checkAll(pattern.patterns, names);
      if (pattern.rest !== null) addName(pattern.rest, pattern, names);
      return;
    case "MatchClass":
      checkAttributes(pattern);
      checkAll([...pattern.patterns, ...pattern.kwd_patterns], names);
      return;
    default:
      checkAll(pattern.patterns, names);
  }
}

function checkAll(patterns: readonly Pattern[], names: Set<string>): void {
  boundParts(patterns);
  for (const pattern of patterns) checkPattern(pattern, true, names);
}

function addName(name: string, at: Stretch, names: Set<string>): void {
  if (names.has(name)) throw new Refusal("pattern_name_twice", at, { words: { name } });
  names.add(name);
}

function checkAlternatives(
  pattern: Extract<Pattern, { kind: "MatchOr" }>,
  mayFitAll: boolean,
  names: Set<string>,
): void {
  const { patterns } = pattern;
  let first: Set<string> | null = null;
  patterns.forEach((one, index) => {
    const own = new Set<string>();
    checkPattern(one, mayFitAll && index === patterns.length - 1, own);
    first ??= own;
    const { size } = first;
    if (own.size !== size || [...own].some((name) => !first?.has(name))) throw new Refusal("pattern_names_differ", one);
  });
  for (const name of first ?? []) addName(name, pattern, names);
}

function checkAttributes({ kwd_attrs, kwd_patterns, ...at }: Extract<Pattern, { kind: "MatchClass" }>): void {
  const seen = new Set<string>();
  kwd_attrs.forEach((name, index) => {
    const place = kwd_patterns[index] ?? at;
    if (name === "__debug__") throw new Refusal("target_debug", place);
    if (seen.has(name)) throw new Refusal("pattern_attribute_twice", place, { words: { name } });
    seen.add(name);
  });
}

function checkKeys(keys: readonly Expr[]): void {
  const seen = new Set<unknown>();
  for (const key of keys) {
    const value = keyOf(key);
    if (value === undefined) continue;
    if (seen.has(value)) throw new Refusal("pattern_key_twice", key, { words: { key: String(value) } });
    seen.add(value);
  }
}

/** Equal for keys that Python finds equal: `1`, `1.0` and `True` are. */
function keyOf(key: Expr): unknown {
  if (key.kind === "Constant") return constantKey(key, 1);
  if (key.kind === "UnaryOp" && key.operand.kind === "Constant") return constantKey(key.operand, -1);
  if (key.kind !== "BinOp") return undefined;
  return `${String(keyOf(key.left))} ${key.op} ${String(keyOf(key.right))}`;
}

function constantKey({ type, value }: Constant, sign: 1 | -1): unknown {
  if (type === "str" || type === "bytes" || type === "complex") return `${type} ${sign} ${String(value)}`;
  if (typeof value === "bigint") return `${BigInt(sign) * value}`;
  return value === null ? type : String(sign * Number(value) + 0);
}
