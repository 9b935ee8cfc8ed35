/** Patterns as trees: the syntax of CPython's `re._parser`, without what needs backtracking. */
import { OVERFLOW_ERROR, raised } from "../exceptions.ts";
import { notExact } from "../not-exact.ts";
import { IDENTIFIER_PART, IDENTIFIER_START } from "../unicode/sets.ts";
import { checkFlags, Flag, isFlag, readFlags } from "./flags.ts";
import { type SetItem, setOf } from "./sets.ts";
import { errorOfPattern, lengthOf, Tokens } from "./tokens.ts";
import { type Assertion, type Look, type Node, widthsOf } from "./tree.ts";

export type Parsed = {
  readonly tree: Node;
  readonly flags: number;
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
};

/** Thrown when `(?x)` is met while white space still counted. */
const VERBOSE = Symbol("verbose");

export function parsePattern(pattern: string, flags: number): Parsed {
  checkFlags(flags);
  const given = flags & Flag.A ? flags : flags | Flag.U;
  try {
    return new Parser(pattern, given).whole(flags);
  } catch (error) {
    if (error !== VERBOSE) throw error;
    return new Parser(pattern, given | Flag.X).whole(flags);
  }
}

const DIGIT = /^[0-9]$/;
const OCTAL = /^[0-7]$/;
const HEX = /^[0-9a-fA-F]$/;
const LETTER = /^[A-Za-z]$/;
const WHITE_SPACE = " \t\n\r\v\f";
const MOST_REPEATS = 4294967295;
const DEEPEST = 200;

export const CONTROL_ESCAPES: { readonly [letter: string]: string } = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
};

const AT_ESCAPES: { readonly [letter: string]: Assertion } = { A: "start", Z: "end", b: "edge", B: "no_edge" };

class Parser {
  readonly #tokens: Tokens;
  readonly #names = new Map<string, number>();
  #flags: number;
  /** Flags that the pattern sets for all of itself. */
  #global = 0;
  #groups = 0;
  #depth = 0;
  /** A look-behind may begin at several places. */
  #isWidthOpen = false;

  constructor(pattern: string, flags: number) {
    this.#tokens = new Tokens(pattern);
    this.#flags = flags;
  }

  /** `asked`: the flags as the caller gave them, which those of the pattern must agree with. */
  whole(asked: number): Parsed {
    const tree = this.#choice(this.#flags, true);
    if (this.#tokens.next !== null) throw this.#tokens.error("unbalanced parenthesis");
    checkFlags(asked | this.#global);
    if (this.#isWidthOpen) throw errorOfPattern("look-behind requires fixed-width pattern");
    return { tree, flags: this.#flags, groups: this.#groups, names: this.#names };
  }

  #choice(flags: number, isOutermost: boolean): Node {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw notExact(`a pattern is nested deeper than ${DEEPEST} groups`);
    const choices = [this.#sequence(flags, isOutermost)];
    while (this.#tokens.match("|")) choices.push(this.#sequence(isOutermost ? this.#flags : flags, false));
    this.#depth -= 1;
    return choices.length === 1 ? (choices[0] as Node) : { kind: "choice", choices };
  }

  #sequence(given: number, isFirst: boolean): Node {
    let flags = given;
    const parts: Node[] = [];
    for (;;) {
      const piece = this.#tokens.next;
      if (piece === null || piece === "|" || piece === ")") return { kind: "sequence", parts };
      this.#tokens.get();
      if (flags & Flag.X) {
        if (WHITE_SPACE.includes(piece)) continue;
        if (piece === "#") {
          for (let skipped = this.#tokens.get(); skipped !== null && skipped !== "\n"; ) skipped = this.#tokens.get();
          continue;
        }
      }
      if (piece.startsWith("\\")) parts.push(this.#escape(piece, flags));
      else if (piece === "[") parts.push(this.#brackets(flags));
      else if ("*+?{".includes(piece)) this.#repeat(piece, parts, flags);
      else if (piece === ".") parts.push(anySet(flags));
      else if (piece === "^") parts.push(this.#assert(flags & Flag.M ? "line_start" : "start", flags));
      else if (piece === "$") parts.push(this.#assert(flags & Flag.M ? "line_end" : "last_line_end", flags));
      else if (piece === "(") {
        const group = this.#group(flags, isFirst && parts.length === 0);
        if (typeof group === "number") flags = group;
        else if (group !== null) parts.push(group);
      } else parts.push(literal(piece, flags));
    }
  }

  #assert(what: Assertion, flags: number): Node {
    return { kind: "assert", what, isAscii: (flags & Flag.A) !== 0 };
  }

  #repeat(sign: string, parts: Node[], flags: number): void {
    const tokens = this.#tokens;
    const here = tokens.tell();
    let least = sign === "+" ? 1 : 0;
    let most = sign === "?" ? 1 : Infinity;
    if (sign === "{") {
      if (tokens.next === "}") {
        parts.push(literal(sign, flags));
        return;
      }
      const low = tokens.getWhile(Infinity, DIGIT);
      const high = tokens.match(",") ? tokens.getWhile(Infinity, DIGIT) : low;
      if (!tokens.match("}")) {
        parts.push(literal(sign, flags));
        tokens.seek(here);
        return;
      }
      if (low !== "") least = Number(low);
      if (high !== "") most = Number(high);
      if (least >= MOST_REPEATS || (most !== Infinity && most >= MOST_REPEATS))
        throw raised(OVERFLOW_ERROR, "the repetition number is too large");
      if (most < least) throw tokens.error("min repeat greater than max repeat", tokens.tell() - here);
    }
    const part = parts.pop();
    if (part === undefined || part.kind === "assert") throw tokens.error("nothing to repeat", tokens.tell() - here + 1);
    if (part.kind === "repeat") throw tokens.error("multiple repeat", tokens.tell() - here + 1);
    const isLazy = tokens.match("?");
    if (!isLazy && tokens.match("+")) throw unsupported("a possessive quantifier");
    // A group without a number can be repeated again: it is a sequence then.
    parts.push({ kind: "repeat", part, least, most, isLazy });
  }

  /** A part; flags that hold from here on; null: a comment. */
  #group(flags: number, isFirst: boolean): Node | number | null {
    const tokens = this.#tokens;
    const start = tokens.tell() - 1;
    let inner = flags;
    let name: string | null = null;
    let isCapture = true;
    if (tokens.match("?")) {
      const char = tokens.get();
      if (char === null) throw tokens.error("unexpected end of pattern");
      if (char === "P") name = this.#name();
      else if (char === ":") isCapture = false;
      else if (char === "#") return this.#comment(start);
      else if ("=!<".includes(char)) return this.#look(char, start, flags);
      else if (char === "(") throw unsupported("a condition on a group");
      else if (char === ">") throw unsupported("an atomic group");
      else if (char === "-" || isFlag(char)) {
        const read = readFlags(tokens, char);
        if (read.isGlobal) {
          if (!isFirst) throw tokens.error("global flags not at the start of the expression", tokens.tell() - start);
          if (read.added & Flag.X && !(this.#flags & Flag.X)) throw VERBOSE;
          this.#global |= read.added;
          this.#flags = withFlags(this.#flags, read.added, 0);
          return this.#flags;
        }
        inner = withFlags(flags, read.added, read.removed);
        isCapture = false;
      } else throw tokens.error(`unknown extension ?${char}`, lengthOf(char) + 1);
    }
    let number = 0;
    if (isCapture) {
      number = ++this.#groups;
      if (name !== null) {
        const known = this.#names.get(name);
        if (known !== undefined)
          throw tokens.error(
            `redefinition of group name '${name}' as group ${number}; was group ${known}`,
            lengthOf(name) + 1,
          );
        this.#names.set(name, number);
      }
    }
    const part = this.#choice(inner, false);
    if (!tokens.match(")")) throw tokens.error("missing ), unterminated subpattern", tokens.tell() - start);
    // One more sequence, so that `(?:a*)*` is not a repeat of a repeat.
    return isCapture ? { kind: "group", number, part } : { kind: "sequence", parts: [part] };
  }

  #name(): string {
    const tokens = this.#tokens;
    if (tokens.match("<")) {
      const name = tokens.getUntil(">", "group name");
      checkName(tokens, name);
      return name;
    }
    if (tokens.match("=")) throw unsupported("a back reference");
    const char = tokens.get();
    if (char === null) throw tokens.error("unexpected end of pattern");
    throw tokens.error(`unknown extension ?P${char}`, lengthOf(char) + 2);
  }

  #comment(start: number): null {
    for (;;) {
      if (this.#tokens.next === null)
        throw this.#tokens.error("missing ), unterminated comment", this.#tokens.tell() - start);
      if (this.#tokens.get() === ")") return null;
    }
  }

  #look(char: string, start: number, flags: number): Look {
    const tokens = this.#tokens;
    const isBehind = char === "<";
    const kind = isBehind ? tokens.get() : char;
    if (kind === null) throw tokens.error("unexpected end of pattern");
    if (kind !== "=" && kind !== "!") throw tokens.error(`unknown extension ?<${kind}`, lengthOf(kind) + 2);
    const before = this.#groups;
    const part = this.#choice(flags, false);
    if (!tokens.match(")")) throw tokens.error("missing ), unterminated subpattern", tokens.tell() - start);
    const isNegative = kind === "!";
    const hasGroups = this.#groups > before;
    const { least, most } = widthsOf(part);
    if (isBehind && least !== most) this.#isWidthOpen = true;
    return { kind: "look", part, isNegative, back: isBehind ? least : null, hasGroups };
  }

  #brackets(flags: number): Node {
    const tokens = this.#tokens;
    const here = tokens.tell() - 1;
    const items: SetItem[] = [];
    const isNegated = tokens.match("^");
    const unterminated = () => tokens.error("unterminated character set", tokens.tell() - here);
    const itemOf = (piece: string): SetItem =>
      piece.startsWith("\\") ? this.#classEscape(piece) : one(piece.codePointAt(0) as number);
    for (;;) {
      const piece = tokens.get();
      if (piece === null) throw unterminated();
      if (piece === "]" && items.length > 0) break;
      const low = itemOf(piece);
      if (!tokens.match("-")) {
        items.push(low);
        continue;
      }
      const that = tokens.get();
      if (that === null) throw unterminated();
      if (that === "]") {
        items.push(low, one(45));
        break;
      }
      const high = itemOf(that);
      if ("category" in low || "category" in high || high.first < low.first)
        throw tokens.error(`bad character range ${piece}-${that}`, lengthOf(piece) + 1 + lengthOf(that));
      items.push({ first: low.first, last: high.first });
    }
    return { kind: "set", has: setOf(items, isNegated, caseRules(flags)), literal: null };
  }

  #classEscape(piece: string): SetItem {
    const letter = piece.slice(1);
    const control = CONTROL_ESCAPES[letter];
    if (control !== undefined) return one(control.charCodeAt(0));
    if ("dDsSwW".includes(letter)) return { category: letter };
    return one(this.#codeOf(piece, letter));
  }

  #escape(piece: string, flags: number): Node {
    const letter = piece.slice(1);
    const at = AT_ESCAPES[letter];
    if (at !== undefined) return this.#assert(at, flags);
    if ("dDsSwW".includes(letter))
      return { kind: "set", has: setOf([{ category: letter }], false, caseRules(flags)), literal: null };
    const control = letter === "b" ? undefined : CONTROL_ESCAPES[letter];
    if (control !== undefined) return literal(control, flags);
    if (letter >= "1" && letter <= "9" && this.#isReference(letter)) throw unsupported("a back reference");
    return literal(String.fromCodePoint(this.#codeOf(piece, letter)), flags);
  }

  /** Whether `\1` … refers to a group; three octal digits are a character. Raises for a group that does not exist. */
  #isReference(letter: string): boolean {
    const tokens = this.#tokens;
    const here = tokens.tell();
    let digits = letter;
    if (DIGIT.test(tokens.next ?? "")) {
      digits += tokens.get();
      if (OCTAL.test(letter) && OCTAL.test(digits.charAt(1)) && OCTAL.test(tokens.next ?? "")) {
        tokens.seek(here);
        return false;
      }
    }
    if (Number(digits) <= this.#groups) return true;
    throw tokens.error(`invalid group reference ${digits}`, digits.length);
  }

  /** The character of `\x41`, `\u0041`, `\101`, `\.`. */
  #codeOf(piece: string, letter: string): number {
    const tokens = this.#tokens;
    const width = { x: 2, u: 4, U: 8 }[letter];
    if (width !== undefined) {
      const digits = tokens.getWhile(width, HEX);
      const whole = piece + digits;
      if (digits.length !== width) throw tokens.error(`incomplete escape ${whole}`, whole.length);
      const code = Number.parseInt(digits, 16);
      if (code > 0x10ffff) throw tokens.error(`bad escape ${whole}`, whole.length);
      return code;
    }
    if (letter === "N" && !tokens.match("{")) throw tokens.error("missing {");
    if (letter === "N") throw notExact("names of characters are not known in patterns; write \\u with the number");
    if (OCTAL.test(letter)) {
      const digits = letter + tokens.getWhile(2, OCTAL);
      const code = Number.parseInt(digits, 8);
      if (code > 0o377)
        throw tokens.error(`octal escape value \\${digits} outside of range 0-0o377`, digits.length + 1);
      return code;
    }
    if (DIGIT.test(letter) || LETTER.test(letter)) throw tokens.error(`bad escape ${piece}`, piece.length);
    return letter.codePointAt(0) as number;
  }
}

function one(code: number): SetItem {
  return { first: code, last: code };
}

const caseRules = (flags: number) => ({ ignoresCase: (flags & Flag.I) !== 0, isAscii: (flags & Flag.A) !== 0 });

function literal(char: string, flags: number): Node {
  const code = char.codePointAt(0) as number;
  const rules = caseRules(flags);
  return { kind: "set", has: setOf([one(code)], false, rules), literal: rules.ignoresCase ? null : char };
}

function anySet(flags: number): Node {
  return { kind: "set", has: flags & Flag.S ? () => true : (code) => code !== 10, literal: null };
}

/** A new type of characters takes the place of the old one. */
function withFlags(flags: number, added: number, removed: number): number {
  const types = Flag.A | Flag.U | Flag.L;
  return ((added & types ? flags & ~types : flags) | added) & ~removed;
}

export function checkName(tokens: Tokens, name: string): void {
  const isName = [...name].every((char, index) =>
    (index === 0 ? IDENTIFIER_START : IDENTIFIER_PART).has(char.codePointAt(0) as number),
  );
  if (!isName) throw tokens.error(`bad character in group name '${name}'`, lengthOf(name) + 1);
}

function unsupported(what: string): ReturnType<typeof notExact> {
  return notExact(`${what} in a pattern is not supported, because it needs backtracking; match in two steps`);
}
