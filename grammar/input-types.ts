/** Types of declared inputs. */
import { isName } from "./operands/tokens.ts";

export const PLAIN_TYPES: readonly string[] = ["any", "text", "number", "integer", "boolean", "list", "map"];
const SHORT_TYPES: readonly string[] = ["I", "F", "S", "B", "D", "J"];
const MAX_TYPE_DEPTH = 64;

/** Words that programs of the predecessor have for types. */
const FORMER_WORDS: Readonly<Record<string, string>> = {
  string: "text",
  str: "text",
  int: "integer",
  float: "number",
  bool: "boolean",
  array: "list",
  dict: "map",
  object: "map",
  json: "any",
};

/** The type that a word of the predecessor means; null: none. */
export function formerType(word: string): string | null {
  return Object.hasOwn(FORMER_WORDS, word) ? (FORMER_WORDS[word] ?? null) : null;
}

/** Which type names a file may use. */
export type KnownTypes = {
  readonly declared: ReadonlySet<string> /** Included files may declare more. */;
  readonly open: boolean;
};

/** `any`, `number`, `I`, `A[T]`, `E[a,b]` or a declared record type; with `?` after it null is a value of it. */
export function isType(written: string, known: KnownTypes, depth = 0): boolean {
  const type = written.endsWith("?") ? written.slice(0, -1) : written;
  if (PLAIN_TYPES.includes(type) || SHORT_TYPES.includes(type) || known.declared.has(type)) return true;
  if (depth < MAX_TYPE_DEPTH && type.startsWith("A[") && type.endsWith("]")) {
    return isType(type.slice(2, -1).trim(), known, depth + 1);
  }
  if (/^E\[[^[\]]+\]$/.test(type)) return true;
  return known.open && isName(type);
}
