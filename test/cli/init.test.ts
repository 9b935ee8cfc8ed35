/** `wf init`: every template is clean, formatted, tested and runs with its own configuration; nothing is written over unasked. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TEMPLATES } from "../../cli/init/new-project.ts";
import { realClock } from "../support/adapter-bench.ts";
import { documentOf, wf } from "./console.ts";
import { folderWith } from "./folders.ts";

const NAMES = TEMPLATES.map(({ name }) => name);

describe("wf init", () => {
  it("writes a project and tells what to do next", async () => {
    const cwd = folderWith({});
    const files = ["hello.wf", "hello.expected.json", "README.md", "wf.config.json", ".gitignore"];
    expect(await wf(["init", "demo"], { cwd })).toEqual({
      code: 0,
      stdout: files.map((file) => `demo/${file}\n`).join(""),
      stderr: `note next:\n  cd demo\n  wf test\n  wf run hello.wf --frame '{"name": "Ada"}'\n`,
      left: [],
    });
    expect(await wf(["run", "hello.wf", "--frame", '{"name": "Ada"}'], { cwd: join(cwd, "demo") })).toMatchObject({
      code: 0,
      stdout: "Hello, Ada!\n",
    });
  });

  it.each(NAMES)(
    "template %s is strict-clean, formatted and tested offline, through every label and way",
    async (name) => {
      const cwd = folderWith({});
      expect((await wf(["new", "--template", name, "--quiet"], { cwd })).code).toBe(0);
      const program = `${name}.wf`;
      expect(await wf(["check", program, "--deny-warnings"], { cwd })).toMatchObject({
        code: 0,
        stdout: "ok  1 file\n",
      });
      // What to do when a call fails is left to the author who starts from the template.
      const advice = (await wf(["lint", program], { cwd })).stdout.match(/WF\d{4}/g) ?? [];
      expect(advice.filter((code) => code !== "WF9029")).toEqual([]);
      expect(await wf(["fmt", "--check", program], { cwd })).toMatchObject({ code: 0 });
      const tests = documentOf(await wf(["test", "--json", "--coverage"], { cwd }));
      expect(tests).toMatchObject({ ok: true, failed: 0 });
      const { labels, edges } = tests["coverage"] as Record<"labels" | "edges", { taken: number; total: number }>;
      expect([labels.taken, edges.taken]).toEqual([labels.total, edges.total]);
      expect(readFileSync(join(cwd, "README.md"), "utf8")).toContain(program);
    },
  );

  it("tells how long a handed-off task is waited for, and how to answer it", async () => {
    const cwd = folderWith({});
    await wf(["init", ".", "--template", "agent-handoff"], { cwd });
    const page = readFileSync(join(cwd, "README.md"), "utf8");
    expect(page).toContain("waits up to two days");
    expect(page).toContain("wf mailbox tasks");
    const [, answer = ""] = /```json\n(.*?)```/s.exec(page) ?? [];
    writeFileSync(join(cwd, "result.json"), answer);
    expect(await wf(["mailbox", "lint", "--result-json", "result.json"], { cwd })).toMatchObject({ code: 0 });
  });

  it("waits in template approval for a decision, a signal and a time, which the command line can give", async () => {
    const cwd = folderWith({});
    const { next } = documentOf(await wf(["init", ".", "--template", "approval", "--json"], { cwd }));
    const [, ...flags] = [...String((next as string[]).at(-1)).matchAll(/'([^']*)'|(\S+)/g)].map(
      ([, quoted, bare]) => quoted ?? bare ?? "",
    );
    expect(await wf([...flags, "--json"], { cwd, clock: realClock })).toMatchObject({ code: 0 });
  });

  it("sends a task from template agent-handoff that the mailbox has nothing to say about", async () => {
    const cwd = folderWith({});
    await wf(["init", ".", "--template", "agent-handoff"], { cwd });
    const flags = ["--frame", '{"question": "What is a weft?"}', "--agent-root", "mail", "--max-adapter-calls", "1"];
    await wf(["run", "agent-handoff.wf", ...flags], { cwd, clock: realClock });
    const found = await wf(["mailbox", "lint", "--tasks-jsonl", "mail/tasks/agent_tasks.jsonl", "--json"], { cwd });
    expect([found.code, documentOf(found)]).toEqual([0, { ok: true, issues: [] }]);
  });

  it("does not write over files, and says which", async () => {
    const cwd = folderWith({ "demo/hello.wf": "mine", "demo/README.md": "mine" });
    const refused = await wf(["init", "demo", "--json"], { cwd });
    expect(refused.code).toBe(2);
    expect(documentOf(refused)).toMatchObject({
      ok: false,
      error: "file_exists",
      message: "demo holds hello.wf, README.md; --force overwrites them",
      files: ["hello.wf", "README.md"],
    });
    expect(existsSync(join(cwd, "demo/wf.config.json"))).toBe(false);
    const forced = await wf(["init", "demo", "--force", "--json"], { cwd });
    expect(documentOf(forced)).toMatchObject({ ok: true, template: "hello", folder: "demo" });
    expect(readFileSync(join(cwd, "demo/hello.wf"), "utf8")).toContain("def hello(");
  });

  it.each([
    [["init", "a", "--template", "hallo"], "option --template needs one of hello, http-monitor"],
    [["init", "a", "b"], "too many operands"],
    [["init", "file"], "cannot be written"],
  ])("refuses %j", async (argv, message) => {
    const result = await wf(argv, { cwd: folderWith({ file: "" }) });
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toContain(message);
  });
});
