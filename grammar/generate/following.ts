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

/** Where leaves are tokens: which of them an item is. Ways that cannot begin with the next item are not opened then. */
type TypeOf<Item> = (item: Item) => string;

export class Following<Item> {
  private readonly bodies: ReadonlyMap<string, Expression>;
  private readonly take: Taking<Item>;
  private readonly typeOf: TypeOf<Item> | null;
  private readonly firsts: Firsts | null;

  constructor(bodies: ReadonlyMap<string, Expression>, take: Taking<Item>, typeOf: TypeOf<Item> | null = null) {
    this.bodies = bodies;
    this.take = take;
    this.typeOf = typeOf;
    this.firsts = typeOf === null ? null : new Firsts(bodies);
  }

  /** The ways to continue after the items; each begins with a leaf. Empty: nothing in `start` begins like this. */
  after(start: Expression, items: Iterable<Item>): readonly Pending[] {
    const ways = new Ways(this.bodies, this.firsts);
    let closed = new Set([ways.before(start, null)]);
    for (const item of items) {
      const next = new Set<Pending>();
      for (const one of opened(ways, closed, this.typeOf?.(item) ?? null)) {
        const left = one === null ? null : this.take(one.first, item);
        if (one === null || left === null) continue;
        next.add(left === EMPTY ? one.rest : ways.before(left, one.rest));
      }
      closed = next;
    }
    return [...opened(ways, closed, null)];
  }
}

/** All ways with a leaf in front. */
function opened(ways: Ways, closed: ReadonlySet<Pending>, type: string | null): ReadonlySet<Pending> {
  const found = new Set<Pending>();
  for (const one of closed) for (const way of ways.leaves(one, type)) found.add(way);
  return found;
}

/** The types of tokens that something may begin with. */
type First = { readonly types: Set<string>; isEmpty: boolean };

class Firsts {
  private readonly rules = new Map<string, First>();
  private readonly known = new Map<Expression, First>();

  constructor(bodies: ReadonlyMap<string, Expression>) {
    for (const name of bodies.keys()) this.rules.set(name, { types: new Set(), isEmpty: false });
    for (let size = -1, next = 0; size !== next; ) {
      size = next;
      next = 0;
      for (const [name, body] of bodies) {
        const found = this.of(body);
        const rule = this.rules.get(name) as First;
        for (const type of found.types) rule.types.add(type);
        rule.isEmpty ||= found.isEmpty;
        next += rule.types.size + (rule.isEmpty ? 1 : 0);
      }
    }
  }

  /** Whether it may begin with a token of the type, or be nothing at all. */
  admits(one: Expression, type: string): boolean {
    let first = this.known.get(one);
    if (first === undefined) {
      first = this.of(one);
      this.known.set(one, first);
    }
    return first.isEmpty || first.types.has(type);
  }

  private of(one: Expression): First {
    if (one.is === "token") return { types: new Set([one.type]), isEmpty: false };
    if (one.is === "rule") return this.rules.get(one.name) ?? { types: new Set(), isEmpty: false };
    if (one.is === "optional") return { ...this.of(one.of), isEmpty: true };
    if (one.is === "repeat") {
      const inner = this.of(one.of);
      return { types: inner.types, isEmpty: inner.isEmpty || one.least === 0 };
    }
    const types = new Set<string>();
    if (one.is === "choice") {
      const all = one.of.map((part) => this.of(part));
      for (const part of all) for (const type of part.types) types.add(type);
      return { types, isEmpty: all.some(({ isEmpty }) => isEmpty) };
    }
    if (one.is !== "sequence") return { types, isEmpty: false };
    for (const part of one.of) {
      const inner = this.of(part);
      for (const type of inner.types) types.add(type);
      if (!inner.isEmpty) return { types, isEmpty: false };
    }
    return { types, isEmpty: true };
  }
}

/** Ways to continue, each made once, so that equal ones are the same object. */
class Ways {
  private readonly bodies: ReadonlyMap<string, Expression>;
  private readonly made = new Map<Pending, Map<Expression, Pending>>();
  private readonly firsts: Firsts | null;
  /** By the type of the next token; "": any. */
  private readonly opened = new Map<string, Map<Pending, readonly Pending[]>>();
  private readonly repeats = new Map<Expression, Expression>();

  constructor(bodies: ReadonlyMap<string, Expression>, firsts: Firsts | null) {
    this.bodies = bodies;
    this.firsts = firsts;
  }

  before(first: Expression, rest: Pending): Pending {
    const others = this.made.get(rest) ?? new Map<Expression, Pending>();
    this.made.set(rest, others);
    const one = others.get(first) ?? { first, rest };
    others.set(first, one);
    return one;
  }

  /** The same ways with a leaf in front of each; those that begin with a token of the type, where one is given. */
  leaves(one: Pending, type: string | null): readonly Pending[] {
    const opened = this.opened.get(type ?? "") ?? new Map<Pending, readonly Pending[]>();
    this.opened.set(type ?? "", opened);
    const found = opened.get(one);
    if (found !== undefined) return found;
    const ways = new Set<Pending>();
    for (const way of this.open(one)) {
      if (way === one) ways.add(one);
      else if (type === null || way === null || this.firsts?.admits(way.first, type) !== false)
        for (const inner of this.leaves(way, type)) ways.add(inner);
    }
    const all = [...ways];
    opened.set(one, all);
    return all;
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
