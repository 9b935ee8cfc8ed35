/**
 * Regular expressions as trees. Whether a class or an escape matches is tested with the engine's own expressions, one character at a time, so
 * only the structure is read here. The text was admitted by the engine before; expressions beyond regular languages (back references) are refused.
 */
/** One character of the text. */
export type CharacterSet = { readonly source: string };

/** What holds between two characters; `not` asks for the opposite. */
type Assertion = "start" | "end" | "word";

export type PatternNode =
  | { readonly kind: "set"; readonly set: CharacterSet }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly choices: readonly PatternNode[] }
  /** `most` is Infinity for no bound; `lazy` prefers fewer. */
  | {
      readonly kind: "repeat";
      readonly part: PatternNode;
      readonly least: number;
      readonly most: number;
      readonly lazy: boolean;
    }
  /** What it matches is captured. Numbers from 1, in the order of the opening brackets. */
  | { readonly kind: "group"; readonly part: PatternNode; readonly number: number; readonly name: string | null }
  | { readonly kind: "assert"; readonly what: Assertion; readonly not: boolean }
  | { readonly kind: "look"; readonly part: PatternNode; readonly backwards: boolean; readonly not: boolean };

/** What of an expression cannot be had; the message says why, for people. */
export class PatternFault extends Error {}

const MAX_CHARACTERS = 10_000;
const DEEPEST = 100;
const MAX_SETS = 1_000;
const QUANTIFIER = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y;
const GROUP = /\((?:\?(?:([:=!])|<([=!])|<([^>]*)>))?/y;
/** Escapes of one character, longest first. In an expression without flag `u` some of them stand for the letter itself. */
const ESCAPE = /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|0(?!\d))/y;
const UNICODE_ESCAPE = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u\{[\da-fA-F]+\}|[pP]\{[^}]*\})/y;

/** Throws PatternFault. `source` is an expression that the engine takes, with flag `u` if `unicode`. */
export function parsePattern(source: string, unicode: boolean): PatternNode {
  if (source.length > MAX_CHARACTERS) throw new PatternFault(`it has more than ${MAX_CHARACTERS} characters`);
  return new Parser(source, unicode).whole();
}

class Parser {
  readonly #source: string;
  readonly #unicode: boolean;
  readonly #sets = new Map<string, CharacterSet>();
  #at = 0;
  #depth = 0;
  #groups = 0;

  constructor(source: string, unicode: boolean) {
    this.#source = source;
    this.#unicode = unicode;
  }

  whole(): PatternNode {
    const node = this.#choice();
    if (this.#at < this.#source.length) throw notUnderstood();
    return node;
  }

  #choice(): PatternNode {
    const choices = [this.#sequence()];
    while (this.#take("|")) choices.push(this.#sequence());
    return choices.length === 1 ? (choices[0] as PatternNode) : { kind: "choice", choices };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source.charAt(this.#at))) {
      const part = this.#part();
      parts.push(this.#quantified(part));
    }
    return { kind: "sequence", parts };
  }

  #quantified(part: PatternNode): PatternNode {
    const found = this.#match(QUANTIFIER);
    if (found === null) return part;
    const [text, least, comma, most] = found;
    const lazy = text.length > 1 && text.endsWith("?");
    if (text.startsWith("*")) return { kind: "repeat", part, least: 0, most: Infinity, lazy };
    if (text.startsWith("+")) return { kind: "repeat", part, least: 1, most: Infinity, lazy };
    if (text.startsWith("?")) return { kind: "repeat", part, least: 0, most: 1, lazy };
    const bound = comma === undefined ? least : most === "" ? Infinity : most;
    return { kind: "repeat", part, least: Number(least), most: Number(bound), lazy };
  }

  #part(): PatternNode {
    const letter = this.#source.charAt(this.#at);
    switch (letter) {
      case "^":
      case "$":
        this.#at += 1;
        return { kind: "assert", what: letter === "^" ? "start" : "end", not: false };
      case "(":
        return this.#group();
      case "[":
        return this.#set(this.#classEnd());
      case "\\":
        return this.#escape();
      default:
        return this.#set(this.#at + this.#lengthAt(this.#at));
    }
  }

  #group(): PatternNode {
    const found = this.#match(GROUP);
    // What follows another question mark is of a newer language.
    if (found === null || this.#source.charAt(this.#at) === "?") throw notUnderstood();
    const [, ahead, back, name = null] = found;
    const number = ahead === undefined && back === undefined ? ++this.#groups : 0;
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new PatternFault(`its groups are nested deeper than ${DEEPEST}`);
    const part = this.#choice();
    this.#depth -= 1;
    if (!this.#take(")")) throw notUnderstood();
    const look = back ?? (ahead === ":" ? undefined : ahead);
    if (look !== undefined) return { kind: "look", part, backwards: back !== undefined, not: look === "!" };
    return number === 0 ? part : { kind: "group", part, number, name };
  }

  #escape(): PatternNode {
    const next = this.#source.charAt(this.#at + 1);
    if (next === "b" || next === "B") {
      this.#at += 2;
      return { kind: "assert", what: "word", not: next === "B" };
    }
    const start = this.#at;
    const known = (this.#unicode ? this.#match(UNICODE_ESCAPE) : null) ?? this.#match(ESCAPE);
    if (known !== null) return this.#set(this.#at, start);
    if (/[\dk]/.test(next)) throw new PatternFault("it refers back to what a group has matched");
    if (next === "c") throw notUnderstood();
    return this.#set(start + 1 + this.#lengthAt(start + 1));
  }

  /** The set that the text up to `end` stands for. */
  #set(end: number, start = this.#at): PatternNode {
    const source = this.#source.slice(start, end);
    this.#at = end;
    const known = this.#sets.get(source) ?? { source };
    this.#sets.set(source, known);
    if (this.#sets.size > MAX_SETS) throw new PatternFault(`it has more than ${MAX_SETS} kinds of characters`);
    return { kind: "set", set: known };
  }

  #classEnd(): number {
    let at = this.#at + 1;
    while (this.#source.charAt(at) !== "]") {
      if (at >= this.#source.length) throw notUnderstood();
      at += this.#source.charAt(at) === "\\" ? 2 : 1;
    }
    return at + 1;
  }

  #lengthAt(at: number): number {
    const code = this.#unicode ? (this.#source.codePointAt(at) ?? 0) : 0;
    return code > 0xffff ? 2 : 1;
  }

  #take(letter: string): boolean {
    if (this.#source.charAt(this.#at) !== letter) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found !== null) this.#at += found[0].length;
    return found;
  }
}

function notUnderstood(): PatternFault {
  return new PatternFault("it has a part that is not understood");
}

/** Whether a character is in a set. `flags`: of the expression; with `u` characters are code points, else units. */
export function membership({ source }: CharacterSet, flags: string): (code: number) => boolean {
  const [first, more] = source;
  if (more === undefined && first !== "." && !flags.includes("i")) {
    const only = source.codePointAt(0);
    return (code) => code === only;
  }
  const alone = new RegExp(`^${source}$`, flags);
  return (code) => alone.test(String.fromCodePoint(code));
}
