/** The language server, driven by a client: over memory for what it answers, over a process for how it starts and ends. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  CodeActionRequest,
  CodeLensRequest,
  CompletionRequest,
  DefinitionRequest,
  DocumentFormattingRequest,
  type DocumentSymbol,
  DocumentSymbolRequest,
  FoldingRangeRequest,
  HoverRequest,
  PrepareRenameRequest,
  ReferencesRequest,
  RenameRequest,
  SemanticTokensRequest,
  type TextEdit,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { wf } from "../console.ts";
import { folderWith } from "../folders.ts";
import { type Client, connect, marked } from "./client.ts";

const URI = "untitled:one.wf";
let client: Client;
let served: Promise<unknown>;

beforeAll(async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  served = wf(["lsp", "--stdio"], { streams: { input, output } });
  client = await connect(output, input);
});

afterAll(async () => {
  await client.leave();
  await expect(served).resolves.toMatchObject({ code: 0, stdout: "", stderr: "" });
});

const textDocument = { uri: URI };
/** Shows a text with a mark in it; the mark's place. */
async function place(source: string) {
  const { text, position } = marked(source);
  await client.show(URI, text);
  return { textDocument, position };
}

const apply = (text: string, edits: readonly TextEdit[] | null): string =>
  TextDocument.applyEdits(TextDocument.create(URI, "weft", 1, text), [...(edits ?? [])]);

describe("diagnostics", () => {
  it("are published with place, code and suggestion, and disappear with the fault", async () => {
    const faulty = "L1:\n  Set total 1\n  J totl\n";
    const [first] = await client.show(URI, faulty);
    expect(first).toMatchObject({
      code: "WF4001",
      severity: 1,
      source: "weft",
      range: { start: { line: 2, character: 4 } },
    });
    const actions = await client.connection.sendRequest(CodeActionRequest.type, {
      textDocument,
      range: { start: { line: 2, character: 4 }, end: { line: 2, character: 4 } },
      context: { diagnostics: [] },
    });
    const [action] = actions ?? [];
    const edits = action !== undefined && "edit" in action ? action.edit?.changes?.[URI] : undefined;
    const fixed = apply(faulty, edits ?? null);
    expect(fixed).toBe("L1:\n  Set total 1\n  J total\n");
    expect(await client.show(URI, fixed)).toEqual([]);
  });

  it("follow includes next to a file", async () => {
    const folder = folderWith({ "main.wf": "", "parts.wf": "LENTRY:\n  J 1\nLEXIT_OK:\n  J 2\n" });
    const uri = pathToFileURL(join(folder, "main.wf")).href;
    const codes = (await client.show(uri, 'include "missing.wf" as p\nL1:\n  J 1\n')).map(({ code }) => code);
    expect(codes).toContain("WF3012");
    expect(await client.show(uri, 'include "parts.wf" as p\nL1:\n  Call p/ENTRY ->x\n  J x\n')).toEqual([]);
  });

  it("follow includes in the include_roots of the project", async () => {
    const folder = folderWith({
      "wf.config.json": '{"include_roots": ["lib"]}',
      "sub/main.wf": "",
      "lib/parts.wf": "LENTRY:\n  J 1\nLEXIT_OK:\n  J 2\n",
    });
    mkdirSync(join(folder, ".git"));
    const uri = pathToFileURL(join(folder, "sub/main.wf")).href;
    const source = 'include "parts.wf" as p\nL1:\n  Call p/ENTRY ->x\n  J x\n';
    expect(await client.show(uri, source)).toEqual([]);
    writeFileSync(join(folder, "wf.config.json"), "{");
    expect((await client.show(uri, `${source}\n`)).map(({ code }) => code)).toContain("WF3012");
  });

  it("count characters as the protocol does", async () => {
    const [first] = await client.show(URI, 'L1:\n  Set a "😀😀"\n  R core.ADD a "😀" nope ->x\n  J x\n');
    expect(first?.range.start).toEqual({ line: 2, character: 'R core.ADD a "😀" '.length + 2 });
  });
});

describe("hover", () => {
  const hoverOf = async (source: string) => {
    const hover = await client.connection.sendRequest(HoverRequest.type, await place(source));
    return hover === null ? null : (hover.contents as { value: string }).value;
  };

  it.each([
    ["an op", "L1:\n  Se|t x 1\n  J x\n", "Set name value"],
    ["a declaration", "|C rates pair 300\nL1:\n  J 1\n", "C name key ttl"],
    ["a verb", 'L1:\n  R http.G|et "https://a.b" ->x\n  J x\n', "effect io-read · privilege network"],
    ["the summary of a verb", 'L1:\n  R memory.p|ut "a" "b" "c" {} ->x\n  J x\n', "R memory.put namespace kind id"],
    ["a function", "L1:\n  X a ad|d 1 2\n  J a\n", "add a b"],
    ["a nested call", "L1:\n  Set a (co|ncat 1 2)\n  J a\n", "concat"],
    ["a label", "L1:\n  If true ->L|2\nL2:\n  J 1\n", "label **L2**, named 1 time"],
    ["a missing label", "L1:\n  If true ->L|9\nL2:\n  J 1\n", "no label **L9**"],
    ["a variable", "L1:\n  Set total 1\n  J to|tal\n", "variable **total**, set on line 2"],
  ])("on %s", async (_, source, text) => {
    expect(await hoverOf(source)).toContain(text);
  });

  it("is silent where there is nothing", async () => {
    expect(await hoverOf("L1:\n  J 1 # no|te\n")).toBeNull();
    expect(await hoverOf("|\n")).toBeNull();
  });

  it("shows a name, not what Markdown makes of it", async () => {
    const hover = await hoverOf("L1:\n  If x ->L![|a](https://example.com/p.png) ->L1\n");
    expect(hover).toBe("no label **L\\!\\[a\\]\\(https\\:\\/\\/example\\.com\\/p\\.png\\)** in this file");
  });
});

describe("completion", () => {
  const offered = async (source: string): Promise<{ label: string; newText: string | undefined }[]> => {
    const answer = await client.connection.sendRequest(CompletionRequest.type, await place(source));
    const items = Array.isArray(answer) ? answer : (answer?.items ?? []);
    return items.map(({ label, textEdit }) => ({ label, newText: textEdit?.newText }));
  };
  const labels = async (source: string) => (await offered(source)).map(({ label }) => label);

  it("offers ops, verbs, variables, labels and functions", async () => {
    expect(await labels("L1:\n  Lo|\n")).toContain("Loop");
    expect(await labels("L1:\n  R http.|\n")).toEqual(expect.arrayContaining(["http.Get", "http.Post"]));
    expect(await labels("L1:\n  Set total 1\n  J t|\n")).toContain("total");
    expect(await labels("L1:\n  If true ->|\nL_later:\n  J 1\n")).toContain("->L_later");
    expect(await labels("L1:\n  X a concat|\n")).toEqual(["concat", "concat_lists"]);
    expect(await labels("L1:\n  J b|\nL2:\n  Set below 1\n  J below\n")).toContain("below");
  });

  it("replaces the word at the caret", async () => {
    const request = await place("L1:\n  R http.G|\n");
    const answer = await client.connection.sendRequest(CompletionRequest.type, request);
    const [item] = Array.isArray(answer) ? answer : (answer?.items ?? []);
    expect(item?.textEdit).toEqual({
      range: { start: { line: 1, character: 4 }, end: { line: 1, character: 10 } },
      newText: "http.Get",
    });
  });
});

const PROGRAM = "E /x G ->L2\nL1:\n  Set total 1\n  If total > 1 ->L2 ->L3\nL2:\n  J total\nL3:\n  J $total\n";

describe("places", () => {
  it("go to the definition of labels and variables", async () => {
    const ofLabel = await client.connection.sendRequest(
      DefinitionRequest.type,
      await place(PROGRAM.replace("->L3", "->L|3")),
    );
    expect(ofLabel).toMatchObject([{ range: { start: { line: 6, character: 1 }, end: { line: 6, character: 2 } } }]);
    const ofName = await client.connection.sendRequest(
      DefinitionRequest.type,
      await place(PROGRAM.replace("J total", "J to|tal")),
    );
    expect(ofName).toMatchObject([{ range: { start: { line: 2, character: 6 }, end: { line: 2, character: 11 } } }]);
  });

  it("list references", async () => {
    const request = await place(PROGRAM.replace("Set total", "Set to|tal"));
    const context = { includeDeclaration: true };
    const all = await client.connection.sendRequest(ReferencesRequest.type, { ...request, context });
    expect(all?.map(({ range }) => range.start.line)).toEqual([2, 3, 5, 7]);
  });

  it("rename a label everywhere", async () => {
    const request = await place(PROGRAM.replace("L2:", "L|2:"));
    const renamed = await client.connection.sendRequest(RenameRequest.type, { ...request, newName: "Lshow" });
    const text = apply(PROGRAM, renamed?.changes?.[URI] ?? null);
    expect(text).toBe(PROGRAM.replaceAll("L2", "Lshow"));
    expect((await client.show(URI, text)).filter(({ severity }) => severity === 1)).toEqual([]);
  });

  it("rename a label whose references leave out its L", async () => {
    const request = await place("L1:\n  Call 2 ->a\n  If a ->2 ->L2\nL|2:\n  J 1\n");
    const renamed = await client.connection.sendRequest(RenameRequest.type, { ...request, newName: "Lshow" });
    const text = apply("L1:\n  Call 2 ->a\n  If a ->2 ->L2\nL2:\n  J 1\n", renamed?.changes?.[URI] ?? null);
    expect(text).toBe("L1:\n  Call Lshow ->a\n  If a ->Lshow ->Lshow\nLshow:\n  J 1\n");
  });

  it("rename no label of an included file", async () => {
    const request = await place('include "parts.wf" as p\nL1:\n  Call p/EN|TRY ->x\n  J x\n');
    expect(await client.connection.sendRequest(PrepareRenameRequest.type, request)).toBeNull();
    await expect(client.connection.sendRequest(RenameRequest.type, { ...request, newName: "a" })).rejects.toThrow(
      "of this file",
    );
  });

  it("rename a variable everywhere, and refuse what cannot be a name or is taken", async () => {
    const request = await place(PROGRAM.replace("Set total", "Set to|tal"));
    const renamed = await client.connection.sendRequest(RenameRequest.type, { ...request, newName: "sum" });
    expect(apply(PROGRAM, renamed?.changes?.[URI] ?? null)).toBe(PROGRAM.replaceAll("total", "sum"));
    await expect(client.connection.sendRequest(RenameRequest.type, { ...request, newName: "a b" })).rejects.toThrow(
      "is not a valid",
    );
    const label = await place(PROGRAM.replace("L3:", "L|3:"));
    await expect(client.connection.sendRequest(RenameRequest.type, { ...label, newName: "L2" })).rejects.toThrow(
      "exists already",
    );
    const prepared = await client.connection.sendRequest(PrepareRenameRequest.type, await place("L1:\n  |J 1\n"));
    expect(prepared).toBeNull();
  });
});

describe("the whole text", () => {
  it("is formatted", async () => {
    const text = "L1: Set a   1  J a";
    await client.show(URI, text);
    const options = { tabSize: 2, insertSpaces: true };
    const edits = await client.connection.sendRequest(DocumentFormattingRequest.type, { textDocument, options });
    expect(apply(text, edits)).toBe("L1:\n  Set a 1\n  J a\n");
    await client.show(URI, 'L1:\n  J "open');
    expect(await client.connection.sendRequest(DocumentFormattingRequest.type, { textDocument, options })).toEqual([]);
  });

  it("has an outline, folds, colours and labels to run", async () => {
    await client.show(URI, PROGRAM);
    const symbols = await client.connection.sendRequest(DocumentSymbolRequest.type, { textDocument });
    expect(symbols?.map(({ name }) => name)).toEqual(["G /x", "L1", "L2", "L3"]);
    const folds = await client.connection.sendRequest(FoldingRangeRequest.type, { textDocument });
    expect(folds?.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
      [1, 3],
      [4, 5],
      [6, 7],
    ]);
    const lenses = await client.connection.sendRequest(CodeLensRequest.type, { textDocument });
    expect(lenses?.map(({ command }) => command?.arguments)).toEqual([
      [URI, "1"],
      [URI, "2"],
    ]);
    const tokens = await client.connection.sendRequest(SemanticTokensRequest.type, { textDocument });
    expect(tokens?.data.slice(0, 15)).toEqual([0, 0, 1, 0, 0, 0, 10, 1, 3, 0, 1, 1, 1, 3, 0]);
  });

  it("may be any text", async () => {
    const any = fc.oneof(
      fc.string(),
      fc
        .array(fc.constantFrom("L1:", "\n", " ", "R", "J", "x", "->", "(", '"', "😀", "\u0000"), { maxLength: 30 })
        .map((parts) => parts.join("")),
    );
    await fc.assert(
      fc.asyncProperty(any, fc.nat(40), async (text, at) => {
        await client.show(URI, text);
        const position = TextDocument.create(URI, "weft", 1, text).positionAt(at);
        await client.connection.sendRequest(HoverRequest.type, { textDocument, position });
        await client.connection.sendRequest(CompletionRequest.type, { textDocument, position });
        await client.connection.sendRequest(SemanticTokensRequest.type, { textDocument });
        await client.connection.sendRequest(DocumentSymbolRequest.type, { textDocument });
      }),
      { numRuns: 60 },
    );
  });
});

describe("a program of Python", () => {
  const SOURCE =
    '# shop\n@api("/x")\ndef shop(order):\n    for item in order["items"]:\n        page = http.Get(item["url"])\n    return helper("if")\n\n\ndef helper(x):\n    return x\n';

  it("has an outline of functions, folds, and functions to run", async () => {
    expect(await client.show(URI, SOURCE)).toEqual([]);
    const symbols = (await client.connection.sendRequest(DocumentSymbolRequest.type, {
      textDocument,
    })) as readonly DocumentSymbol[];
    expect(symbols.map(({ name }) => name)).toEqual(["shop", "helper"]);
    for (const { name, selectionRange } of symbols)
      expect(TextDocument.create(URI, "weft", 1, SOURCE).getText(selectionRange)).toBe(name);
    const folds = await client.connection.sendRequest(FoldingRangeRequest.type, { textDocument });
    expect(folds?.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
      [2, 5],
      [8, 9],
    ]);
    const lenses = await client.connection.sendRequest(CodeLensRequest.type, { textDocument });
    expect(lenses?.map(({ command }) => command)).toEqual([
      { title: "run shop", command: "weft.run", arguments: [URI, "shop"] },
    ]);
  });

  it("has colours for comments, keywords and names of functions, also with a fault in it", async () => {
    const colours = async () => {
      const tokens = await client.connection.sendRequest(SemanticTokensRequest.type, { textDocument });
      return coloured(tokens?.data ?? []);
    };
    await client.show(URI, SOURCE);
    const [comment, def, name] = await colours();
    expect([comment, def, name]).toEqual([
      { line: 0, character: 0, length: 6, type: 5 },
      { line: 2, character: 0, length: 3, type: 0 },
      { line: 2, character: 4, length: 4, type: 3 },
    ]);
    // def, for, in, return, def, return: not the text "if".
    expect((await colours()).filter(({ type }) => type === 0)).toHaveLength(6);
    await client.show(URI, `${SOURCE}x = (\n`);
    expect((await colours()).filter(({ type }) => type === 0)).toHaveLength(6);
  });

  it("is not read as opcode text: neither labels nor variables of it are renamed", async () => {
    const request = await place('def main():\n    text = """\nL1:\n  Set |n 5\n"""\n    return text\n');
    expect(await client.connection.sendRequest(PrepareRenameRequest.type, request)).toBeNull();
    expect(await client.connection.sendRequest(HoverRequest.type, request)).toBeNull();
  });

  const SCOPES = `import math as m
from weft import http

rate = 2

def total(rows, rate=rate):
    """The sum of some rows."""
    sums = [rate * row["n"] for row in rows if row]
    try:
        return sum(sums)
    except ValueError as row:
        return f"{row} {m.pi}"

def main(rows):
    global rate
    rate = http.Get("https://a.example").status
    return total(rows), sorted(rows), [(lambda row: row)(row) for row in rows]
`;
  const marked = (text: string, nth = 0): string => {
    const plain = text.replace("|", "");
    let at = -1;
    for (let count = 0; count <= nth; count++) at = SCOPES.indexOf(plain, at + 1);
    return SCOPES.slice(0, at) + text + SCOPES.slice(at + plain.length);
  };

  it.each([
    ["a parameter that hides a variable", marked("ra|te * row"), [5, 7]],
    ["a variable that a function sets by global", marked("rate = ra|te"), null],
    ["the variable of the file", marked("global ra|te"), [3, 5, 14, 15]],
    ["the variable of a comprehension", marked("if ro|w"), [7, 7, 7]],
    ["an exception", marked("as ro|w"), [10, 11]],
    ["a lambda in a comprehension of the same name", marked("lambda row: ro|w"), [16, 16]],
    ["a function", marked("return tot|al"), [5, 16]],
    ["a module under another name", marked("m.p|i"), null],
  ])("finds the places of %s, and of no other", async (_what, source, lines) => {
    const request = await place(source);
    const context = { includeDeclaration: true };
    const all = await client.connection.sendRequest(ReferencesRequest.type, { ...request, context });
    if (lines !== null) expect(all?.map(({ range }) => range.start.line)).toEqual(lines);
    const defined = await client.connection.sendRequest(DefinitionRequest.type, request);
    if (lines !== null) expect((defined as readonly unknown[]).length).toBeGreaterThan(0);
  });

  it("renames a variable in its scopes only, and still means the same", async () => {
    const request = await place(marked("for ro|w in rows if"));
    const renamed = await client.connection.sendRequest(RenameRequest.type, { ...request, newName: "one" });
    expect(apply(SCOPES, renamed?.changes?.[URI] ?? null)).toBe(
      SCOPES.replace('row["n"] for row in rows if row]', 'one["n"] for one in rows if one]'),
    );
    const made = await place(marked("def tot|al"));
    const whole = await client.connection.sendRequest(RenameRequest.type, { ...made, newName: "added" });
    expect(apply(SCOPES, whole?.changes?.[URI] ?? null)).toBe(SCOPES.replaceAll("total", "added"));
  });

  it.each([
    ["to a word of Python", marked("def tot|al"), "for", "is not a name in Python"],
    ["to a name with a blank", marked("def tot|al"), "a b", "is not a name in Python"],
    ["to a name that means something there", marked("def tot|al"), "rate", "has a meaning there already"],
    ["to a builtin that is called there", marked("def tot|al"), "sorted", "has a meaning there already"],
    ["of what an import calls so", marked("import ht|tp"), "web", "of an import"],
  ])("refuses a rename %s", async (_what, source, newName, message) => {
    const request = await place(source);
    await expect(client.connection.sendRequest(RenameRequest.type, { ...request, newName })).rejects.toThrow(message);
  });

  it("refuses to rename a parameter that a call names", async () => {
    const request = await place("def f(a|b):\n    return ab\n\ndef main():\n    return f(ab=1)\n");
    await expect(client.connection.sendRequest(RenameRequest.type, { ...request, newName: "x" })).rejects.toThrow(
      "argument in a call",
    );
  });

  it.each([
    ["a verb", marked("http.G|et"), "result = http.Get(url"],
    ["a function of the file", marked("return tot|al"), "def total(rows, rate=rate):"],
    ["its docstring", marked("def tot|al"), "The sum of some rows."],
    ["a builtin", marked("sort|ed(rows)"), "sorted("],
    ["a variable", marked("return sum(su|ms)"), "variable **sums**, set on line 8"],
  ])("shows what %s is", async (_what, source, text) => {
    const hover = await client.connection.sendRequest(HoverRequest.type, await place(source));
    expect(JSON.stringify(hover?.contents)).toContain(text);
  });

  it("is formatted as wf fmt does", async () => {
    await client.show(URI, "def main( ):\n  return  1\n");
    const edits = await client.connection.sendRequest(DocumentFormattingRequest.type, {
      textDocument,
      options: { tabSize: 2, insertSpaces: true },
    });
    expect(edits?.map(({ newText }) => newText)).toEqual(["def main():\n    return 1\n"]);
  });
});

/** The numbers of the protocol as places: each five are relative to the ones before. */
function coloured(data: readonly number[]) {
  const tokens: { line: number; character: number; length: number; type: number }[] = [];
  for (let at = 0; at < data.length; at += 5) {
    const [lines = 0, characters = 0, length = 0, type = 0] = data.slice(at, at + 4);
    const last = tokens.at(-1) ?? { line: 0, character: 0 };
    tokens.push({
      line: last.line + lines,
      character: lines === 0 ? last.character + characters : characters,
      length,
      type,
    });
  }
  return tokens;
}

const BINARY = fileURLToPath(new URL("../../../dist/wf.mjs", import.meta.url));
const built = existsSync(BINARY);
if (!built) console.warn("test/cli/lsp: the process is not tested, dist/wf.mjs is not built (npm run build)");

describe.runIf(built)("as a process", () => {
  it("speaks over stdio, says what it can, and ends with 0 after exit", async () => {
    const child = spawn(process.execPath, [BINARY, "lsp", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const own = await connect(child.stdout, child.stdin);
    expect(own.initialized.serverInfo?.name).toBe("weft");
    expect(await own.show("untitled:a.wf", "L1:\n  J 1\n")).toEqual([]);
    await own.leave();
    expect(await ended).toBe(0);
  });

  it("ends when the editor goes away", async () => {
    const child = spawn(process.execPath, [BINARY, "lsp"], { stdio: ["pipe", "ignore", "inherit"] });
    child.stdin.end();
    expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(0);
  });
});

it("answers about a program of many endpoints", async () => {
  const endpoints = Array.from({ length: 50_000 }, (_, at) => `E /p${at} G ->L1\n`).join("");
  await client.show(URI, `${endpoints}L1:\n  J 1\n`);
  expect(await client.connection.sendRequest(FoldingRangeRequest.type, { textDocument })).toHaveLength(1);
  expect(await client.connection.sendRequest(CodeLensRequest.type, { textDocument })).toHaveLength(1);
});
