/** The outline of a program: functions, or labels with the steps in them, endpoints and declarations. */
import { DocumentSymbol, SymbolKind } from "vscode-languageserver/node";
import type { DeclarationLine, Line } from "../../grammar/ast.ts";
import type { Span } from "../../grammar/text/span.ts";
import { type OpenProgram, rangeOf } from "./program.ts";

export function symbolsOf(program: OpenProgram): DocumentSymbol[] {
  const { file } = program;
  const symbols = outlineOf(program).map(({ name, span, word }) =>
    DocumentSymbol.create(name, undefined, SymbolKind.Function, rangeOf(span), rangeOf(word)),
  );
  const declared = file.lines.flatMap((line) => (line.kind === "declaration" ? [symbolOf(line)] : []));
  return [...symbols, ...declared].sort(byPlace);
}

function symbolOf(line: DeclarationLine): DocumentSymbol {
  const words = line.slots.map(({ text }) => text);
  const [name, kind] =
    line.op === "E"
      ? [`${words[1] ?? ""} ${words[0] ?? ""}`, SymbolKind.Interface]
      : [`${line.op} ${words[0] ?? ""}`, SymbolKind.Property];
  const range = rangeOf(line.span);
  return DocumentSymbol.create(name.trim(), words.slice(1).join(" "), kind, range, rangeOf(line.word.span));
}

function byPlace(left: DocumentSymbol, right: DocumentSymbol): number {
  const [a, b] = [left.range.start, right.range.start];
  return a.line - b.line || a.character - b.character;
}

export type Outlined = { readonly name: string; readonly span: Span; readonly word: Span };

/** The labels or functions of a file, from where each begins to where it ends. */
export function outlineOf({ file, python }: OpenProgram): readonly Outlined[] {
  if (python !== null) return python.functions;
  return file.lines.flatMap((line, index) => {
    if (line.kind !== "label") return [];
    const { end, end_line, end_column } = blockEnd(file.lines, index);
    return [{ name: `L${line.id}`, span: { ...line.span, end, end_line, end_column }, word: line.word.span }];
  });
}

/** Where the steps of the label at `index` end. */
function blockEnd(lines: readonly Line[], index: number): Span {
  let last = index;
  while (last + 1 < lines.length && lines[last + 1]?.kind !== "label") last += 1;
  return (lines[last] as Line).span;
}
