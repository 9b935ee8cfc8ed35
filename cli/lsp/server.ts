/**
 * The language server: which request is answered by what. The only importer of the protocol's connection; programs are analysed once per
 * version of a document and forgotten when it is closed.
 */
import type { Readable, Writable } from "node:stream";
import {
  createConnection,
  type InitializeResult,
  ResponseError,
  TextDocumentSyncKind,
  TextDocuments,
} from "vscode-languageserver";
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { AdapterCatalog } from "../../compiler/catalog.ts";
import { grammarShape } from "../../compiler/grammar-shape.ts";
import type { Span } from "../../grammar/text/span.ts";
import { RUNTIME_VERSION } from "../session/version.ts";
import { completionsAt } from "./completion.ts";
import { fixesIn, formatting, rename, renameable, shown } from "./edits.ts";
import { hoverAt, type VerbSummary } from "./hover.ts";
import { isSame, occurrenceAt } from "./occurrences.ts";
import { type CompileText, type OpenProgram, openProgram, rangeOf } from "./program.ts";
import { semanticTokensOf, TOKEN_TYPES } from "./semantic-tokens.ts";
import { outlineOf, symbolsOf } from "./symbols.ts";

export type LanguageServerDeps = {
  readonly input: Readable;
  readonly output: Writable;
  readonly catalog: AdapterCatalog;
  readonly compile: CompileText;
  readonly summaryOf: VerbSummary;
};

/** `weft.run`: arguments are the document's URI and a label's id; the client runs it. */
const RUN_COMMAND = "weft.run";
const INVALID_PARAMS = -32_602;
/** Edits that arrive within this time are answered by one list of diagnostics. */
const QUIET_MS = 20;

const CAPABILITIES: InitializeResult = {
  serverInfo: { name: "weft", version: RUNTIME_VERSION },
  capabilities: {
    textDocumentSync: TextDocumentSyncKind.Incremental,
    hoverProvider: true,
    completionProvider: { triggerCharacters: [" ", ".", "$", ">", "("] },
    definitionProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    renameProvider: { prepareProvider: true },
    documentFormattingProvider: true,
    documentSymbolProvider: true,
    foldingRangeProvider: true,
    codeActionProvider: true,
    codeLensProvider: {},
    semanticTokensProvider: { legend: { tokenTypes: [...TOKEN_TYPES], tokenModifiers: [] }, full: true },
  },
};

/** Serves until the client says exit or goes away; the exit code the protocol asks for. */
export function serveLanguage(deps: LanguageServerDeps): Promise<number> {
  let leave: (code: number) => void = () => {};
  const ended = new Promise<number>((resolve) => {
    leave = resolve;
  });
  // Node's own variant of this ends the whole process when the client says exit; here the command does, after its output is written.
  const connection = createConnection(
    (logger) =>
      createProtocolConnection(new StreamMessageReader(deps.input), new StreamMessageWriter(deps.output), logger),
    { shutdownReceived: false, initialize: () => {}, exit: (code) => leave(code) },
  );
  const documents = new TextDocuments(TextDocument);
  const shape = grammarShape(deps.catalog);
  const open = new Map<string, OpenProgram>();
  /** Documents whose diagnostics are due. */
  const changed = new Map<string, NodeJS.Timeout>();

  const programOf = (uri: string): OpenProgram | null => {
    const document = documents.get(uri);
    if (document === undefined) return null;
    const known = open.get(uri);
    if (known !== undefined && known.version === document.version) return known;
    const program = openProgram(document, deps.compile);
    open.set(uri, program);
    return program;
  };
  const tell = (uri: string): void => {
    changed.delete(uri);
    try {
      const program = programOf(uri);
      if (program === null) return;
      const diagnostics = program.compiled().diagnostics.map((one) => shown(one, uri));
      void connection.sendDiagnostics({ uri, version: program.version, diagnostics });
    } catch (error) {
      // A fault of ours on one text must not take the server from all others.
      connection.console.error(`no diagnostics: ${error instanceof Error ? error.message : "unknown fault"}`);
    }
  };
  /** Answers about a position in a document; null when there is nothing to report. */
  const at = <Answer>(
    { textDocument, position }: { textDocument: { uri: string }; position: { line: number; character: number } },
    answer: (program: OpenProgram, offset: number) => Answer,
  ): Answer | null => {
    const program = programOf(textDocument.uri);
    return program === null ? null : answer(program, program.document.offsetAt(position));
  };
  const of = <Answer>(
    { textDocument }: { textDocument: { uri: string } },
    answer: (program: OpenProgram) => Answer,
  ): Answer | null => {
    const program = programOf(textDocument.uri);
    return program === null ? null : answer(program);
  };

  connection.onInitialize(() => CAPABILITIES);
  documents.onDidChangeContent(({ document }) => {
    clearTimeout(changed.get(document.uri));
    changed.set(
      document.uri,
      setTimeout(() => tell(document.uri), QUIET_MS),
    );
  });
  documents.onDidClose(({ document }) => {
    clearTimeout(changed.get(document.uri));
    changed.delete(document.uri);
    open.delete(document.uri);
    void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] });
  });

  connection.onHover(async (params) => {
    const hover = await at(params, (program, offset) => hoverAt(program, offset, deps.catalog, deps.summaryOf));
    return hover === null
      ? null
      : { contents: { kind: "markdown", value: hover.markdown }, range: rangeOf(hover.span) };
  });
  connection.onCompletion((params) => at(params, (program, offset) => completionsAt(program, offset, shape)));
  connection.onDefinition((params) => at(params, (program, offset) => placesOf(program, offset, ["definition"])));
  connection.onReferences((params) =>
    at(params, (program, offset) =>
      placesOf(program, offset, params.context.includeDeclaration ? ["definition", "use"] : ["use"]),
    ),
  );
  connection.onDocumentHighlight((params) =>
    at(params, (program, offset) => placesOf(program, offset, ["definition", "use"])),
  );
  connection.onPrepareRename((params) =>
    at(params, (program, offset) => {
      const here = renameable(program, offset);
      return here === null ? null : { range: rangeOf(here.span), placeholder: here.name };
    }),
  );
  connection.onRenameRequest((params) =>
    at(params, (program, offset) => {
      const renamed = rename(program, offset, params.newName);
      if (!renamed.ok) throw new ResponseError(INVALID_PARAMS, renamed.message);
      return { changes: { [params.textDocument.uri]: renamed.edits } };
    }),
  );
  connection.onDocumentFormatting((params) => of(params, formatting));
  connection.onDocumentSymbol((params) => of(params, symbolsOf));
  connection.onFoldingRanges((params) => of(params, foldsOf));
  connection.onCodeAction((params) => of(params, (program) => fixesIn(program, params.range)));
  connection.onCodeLens((params) => of(params, (program) => lensesOf(program, params.textDocument.uri)));
  connection.languages.semanticTokens.on((params) => ({ data: of(params, semanticTokensOf) ?? [] }));

  documents.listen(connection);
  deps.input.once("end", () => leave(0));
  connection.listen();
  return ended.finally(() => {
    for (const timer of changed.values()) clearTimeout(timer);
    connection.dispose();
  });
}

function placesOf({ occurrences, document }: OpenProgram, offset: number, roles: readonly string[]) {
  const here = occurrenceAt(occurrences, offset);
  if (here === null) return [];
  return occurrences
    .filter((one) => isSame(one, here) && roles.includes(one.role))
    .map(({ span }) => ({ uri: document.uri, range: rangeOf(span) }));
}

function foldsOf(program: OpenProgram) {
  return outlineOf(program).flatMap(({ span }) =>
    span.end_line > span.line ? [{ startLine: span.line - 1, endLine: span.end_line - 1 }] : [],
  );
}

/** A label or function that something can start: the one that runs, and those of endpoints and schedules. */
function lensesOf({ file, python, compiled, occurrences }: OpenProgram, uri: string) {
  const { ir } = compiled();
  if (ir === null) return [];
  if (python !== null) {
    const started = new Set([ir.entry, ...ir.endpoints.map(({ label }) => label)]);
    return python.functions
      .filter(({ name }) => started.has(name))
      .map(({ name, word }) => lens(word, name, name, uri));
  }
  const first = file.lines.find((line) => line.kind === "label");
  const starts = new Set(
    file.lines.flatMap((line) =>
      line.kind === "declaration" && ["E", "Cr"].includes(line.op) ? [line.span.line] : [],
    ),
  );
  const named = occurrences.filter(({ kind, span }) => kind === "label" && starts.has(span.line));
  const declared = new Set(named.map(({ name }) => name));
  return file.lines.flatMap((line) => {
    if (line.kind !== "label" || (line !== first && !declared.has(line.id))) return [];
    return [lens(line.word.span, `L${line.id}`, line.id, uri)];
  });
}

function lens(at: Span, shown: string, label: string, uri: string) {
  return { range: rangeOf(at), command: { title: `run ${shown}`, command: RUN_COMMAND, arguments: [uri, label] } };
}
