/** Whether some text of a grammar begins with what is written so far. Work grows with the text and the number of productions. */
import type { Expression, Production } from "./expression.ts";

export class Beginnings {
  private readonly bodies: ReadonlyMap<string, Expression>;
  private readonly first: string;
  private readonly classes = new Map<string, RegExp>();
  private known = new Map<string, Map<number, readonly number[]>>();
  private text = "";
  private isReached = false;

  constructor(productions: readonly Production[]) {
    this.bodies = new Map(productions.map(({ name, body }) => [name, body]));
    this.first = productions[0]?.name ?? "";
  }

  /** Every production leads to some text, so what a way through them covers to its end can be continued. */
  has(text: string): boolean {
    this.text = text;
    this.known = new Map();
    this.isReached = text === "";
    this.rule(this.first, 0);
    return this.isReached;
  }

  private rule(name: string, from: number): readonly number[] {
    const places = this.known.get(name) ?? new Map<number, readonly number[]>();
    this.known.set(name, places);
    let found = places.get(from);
    if (found === undefined) {
      found = this.ends(this.bodies.get(name) as Expression, from);
      places.set(from, found);
    }
    return found;
  }

  /** Where the expression may end when it begins at `from`. */
  private ends(one: Expression, from: number): readonly number[] {
    switch (one.is) {
      case "text":
        return this.literal(one.text, from);
      case "space":
        return this.spaces(from);
      case "class":
        return this.character(one.set, from);
      case "rule":
        return this.rule(one.name, from);
      case "token":
        return [];
      case "sequence": {
        let places: readonly number[] = [from];
        for (const part of one.of) places = unique(places.flatMap((place) => this.ends(part, place)));
        return places;
      }
      case "choice":
        return unique(one.of.flatMap((part) => this.ends(part, from)));
      case "optional":
        return unique([from, ...this.ends(one.of, from)]);
      case "repeat":
        return this.repeated(one.of, one.least, from);
    }
  }

  private repeated(of: Expression, least: 0 | 1, from: number): readonly number[] {
    const reached = new Set<number>(least === 0 ? [from] : []);
    let places: readonly number[] = [from];
    while (places.length > 0) {
      places = unique(places.flatMap((place) => this.ends(of, place))).filter((place) => !reached.has(place));
      for (const place of places) reached.add(place);
    }
    return [...reached];
  }

  private literal(characters: string, from: number): readonly number[] {
    const left = this.text.slice(from, from + characters.length);
    if (from + left.length === this.text.length && characters.startsWith(left)) this.isReached = true;
    return left === characters ? [from + left.length] : [];
  }

  /** Any number of spaces where the formatter writes some. */
  private spaces(from: number): readonly number[] {
    let at = from;
    while (this.text[at] === " ") at++;
    if (at === this.text.length) this.isReached = true;
    return at > from ? [at] : [];
  }

  private character(set: string, from: number): readonly number[] {
    if (from === this.text.length) this.isReached = true;
    let pattern = this.classes.get(set);
    if (pattern === undefined) {
      pattern = new RegExp(set, "u");
      this.classes.set(set, pattern);
    }
    const character = this.text[from];
    return character !== undefined && pattern.test(character) ? [from + 1] : [];
  }
}

function unique(places: readonly number[]): readonly number[] {
  return places.length < 2 ? places : [...new Set(places)];
}
