/**
 * GBNF as a decoder reads it: parses a grammar text, samples sentences of it and decides whether a text is one. Written against the
 * format, not against our printer, so that both can be wrong only separately.
 */

type Node =
  | { readonly is: "literal"; readonly text: string }
  | { readonly is: "class"; readonly negated: boolean; readonly ranges: readonly (readonly [number, number])[] }
  | { readonly is: "rule"; readonly name: string }
  | { readonly is: "sequence"; readonly of: readonly Node[] }
  | { readonly is: "choice"; readonly of: readonly Node[] }
  | { readonly is: "repeat"; readonly of: Node; readonly least: number; readonly most: number };

export type Gbnf = {
  readonly rules: ReadonlyMap<string, Node>;
  /** How many rules must be entered at least to get out of each. */
  readonly heights: ReadonlyMap<string, number>;
};

export function parseGbnf(text: string): Gbnf {
  const rules = new Map<string, Node>();
  for (const line of text.split("\n")) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [, name, body] = /^([a-z0-9-]+) ::= (.*)$/.exec(line) ?? [];
    if (name === undefined || body === undefined) throw new Error(`not a rule: ${line}`);
    if (rules.has(name)) throw new Error(`rule ${name} twice`);
    rules.set(name, new Reader(body).whole());
  }
  for (const [name, node] of rules) checkNames(node, name, rules);
  return { rules, heights: heightsOf(rules) };
}

function checkNames(node: Node, where: string, rules: ReadonlyMap<string, Node>): void {
  if (node.is === "rule" && !rules.has(node.name)) throw new Error(`${where} names the unknown rule ${node.name}`);
  if (node.is === "repeat") checkNames(node.of, where, rules);
  if (node.is === "sequence" || node.is === "choice") for (const part of node.of) checkNames(part, where, rules);
}

class Reader {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  whole(): Node {
    const node = this.choice();
    if (this.at < this.text.length) throw new Error(`cannot read ${this.text.slice(this.at)}`);
    return node;
  }

  private blanks(): void {
    while (this.text[this.at] === " ") this.at++;
  }

  private choice(): Node {
    const of = [this.sequence()];
    for (this.blanks(); this.text[this.at] === "|"; this.blanks()) {
      this.at++;
      of.push(this.sequence());
    }
    return of.length === 1 && of[0] !== undefined ? of[0] : { is: "choice", of };
  }

  private sequence(): Node {
    const of: Node[] = [];
    for (this.blanks(); this.at < this.text.length && !"|)".includes(this.text.charAt(this.at)); this.blanks())
      of.push(this.marked());
    return { is: "sequence", of };
  }

  private marked(): Node {
    const of = this.item();
    const mark = this.text[this.at];
    if (mark !== "?" && mark !== "*" && mark !== "+") return of;
    this.at++;
    return { is: "repeat", of, least: mark === "+" ? 1 : 0, most: mark === "?" ? 1 : Number.POSITIVE_INFINITY };
  }

  private item(): Node {
    const first = this.text[this.at];
    if (first === '"') return this.literal();
    if (first === "[") return this.characterClass();
    if (first === "(") {
      this.at++;
      const node = this.choice();
      if (this.text[this.at] !== ")") throw new Error(`unclosed bracket in ${this.text}`);
      this.at++;
      return node;
    }
    const [name] = /^[a-z0-9-]+/.exec(this.text.slice(this.at)) ?? [];
    if (name === undefined) throw new Error(`cannot read ${this.text.slice(this.at)}`);
    this.at += name.length;
    return { is: "rule", name };
  }

  private literal(): Node {
    this.at++;
    let text = "";
    while (this.text[this.at] !== '"') text += this.character();
    this.at++;
    return { is: "literal", text };
  }

  private characterClass(): Node {
    this.at++;
    const negated = this.text[this.at] === "^";
    if (negated) this.at++;
    const ranges: [number, number][] = [];
    while (this.text[this.at] !== "]") {
      const from = this.character().charCodeAt(0);
      const isRange = this.text[this.at] === "-" && this.text[this.at + 1] !== "]";
      if (isRange) this.at++;
      ranges.push([from, isRange ? this.character().charCodeAt(0) : from]);
    }
    this.at++;
    return { is: "class", negated, ranges };
  }

  private character(): string {
    const plain = this.text[this.at++];
    if (plain === undefined) throw new Error(`the text ends too early: ${this.text}`);
    if (plain !== "\\") return plain;
    const letter = this.text[this.at++] ?? "";
    if (letter === "x" || letter === "u") {
      const width = letter === "x" ? 2 : 4;
      const hex = this.text.slice(this.at, this.at + width);
      this.at += width;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    return { n: "\n", r: "\r", t: "\t" }[letter] ?? letter;
  }
}

// ---- sampling ----

/** A number from 0 (included) to 1. */
export type Random = () => number;

const ASCII: readonly number[] = Array.from({ length: 95 }, (_, index) => index + 32);
const OTHERS: readonly number[] = [..."\täßÉжЯ中かカ한–€😀"]
  .map((one) => one.charCodeAt(0))
  .filter((code) => code < 0xd800);

/** Draws a sentence. Beyond `depth` nested rules the shortest way out is taken. */
export function sampleGbnf({ rules, heights }: Gbnf, random: Random, depth = 40): string {
  const height = (node: Node): number => heightOf(node, heights);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const draw = (node: Node, left: number): string => {
    switch (node.is) {
      case "literal":
        return node.text;
      case "class":
        return drawCharacter(node, random);
      case "rule":
        return draw(rules.get(node.name) as Node, left - 1);
      case "sequence":
        return node.of.map((one) => draw(one, left)).join("");
      case "choice": {
        const fitting = node.of.filter((one) => height(one) < left);
        const shortest = Math.min(...node.of.map(height));
        return draw(fitting.length > 0 ? pick(fitting) : pick(node.of.filter((one) => height(one) === shortest)), left);
      }
      case "repeat": {
        let text = "";
        let count = 0;
        while (count < node.least || (count < node.most && left > height(node.of) && random() < 0.5)) {
          text += draw(node.of, left);
          count++;
        }
        return text;
      }
    }
  };
  return draw({ is: "rule", name: "root" }, depth);
}

function drawCharacter(node: Node & { readonly is: "class" }, random: Random): string {
  const has = (code: number): boolean => node.ranges.some(([from, to]) => code >= from && code <= to) !== node.negated;
  const pool = random() < 0.9 ? ASCII : [...ASCII, ...OTHERS];
  const fitting = pool.filter(has);
  const code = fitting[Math.floor(random() * fitting.length)] ?? node.ranges[0]?.[0] ?? 65;
  return String.fromCharCode(code);
}

function heightsOf(rules: ReadonlyMap<string, Node>): Map<string, number> {
  const heights = new Map([...rules.keys()].map((name) => [name, Number.POSITIVE_INFINITY]));
  for (let changed = true; changed; ) {
    changed = false;
    for (const [name, node] of rules) {
      const height = 1 + heightOf(node, heights);
      if (height < (heights.get(name) ?? 0)) {
        heights.set(name, height);
        changed = true;
      }
    }
  }
  return heights;
}

function heightOf(node: Node, heights: ReadonlyMap<string, number>): number {
  switch (node.is) {
    case "rule":
      return heights.get(node.name) ?? Number.POSITIVE_INFINITY;
    case "sequence":
      return Math.max(0, ...node.of.map((one) => heightOf(one, heights)));
    case "choice":
      return Math.min(...node.of.map((one) => heightOf(one, heights)));
    case "repeat":
      return node.least === 0 ? 0 : heightOf(node.of, heights);
    default:
      return 0;
  }
}

// ---- recognising ----

/** How much of the text a sentence can cover from its start: the whole length when it is a sentence. -1: not even the beginning. */
export function derives({ rules }: Gbnf, text: string): { readonly ok: boolean; readonly furthest: number } {
  const known = new Map<string, Map<number, readonly number[]>>();
  let furthest = 0;
  const ends = (node: Node, from: number): readonly number[] => {
    switch (node.is) {
      case "literal":
        if (!text.startsWith(node.text, from)) return [];
        furthest = Math.max(furthest, from + node.text.length);
        return [from + node.text.length];
      case "class": {
        const code = text.charCodeAt(from);
        const has =
          from < text.length && node.ranges.some(([low, high]) => code >= low && code <= high) !== node.negated;
        if (!has) return [];
        furthest = Math.max(furthest, from + 1);
        return [from + 1];
      }
      case "rule": {
        const memo = known.get(node.name) ?? new Map<number, readonly number[]>();
        known.set(node.name, memo);
        const before = memo.get(from);
        if (before !== undefined) return before;
        const found = ends(rules.get(node.name) as Node, from);
        memo.set(from, found);
        return found;
      }
      case "sequence": {
        let places: readonly number[] = [from];
        for (const part of node.of) places = unique(places.flatMap((place) => ends(part, place)));
        return places;
      }
      case "choice":
        return unique(node.of.flatMap((one) => ends(one, from)));
      case "repeat": {
        const reached = new Set<number>(node.least === 0 ? [from] : []);
        let places: readonly number[] = [from];
        for (let count = 0; count < node.most && places.length > 0; count++) {
          places = unique(places.flatMap((place) => ends(node.of, place))).filter((place) => !reached.has(place));
          for (const place of places) reached.add(place);
        }
        return [...reached];
      }
    }
  };
  return { ok: ends({ is: "rule", name: "root" }, 0).includes(text.length), furthest };
}

function unique(places: readonly number[]): readonly number[] {
  return places.length < 2 ? places : [...new Set(places)];
}
