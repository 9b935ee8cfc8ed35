/**
 * The built server as a real process with a real client, the SDK's own: every tool, every resource, every exposure variable, and how the
 * process ends. Skipped, with the reason, when it is not built.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXPOSURE_PROFILES, TOOL_NAMES } from "../../mcp/tool/exposure.ts";
import { textPayload } from "../../mcp/tool/findings.ts";
import { verifies } from "../support/requirements.ts";
import { INITIALIZE } from "./conversation.ts";
import { ENDLESS, HELLO } from "./opened.ts";

const BINARY = fileURLToPath(new URL("../../dist/wf.mjs", import.meta.url));
const built = existsSync(BINARY);
if (!built) console.warn("test/mcp/client.test.ts: skipped, dist/wf.mjs is not built (npm run build)");

const folder = mkdtempSync(join(tmpdir(), "weft-mcp-client-"));
writeFileSync(join(folder, "hello.wf"), HELLO);
afterAll(() => rmSync(folder, { recursive: true }));

const environment = (variables: Readonly<Record<string, string>>): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  ...variables,
});

async function connected(variables: Readonly<Record<string, string>> = {}, argv: readonly string[] = []) {
  const client = new Client({ name: "test", version: "1" });
  const args = [BINARY, "mcp", ...argv];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    env: environment(variables),
    stderr: "pipe",
  });
  await client.connect(transport);
  return client;
}

/** The structured answer, which the client has checked against the tool's schema, and which the text says, with findings in short. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
async function called(client: Client, name: string, args: Record<string, unknown>): Promise<any> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  const [block] = content as { readonly type: string; readonly text: string }[];
  expect(JSON.parse(block?.text ?? "")).toEqual(
    JSON.parse(JSON.stringify(textPayload(structuredContent as Record<string, unknown>))),
  );
  return { ...(structuredContent as object), isError };
}

describe.skipIf(!built)("the built server with a real client", { timeout: 60_000 }, () => {
  let client: Client;
  beforeAll(async () => {
    client = await connected({ WF_MCP_WORKFLOW_ROOT: folder });
  }, 60_000);
  afterAll(() => client.close());

  it("lists nine tools and two resources", async () => {
    verifies("service.mcp-stdio-only", "service.mcp-offers", "auth.mcp-none", "exposure.default");
    expect(client.getServerVersion()).toMatchObject({ name: "weft", version: "1.0.0" });
    expect(client.getInstructions()).toContain("Programs are Python");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...TOOL_NAMES]);
    for (const { title, annotations } of tools) expect(annotations?.title ?? title).toEqual(expect.any(String));
    expect((await client.listResources()).resources).toHaveLength(2);
  });

  const GOOD: readonly (readonly [string, Record<string, unknown>, object])[] = [
    ["wf_validate", { code: HELLO }, { ok: true, errors: [] }],
    ["wf_compile", { code: HELLO }, { ok: true, ir: { ir_version: "1.0" } }],
    ["wf_capabilities", {}, { ok: true, policy_support: true }],
    ["wf_security_report", { code: HELLO }, { ok: true, report: { schema_version: "1.0" } }],
    ["wf_run", { path: "hello.wf" }, { ok: true, out: 5 }],
    ["wf_list_ecosystem", {}, { ok: true, local_templates: [{ path: "hello.wf" }] }],
    ["wf_import_workflow_preset", { url_or_name: "morning-brief" }, { ok: true, valid: true }],
    ["wf_import_agent_preset", { url_or_name: "code-reviewer" }, { ok: true, valid: true }],
    ["wf_import_markdown", { markdown: "1. One\n2. Two\n", type: "workflow" }, { ok: true, meta: { steps: 2 } }],
  ];
  it.each(GOOD)("%s works", async (name, args, answer) => {
    verifies(
      "mcp.tool.wf_validate",
      "mcp.tool.wf_compile",
      "mcp.tool.wf_capabilities",
      "mcp.tool.wf_security_report",
      "mcp.tool.wf_run",
      "mcp.tool.wf_list_ecosystem",
      "mcp.tool.wf_import_workflow_preset",
      "mcp.tool.wf_import_agent_preset",
      "mcp.tool.wf_import_markdown",
    );
    expect(await called(client, name, args)).toMatchObject({ isError: false, ...answer });
  });

  it.each([
    ["wf_validate", { code: "" }, "input_error"],
    ["wf_compile", { code: 3 }, "invalid_request"],
    ["wf_capabilities", { adapter: "nope" }, "unknown_adapter"],
    ["wf_security_report", { path: "../x.wf" }, "input_error"],
    ["wf_run", { code: 'L1:\n  R http.Get "https://a.example/" ->r\n  J r\n' }, "policy_violation"],
    ["wf_list_ecosystem", { x: 1 }, "invalid_request"],
    ["wf_import_workflow_preset", { url_or_name: "nope" }, "unknown_preset"],
    ["wf_import_agent_preset", { url_or_name: "https://127.0.0.1/" }, "fetch_blocked"],
    ["wf_import_markdown", { url: "file:///etc/passwd", type: "agent" }, "fetch_blocked"],
  ])("%s fails for %j with %s", async (name, args, error) => {
    expect(await called(client, name, args)).toMatchObject({ isError: true, ok: false, error });
  });

  it.each(["wf://adapter-manifest", "wf://security-profiles"])("reads %s", async (uri) => {
    const [one, two] = [await client.readResource({ uri }), await client.readResource({ uri })];
    expect(two).toEqual(one);
    expect(one.contents[0]).toMatchObject({ uri, mimeType: "application/json" });
  });

  it("cancels a run on request", async () => {
    const controller = new AbortController();
    const call = client.callTool(
      { name: "wf_run", arguments: { code: "L1:\n  R core.SLEEP 200000 ->x\n  J x\n" } },
      undefined,
      { signal: controller.signal },
    );
    await client.ping();
    controller.abort("enough");
    await expect(call).rejects.toThrow();
    expect((await called(client, "wf_run", { code: HELLO })).out).toBe(5);
  });

  it("reports progress while a program runs", async () => {
    const seen: number[] = [];
    const { structuredContent } = await client.callTool({ name: "wf_run", arguments: { code: ENDLESS } }, undefined, {
      onprogress: ({ progress }) => seen.push(progress),
    });
    expect(structuredContent).toMatchObject({ ok: false, error: "max_steps_exceeded" });
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });

  it.each(Object.entries(EXPOSURE_PROFILES))("exposes %s", async (name, { tools, resources }) => {
    verifies("exposure.validate_only", "exposure.inspect_only", "exposure.safe_workflow", "exposure.full");
    const other = await connected({}, ["--exposure", name]);
    expect((await other.listTools()).tools.map((tool) => tool.name)).toEqual([...tools]);
    expect((await other.listResources()).resources.map(({ uri }) => uri)).toEqual([...resources]);
    if (!tools.includes("wf_run"))
      await expect(other.callTool({ name: "wf_run", arguments: { code: HELLO } })).rejects.toThrow(
        "Unknown tool: wf_run",
      );
    await other.close();
  });

  it("narrows and excludes by variables", async () => {
    verifies("exposure.order", "exposure.hidden-not-listed");
    const other = await connected({
      WF_MCP_EXPOSURE_PROFILE: "inspect_only",
      WF_MCP_TOOLS: "wf_validate,wf_run,wf_capabilities",
      WF_MCP_TOOLS_EXCLUDE: "wf_capabilities",
      WF_MCP_RESOURCES: "wf://security-profiles,wf://adapter-manifest",
      WF_MCP_RESOURCES_EXCLUDE: "wf://adapter-manifest",
    });
    expect((await other.listTools()).tools.map(({ name }) => name)).toEqual(["wf_validate"]);
    expect((await other.listResources()).resources.map(({ uri }) => uri)).toEqual(["wf://security-profiles"]);
    await expect(other.readResource({ uri: "wf://adapter-manifest" })).rejects.toMatchObject({ code: -32_002 });
    await other.close();
  });

  it("runs under the profile of the operator", async () => {
    verifies("mcp.posture-replaced", "env.WF_MCP_PROFILE");
    const state = mkdtempSync(join(folder, "state-"));
    const other = await connected({
      WF_MCP_PROFILE: "sandbox_compute_and_store",
      WF_STATE_DIR: state,
      WF_MEMORY_DB: join(state, "memory.db"),
    });
    const code =
      'L1:\n  R memory.put "workflow" "k" "id" {"a": 1} 60 ->s\n  R memory.get "workflow" "k" "id" ->r\n  J r\n';
    expect(await called(other, "wf_run", { code })).toMatchObject({ ok: true });
    await other.close();
  });
});

type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

function launched(variables: Readonly<Record<string, string>> = {}): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [BINARY, "mcp"], { env: environment(variables), stdio: "pipe" });
}

/** How the process ends; `then` is called with each part of stdout. */
function ending(child: ChildProcessWithoutNullStreams, then: (stdout: string) => void = () => {}): Promise<Ended> {
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => {
    stdout += String(chunk);
    then(stdout);
  });
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}

const line = (message: object): string => `${JSON.stringify(message)}\n`;
const call = (id: number, name: string, args: object): string =>
  line({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });

describe.skipIf(!built)("the process", { timeout: 60_000 }, () => {
  it.each([
    ["WF_MCP_EXPOSURE_PROFILE", "valdate_only", "known: author, full, inspect_only, safe_workflow, validate_only"],
    ["WF_MCP_PROFILE", "operator_ful", "known: automation_team, consumer_secure_default, local_minimal"],
    ["WF_MCP_MAX_CONCURRENCY", "many", "must be a whole number"],
  ])("does not start with %s=%s: exit 2, and why", async (name, value, why) => {
    verifies("exposure.unknown", "profile.unknown");
    const ended = await ending(launched({ [name]: value }));
    expect(ended).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(why) });
  });

  it("answers what was piped in, ends with the input, and writes nothing but protocol", async () => {
    const child = launched();
    const lines = [line(INITIALIZE), call(1, "wf_run", { code: HELLO }), "{oops\n", call(2, "wf_never", {})];
    child.stdin.end(lines.join(""));
    const { code, stdout, stderr } = await ending(child);
    expect([code, stderr]).toEqual([0, ""]);
    const messages = stdout
      .split("\n")
      .slice(0, -1)
      .map((text) => JSON.parse(text));
    expect(stdout.endsWith("\n")).toBe(true);
    expect(messages.map(({ id }) => id).sort()).toEqual([null, 1, 2, "init"].sort());
    expect(messages.find(({ id }) => id === 1).result.structuredContent.out).toBe(5);
  });

  const ENDS: readonly (readonly [string, (child: ChildProcessWithoutNullStreams) => void])[] = [
    ["the input is closed", (child) => child.stdin.end()],
    ["the input is closed in the middle of a line", (child) => child.stdin.end('{"jsonrpc":')],
    ["SIGTERM comes", (child) => child.kill("SIGTERM")],
  ];
  it.each(ENDS)("ends when %s, whatever runs", async (_name, end) => {
    const child = launched();
    let done = false;
    const ended = ending(child, (stdout) => {
      if (done || !stdout.includes('"id":9')) return;
      done = true;
      end(child);
    });
    child.stdin.write(line(INITIALIZE));
    for (let id = 1; id <= 8; id++)
      child.stdin.write(
        call(id, "wf_run", { code: id % 2 === 0 ? ENDLESS : "L1:\n  R core.SLEEP 200000 ->x\n  J x\n", limits: {} }),
      );
    child.stdin.write(line({ jsonrpc: "2.0", id: 9, method: "ping" }));
    // The runs would take minutes, more than this test may.
    expect((await ended).code).toBe(0);
  });

  it("ends with the input also when the client reads nothing", async () => {
    const child = launched();
    child.stdout.pause();
    for (let id = 0; id < 200; id++) child.stdin.write(call(id, "wf_capabilities", {}));
    child.stdin.end();
    const code = await new Promise((resolve) => child.on("exit", resolve));
    expect(code).toBe(0);
    child.stdout.destroy();
  });

  it("ends quietly when the reader of its output is gone", async () => {
    const child = launched();
    child.stdout.destroy();
    child.stdin.on("error", () => undefined);
    child.stdin.write(line(INITIALIZE) + call(1, "wf_capabilities", {}) + call(2, "wf_capabilities", {}));
    const code = await new Promise((resolve) => child.on("exit", resolve));
    expect(code).toBe(0);
  });

  it("logs to stderr only, with run events and without frames when asked to", async () => {
    const child = launched({ WF_LOG_LEVEL: "info", WF_MCP_TOOLS: "wf_run,wf_rum" });
    const code = "# frame: secret: text\nL1:\n  R core.UPPER secret ->x\n  J x\n";
    child.stdin.end(line(INITIALIZE) + call(1, "wf_run", { code, frame: { secret: "planted-text" } }));
    const { stdout, stderr } = await ending(child);
    const events = stderr
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text));
    expect(events.map(({ event }) => event)).toEqual([
      "start_warning",
      "server_start",
      "run_start",
      "adapter_call",
      "run_complete",
      "server_stop",
    ]);
    expect(events[1]).toMatchObject({ tools: ["wf_run"], posture: true, grant: { allowed_adapters: ["core"] } });
    expect(stderr).not.toContain("planted-text");
    expect(stdout).toContain("PLANTED-TEXT");
  });
});
