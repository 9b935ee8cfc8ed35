/** A long session: what the server answers after many edits is what it answers about the same text opened new. */
import { PassThrough } from "node:stream";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  CodeLensRequest,
  DocumentSymbolRequest,
  FoldingRangeRequest,
  SemanticTokensRequest,
  type TextDocumentContentChangeEvent,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { wf } from "../console.ts";
import { type Client, connect } from "./client.ts";

const PROGRAM = `# frame: rows: list
E /x G ->L2
L1:
  Set total 1
  If total > 1 ->L2 ->L3
L2:
  R core.ADD total 2 ->sum
  J {"sum": sum, "rows": rows}
L3:
  J $total
`;
const EDITS = 200;

let client: Client;
let served: Promise<unknown>;
beforeAll(async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  served = wf(["lsp"], { streams: { input, output } });
  client = await connect(output, input);
});
afterAll(async () => {
  await client.leave();
  await expect(served).resolves.toMatchObject({ code: 0, stderr: "" });
});

/** What is shown of a document besides its diagnostics; the lenses without its URI. */
async function shownOf(uri: string): Promise<unknown> {
  const request = { textDocument: { uri } };
  const lenses = await client.connection.sendRequest(CodeLensRequest.type, request);
  return {
    tokens: await client.connection.sendRequest(SemanticTokensRequest.type, request),
    symbols: await client.connection.sendRequest(DocumentSymbolRequest.type, request),
    folds: await client.connection.sendRequest(FoldingRangeRequest.type, request),
    lenses: lenses?.map(({ range, command }) => [range, command?.title]),
  };
}

const piece = fc.constantFrom(
  "x",
  "\n",
  " ",
  "->",
  "(",
  "  J sum\n",
  '"',
  "#",
  "L9:\n",
  "[",
  "}",
  "é😀",
  "R http.Get",
  "",
);
const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), removed: fc.nat(4), text: piece });
const edits = fc.array(edit, { minLength: EDITS, maxLength: EDITS });

it("gives the answers of the last text after many edits, and need not give those of the texts between", async () => {
  let round = 0;
  await fc.assert(
    fc.asyncProperty(edits, async (list) => {
      round += 1;
      const edited = `untitled:edited-${round}.wf`;
      const fresh = `untitled:fresh-${round}.wf`;
      await client.show(edited, PROGRAM);
      let document = TextDocument.create(edited, "weft", 0, PROGRAM);
      const changes = list.map(({ at, removed, text }): TextDocumentContentChangeEvent => {
        const length = document.getText().length;
        const start = Math.floor(at * length);
        const range = {
          start: document.positionAt(start),
          end: document.positionAt(Math.min(length, start + removed)),
        };
        document = TextDocument.update(document, [{ range, text }], document.version + 1);
        return { range, text };
      });
      const before = client.told.length;
      const diagnostics = await client.type(edited, changes);
      expect(client.told.length - before).toBeLessThan(EDITS);
      const expected = await client.show(fresh, document.getText());
      expect(JSON.stringify(diagnostics)).toBe(JSON.stringify(expected).replaceAll(fresh, edited));
      expect(await shownOf(edited)).toEqual(await shownOf(fresh));
      await client.close(edited);
      await client.close(fresh);
    }),
    { numRuns: 5 },
  );
});

it("keeps nothing of a document that is closed", async () => {
  const uri = "untitled:again.wf";
  expect(await client.show(uri, "L1:\n  J nope\n")).toHaveLength(1);
  await client.close(uri);
  expect(await client.connection.sendRequest(DocumentSymbolRequest.type, { textDocument: { uri } })).toBeNull();
  expect(client.told.findLast((one) => one.uri === uri)?.diagnostics).toEqual([]);
  expect((await client.show(uri, PROGRAM)).map(({ code }) => code)).toEqual(["WF9027"]);
});
