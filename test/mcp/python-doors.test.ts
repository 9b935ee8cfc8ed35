/** Values of Python programs over MCP, as the bytes of a conversation: `5.0` and long integers come in and go out as they are written. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { converse, INITIALIZE } from "./conversation.ts";
import { type OpenedServer, openServer } from "./opened.ts";

const EXACT = '{"10":5.0,"9":12345678901234567890123}';
const CODE = "# surface: python\ndef main(x):\n    print('got')\n    return x\n";

let server: OpenedServer;
beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server.close());

/** What the server wrote for a call of wf_run, byte for byte, and as a value. */
async function called(args: string) {
  const talk = await converse(server.handlers);
  await talk.ask("initialize", INITIALIZE.params);
  talk.write(`{"jsonrpc":"2.0","id":"run","method":"tools/call","params":{"name":"wf_run","arguments":${args}}}\n`);
  const { result } = await talk.answerTo("run");
  const text = talk.text();
  talk.end();
  return { text, result };
}

it.each([
  ["as an object", `{"code":${JSON.stringify(CODE)},"frame":{"x":${EXACT}}}`],
  ["as text", `{"code":${JSON.stringify(CODE)},"frame":${JSON.stringify(`{"x":${EXACT}}`)}}`],
  ["in strict mode", `{"strict":true,"code":${JSON.stringify(CODE)},"frame":{"x":${EXACT}}}`],
])("wf_run takes a frame %s exactly, and answers so in text and structure", async (_title, args) => {
  const { text, result } = await called(args);
  expect(result.content[0].text).toContain(`"out":${EXACT},`);
  expect(text).toContain(`"out":${EXACT},`);
  expect(result.structuredContent).toMatchObject({ ok: true, printed: "got\n", warnings: [] });
});

it("wf_run gives an opcode program what it was given before", async () => {
  const { result } = await called(`{"code":"L1:\\n  J x\\n","frame":{"x":[5.0]}}`);
  expect(result.content[0].text).toContain('"out":[5],');
});

it("a failure over MCP has the class of the exception, and what was printed before it", async () => {
  const { result } = await called(
    `{"code":${JSON.stringify(CODE.replace("return x", "return x['k']"))},"frame":{"x":{}}}`,
  );
  expect(result.structuredContent).toMatchObject({
    printed: "got\n",
    error_structured: { code: "RUNTIME_KEY_ERROR", exception: "KeyError" },
  });
});

describe("files", () => {
  const code = "from helpers import add\n\ndef main(x):\n    return add(x, 1)\n";
  const files = { "helpers.py": "def add(a, b):\n    return a + b\n" };
  const call = async (name: string, args: object) => (await server.call(name, { code, ...args })).payload;

  it("come with the program of each tool that compiles", async () => {
    expect(await call("wf_run", { files, frame: { x: 2 } })).toMatchObject({ ok: true, out: 3 });
    for (const name of ["wf_validate", "wf_compile", "wf_security_report"])
      expect(await call(name, { files })).toMatchObject({ ok: true });
    expect(await call("wf_validate", {})).toMatchObject({ ok: false });
  });

  it.each([
    [{ files: { "/a.py": "" } }, "/files/~1a.py"],
    [{ files: { "a.py": 1 } }, "/files"],
    [{ files: [] }, "/files"],
  ])("are refused as %j", async (args, path) => {
    expect(await call("wf_run", args)).toMatchObject({ ok: false, error: "invalid_request", issues: [{ path }] });
  });
});
