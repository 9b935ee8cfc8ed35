/**
 * `match`: cases in turn. What a pattern captures is bound when the whole pattern fits, before its guard, and stays when the guard fails
 * (amendment 2).
 */
import type { Expr, Match, Name, Pattern, Place } from "../../../grammar/python/tree.ts";
import type { IrOperand } from "../../ir/graph.ts";
import type { End } from "./body.ts";
import { takesTypes } from "./forms/typing.ts";
import type { Lowerer } from "./lowerer.ts";
import { call, text, variable } from "./operands.ts";

type Capture = { readonly name: string; readonly value: IrOperand };
/** Types whose one positional pattern is the value itself. */
const SELF_MATCHING: ReadonlySet<string> = new Set("bool bytes dict float frozenset int list set str tuple".split(" "));

export function lowerMatch(f: Lowerer, node: Match): void {
  const { body } = f;
  const subject = body.keep(f.expr(node.subject));
  const done: End[] = [];
  for (const { pattern, guard, body: own, line } of node.cases) {
    body.statement(line);
    const missed: End[] = [];
    const captures: Capture[] = [];
    fits(f, pattern, subject, missed, captures);
    for (const { name, value } of captures) f.names.bind(f, nameAt(name, pattern), value);
    if (guard !== null) {
      const { yes, no } = f.condition(guard);
      missed.push(...no);
      body.open(yes);
    }
    f.statements(own);
    done.push(...body.take());
    body.open(missed);
  }
  body.open(done);
}

function nameAt(id: string, { start, end, line }: Place): Name {
  return { kind: "Name", id, start, end, line };
}

/** Continues only where the pattern fits; the other ways go to `missed`. */
function need(f: Lowerer, cond: IrOperand, missed: End[]): void {
  const number = f.body.add({ do: "if", cond });
  f.body.take();
  missed.push({ from: number, port: "else" });
  f.body.open([{ from: number, port: "then" }]);
}

function fits(f: Lowerer, pattern: Pattern, subject: IrOperand, missed: End[], captures: Capture[]): void {
  const { body } = f;
  switch (pattern.kind) {
    case "MatchValue":
      need(f, call("eq", subject, f.expr(pattern.value)), missed);
      return;
    case "MatchSingleton":
      need(f, call("is", subject, pattern.value === null ? { k: "null" } : { k: "bool", v: pattern.value }), missed);
      return;
    case "MatchAs":
      if (pattern.pattern !== null) fits(f, pattern.pattern, subject, missed, captures);
      if (pattern.name !== null) captures.push({ name: pattern.name, value: body.keep(subject) });
      return;
    case "MatchOr": {
      const done: End[] = [];
      const bound: Capture[] = [];
      // Alternatives bind the same names; each puts its values into the same variables.
      for (const one of pattern.patterns) {
        const next: End[] = [];
        const own: Capture[] = [];
        fits(f, one, subject, next, own);
        for (const { name, value } of own) {
          let slot = bound.find((known) => known.name === name);
          if (slot === undefined) {
            slot = { name, value: variable(body.temporary()) };
            bound.push(slot);
          }
          body.add({ do: "set", name: (slot.value as { v: string }).v, value });
        }
        done.push(...body.take());
        body.open(next);
      }
      missed.push(...body.take());
      body.open(done);
      captures.push(...bound);
      return;
    }
    case "MatchSequence": {
      const star = pattern.patterns.findIndex(({ kind }) => kind === "MatchStar");
      const least = star < 0 ? pattern.patterns.length : pattern.patterns.length - 1;
      need(f, call("fits_sequence", subject, { k: "num", v: least }, { k: "bool", v: star >= 0 }), missed);
      const rest = pattern.patterns[star];
      if (rest?.kind === "MatchStar" && rest.name === null) {
        elementsAround(f, pattern.patterns, star, subject, missed, captures);
        return;
      }
      const names = pattern.patterns.map(() => body.temporary());
      if (names.length > 0) body.add({ do: "unpack", names, star, value: subject });
      for (const [at, one] of pattern.patterns.entries()) {
        const value = variable(names[at] as string);
        if (one.kind !== "MatchStar") fits(f, one, value, missed, captures);
        else if (one.name !== null) captures.push({ name: one.name, value });
      }
      return;
    }
    case "MatchMapping": {
      const keys = pattern.keys.map((key) => body.keep(f.expr(key)));
      need(f, call("fits_mapping", subject, ...keys), missed);
      for (const [at, one] of pattern.patterns.entries()) {
        const value = body.keep(call("item", subject, keys[at] as IrOperand));
        fits(f, one, value, missed, captures);
      }
      if (pattern.rest !== null)
        captures.push({ name: pattern.rest, value: body.keep(call("mapping_rest", subject, ...keys)) });
      return;
    }
    case "MatchClass":
      classPattern(f, pattern, subject, missed, captures);
      return;
    case "MatchStar":
      return;
  }
}

/** `[x, *_, y]`: elements are read by their places, so that those that nothing is bound to are not looked at. */
function elementsAround(
  f: Lowerer,
  patterns: readonly Pattern[],
  star: number,
  subject: IrOperand,
  missed: End[],
  captures: Capture[],
): void {
  for (const [at, one] of patterns.entries()) {
    if (at === star || (one.kind === "MatchAs" && one.pattern === null && one.name === null)) continue;
    const place: IrOperand = { k: "num", v: at < star ? at : at - patterns.length };
    fits(f, one, f.body.keep(call("item", subject, place)), missed, captures);
  }
}

/** `int()`, `str(x)`, `Point(x=0)`: an instance, then its attributes. */
function classPattern(
  f: Lowerer,
  { cls, patterns, kwd_attrs, kwd_patterns, ...place }: Extract<Pattern, { kind: "MatchClass" }>,
  subject: IrOperand,
  missed: End[],
  captures: Capture[],
): void {
  const { body } = f;
  const known = cls.kind === "Name" && SELF_MATCHING.has(cls.id);
  if (patterns.length > (known ? 1 : 0)) {
    f.refuse(place as Place, "class_pattern");
    return;
  }
  takesTypes(f, cls);
  need(f, call("isinstance", subject, f.expr(cls as Expr)), missed);
  const [own] = patterns;
  if (own !== undefined) fits(f, own, subject, missed, captures);
  for (const [at, one] of kwd_patterns.entries()) {
    const name = text(kwd_attrs[at] as string);
    need(f, call("has_attr", subject, name), missed);
    fits(f, one, body.keep(call("attr", subject, name)), missed, captures);
  }
}
