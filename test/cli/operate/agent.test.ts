/** The commands around agents: `wf mcp` except serving, `wf import`, `wf mailbox`, `wf summarize`. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { TOOL_NAMES } from "../../../mcp/tool/exposure.ts";
import { realClock } from "../../mcp/opened.ts";
import { verifies } from "../../support/requirements.ts";
import { documentOf, wf } from "../console.ts";

const folders: string[] = [];
let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "weft-agent-commands-"));
  folders.push(cwd);
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
const put = (name: string, content: string): string => {
  writeFileSync(join(cwd, name), content);
  return name;
};

describe("wf mcp", () => {
  it("--list shows what a host would see, and the grant", async () => {
    const shown = documentOf(await wf(["mcp", "--list", "--json", "--exposure", "inspect_only"], { cwd }));
    expect(shown).toMatchObject({
      ok: true,
      exposure_profile: "inspect_only",
      tools: TOOL_NAMES.slice(0, 4),
      posture: true,
      grant: { allowed_adapters: ["core"], limits: { max_steps: 500_000 } },
    });
    const text = await wf(["mcp", "--list", "--profile", "local_minimal"], { cwd });
    expect(text.stdout).toContain("profile          local_minimal");
    expect(text.code).toBe(0);
  });

  it("--list takes the environment and tells its warnings", async () => {
    const environment = { WF_MCP_TOOLS: "wf_run,wf_rum", WF_STRICT_MODE: "1" };
    const { stdout, stderr } = await wf(["mcp", "--list"], { cwd, environment });
    expect(stdout).toContain("tools            wf_run\n");
    expect(stdout).toContain("strict profile   consumer_secure_default");
    expect(stderr).toContain("unknown_name: WF_MCP_TOOLS names 'wf_rum'");
  });

  it.each([
    [["--list", "--exposure", "ful"], 'unknown exposure profile "ful"; did you mean full?'],
    [["--list", "--profile", "nope"], 'unknown security profile "nope"'],
    [["--exposure", "ful"], 'unknown exposure profile "ful"'],
    [["--list", "--print-config"], "exclude each other"],
  ])("%j is refused", async (flags, message) => {
    verifies("exposure.unknown");
    const { code, stdout, stderr } = await wf(["mcp", ...flags], { cwd, stdin: "" });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });

  it("--print-config prints what a host needs", async () => {
    const { stdout } = await wf(["mcp", "--print-config", "--exposure", "full"], { cwd });
    expect(JSON.parse(stdout)).toEqual({
      mcpServers: { weft: { command: "wf", args: ["mcp", "--exposure", "full"], env: {} } },
    });
  });

  it("--write merges it into a file, keeps a copy of the old one, and changes nothing twice", async () => {
    put("host.json", '{"theme": "dark"}\n');
    expect((await wf(["mcp", "--write", "host.json"], { cwd })).code).toBe(0);
    expect(JSON.parse(readFileSync(join(cwd, "host.json"), "utf8"))).toMatchObject({
      theme: "dark",
      mcpServers: { weft: { command: "wf" } },
    });
    const [backup = ""] = readdirSync(cwd).filter((name) => name.endsWith(".bak"));
    expect(readFileSync(join(cwd, backup), "utf8")).toBe('{"theme": "dark"}\n');
    expect(documentOf(await wf(["mcp", "--write", "host.json", "--json"], { cwd }))).toMatchObject({ changed: false });
    expect(readdirSync(cwd)).toHaveLength(2);
    expect(documentOf(await wf(["mcp", "--write", "new.json", "--json"], { cwd }))).toMatchObject({ changed: true });
    put("broken.json", "{oops");
    expect((await wf(["mcp", "--write", "broken.json"], { cwd })).code).toBe(2);
    expect(readFileSync(join(cwd, "broken.json"), "utf8")).toBe("{oops");
  });

  it("serves until its input ends", async () => {
    const initialize = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const stdin = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: initialize })}\n`;
    const { code, stdout, stderr } = await wf(["mcp"], { cwd, stdin, clock: realClock });
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: "weft" } } });
  });
});

const NOTES = "---\nname: notes\n---\n1. Read\n2. Write\n";

describe("wf import", () => {
  it("prints the program of a file, of a preset and of standard input, and the programs run", async () => {
    put("notes.md", NOTES);
    const results = [
      await wf(["import", "notes.md", "--type", "workflow"], { cwd }),
      await wf(["import", "morning-brief", "--type", "workflow"], { cwd }),
      await wf(["import", "-", "--type", "workflow"], { cwd, stdin: NOTES }),
    ];
    for (const { code, stdout } of results) {
      expect(code).toBe(0);
      expect((await wf(["run", "-", "--strict"], { cwd, stdin: stdout })).code).toBe(0);
    }
    expect(results[0]?.stdout).toBe(results[2]?.stdout);
    expect(results[0]?.stderr).toContain("step bodies are not translated");
  });

  it("takes the type from the front matter", async () => {
    put("a.md", "---\nname: A\ntype: Agent\n---\n## Mission\nHelp.\n");
    expect(documentOf(await wf(["import", "a.md", "--json", "--tone", "calm"], { cwd }))).toMatchObject({
      ok: true,
      meta: { type: "agent", slug: "a", provenance: "file:a" },
      source: expect.stringContaining("calm"),
    });
    put("b.md", "# B\n");
    expect((await wf(["import", "b.md"], { cwd })).stderr).toContain("missing option --type");
    expect((await wf(["import", "code-reviewer"], { cwd })).stdout).toContain("(agent): code-reviewer");
    expect((await wf(["import", "code-reviwer"], { cwd })).stderr).toContain("close presets: code-reviewer");
  });

  it("writes a file, and not over another unless told to", async () => {
    put("notes.md", NOTES);
    const argv = ["import", "notes.md", "--type", "workflow", "-o", "notes.wf"];
    expect((await wf([...argv, "--dry-run"], { cwd })).stdout).toContain("L_step_1:");
    expect(existsSync(join(cwd, "notes.wf"))).toBe(false);
    expect(await wf(argv, { cwd })).toMatchObject({ code: 0, stdout: "" });
    expect((await wf(argv, { cwd })).code).toBe(2);
    expect((await wf([...argv, "--force"], { cwd })).code).toBe(0);
    expect((await wf(["check", "notes.wf"], { cwd })).code).toBe(0);
  });

  it.each([
    [["morning-brie", "--type", "workflow"], "unknown_preset"],
    [["nope.md", "--type", "workflow"], "input_error"],
    [["nope.txt", "--type", "workflow"], "input_error"],
    [["http://example.com/a.md", "--type", "agent"], "fetch_blocked"],
    [["file:///etc/passwd", "--type", "agent"], "fetch_blocked"],
    [["https://127.0.0.1/a.md", "--type", "agent"], "fetch_blocked"],
    [["notes", "--type", "poem"], "usage_error"],
    [["notes", "--type", "agent", "--target", "disk"], "usage_error"],
  ])("%j fails with %s and exit code 2", async (argv, error) => {
    const result = await wf(["import", ...argv, "--json"], { cwd });
    expect(result.code).toBe(2);
    expect(documentOf(result)).toMatchObject({ ok: false, error });
  });

  it("fetches from no host when told so", async () => {
    const environment = { WF_IMPORT_ALLOW_HOSTS: "none" };
    const result = await wf(["import", "https://example.com/a.md", "--type", "agent", "--json"], { cwd, environment });
    expect(documentOf(result)).toMatchObject({ error: "fetch_blocked" });
  });

  it("refuses empty and binary input", async () => {
    expect((await wf(["import", "-", "--type", "agent"], { cwd, stdin: " " })).stderr).toContain("empty");
    const binary = new Uint8Array([0xff, 0xfe, 0x00]);
    expect((await wf(["import", "-", "--type", "agent"], { cwd, stdin: binary })).code).toBe(2);
  });
});

const TASK = {
  schema_version: "1.0",
  task_id: "t-7",
  requester_id: "planner",
  target_agent: "writer",
  target_role: "executor",
  task_type: "draft",
  description: "Write the notes",
  input: { payload: 1 },
};
const RESULT = {
  schema_version: "1.0",
  task_id: "t-7",
  agent_id: "writer",
  status: "completed",
  output: { summary: "Done" },
};

describe("wf mailbox", () => {
  const at = (...argv: string[]) => wf(["mailbox", ...argv], { cwd, environment: { WF_AGENT_ROOT: join(cwd, "box") } });

  it("lint checks tasks and results, line by line", async () => {
    verifies("envelope.validation", "envelope.task-request", "envelope.task-result");
    put("tasks.jsonl", `${JSON.stringify(TASK)}\n\n{"task_id":"x"}\nnot json\n`);
    put("task.json", JSON.stringify({ ...TASK, input: {} }));
    put("result.json", JSON.stringify({ ...RESULT, status: "odd" }));
    const { code, stdout } = await at(
      "lint",
      "--tasks-jsonl",
      "tasks.jsonl",
      "--task-json",
      "task.json",
      "--result-json",
      "result.json",
    );
    expect(code).toBe(1);
    expect(stdout).toContain("ERROR tasks.jsonl:3 /schema_version missing\n");
    expect(stdout).toContain("ERROR tasks.jsonl:4 not JSON\n");
    expect(stdout).toContain("WARNING task.json /input/payload missing\n");
    expect(stdout).toContain("WARNING result.json /status not one of");
    expect(stdout).not.toContain("tasks.jsonl:1");
    expect(await at("lint", "--task-json", "task.json")).toMatchObject({ code: 0 });
    expect(documentOf(await at("lint", "--task-json", "task.json", "--json"))).toMatchObject({
      ok: true,
      issues: [{ kind: "warning", path: "/input/payload", file: "task.json" }],
    });
  });

  it.each([
    [[]],
    [["lint"]],
    [["nonsense"]],
    [["put-result"]],
    [["tasks", "x"]],
    [["lint", "--task-json", "missing.json"]],
  ])("%j is wrong usage", async (argv) => {
    expect((await at(...argv)).code).toBe(2);
  });

  it("carries a task from a workflow to its agent and the result back", async () => {
    verifies("envelope.task-request", "envelope.task-result", "envelope.advisory");
    const environment = { WF_AGENT_ROOT: join(cwd, "box") };
    const task = JSON.stringify({ ...TASK, approval_required: "pre", budget_limit: { tokens: 0 } });
    put("send.wf", `L1:\n  R agent.send_task ${task} ->id\n  J id\n`);
    put("read.wf", 'L1:\n  R agent.read_result "t-7" ->r\n  J r.output.summary\n');
    expect((await at("tasks")).stderr).toContain("no tasks");
    expect((await wf(["run", "send.wf"], { cwd, environment, clock: realClock })).stdout).toBe("t-7\n");
    expect((await at("tasks")).stdout).toMatch(
      /^line {2}task {2}type {3}agent {3}result\n1 {5}t-7 {3}draft {2}writer {2}-\n$/,
    );
    put("result.json", JSON.stringify(RESULT));
    expect(documentOf(await at("put-result", "result.json", "--json"))).toEqual({ ok: true, task_id: "t-7" });
    expect(statSync(join(cwd, "box", "results", "t-7.json")).mode & 0o777).toBe(0o600);
    expect((await wf(["run", "read.wf"], { cwd, environment, clock: realClock })).stdout).toBe("Done\n");
    expect(documentOf(await at("tasks", "--json"))).toMatchObject({ tasks: [{ task_id: "t-7", has_result: true }] });
  });

  it("rotate moves the tasks aside", async () => {
    const environment = { WF_AGENT_ROOT: join(cwd, "box") };
    expect(documentOf(await at("rotate", "--json"))).toEqual({ ok: true, rotated: null });
    put("send.wf", `L1:\n  R agent.send_task ${JSON.stringify(TASK)} ->id\n  J id\n`);
    await wf(["run", "send.wf"], { cwd, environment, clock: realClock });
    const { rotated } = documentOf(await at("rotate", "--json"));
    expect(readFileSync(join(cwd, "box", "tasks", String(rotated)), "utf8")).toContain('"t-7"');
    expect((await at("tasks")).stderr).toContain("no tasks");
  });

  it.each([
    ["no JSON", "{oops", 1],
    ["no result", "{}", 1],
    ["an id that is a path", JSON.stringify({ ...RESULT, task_id: "../../x" }), 2],
    ["an id with two dots", JSON.stringify({ ...RESULT, task_id: "a..x" }), 2],
  ])("put-result refuses %s", async (_name, text, code) => {
    put("result.json", text);
    expect((await at("put-result", "result.json")).code).toBe(code);
    expect(existsSync(join(cwd, "box", "results"))).toBe(false);
  });

  it("put-result says when standard input is too large", async () => {
    const given = { cwd, stdin: new Uint8Array(8 * 1024 * 1024 + 1), environment: { WF_AGENT_ROOT: join(cwd, "box") } };
    expect(await wf(["mailbox", "put-result", "-"], given)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "error source_too_large  <stdin> is larger than 8 MiB\n",
    });
  });

  it.each(["/", "/home/someone"])("says what is wrong with the folder %s", async (root) => {
    const result = await wf(["mailbox", "tasks", "--json"], { cwd, environment: { WF_AGENT_ROOT: root } });
    expect(result.code).toBe(2);
    expect(documentOf(result)).toMatchObject({ error: "mailbox_error" });
  });
});

describe("wf summarize", () => {
  it("turns the answer of a run into the envelope, and leaves the answer as it is", async () => {
    verifies("envelope.summary.fields", "envelope.summary.pure", "envelope.summary.status");
    const answer = (await wf(["run", "-", "--json"], { cwd, stdin: "L1:\n  J 1\n" })).stdout;
    const summary = documentOf(await wf(["summarize", "-", "--json", "--task-id", "t-7"], { cwd, stdin: answer }));
    expect(Object.keys(summary)).toEqual([
      "task_id",
      "status",
      "summary",
      "result",
      "trace_id",
      "policy_errors",
      "artifacts",
      "review_hint",
    ]);
    expect(summary).toMatchObject({ task_id: "t-7", status: "ok", summary: "run ok (L1)", result: JSON.parse(answer) });
  });

  it.each([
    ['{"ok":false,"error":"policy_violation","policy_errors":[{"code":"X"}]}', "policy_violation"],
    ['{"ok":false,"error":"compile_error"}', "validation_error"],
    ['{"ok":false,"error":"max_steps_exceeded"}', "runtime_error"],
    ['{"job_id":"j","status":"queued"}', "runtime_error"],
  ])("%s is %s", async (stdin, status) => {
    put("answer.json", stdin);
    expect(documentOf(await wf(["summarize", "answer.json", "--json"], { cwd }))).toMatchObject({ status });
    const hinted = await wf(["summarize", "answer.json", "--review-hint", "look"], { cwd });
    expect(JSON.parse(hinted.stdout)).toMatchObject({ review_hint: "look" });
  });

  it.each([
    ["7", "runtime error: not a result"],
    ["null", "runtime error: not a result"],
    ['"ok"', "runtime error: not a result"],
    ["[]", "runtime error: not a result"],
    ['[{"ok":true}]', "runtime error: not a result"],
    ["{}", "runtime error: unknown"],
    ['{"ok":"yes"}', "runtime error: unknown"],
    ['{"results":[]}', "runtime error: unknown"],
  ])("reports that %s is not an answer", async (stdin, summary) => {
    const result = await wf(["summarize", "-", "--json"], { cwd, stdin });
    expect(result.code).toBe(0);
    expect(documentOf(result)).toMatchObject({ status: "runtime_error", summary, result: JSON.parse(stdin) });
    expect(result.stderr).toContain("wf run FILE --json prints one");
  });

  it.each([
    ["", "<stdin> is empty"],
    [" \n\n", "<stdin> is empty"],
    ['{"ok":true}\n{"ok":true}\n', "<stdin> holds several documents, one a line; a summary is of one"],
    ["{oops", "<stdin> is not JSON"],
    ["{oops\n{}", "<stdin> is not JSON"],
  ])("refuses %j", async (stdin, message) => {
    const result = await wf(["summarize", "-", "--json"], { cwd, stdin });
    expect(result.code).toBe(2);
    expect(documentOf(result)).toMatchObject({ ok: false, message });
  });

  it("takes long answers, and says when one is too long", async () => {
    const out = "x".repeat(9 * 1024 * 1024);
    const long = await wf(["summarize", "-", "--json"], { cwd, stdin: JSON.stringify({ ok: true, out }) });
    expect(documentOf(long)).toMatchObject({ status: "ok" });
    const more = await wf(["summarize", "-"], { cwd, stdin: new Uint8Array(256 * 1024 * 1024 + 1) });
    expect(more).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "error source_too_large  <stdin> is larger than 256 MiB\n",
    });
  });

  it("refuses what is not JSON", async () => {
    expect((await wf(["summarize", "-"], { cwd, stdin: "{oops" })).code).toBe(2);
    expect((await wf(["summarize"], { cwd })).code).toBe(2);
  });
});
