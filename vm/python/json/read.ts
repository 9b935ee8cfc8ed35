/**
 * JSON texts to values, exactly: `5.0` stays a float, long ints are BigInts, members keep their order. Faults are those of CPython's `json.loads`, with
 * its messages and places.
 */
import { JSON_DECODE_ERROR, PyException, Raised, RECURSION_ERROR, raisedLoosely, VALUE_ERROR } from "../exceptions.ts";
import { PyDict } from "../kinds/dict.ts";
import { floatOf, intOf } from "../kinds/float.ts";
import { PyList, PyTuple } from "../kinds/list.ts";
import { notExact } from "../not-exact.ts";
import { Bytes, type Context, type Value } from "../object.ts";
import { MAX_DIGITS } from "../operators/text.ts";
import { positionOf } from "../operators/texts.ts";
import { type HookCalls, Later } from "./hooks.ts";

type ReadOptions = {
  /** Whether control characters are refused in texts. */
  readonly isStrict?: boolean;
  /** Counts work and bytes; a border has none. */
  readonly ctx?: Context | null;
  /** Makes the dict of an object: `key` names it, at this level. Absent: all are plain. */
  readonly dictOf?: ((level: number, key: string | null) => PyDict) | undefined;
  /** Takes the calls of hooks, which the reader does not make itself. */
  readonly hooked?: HookCalls | null;
};

const MOST_LEVELS = 990;

export function readJson(text: string, options: ReadOptions = {}): Value {
  return new Reader(text, options).whole();
}

const QUOTE = 34;
const BACKSLASH = 92;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they end what is plain.
const PLAIN_END = /["\\\u0000-\u001f]/g;
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y;
const HEX = /^[0-9a-fA-F]{4}$/;
const ESCAPES: { readonly [letter: string]: string } = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};
const CONSTANTS: readonly (readonly [text: string, value: Value])[] = [
  ["null", null],
  ["true", true],
  ["false", false],
  ["NaN", floatOf(Number.NaN)],
  ["Infinity", floatOf(Number.POSITIVE_INFINITY)],
  ["-Infinity", floatOf(Number.NEGATIVE_INFINITY)],
];

/** A member whose value may come from a hook. Of members with one name the last one stays. */
function keepPair(dict: PyDict, pairs: [string, Value][], key: string, value: Value): void {
  const pair: [string, Value] = [key, value];
  pairs.push(pair);
  if (value instanceof Later)
    value.put = (given) => {
      pair[1] = given;
      if (dict.get(key) === value) dict.set(key, key, given);
    };
}

class Reader {
  readonly #text: string;
  readonly #isStrict: boolean;
  readonly #ctx: Context | null;
  readonly #dictOf: ReadOptions["dictOf"];
  readonly #hooked: HookCalls | null;
  #at = 0;
  #level = 0;
  /** Of the member that is read. */
  #key: string | null = null;

  constructor(text: string, { isStrict = true, ctx = null, dictOf, hooked = null }: ReadOptions) {
    this.#dictOf = dictOf;
    this.#hooked = hooked;
    this.#text = text;
    this.#isStrict = isStrict;
    this.#ctx = ctx;
  }

  whole(): Value {
    if (this.#text.startsWith("\ufeff")) throw this.#fault("Unexpected UTF-8 BOM (decode using utf-8-sig)", 0);
    this.#ctx?.charge(this.#text.length);
    this.#skip();
    const value = this.#value();
    this.#skip();
    if (this.#at < this.#text.length) throw this.#fault("Extra data", this.#at);
    return value;
  }

  #skip(): void {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== 32 && unit !== 10 && unit !== 13 && unit !== 9) return;
      this.#at += 1;
    }
  }

  #value(): Value {
    switch (this.#text.charCodeAt(this.#at)) {
      case QUOTE:
        this.#at += 1;
        return this.#string();
      case 123:
        return this.#nested(() => this.#object());
      case 91:
        return this.#nested(() => this.#array());
      default:
        return this.#number() ?? this.#constant();
    }
  }

  #nested(read: () => Value): Value {
    this.#level += 1;
    if (this.#level > MOST_LEVELS) throw raisedLoosely(RECURSION_ERROR, "the JSON text has too many levels");
    this.#at += 1;
    const value = read();
    this.#level -= 1;
    return value;
  }

  #object(): Value {
    const dict = this.#dictOf?.(this.#level, this.#key) ?? new PyDict();
    const pairs: [key: string, value: Value][] = [];
    this.#skip();
    if (!this.#take("}"))
      for (;;) {
        if (!this.#take('"')) throw this.#fault("Expecting property name enclosed in double quotes", this.#at);
        const key = this.#string();
        this.#skip();
        if (!this.#take(":")) throw this.#fault("Expecting ':' delimiter", this.#at);
        this.#skip();
        this.#key = key;
        const value = this.#value();
        dict.set(key, key, value);
        if (this.#hooked !== null) keepPair(dict, pairs, key, value);
        this.#skip();
        if (this.#take("}")) break;
        if (!this.#take(",")) throw this.#fault("Expecting ',' delimiter", this.#at);
        this.#skip();
      }
    this.#ctx?.alloc(Bytes.Object + dict.size * Bytes.Entry);
    return this.#hooked === null ? dict : this.#hookedObject(this.#hooked, dict, pairs);
  }

  #hookedObject(calls: HookCalls, dict: PyDict, pairs: readonly (readonly [string, Value])[]): Value {
    const { hooks } = calls;
    if (hooks.pairs !== null)
      return calls.later(hooks.pairs, () => new PyList(pairs.map(([key, value]) => new PyTuple([key, value]))));
    return hooks.object === null ? dict : calls.later(hooks.object, () => dict);
  }

  /** What the hook gives for a text, where there is a hook. */
  #hookOf(kind: "float" | "int" | "constant", written: string): Value | undefined {
    const hook = this.#hooked?.hooks[kind] ?? null;
    return hook === null ? undefined : this.#hooked?.later(hook, () => written);
  }

  #array(): Value {
    const items: Value[] = [];
    this.#skip();
    if (!this.#take("]"))
      for (;;) {
        const value = this.#value();
        const at = items.push(value) - 1;
        if (value instanceof Later)
          value.put = (given) => {
            items[at] = given;
          };
        this.#skip();
        if (this.#take("]")) break;
        if (!this.#take(",")) throw this.#fault("Expecting ',' delimiter", this.#at);
        this.#skip();
      }
    this.#ctx?.alloc(Bytes.Object + items.length * Bytes.Element);
    return new PyList(items);
  }

  #number(): Value | undefined {
    NUMBER.lastIndex = this.#at;
    const found = NUMBER.exec(this.#text);
    if (found === null) return undefined;
    const [written, fraction, exponent] = found;
    this.#at += written.length;
    const isFloat = fraction !== undefined || exponent !== undefined;
    const later = this.#hooked === null ? undefined : this.#hookOf(isFloat ? "float" : "int", written);
    if (later !== undefined) return later;
    if (isFloat) return floatOf(Number(written));
    // "-0" is the int 0.
    if (written.length < 16) return Number(written) + 0;
    if (written.length - (written.startsWith("-") ? 1 : 0) > MAX_DIGITS)
      throw raisedLoosely(VALUE_ERROR, `an int has more than ${MAX_DIGITS} digits`);
    return intOf(BigInt(written));
  }

  #constant(): Value {
    for (const [text, value] of CONSTANTS)
      if (this.#text.startsWith(text, this.#at)) {
        this.#at += text.length;
        return (typeof value === "object" && value !== null ? this.#hookOf("constant", text) : undefined) ?? value;
      }
    throw this.#fault("Expecting value", this.#at);
  }

  /** From after the opening quote to after the closing one. */
  #string(): string {
    const begin = this.#at - 1;
    let result = "";
    for (;;) {
      PLAIN_END.lastIndex = this.#at;
      const end = PLAIN_END.exec(this.#text)?.index;
      if (end === undefined) throw this.#fault("Unterminated string starting at", begin);
      result += this.#text.slice(this.#at, end);
      const unit = this.#text.charCodeAt(end);
      this.#at = end + 1;
      if (unit === QUOTE) break;
      if (unit === BACKSLASH) result += this.#escape(begin, end);
      else if (this.#isStrict) throw this.#fault("Invalid control character at", end);
      else result += this.#text.charAt(end);
    }
    if (!result.isWellFormed()) throw notExact("a JSON text has a lone surrogate, which no text can hold");
    this.#ctx?.alloc(result.length * Bytes.Unit);
    return result;
  }

  #escape(begin: number, at: number): string {
    const letter = this.#text[at + 1];
    if (letter === undefined) throw this.#fault("Unterminated string starting at", begin);
    if (letter !== "u") {
      const plain = ESCAPES[letter];
      if (plain === undefined) throw this.#fault("Invalid \\escape", at);
      this.#at = at + 2;
      return plain;
    }
    const digits = this.#text.slice(at + 2, at + 6);
    // CPython wants a character after the digits, if only the closing quote.
    if (at + 6 >= this.#text.length || !HEX.test(digits)) throw this.#fault("Invalid \\uXXXX escape", at + 1);
    this.#at = at + 6;
    const code = Number.parseInt(digits, 16);
    const isHigh = code >= 0xd800 && code < 0xdc00;
    if (isHigh && this.#text.startsWith("\\u", at + 6) && at + 12 < this.#text.length) {
      const low = this.#text.slice(at + 8, at + 12);
      if (!HEX.test(low)) throw this.#fault("Invalid \\uXXXX escape", at + 7);
    }
    return String.fromCharCode(code);
  }

  #take(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  #fault(about: string, unit: number): Raised {
    const lineStart = this.#text.lastIndexOf("\n", unit - 1) + (unit === 0 ? 0 : 1);
    const pos = positionOf(this.#text, unit);
    const start = unit === 0 ? 0 : positionOf(this.#text, lineStart);
    const lineno = this.#text.slice(0, unit).split("\n").length;
    const colno = pos - start + 1;
    const message = `${about}: line ${lineno} column ${colno} (char ${pos})`;
    const members = new Map<string, Value>([
      ["msg", about],
      ["doc", this.#text],
      ["pos", pos],
      ["lineno", lineno],
      ["colno", colno],
    ]);
    return new Raised(new PyException(JSON_DECODE_ERROR, new PyTuple([message]), false, members));
  }
}
