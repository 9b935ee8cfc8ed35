/** Types of declared inputs: the words of the language, and what the type words of other languages are called here. */
import { isName } from "./operands/tokens.ts";

export const PLAIN_TYPES: readonly string[] = ["any", "text", "number", "integer", "boolean", "list", "map"];
const SHORT_TYPES: readonly string[] = ["I", "F", "S", "B", "D", "J"];
const MAX_TYPE_DEPTH = 64;

const FOREIGN_WORDS: Readonly<Record<string, string>> = {
  text: "string str url uri email uuid char varchar",
  integer: "int int32 int64 long bigint",
  number: "float double decimal num numeric float32 float64",
  boolean: "bool",
  list: "array arr tuple set sequence iterable",
  map: "dict dictionary object obj record mapping hash struct",
  any: "json unknown mixed dynamic",
};
const OWN_WORDS = new Map(
  Object.entries(FOREIGN_WORDS).flatMap(([own, words]) => words.split(" ").map((word) => [word, own] as const)),
);
for (const own of PLAIN_TYPES) OWN_WORDS.set(own, own);
const NOTHING = new Set(["none", "null", "nil", "undefined"]);

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

/** The type of the language that a type of another is: `list` for `list[str]`, `text?` for `str | None`; null: not known. */
export function ownType(written: string): string | null {
  const type = written.trim();
  const alternatives = type.split("|").map((one) => one.trim());
  if (alternatives.length > 1 && outsideBrackets(type)) {
    const named = alternatives.filter((one) => !NOTHING.has(one.toLowerCase()));
    if (named.length > 1) return "any";
    return named.length < alternatives.length ? orNull(ownType(named[0] ?? "")) : null;
  }
  if (type.endsWith("?")) return orNull(ownType(type.slice(0, -1)));
  const [, optional] = /^optional\s*[[<]\s*(.+)[\]>]$/is.exec(type) ?? [];
  if (optional !== undefined) return orNull(ownType(optional));
  if (/^union\s*\[/i.test(type)) return "any";
  if (/\[\s*\]$/.test(type)) return "list";
  // `list[str]`, `Array<number>`, `list of texts`
  const [, word = ""] = /^(?:typing\.)?([a-z0-9_]+)(?:\s*[[<].*[\]>]|\s+of\s.*)?$/is.exec(type) ?? [];
  return OWN_WORDS.get(word.toLowerCase()) ?? null;
}

/** No `|` of the text stands in brackets. */
function outsideBrackets(type: string): boolean {
  return !/[[<][^\]>]*\|/.test(type);
}

function orNull(own: string | null): string | null {
  return own === null || own === "any" ? own : `${own.replace(/\?$/, "")}?`;
}
