/** The outline of a program: labels with the steps in them, endpoints, declarations. */
import { DocumentSymbol, SymbolKind } from "vscode-languageserver/node";
import type { DeclarationLine, LabelLine, Line } from "../../grammar/ast.ts";
import { isBlockLabel } from "../../grammar/indented/lower/graph-names.ts";
import { isIndented } from "../../grammar/surface.ts";
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

/** The labels of a file, or the graphs of the indented form with their blocks, and where each ends. */
export function outlineOf({ file, text }: OpenProgram): readonly Outlined[] {
  const indented = isIndented(text);
  const outlined: Outlined[] = [];
  for (const [index, line] of file.lines.entries()) {
    if (line.kind !== "label" || (indented && isBlock(line))) continue;
    const end = indented ? graphEnd(file.lines, index) : blockEnd(file.lines, index);
    outlined.push({ name: indented ? line.word.text : `L${line.id}`, line, end });
  }
  return outlined;
}

/** Where the steps of the label at `index` end. */
function blockEnd(lines: readonly Line[], index: number): Span {
  let last = index;
  while (last + 1 < lines.length && lines[last + 1]?.kind !== "label") last += 1;
  return (lines[last] as Line).span;
}

/** Blocks of the indented form are labels that stand in their graph. */
function isBlock(line: Line): boolean {
  return line.kind === "label" && isBlockLabel(line.id);
}

/** Where a graph of the indented form ends: after the last line of its blocks. */
function graphEnd(lines: readonly Line[], index: number): Span {
  let last = (lines[index] as Line).span;
  for (let at = index + 1; at < lines.length; at++) {
    const line = lines[at] as Line;
    if (line.kind === "label" && !isBlock(line)) break;
    if (line.span.end > last.end) last = line.span;
  }
  return last;
}
