/**
 * Blanks between the tokens of productions. A word touches no other word; between all others a blank may stand. Which ends of a rule are words is found out
 * from all rules together.
 */
import { type Ends, endsOver, united } from "./ends.ts";
import { choice, EMPTY, type Expression, many, optional, type Production, rule, sequence } from "./expression.ts";
import type { End, Place, Written } from "./forms/python-tokens.ts";

type Token = Expression & { readonly is: "token" };
/** The beginning of a rule: whatever stands before it brings the blank. */
type State = { readonly ends: ReadonlySet<End>; readonly place: Place } | null;

const BLANKS: Readonly<Record<Place, Expression>> = {
  line: rule("blank"),
  in: rule("gap"),
  double: rule("thin"),
  single: rule("thin"),
};

export class Blanks {
  private readonly endsOf: (one: Expression) => Ends<End, End>;
  private readonly write: (one: Token) => Written;
  private readonly placeOf: (one: Expression) => Place;

  constructor(rules: readonly Production[], write: (one: Token) => Written, placeOf: (one: Expression) => Place) {
    this.write = write;
    this.placeOf = placeOf;
    this.endsOf = endsOver<End, End>(rules, (leaf) => {
      if (leaf.is !== "token") throw new Error("only tokens and rules are spelled");
      const end = new Set([write(leaf).end]);
      return { first: end, last: end, empty: false };
    });
  }

  /** The rule over characters. */
  written({ name, doc, body }: Production): Production {
    return { name, doc, body: this.after(body, null) };
  }

  /** The expression with the blank before it. */
  private after(one: Expression, state: State): Expression {
    switch (one.is) {
      case "token":
        return sequence(this.blank(state, one), this.write(one).of);
      case "rule":
        return sequence(this.blank(state, one), one);
      case "optional":
        return optional(this.after(one.of, state));
      case "choice":
        return choice(...one.of.map((part) => this.after(part, state)));
      case "repeat": {
        const own = this.stateAfter(one.of, null);
        const again = state === null ? own : { ...own, ends: united([own.ends, state.ends]) };
        if (one.least === 0 && state !== null) return many(this.after(one.of, again));
        return sequence(this.after(one.of, state), many(this.after(one.of, own)));
      }
      case "sequence":
        return this.parts(one.of, state);
      default:
        return one;
    }
  }

  private parts(parts: readonly Expression[], from: State): Expression {
    let state = from;
    const written = parts.map((part, at) => {
      const rest = parts.slice(at + 1);
      // A part at the beginning that may be missing brings the blank after it.
      if (state === null && this.endsOf(part).empty && rest.length > 0) return this.leading(part, rest);
      const found = this.after(part, state);
      state = this.stateAfter(part, state);
      return found;
    });
    return sequence(...written);
  }

  private leading(part: Expression, rest: readonly Expression[]): Expression {
    const next: Expression = { is: "sequence", of: rest };
    const followed = (inner: Expression): Expression =>
      sequence(
        this.after(inner, null),
        this.blank(this.stateAfter(inner, null), next, part.is === "repeat" ? inner : null),
      );
    if (part.is === "optional") return optional(followed(part.of));
    if (part.is === "repeat") return many(followed(part.of));
    return sequence(this.after(part, null), this.blank(this.stateAfter(part, null), next));
  }

  private stateAfter(one: Expression, before: State): NonNullable<State> {
    const { last, empty } = this.endsOf(one);
    const ends = empty && before !== null ? united([last, before.ends]) : last;
    return { ends, place: this.placeOf(one) };
  }

  /** What stands between what is before and the expression; `or`: it may follow, too. */
  private blank(state: State, one: Expression, or: Expression | null = null): Expression {
    if (state === null) return EMPTY;
    const first = united([this.endsOf(one).first, or === null ? new Set<End>() : this.endsOf(or).first]);
    const isWritten = [...state.ends].every((end) => end === "none");
    if (isWritten || first.has("none")) return EMPTY;
    const own = this.placeOf(one);
    const blank = BLANKS[own === "line" ? state.place : own];
    return state.ends.has("word") && first.has("word") ? blank : optional(blank);
  }
}
