/**
 * An open document as a program: text, syntax tree, occurrences, made once per version; compiled only when a request needs
 * the result, because that takes several times as long as parsing. The host compiles it like everywhere else, includes next to the
 * file included.
 */
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { SourceFile, Step } from "../../grammar/ast.ts";
import type { Diagnostic } from "../../grammar/diagnostic.ts";
import { parse } from "../../grammar/parse.ts";
import { isPython } from "../../grammar/surface.ts";
import type { Span } from "../../grammar/text/span.ts";
import { type Occurrence, occurrencesOf } from "./occurrences.ts";
import { type PythonParts, pythonParts } from "./python.ts";

export type OpenProgram = {
  readonly document: TextDocument;
  /** Of the text read here: the document itself changes under its one identity. */
  readonly version: number;
  readonly text: string;
  /** Of a program in the opcode form; one of Python has no lines here. */
  readonly file: SourceFile;
  readonly python: PythonParts | null;
  readonly occurrences: readonly Occurrence[];
  /** Compiled at the first call. */
  readonly compiled: () => Compiled;
};

type Compiled = { readonly ir: Ir | null; readonly diagnostics: readonly Diagnostic[] };

export type Range = {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
};

/** Compiles a text that stands at a URI. */
export type CompileText = (text: string, uri: string) => Compiled;

export function openProgram(document: TextDocument, compile: CompileText): OpenProgram {
  const { uri, version } = document;
  const text = document.getText();
  const python = isPython(text) ? pythonParts(text) : null;
  const file = parse(python === null ? text : "");
  let compiled: Compiled | null = null;
  return {
    document,
    version,
    text,
    file,
    python,
    occurrences: python?.names ?? occurrencesOf(file),
    compiled: () => {
      compiled ??= compile(text, uri);
      return compiled;
    },
  };
}

/** Lines and characters of the protocol count from 0, those of a span from 1; both count UTF-16 code units. */
export function rangeOf(span: Span): Range {
  return {
    start: { line: span.line - 1, character: span.column - 1 },
    end: { line: span.end_line - 1, character: span.end_column - 1 },
  };
}

/** All steps of a file, in order. */
export function stepsOf(file: SourceFile): readonly Step[] {
  return file.lines.flatMap((line) => (line.kind === "step" ? [line.step] : line.kind === "label" ? line.steps : []));
}

export function holds(span: Span, offset: number): boolean {
  return offset >= span.start && offset <= span.end;
}
