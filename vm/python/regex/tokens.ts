/** Reads patterns and replacement templates piece by piece: a character, or a backslash with the one after it. As CPython's `re._parser.Tokenizer`. */
import { EXCEPTION, PyException, Raised } from "../exceptions.ts";
import { PyTuple } from "../kinds/list.ts";
import { PyType, type Value } from "../object.ts";

export const RE_ERROR = new PyType("error", [EXCEPTION, ...EXCEPTION.bases], {}, "re.error");

/** `re.error`, with the place in the pattern. */
function patternError(message: string, pattern: string, chars: readonly string[], position: number): Raised {
  const before = chars.slice(0, position);
  const lineno = before.filter((char) => char === "\n").length + 1;
  const colno = position - before.lastIndexOf("\n");
  const isLong = chars.includes("\n");
  const text = `${message} at position ${position}${isLong ? ` (line ${lineno}, column ${colno})` : ""}`;
  const members = new Map<string, Value>([
    ["msg", message],
    ["pattern", pattern],
    ["pos", position],
    ["lineno", lineno],
    ["colno", colno],
  ]);
  return new Raised(new PyException(RE_ERROR, new PyTuple([text]), false, members));
}

/** CPython finds these after it has read the pattern, and names no place. */
export function errorOfPattern(message: string): Raised {
  const members = ["pattern", "pos", "lineno", "colno"].map((name): [string, Value] => [name, null]);
  return new Raised(new PyException(RE_ERROR, new PyTuple([message]), false, new Map([["msg", message], ...members])));
}

export class Tokens {
  readonly pattern: string;
  readonly #chars: readonly string[];
  /** After the next piece. */
  #index = 0;
  /** The next piece; null at the end. */
  next: string | null = null;

  constructor(pattern: string) {
    this.pattern = pattern;
    this.#chars = [...pattern];
    this.#read();
  }

  #read(): void {
    const char = this.#chars[this.#index];
    if (char === undefined) {
      this.next = null;
      return;
    }
    this.#index += 1;
    this.next = char;
    if (char !== "\\") return;
    const escaped = this.#chars[this.#index];
    if (escaped === undefined)
      throw patternError("bad escape (end of pattern)", this.pattern, this.#chars, this.#chars.length - 1);
    this.#index += 1;
    this.next += escaped;
  }

  get(): string | null {
    const piece = this.next;
    this.#read();
    return piece;
  }

  match(piece: string): boolean {
    if (this.next !== piece) return false;
    this.#read();
    return true;
  }

  /** At most `count` pieces of a set. */
  getWhile(count: number, set: RegExp): string {
    let result = "";
    while (result.length < count && this.next !== null && set.test(this.next)) result += this.get();
    return result;
  }

  getUntil(terminator: string, name: string): string {
    let result = "";
    for (;;) {
      const piece = this.get();
      if (piece === null) {
        if (result === "") throw this.error(`missing ${name}`);
        throw this.error(`missing ${terminator}, unterminated name`, lengthOf(result));
      }
      if (piece === terminator) {
        if (result === "") throw this.error(`missing ${name}`, 1);
        return result;
      }
      result += piece;
    }
  }

  /** The place of the next piece. */
  tell(): number {
    return this.#index - lengthOf(this.next ?? "");
  }

  seek(place: number): void {
    this.#index = place;
    this.#read();
  }

  error(message: string, offset = 0): Raised {
    return patternError(message, this.pattern, this.#chars, this.tell() - offset);
  }
}

/** Code points of a short text. */
export function lengthOf(text: string): number {
  return [...text].length;
}
