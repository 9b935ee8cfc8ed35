/**
 * The types of inputs as they are written in an IR: words (`text`, `list`), letters of `D` lines (`I`, `A[T]`, `E[a,b]`), names of record types, and
 * `T?` for a value that may be null. Annotations of the Python form have these besides: `M[T]`, an object with values of T; `U[T,T]`, one of several types;
 * `L["a",1,true]`, one of these values, as JSON. The one reading of what stands in brackets.
 */
import type { Json } from "../json.ts";

export type BracketType =
  | { readonly kind: "list" | "map"; readonly of: string }
  | { readonly kind: "union"; readonly of: readonly string[] }
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "values"; readonly values: readonly Json[] };

/** Without a mark at its end; null: not one of these. */
export function bracketType(type: string): BracketType | null {
  if (type.charAt(1) !== "[" || !type.endsWith("]")) return null;
  const inner = type.slice(2, -1);
  switch (type.charAt(0)) {
    case "A":
      return { kind: "list", of: inner.trim() };
    case "M":
      return { kind: "map", of: inner.trim() };
    case "U":
      return { kind: "union", of: parts(inner) };
    case "E":
      return { kind: "words", words: inner.split(",").map((word) => word.trim()) };
    case "L":
      return values(inner);
    default:
      return null;
  }
}

/** What commas outside of brackets and texts separate. */
function parts(inner: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  let isText = false;
  for (let at = 0; at < inner.length; at++) {
    const character = inner.charAt(at);
    if (isText) {
      if (character === "\\") at++;
      else isText = character !== '"';
    } else if (character === '"') isText = true;
    else if (character === "[") depth++;
    else if (character === "]") depth--;
    else if (character === "," && depth === 0) {
      found.push(inner.slice(start, at).trim());
      start = at + 1;
    }
  }
  found.push(inner.slice(start).trim());
  return found;
}

function values(inner: string): BracketType | null {
  try {
    const found = JSON.parse(`[${inner}]`) as readonly Json[];
    return { kind: "values", values: found };
  } catch {
    return null;
  }
}

/** As Python annotates them. */
const PYTHON: Readonly<Record<string, string>> = {
  any: "Any",
  text: "str",
  number: "float",
  integer: "int",
  boolean: "bool",
  map: "dict",
};

/** The types of an input of a Python program, as its annotation: `list[float] | None`. One of them is enough; of none, any value is. */
export function annotationOf(types: readonly string[]): string {
  if (types.length === 0) return "Any";
  return [...new Set(types.map(annotation))].join(" | ");
}

function annotation(written: string): string {
  if (written.endsWith("?")) return `${annotation(written.slice(0, -1))} | None`;
  const type = bracketType(written);
  switch (type?.kind) {
    case "list":
      return `list[${annotation(type.of)}]`;
    case "map":
      return `dict[str, ${annotation(type.of)}]`;
    case "union":
      return annotationOf(type.of);
    case "words":
      return `Literal[${type.words.map((word) => JSON.stringify(word)).join(", ")}]`;
    case "values":
      return `Literal[${type.values.map(literal).join(", ")}]`;
    default:
      return Object.hasOwn(PYTHON, written) ? (PYTHON[written] as string) : written;
  }
}

function literal(value: Json): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null ? "None" : JSON.stringify(value);
}
