/** The outline of a program: labels with the steps in them, endpoints, declarations. */
import { DocumentSymbol, SymbolKind } from "vscode-languageserver/node";
import type { Line } from "../../grammar/ast.ts";
import type { Span } from "../../grammar/span.ts";
import { type OpenProgram, rangeOf } from "./program.ts";

export function symbolsOf({ file }: OpenProgram): DocumentSymbol[] {
  const symbols: DocumentSymbol[] = [];
  for (const [index, line] of file.lines.entries()) {
    if (line.kind === "label") {
      const end = blockEnd(file.lines, index);
      const range = rangeOf({ ...line.span, end: end.end, end_line: end.end_line, end_column: end.end_column });
      symbols.push(
        DocumentSymbol.create(`L${line.id}`, undefined, SymbolKind.Function, range, rangeOf(line.word.span)),
      );
    }
    if (line.kind === "declaration") {
      const words = line.slots.map(({ text }) => text);
      const [name, kind] =
        line.op === "E"
          ? [`${words[1] ?? ""} ${words[0] ?? ""}`, SymbolKind.Interface]
          : [`${line.op} ${words[0] ?? ""}`, SymbolKind.Property];
      symbols.push(
        DocumentSymbol.create(name.trim(), words.slice(1).join(" "), kind, rangeOf(line.span), rangeOf(line.word.span)),
      );
    }
  }
  return symbols;
}

/** Where the steps of the label at `index` end. */
export function blockEnd(lines: readonly Line[], index: number): Span {
  let last = index;
  while (last + 1 < lines.length && lines[last + 1]?.kind !== "label") last += 1;
  return (lines[last] as Line).span;
}
