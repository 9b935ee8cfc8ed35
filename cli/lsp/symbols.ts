/** The outline of a program: labels with the steps in them, endpoints, declarations. */
import { DocumentSymbol, SymbolKind } from "vscode-languageserver/node";
import type { DeclarationLine, LabelLine, Line } from "../../grammar/ast.ts";
import type { Span } from "../../grammar/text/span.ts";
import { type OpenProgram, rangeOf } from "./program.ts";

export function symbolsOf(program: OpenProgram): DocumentSymbol[] {
  const { file } = program;
  const symbols = outlineOf(program).map(({ name, line, end }) => {
    const range = rangeOf({ ...line.span, end: end.end, end_line: end.end_line, end_column: end.end_column });
    return DocumentSymbol.create(name, undefined, SymbolKind.Function, range, rangeOf(line.word.span));
  });
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

export type Outlined = { readonly name: string; readonly line: LabelLine; readonly end: Span };

/** The labels of a file, and where each ends. */
export function outlineOf({ file }: OpenProgram): readonly Outlined[] {
  const outlined: Outlined[] = [];
  for (const [index, line] of file.lines.entries()) {
    if (line.kind !== "label") continue;
    outlined.push({ name: `L${line.id}`, line, end: blockEnd(file.lines, index) });
  }
  return outlined;
}

/** Where the steps of the label at `index` end. */
function blockEnd(lines: readonly Line[], index: number): Span {
  let last = index;
  while (last + 1 < lines.length && lines[last + 1]?.kind !== "label") last += 1;
  return (lines[last] as Line).span;
}
