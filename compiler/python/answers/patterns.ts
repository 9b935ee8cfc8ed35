/** Patterns of `match`: literals that what is matched can never be. */
import type { Pattern } from "../../../grammar/python/tree.ts";
import { compareWith } from "./truths.ts";
import { type Type, UNKNOWN } from "./types.ts";
import type { Walk } from "./walk.ts";

export function matchPattern(w: Walk, pattern: Pattern, subject: Type): void {
  switch (pattern.kind) {
    case "MatchValue":
      compareWith(w, pattern, "==", subject, pattern.value);
      return;
    case "MatchOr":
      for (const one of pattern.patterns) matchPattern(w, one, subject);
      return;
    case "MatchAs":
      if (pattern.pattern !== null) matchPattern(w, pattern.pattern, subject);
      if (pattern.name !== null) w.bind(pattern.name, pattern.pattern === null ? subject : UNKNOWN);
      return;
    case "MatchSequence":
      for (const one of pattern.patterns) matchPattern(w, one, UNKNOWN);
      return;
    case "MatchStar":
      if (pattern.name !== null) w.bind(pattern.name, UNKNOWN);
      return;
    case "MatchMapping":
      for (const [at, one] of pattern.patterns.entries()) matchPattern(w, one, memberOf(subject, pattern.keys[at]));
      if (pattern.rest !== null) w.bind(pattern.rest, UNKNOWN);
      return;
    case "MatchClass":
      for (const one of [...pattern.patterns, ...pattern.kwd_patterns]) matchPattern(w, one, UNKNOWN);
      return;
    default:
      return;
  }
}

function memberOf(subject: Type, key: unknown): Type {
  const { kind, value } = (key ?? {}) as { readonly kind?: string; readonly value?: unknown };
  if (subject.k !== "object" || kind !== "Constant") return UNKNOWN;
  return subject.members.get(String(value))?.type ?? UNKNOWN;
}
