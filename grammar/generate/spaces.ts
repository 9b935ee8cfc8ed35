/**
 * Blanks between the tokens of productions. A word touches no other word; between all others a blank may stand. Which ends of a rule are words is found out
 * from all rules together.
 */
import { choice, EMPTY, type Expression, many, optional, type Production, rule, sequence } from "./expression.ts";
import type { End, Place, Written } from "./forms/python-tokens.ts";

type Token = Expression & { readonly is: "token" };
type Ends = { readonly first: ReadonlySet<End>; readonly last: ReadonlySet<End>; readonly empty: boolean };
const NOTHING: Ends = { first: new Set(), last: new Set(), empty: false };
/** The beginning of a rule: whatever stands before it brings the blank. */
type State = { readonly ends: ReadonlySet<End>; readonly place: Place } | null;

const BLANKS: Readonly<Record<Place, Expression>> = {
  line: rule("blank"),
  in: rule("gap"),
  double: rule("thin"),
  single: rule("thin"),
};

export class Blanks {
  private readonly ends = new Map<string, Ends>();
  private readonly write: (one: Token) => Written;
  private readonly placeOf: (one: Expression) => Place;

  constructor(rules: readonly Production[], write: (one: Token) => Written, placeOf: (one: Expression) => Place) {
    this.write = write;
    this.placeOf = placeOf;
    for (let changed = true; changed; ) {
      changed = false;
      for (const { name, body } of rules) {
        const found = this.endsOf(body);
        if (sizeOf(found) === sizeOf(this.ends.get(name) ?? NOTHING)) continue;
        this.ends.set(name, found);
        changed = true;
      }
    }
  }

  /** The rule over characters. */
  written({ name, doc, body }: Production): Production {
    return { name, doc, body: this.after(body, null) };
  }

  private endsOf(one: Expression): Ends {
    switch (one.is) {
      case "token": {
        const { end } = this.write(one);
        return { first: new Set([end]), last: new Set([end]), empty: false };
      }
      case "rule":
        return this.ends.get(one.name) ?? NOTHING;
      case "optional":
        return { ...this.endsOf(one.of), empty: true };
      case "repeat": {
        const inner = this.endsOf(one.of);
        return { ...inner, empty: inner.empty || one.least === 0 };
      }
      case "choice": {
        const all = one.of.map((part) => this.endsOf(part));
        return {
          first: united(all.map(({ first }) => first)),
          last: united(all.map(({ last }) => last)),
          empty: all.some(({ empty }) => empty),
        };
      }
      case "sequence":
        return this.endsOfParts(one.of);
      default:
        throw new Error("only tokens and rules are spelled");
    }
  }

  private endsOfParts(parts: readonly Expression[]): Ends {
    const all = parts.map((part) => this.endsOf(part));
    const begin = all.findIndex(({ empty }) => !empty);
    const end = all.findLastIndex(({ empty }) => !empty);
    return {
      first: united(all.slice(0, begin === -1 ? all.length : begin + 1).map(({ first }) => first)),
      last: united(all.slice(Math.max(end, 0)).map(({ last }) => last)),
      empty: begin === -1,
    };
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

function sizeOf({ first, last, empty }: Ends): number {
  return first.size * 10 + last.size * 2 + (empty ? 1 : 0);
}

function united<T>(sets: readonly ReadonlySet<T>[]): ReadonlySet<T> {
  return new Set(sets.flatMap((one) => [...one]));
}
