/** Docstrings: what programs and endpoints are described by. */
import type { Stmt } from "../../../grammar/python/tree.ts";

/** More is not kept: it is a description, not a document. */
const MOST_CHARACTERS = 2000;

/** null: the block has none. Indentation goes as CPython's `inspect.cleandoc` takes it away. */
export function docstringOf(body: readonly Stmt[]): string | null {
  const [first] = body;
  if (first?.kind !== "Expr" || first.value.kind !== "Constant" || first.value.type !== "str") return null;
  const text = cleaned(String(first.value.value)).toWellFormed();
  if (text === "") return null;
  const characters = Array.from(text);
  return characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS - 1).join("")}…` : text;
}

function cleaned(text: string): string {
  const [first = "", ...rest] = text.replaceAll("\t", "        ").split(/\r\n?|\n/);
  const written = rest.filter((line) => line.trim() !== "");
  const margin = Math.min(...written.map((line) => line.length - line.trimStart().length));
  const lines = [first.trimStart(), ...rest.map((line) => line.slice(Number.isFinite(margin) ? margin : 0))];
  return lines
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}
