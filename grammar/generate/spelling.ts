/**
 * Turns productions over tokens into productions over characters, as the formatter writes them: every token gets its spelling, and what
 * stands between two tokens (nothing, a space, a line end that may continue a bracket, an indentation) follows from their kinds. GBNF
 * cannot count, so the depth of blocks is bounded: every rule with a block in it is written once for each level.
 */
import { type Ends, endsOver } from "./ends.ts";
import {
  choice,
  EMPTY,
  type Expression,
  IMPOSSIBLE,
  leavesOf,
  many,
  mapped,
  optional,
  type Production,
  reachable,
  rule,
  sequence,
  some,
} from "./expression.ts";

/** How a token joins what is before it: apart, as the first one of a line, as a closing bracket, or touching. */
type Before = "word" | "line" | "close" | "glue";
/** What follows a token: a space, a space or a line end, the inside of a bracket, or nothing. */
type After = "space" | "gap" | "open" | "glue";

export type Spelling = { readonly of: Expression; readonly before?: Before; readonly after?: After };

/** How a token is written; null: no formatted program has it there. */
export type Speller = (type: string, label: string | null) => Spelling | null;

const SPACE: Expression & { readonly is: "space" } = { is: "space", text: " " };

/** The productions of `roots` and all they need. Names that are in none of them belong to the caller. */
export function spelled(
  productions: readonly Production[],
  roots: readonly string[],
  speller: Speller,
  levels: number,
): readonly Production[] {
  const change = (leaf: Expression): Expression =>
    leaf.is === "token" && speller(leaf.type, leaf.label) === null ? IMPOSSIBLE : leaf;
  const possible = atLevels(productions, roots, speller, levels).map((one) => ({
    ...one,
    body: mapped(one.body, change),
  }));
  return new Spacing(reachable(possible, roots), speller).all();
}

// ---- levels ----

/** Copies of the rules with lines in them, one for each level. Below the last level no block may stand. */
function atLevels(
  productions: readonly Production[],
  roots: readonly string[],
  speller: Speller,
  levels: number,
): readonly Production[] {
  const byName = new Map(productions.map((one) => [one.name, one]));
  const nested = rulesWith(
    (leaf) => leaf.is === "token" && (leaf.type === "Indent" || speller(leaf.type, leaf.label)?.before === "line"),
    productions,
  );
  const done = new Map<string, Production>();
  const nameAt = (name: string, level: number): string => (nested.has(name) && level > 0 ? `${name}-${level}` : name);
  const visit = (name: string, level: number): string => {
    const own = nameAt(name, level);
    const found = byName.get(name);
    if (done.has(own) || found === undefined) return own;
    done.set(own, found);
    done.set(own, { name: own, doc: level < 2 ? found.doc : "", body: at(found.body, level) });
    return own;
  };
  const at = (one: Expression, level: number): Expression => {
    if (one.is === "token") return { ...one, level };
    if (one.is === "rule") return rule(visit(one.name, nested.has(one.name) ? level : 0));
    if (one.is === "optional") return optional(at(one.of, level));
    if (one.is === "repeat") return one.least === 0 ? many(at(one.of, level)) : some(at(one.of, level));
    if (one.is === "choice") return choice(...one.of.map((part) => at(part, level)));
    if (one.is !== "sequence") return one;
    let inner = level;
    const parts = one.of.map((part) => {
      if (part.is === "token" && part.type === "Indent") return ++inner > levels ? IMPOSSIBLE : EMPTY;
      if (part.is === "token" && part.type === "Dedent") inner--;
      return part.is === "token" && part.type === "Dedent" ? EMPTY : inner > levels ? IMPOSSIBLE : at(part, inner);
    });
    return sequence(...parts);
  };
  for (const name of roots) visit(name, 0);
  return [...done.values()];
}

/** The rules that hold such a token, directly or through others. */
function rulesWith(isWanted: (leaf: Expression) => boolean, productions: readonly Production[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { name, body } of productions)
      if (leavesOf(body).some((leaf) => isWanted(leaf) || (leaf.is === "rule" && found.has(leaf.name))))
        found.add(name);
  }
  return found;
}

// ---- spaces ----

/** What stands before the next token: kinds of the token before, or that the rule begins here. */
type State = ReadonlySet<After>;
const START: State = new Set(["glue"]);

class Spacing {
  private readonly productions: readonly Production[];
  private readonly spell: Speller;
  private readonly endsOf: (one: Expression) => Ends<Before, After>;
  private name = "";

  constructor(productions: readonly Production[], spell: Speller) {
    this.productions = productions;
    this.spell = spell;
    this.endsOf = endsOver<Before, After>(productions, (leaf) => {
      const written = leaf.is === "token" ? spell(leaf.type, leaf.label) : null;
      const { before = "word", after = "space" } = written ?? {};
      return { first: new Set([before]), last: new Set([after]), empty: false };
    });
  }

  all(): readonly Production[] {
    return this.productions.map((one) => {
      this.name = one.name;
      return { ...one, body: this.write(one.body, START).of };
    });
  }

  /** The characters of an expression, what stands before it included, and what stands before the next. */
  private write(one: Expression, state: State): { readonly of: Expression; readonly state: State } {
    const { first: before, last: after, empty } = this.endsOf(one);
    const next = empty ? new Set([...state, ...after]) : after;
    switch (one.is) {
      case "token": {
        const { of = IMPOSSIBLE } = this.spell(one.type, one.label) ?? {};
        const indent = isOnly(before, "line") && one.level > 0 ? { ...SPACE, text: "  ".repeat(one.level) } : EMPTY;
        return { of: sequence(this.between(state, before), indent, of), state: next };
      }
      case "optional":
        return { of: optional(this.write(one.of, state).of), state: next };
      case "repeat": {
        const of = this.write(one.of, new Set([...state, ...after])).of;
        return { of: one.least === 0 ? many(of) : some(of), state: next };
      }
      case "choice":
        return { of: oneSpace(one.of.map((part) => this.write(part, state).of)), state: next };
      case "sequence":
        return this.writeSequence(one.of, state);
      default:
        return { of: sequence(this.between(state, before), one), state: next };
    }
  }

  private writeSequence(parts: readonly Expression[], from: State): { readonly of: Expression; readonly state: State } {
    let state = from;
    const written = parts.map((part, index) => {
      const rest = parts[index + 1];
      // A part that may be missing at the beginning of a rule brings the space after it.
      if (isOnly(state, "glue") && this.endsOf(part).empty && rest !== undefined && !this.gluesLeft(rest)) {
        const leading = this.trailing(part, this.endsOf(rest).first);
        if (leading !== null) return leading;
      }
      const { of, state: next } = this.write(part, state);
      state = next;
      return of;
    });
    return { of: sequence(...written), state };
  }

  /** The part with what stands after it: `("not" " ")*`. */
  private trailing(part: Expression, before: ReadonlySet<Before>): Expression | null {
    if (part.is === "optional") return optional(this.withSpaceAfter(part.of, before));
    return part.is === "repeat" ? many(this.withSpaceAfter(part.of, before)) : null;
  }

  private withSpaceAfter(one: Expression, before: ReadonlySet<Before>): Expression {
    if (one.is === "choice") return choice(...one.of.map((part) => this.withSpaceAfter(part, before)));
    const { of, state } = this.write(one, START);
    return sequence(of, this.between(state, before));
  }

  private gluesLeft(one: Expression): boolean {
    return isOnly(this.endsOf(one).first, "glue");
  }

  /** What stands between tokens of these kinds. All kinds on the left must ask for the same. */
  private between(state: State, before: ReadonlySet<Before>): Expression {
    const found = new Map<string, Expression>();
    for (const left of state)
      for (const right of before) {
        const one = separator(left, right);
        found.set(JSON.stringify(one), one);
      }
    // A closing bracket touches a mark that may stand alone before it.
    if (before.has("close") && found.size > 1) return EMPTY;
    const [only = EMPTY, other] = found.values();
    if (other !== undefined)
      throw new Error(`${this.name}: no single space fits between ${[...state]} and ${[...before]}`);
    return only;
  }
}

function isOnly<T>(set: ReadonlySet<T>, one: T): boolean {
  return set.size === 1 && set.has(one);
}

/** The space that all alternatives begin with, once. */
function oneSpace(parts: readonly Expression[]): Expression {
  const rests = parts.map((part) => (part.is === "sequence" && part.of[0]?.is === "space" ? part.of.slice(1) : null));
  const [first] = parts;
  const space = first?.is === "sequence" ? first.of[0] : undefined;
  const isSame = parts.every((part) => part.is === "sequence" && JSON.stringify(part.of[0]) === JSON.stringify(space));
  if (space === undefined || !isSame || rests.includes(null)) return choice(...parts);
  return sequence(space, choice(...rests.map((rest) => sequence(...(rest ?? [])))));
}

function separator(left: After, right: Before): Expression {
  if (left === "glue" || right === "glue" || right === "line") return EMPTY;
  if (right === "close") return optional(rule("break"));
  if (left === "open") return optional(rule("break"));
  return left === "gap" ? choice(SPACE, rule("break")) : SPACE;
}
