/** wf_propose: there only with WF_MCP_SERVICE, proposes to a real service, and cannot accept (T.A-1). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TOOL_NAMES } from "../../mcp/tool/exposure.ts";
import { type JobServing, servingJobs } from "../service/jobs/serving-jobs.ts";
import { type OpenedServer, openServer } from "./opened.ts";

const DOUBLE = '# with: {"a": 21}\n# result: 42\ndef main(a: int):\n    return a * 2\n';

let service: JobServing;
const opened: OpenedServer[] = [];
beforeAll(async () => {
  service = await servingJobs();
});
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()));
  await service.stop();
});
const serverWith = async (variables: Record<string, string> = {}): Promise<OpenedServer> => {
  const server = await openServer({ variables: { WF_MCP_SERVICE: `http://127.0.0.1:${service.port}/`, ...variables } });
  opened.push(server);
  return server;
};

describe("wf_propose", () => {
  it("is a tenth tool with WF_MCP_SERVICE alone, whatever the profile, and WF_MCP_TOOLS_EXCLUDE removes it", async () => {
    const plain = await openServer();
    opened.push(plain);
    expect(plain.names()).toEqual([...TOOL_NAMES]);
    expect((await serverWith()).names()).toEqual([...TOOL_NAMES, "wf_propose"]);
    expect((await serverWith({ WF_MCP_TOOLS_EXCLUDE: "wf_propose" })).names()).toEqual([...TOOL_NAMES]);
    expect((await serverWith({ WF_MCP_TOOLS: "wf_run" })).names()).toEqual(["wf_run"]);
    expect((await serverWith({ WF_CODE: "deployed" })).names()).not.toContain("wf_run");
    await expect(openServer({ variables: { WF_MCP_SERVICE: "ftp://x" } })).rejects.toThrow("WF_MCP_SERVICE");
  });

  it("stores a version that a person has to accept, with its tests", async () => {
    const server = await serverWith();
    const made = await server.call("wf_propose", {
      name: "doubler",
      code: DOUBLE,
      comment: "asked for by ann",
      tests: [{ frame: { a: 1 }, expect: { result: 3 } }],
      settings: { limits: { max_steps: 100 } },
    });
    expect([made.isError, made.payload.state, made.payload.tests.passed]).toEqual([false, "open", 1]);
    expect(made.payload.settings_changes).toEqual([{ name: "limits", before: null, after: { max_steps: 100 } }]);
    expect((await service.call("GET", "/programs/doubler")).status).toBe(404);
    const { body } = await service.call("GET", `/proposals/${made.payload.id}`);
    expect([body.comment, body.code]).toEqual(["asked for by ann", DOUBLE]);
  });

  it("takes the files that a program imports", async () => {
    const made = await (await serverWith()).call("wf_propose", {
      name: "with-files",
      code: "from helpers import add\n\ndef main(a: int):\n    return add(a)\n",
      files: { "helpers.py": "def add(a):\n    return a + 1\n" },
    });
    const { body } = await service.call("GET", `/proposals/${made.payload.id}`);
    expect([made.payload.state, Object.keys(body.files), body.main]).toEqual([
      "open",
      ["helpers.py", "main.py"],
      "main.py",
    ]);
  });

  it.each([
    ["a name that no deployment can have", { name: "A b", code: DOUBLE }, "invalid_request"],
    ["no program", { name: "a" }, "invalid_request"],
    ["a program among the settings", { name: "a", code: DOUBLE, settings: { ir: {} } }, "invalid_request"],
    ["what does not compile", { name: "a", code: "def main(:\n" }, "compile_error"],
    ["an unknown setting", { name: "a", code: DOUBLE, settings: { nope: 1 } }, "invalid_request"],
  ])("says what is wrong with %s", async (_what, args, error) => {
    const refused = await (await serverWith()).call("wf_propose", args);
    expect([refused.isError, refused.payload.error]).toEqual([true, error]);
    if (error === "compile_error") expect(refused.payload.diagnostics.length).toBeGreaterThan(0);
  });

  it("says that the service is away, without its address", async () => {
    const away = await serverWith({ WF_MCP_SERVICE: "http://127.0.0.1:1" });
    const { payload } = await away.call("wf_propose", { name: "a", code: DOUBLE });
    expect(payload).toMatchObject({ ok: false, error: "server_unreachable" });
    expect(JSON.stringify(payload)).not.toContain("127.0.0.1");
  });
});
