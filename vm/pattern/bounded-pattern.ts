/**
 * Regular expressions that somebody else wrote: of plugins, of tools, of the other side. The engine's own go back and try again, so that
 * `^(a+)+$` holds the thread for ever on thirty characters; these read a text once and take an effort in proportion to it.
 * They know everything of the language but references back.
 */
import {
  Alphabet,
  AT_END,
  AT_START,
  AT_WORD_EDGE,
  Automaton,
  bitOfLook,
  type Effort,
  MAX_LOOKS,
  stepsOf,
} from "./automaton.ts";
import { PatternFault, type PatternNode, parsePattern } from "./syntax.ts";

export const MAX_STEPS = 5_000;
/** Of one text: so much, and as much again for each character. */
const LEAST_EFFORT = 50_000;
const EFFORT_OF_CHARACTER = 10;

type Look = { readonly automaton: Automaton; readonly bit: number };
type Compiled = {
  readonly alphabet: Alphabet;
  readonly usesWords: boolean;
  /** Those inside of others first. */
  readonly looks: readonly Look[];
  readonly whole: Automaton;
};

/**
 * An expression of which `test` is bounded; the other methods of expressions are the engine's own and are not to be used. Without flags, or
 * with `u`. The constructor throws SyntaxError for an invalid expression and PatternFault for an unsupported one.
 */
export class BoundedPattern extends RegExp {
  /** How large it is. */
  readonly steps: number;
  readonly #tree: PatternNode;
  readonly #tooLong: () => Error;
  #compiled: Compiled | undefined;

  /** `tooLong`: what `test` throws when it takes too long. */
  constructor(source: string, flags: "" | "u", tooLong: () => Error) {
    super(source, flags);
    this.#tooLong = tooLong;
    this.#tree = parsePattern(source, this.unicode);
    this.steps = stepsOf(this.#tree, MAX_STEPS);
    if (this.steps > MAX_STEPS) throw new PatternFault(`it stands for more than ${MAX_STEPS} steps`);
    if (looksIn(this.#tree).length > MAX_LOOKS)
      throw new PatternFault(`it looks ahead or back in more than ${MAX_LOOKS} places`);
  }

  /** Whether the expression matches anywhere in the text. Throws when that takes too long. */
  override test(text: string): boolean {
    this.#compiled ??= compiled(this.#tree, this.unicode);
    const { alphabet, usesWords, looks, whole } = this.#compiled;
    const codes = codesOf(text, this.unicode);
    const effort = effortFor(codes.length, this.#tooLong);
    const kinds = codes.map((code) => alphabet.kindOf(code, effort));
    const places = placesOf(codes, usesWords);
    for (const { automaton, bit } of looks) {
      automaton.read(kinds, places, effort, (place) => {
        places[place] = (places[place] ?? 0) | bit;
        return true;
      });
    }
    let matched = false;
    whole.read(kinds, places, effort, () => {
      matched = true;
      return false;
    });
    return matched;
  }
}

function compiled(tree: PatternNode, unicode: boolean): Compiled {
  const alphabet = new Alphabet(unicode ? "u" : "");
  const nodes = looksIn(tree);
  const numbers = new Map(nodes.map((node, number) => [node, number]));
  // What is ahead of a place is known when the text was read from its end.
  const looks = nodes.map(({ part, backwards }, number) => ({
    automaton: new Automaton(part, alphabet, numbers, backwards ? "forwards" : "backwards"),
    bit: bitOfLook(number),
  }));
  return { alphabet, looks, whole: new Automaton(tree, alphabet, numbers, "forwards"), usesWords: asksForWords(tree) };
}

type LookNode = PatternNode & { readonly kind: "look" };

/** Those inside of others first. */
function looksIn(node: PatternNode): readonly LookNode[] {
  const below = partsOf(node).flatMap(looksIn);
  return node.kind === "look" ? [...below, node] : below;
}

function asksForWords(node: PatternNode): boolean {
  return (node.kind === "assert" && node.what === "word") || partsOf(node).some(asksForWords);
}

function partsOf(node: PatternNode): readonly PatternNode[] {
  switch (node.kind) {
    case "set":
    case "assert":
      return [];
    case "sequence":
      return node.parts;
    case "choice":
      return node.choices;
    case "repeat":
    case "group":
    case "look":
      return [node.part];
  }
}

function codesOf(text: string, unicode: boolean): Uint32Array {
  const codes = new Uint32Array(text.length);
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = unicode ? (text.codePointAt(at) ?? 0) : text.charCodeAt(at);
    codes[count++] = code;
    if (code > 0xffff) at++;
  }
  return codes.subarray(0, count);
}

/** The bits of the places between characters, looks aside. */
function placesOf(codes: Uint32Array, words: boolean): Uint32Array {
  const places = new Uint32Array(codes.length + 1);
  places[0] = AT_START;
  places[codes.length] = (places[codes.length] ?? 0) | AT_END;
  if (!words) return places;
  let before = false;
  for (let at = 0; at <= codes.length; at++) {
    const after = isWord(codes[at]);
    if (before !== after) places[at] = (places[at] ?? 0) | AT_WORD_EDGE;
    before = after;
  }
  return places;
}

/** Letters, digits and the low line of ASCII, as `\b` means it. */
function isWord(code: number | undefined): boolean {
  return code !== undefined && code < 0x80 && /\w/.test(String.fromCharCode(code));
}

function effortFor(characters: number, tooLong: () => Error): Effort {
  let left = LEAST_EFFORT + characters * EFFORT_OF_CHARACTER;
  return {
    spend(amount) {
      left -= amount;
      if (left < 0) throw tooLong();
    },
  };
}
