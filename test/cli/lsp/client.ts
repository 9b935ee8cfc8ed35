/** A client of the language server over any pair of streams: opens one document and asks about places marked in it. */
import type { Readable, Writable } from "node:stream";
import {
  createProtocolConnection,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializeRequest,
  type InitializeResult,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type TextDocumentContentChangeEvent,
} from "vscode-languageserver/node";

export type Client = {
  readonly connection: ProtocolConnection;
  readonly initialized: InitializeResult;
  /** Opens a text, or changes the open one, and waits for its diagnostics. */
  show(uri: string, text: string): Promise<readonly Diagnostic[]>;
  /** Sends changes as quick typing does, one after another without waiting; the diagnostics of the last. */
  type(uri: string, changes: readonly TextDocumentContentChangeEvent[]): Promise<readonly Diagnostic[]>;
  close(uri: string): Promise<void>;
  /** All published diagnostics. */
  readonly told: readonly PublishDiagnosticsParams[];
  leave(): Promise<void>;
};

export async function connect(input: Readable, output: Writable): Promise<Client> {
  const connection = createProtocolConnection(new StreamMessageReader(input), new StreamMessageWriter(output));
  connection.listen();
  const initialized = await connection.sendRequest(InitializeRequest.type, {
    processId: null,
    rootUri: null,
    capabilities: {},
  });
  const versions = new Map<string, number>();
  const waiting = new Map<string, (diagnostics: readonly Diagnostic[]) => void>();
  const told: PublishDiagnosticsParams[] = [];
  connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
    told.push(params);
    if (params.version === versions.get(params.uri)) waiting.get(params.uri)?.(params.diagnostics);
  });
  return {
    told,
    connection,
    initialized,
    async show(uri, text) {
      const version = (versions.get(uri) ?? 0) + 1;
      versions.set(uri, version);
      const told = new Promise<readonly Diagnostic[]>((resolve) => waiting.set(uri, resolve));
      if (version === 1)
        await connection.sendNotification(DidOpenTextDocumentNotification.type, {
          textDocument: { uri, languageId: "weft", version, text },
        });
      else
        await connection.sendNotification(DidChangeTextDocumentNotification.type, {
          textDocument: { uri, version },
          contentChanges: [{ text }],
        });
      return told;
    },
    async type(uri, changes) {
      const first = (versions.get(uri) ?? 0) + 1;
      versions.set(uri, first + changes.length - 1);
      const last = new Promise<readonly Diagnostic[]>((resolve) => waiting.set(uri, resolve));
      const sent = changes.map((change, index) =>
        connection.sendNotification(DidChangeTextDocumentNotification.type, {
          textDocument: { uri, version: first + index },
          contentChanges: [change],
        }),
      );
      await Promise.all(sent);
      return last;
    },
    async close(uri) {
      versions.delete(uri);
      waiting.delete(uri);
      await connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } });
    },
    async leave() {
      await connection.sendRequest(ShutdownRequest.type);
      await connection.sendNotification(ExitNotification.type);
      connection.dispose();
    },
  };
}

/** A text with one `|` in it: the text without it and the place where it stood. */
export function marked(text: string): {
  readonly text: string;
  readonly position: { line: number; character: number };
} {
  const at = text.indexOf("|");
  const before = text.slice(0, at).split("\n");
  const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  return { text: text.slice(0, at) + text.slice(at + 1), position };
}
