/**
 * What may follow a beginning, by productions: tokens after tokens by the productions of a parser, characters after characters by those of
 * a generated grammar. Reads from left to right and keeps every way that is still open; a grammar that decides by its next token has few.
 */
import type { TokenType } from "chevrotain";
import { EMPTY, type Expression, type Production, text } from "./expression.ts";

/** What is still to come: a leaf or a rule, and what follows it. null: nothing. */
export type Pending = { readonly first: Expression; readonly rest: Pending } | null;

/** What is left of a leaf after an item; null: the leaf does not begin with it. */
type Taking<Item> = (leaf: Expression, item: Item) => Expression | null;

export class Following<Item> {
  private readonly bodies: ReadonlyMap<string, Expression>;
  private readonly take: Taking<Item>;

  constructor(bodies: ReadonlyMap<string, Expression>, take: Taking<Item>) {
    this.bodies = bodies;
    this.take = take;
  }

  /** The ways to continue after the items; each begins with a leaf. Empty: nothing in `start` begins like this. */
  after(start: Expression, items: Iterable<Item>): readonly Pending[] {
    const ways = new Ways(this.bodies);
    let open = ways.leaves(ways.before(start, null));
    for (const item of items) {
      const next = new Set<Pending>();
      for (const one of open) {
        const left = one === null ? null : this.take(one.first, item);
        if (one === null || left === null) continue;
        const rest = left === EMPTY ? one.rest : ways.before(left, one.rest);
        for (const way of ways.leaves(rest)) next.add(way);
      }
      open = [...next];
    }
    return open;
  }
}

/** Ways to continue, each made once, so that equal ones are the same object. */
class Ways {
  private readonly bodies: ReadonlyMap<string, Expression>;
  private readonly made = new Map<Pending, Map<Expression, Pending>>();
  private readonly opened = new Map<Pending, readonly Pending[]>();
  private readonly repeats = new Map<Expression, Expression>();

  constructor(bodies: ReadonlyMap<string, Expression>) {
    this.bodies = bodies;
  }

  before(first: Expression, rest: Pending): Pending {
    const others = this.made.get(rest) ?? new Map<Expression, Pending>();
    this.made.set(rest, others);
    const one = others.get(first) ?? { first, rest };
    others.set(first, one);
    return one;
  }

  /** The same ways with a leaf in front of each. */
  leaves(one: Pending): readonly Pending[] {
    const found = this.opened.get(one);
    if (found !== undefined) return found;
    const ways = [...new Set(this.open(one).flatMap((way) => (way === one ? [one] : this.leaves(way))))];
    this.opened.set(one, ways);
    return ways;
  }

  private open(one: Pending): readonly Pending[] {
    if (one === null) return [one];
    const { first, rest } = one;
    switch (first.is) {
      case "rule":
        return [this.before(this.bodies.get(first.name) ?? first, rest)];
      case "sequence":
        return [first.of.reduceRight<Pending>((after, part) => this.before(part, after), rest)];
      case "choice":
        return first.of.map((part) => this.before(part, rest));
      case "optional":
        return [this.before(first.of, rest), rest];
      case "repeat": {
        const again = this.before(first.of, this.before(this.repeated(first), rest));
        return first.least === 0 ? [again, rest] : [again];
      }
      default:
        return [one];
    }
  }

  /** The repetition once it has been read. */
  private repeated(first: Expression & { readonly is: "repeat" }): Expression {
    if (first.least === 0) return first;
    const again = this.repeats.get(first) ?? { ...first, least: 0 };
    this.repeats.set(first, again);
    return again;
  }
}

/** Whether a leaf is a token of that number, or of a category that it belongs to. */
export function takesType(types: ReadonlyMap<string, TokenType>, leaf: Expression, index: number): boolean {
  const { tokenTypeIdx, categoryMatches = [] } = (leaf.is === "token" && types.get(leaf.type)) || {};
  return tokenTypeIdx === index || categoryMatches.includes(index);
}

/** What a leaf of characters begins with. Where the formatter writes a space, any number may stand. */
export function takeCharacter(leaf: Expression, character: string): Expression | null {
  if (leaf.is === "class") return isOfClass(leaf.set, character) ? EMPTY : null;
  if (leaf.is === "space") return character === " " ? SPACES : null;
  if (leaf.is !== "text" || !leaf.text.startsWith(character)) return null;
  if (leaf.text.length === character.length) return EMPTY;
  const left = shorter.get(leaf) ?? text(leaf.text.slice(character.length));
  shorter.set(leaf, left);
  return left;
}

/** Texts without their first character. */
const shorter = new WeakMap<Expression, Expression>();

const SPACES: Expression = { is: "repeat", of: text(" "), least: 0 };
const classes = new Map<string, RegExp>();

function isOfClass(set: string, character: string): boolean {
  let pattern = classes.get(set);
  if (pattern === undefined) {
    pattern = new RegExp(set, "u");
    classes.set(set, pattern);
  }
  return pattern.test(character);
}

/** How a token is written where any of its kind will do. */
type Writing = (type: string, label: string | null) => string | null;

/** Short texts of a grammar. */
export class Samples {
  private readonly texts = new Map<string, string>();
  private readonly writing: Writing;

  constructor(productions: readonly Production[], writing: Writing) {
    this.writing = writing;
    for (let changed = true; changed; ) {
      changed = false;
      for (const { name, body } of productions) {
        const found = this.of(body);
        const before = this.texts.get(name);
        if (found === null || (before !== undefined && before.length <= found.length)) continue;
        this.texts.set(name, found);
        changed = true;
      }
    }
  }

  /** A text for all that is still to come; null: none is known. */
  ofPending(pending: Pending): string | null {
    let written = "";
    for (let one = pending; one !== null; one = one.rest) {
      const part = this.of(one.first);
      if (part === null) return null;
      written += part;
    }
    return written;
  }

  private of(one: Expression): string | null {
    switch (one.is) {
      case "token":
        return this.writing(one.type, one.label);
      case "text":
      case "space":
        return one.text;
      case "class":
        return [..."x1aLA/*"].find((character) => isOfClass(one.set, character)) ?? null;
      case "rule":
        return this.texts.get(one.name) ?? null;
      case "sequence":
        return one.of.reduce<string | null>((before, part) => {
          const next = before === null ? null : this.of(part);
          return before === null || next === null ? null : before + next;
        }, "");
      case "choice":
        return one.of
          .map((part) => this.of(part))
          .reduce((best, next) => (best === null || (next !== null && next.length < best.length) ? next : best), null);
      case "optional":
        return "";
      case "repeat":
        return one.least === 0 ? "" : this.of(one.of);
    }
  }
}
