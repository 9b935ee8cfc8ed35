/** What an editor shows of a program of Python: its functions, and the places of keywords and comments. Older spellings are read as everywhere. */
import { coloredWords } from "../../grammar/python/lexing/colored.ts";
import { parseProgram } from "../../grammar/python/older/older.ts";
import type { FunctionDef, Stmt } from "../../grammar/python/tree.ts";
import { createSource, type Source, spanOf } from "../../grammar/text/source.ts";
import type { Span } from "../../grammar/text/span.ts";
import { type PythonNames, pythonNames } from "./python-names.ts";

export type PythonParts = {
  /** Those at the top of the file; none while the file has a syntax error. */
  readonly functions: readonly { readonly name: string; readonly span: Span; readonly word: Span }[];
  readonly keywords: readonly Span[];
  readonly comments: readonly Span[];
} & PythonNames;

export function pythonParts(text: string): PythonParts {
  const source = createSource(text, null);
  const { module, comments, text: parsed } = parseProgram(text);
  // Older spellings are written anew before they are read, so their places are others.
  const names = module === null || parsed !== text ? NO_NAMES : pythonNames(source, module);
  return {
    ...names,
    functions: (module?.body ?? []).filter(isFunction).map((one) => outlined(source, one)),
    keywords: keywordsIn(source),
    comments: comments.map(({ start, end }) => spanOf(source, start, end)),
  };
}

const NO_NAMES: PythonNames = { names: [], outside: [] };

function isFunction(statement: Stmt): statement is FunctionDef {
  return statement.kind === "FunctionDef";
}

function outlined(source: Source, { name, start, end }: FunctionDef) {
  const at = source.text.slice(start, end).indexOf(name);
  const from = at < 0 ? start : start + at;
  return { name, span: spanOf(source, start, end), word: spanOf(source, from, at < 0 ? start : from + name.length) };
}

function keywordsIn(source: Source): readonly Span[] {
  return coloredWords(source.text)
    .filter(({ kind }) => kind === "keyword" || kind === "constant")
    .map(({ start, end }) => spanOf(source, start, end));
}
