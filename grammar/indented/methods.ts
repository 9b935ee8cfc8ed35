/**
 * `x.f(a)`: values have no methods here. Suggests the function that does the same with the same arguments, and nothing where a method of that name does
 * something else.
 */
import type { Fix } from "../diagnostic.ts";
import type { Span } from "../text/span.ts";
import type { Expression } from "./tree.ts";

type Call = Expression & { readonly e: "call" };

/** Methods of other languages, and the functions that return the same value. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  items: "entries",
  append: "push",
  includes: "contains",
  has: "contains",
  toUpperCase: "upper",
  toLowerCase: "lower",
  startsWith: "startswith",
  endsWith: "endswith",
  strip: "trim",
  toString: "str",
  replaceAll: "replace",
  concat: "concat",
};
/** Methods that change their list, take a function, or number their arguments differently. */
const WITHOUT: ReadonlySet<string> = new Set([
  ...[
    "sort",
    "reverse",
    "remove",
    "insert",
    "pop",
    "shift",
    "unshift",
    "update",
    "clear",
    "extend",
    "splice",
    "delete",
  ],
  ...["map", "filter", "reduce", "forEach", "find", "index", "indexOf", "setdefault", "then", "isdigit"],
]);

type Advice = { readonly suggestion: string; readonly fix: Fix | null };

/** What to write instead of a call of a method. */
export function adviceForMethod({ fn, args, span }: Call, source: string): Advice {
  const dot = fn.text.lastIndexOf(".");
  const { start } = fn.span;
  return methodAdvice({ ...fn.span, end: start + dot }, fn.text.slice(dot + 1), args, span, source);
}

/** `method` of the value at `of`; `span` is all of the call. */
export function methodAdvice(
  of: Span,
  method: string,
  args: readonly Expression[],
  span: Span,
  source: string,
): Advice {
  if (WITHOUT.has(method)) return { suggestion: `values have no methods; see the functions for ${method}`, fix: null };
  const value = source.slice(of.start, of.end);
  const words = args.map((one) => source.slice(one.span.start, one.span.end));
  const name = Object.hasOwn(FUNCTIONS, method) ? (FUNCTIONS[method] ?? method) : method;
  const [first = ""] = words;
  const text =
    method === "join"
      ? `join(${(isText(value) || !isText(first) ? [value, ...words] : [...words, value]).join(", ")})`
      : method === "get" && !/^(["'])[^"'.\\]*\1$/.test(first)
        ? readBy(value, words)
        : `${name}(${[value, ...words].join(", ")})`;
  const suggestion = `write ${text.length <= 80 ? text : `${name}(…)`}`;
  return { suggestion, fix: { title: suggestion, edits: [{ span, new_text: text }] } };
}

/** The separator comes first: `",".join(xs)` has it before the dot, `xs.join(",")` after it. */
function isText(written: string): boolean {
  return /^f?["']/.test(written);
}

/** `d.get(k)` where `k` may have a dot in it, which the function `get` would read as a path. */
function readBy(value: string, [key = "", fallback]: readonly string[]): string {
  return fallback === undefined ? `${value}[${key}]` : `(${value}[${key}] if ${key} in ${value} else ${fallback})`;
}
