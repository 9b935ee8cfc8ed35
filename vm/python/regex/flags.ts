/** Flags of patterns: `re.I`, `(?i)`, `(?i-s:…)`. */
import { raised, VALUE_ERROR } from "../exceptions.ts";
import { lengthOf, type Tokens } from "./tokens.ts";

export const Flag = { A: 256, I: 2, L: 4, U: 32, M: 8, S: 16, X: 64, DEBUG: 128 } as const;

const LETTERS: { readonly [letter: string]: number } = {
  a: Flag.A,
  i: Flag.I,
  L: Flag.L,
  m: Flag.M,
  s: Flag.S,
  u: Flag.U,
  x: Flag.X,
};
const TYPES = Flag.A | Flag.L | Flag.U;

export function isFlag(letter: string): boolean {
  return LETTERS[letter] !== undefined;
}

export function checkFlags(flags: number): void {
  if (flags & Flag.L) throw raised(VALUE_ERROR, "cannot use LOCALE flag with a str pattern");
  if (flags & Flag.A && flags & Flag.U) throw raised(VALUE_ERROR, "ASCII and UNICODE flags are incompatible");
}

type Flags = { readonly added: number; readonly removed: number; readonly isGlobal: boolean };

/** From the first letter after `(?` on. Global ones end with the bracket, others with the colon of their group. */
export function readFlags(tokens: Tokens, first: string): Flags {
  let char = first;
  let added = 0;
  while (char !== "-") {
    const flag = LETTERS[char] as number;
    if (char === "L") throw tokens.error("bad inline flags: cannot use 'L' flag with a str pattern");
    added |= flag;
    if (flag & TYPES && (added & TYPES) !== flag)
      throw tokens.error("bad inline flags: flags 'a', 'u' and 'L' are incompatible");
    char = nextOf(tokens, "missing -, : or )", ")-:");
    if (char === ")") return { added, removed: 0, isGlobal: true };
    if (char === ":") return { added, removed: 0, isGlobal: false };
  }
  let removed = 0;
  for (char = nextOf(tokens, "missing flag", ""); char !== ":"; char = nextOf(tokens, "missing :", ":")) {
    const flag = LETTERS[char] as number;
    if (flag & TYPES) throw tokens.error("bad inline flags: cannot turn off flags 'a', 'u' and 'L'");
    removed |= flag;
  }
  if (added & removed) throw tokens.error("bad inline flags: flag turned on and off", 1);
  return { added, removed, isGlobal: false };
}

function nextOf(tokens: Tokens, missing: string, ends: string): string {
  const char = tokens.get();
  if (char === null) throw tokens.error(missing);
  if (ends.includes(char) || isFlag(char)) return char;
  throw tokens.error(/^\p{L}+$/u.test(char) ? "unknown flag" : missing, lengthOf(char));
}
