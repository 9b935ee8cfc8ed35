/**
 * Text that others chose, on a terminal of this user: whatever stands in programs, documents, names of files and answers of a service comes
 * out visibly. A help line that people copy into a shell runs only the command it shows.
 */
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { shellWord } from "../../../cli/output/terminal/shell-word.ts";
import { EACH_HIDDEN } from "../../../compiler/hidden-characters.ts";
import { realClock } from "../../service/serving.ts";
import { type ConsoleResult, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

/** Title, clipboard, cleared screen, C1 control, reordered text, a line written over. */
const HOSTILE = "\u001b]0;t\u0007\u001b]52;c;eA==\u0007\u001b[2J\u009b2J\u202eabc\u200e\u061c\u2066\ufeff\rok";

/** What a terminal would obey, besides line ends. */
const obeyed = ({ stdout, stderr }: ConsoleResult): string[] =>
  `${stdout}${stderr}`.replaceAll("\n", "").match(EACH_HIDDEN) ?? [];

/** A service that answers everything alike. */
async function answering(status: number, answer: object): Promise<Record<string, string>> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  return { TERM: "dumb", WF_SERVER: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const JOB = { job_id: HOSTILE, label: HOSTILE, attempt: 1, queued_at: HOSTILE };

describe("text of others on a terminal", () => {
  it.each([
    ["result", 200, { ...JOB, status: "succeeded", result: { ok: true, out: HOSTILE } }, ["wait", "1"]],
    ["failure", 200, { ...JOB, status: HOSTILE, result: { ok: false, message: HOSTILE } }, ["wait", "1"]],
    ["job", 200, { ...JOB, status: HOSTILE }, ["get", "1"]],
    ["list", 200, { jobs: [{ ...JOB, status: HOSTILE }], next_cursor: HOSTILE }, ["list"]],
    ["change", 200, { ...JOB, status: HOSTILE }, ["cancel", "1"]],
    ["refusal", 400, { error: HOSTILE, message: HOSTILE, issues: [{ path: HOSTILE, message: HOSTILE }] }, ["get", "1"]],
  ])("a service's %s is shown, not obeyed", async (_what, status, answer, argv) => {
    const environment = await answering(status, answer);
    const result = await wf(["jobs", ...argv], { environment, terminal: true, clock: realClock });
    expect(`${result.stdout}${result.stderr}`).toContain("abc");
    expect(obeyed(result)).toEqual([]);
  });

  it.each([
    ["run", "p.wf"],
    ["run", "fail.wf"],
    ["run", "p.wf", "--json"],
    ["run", "p.wf", "--trace"],
    ["run", "p.wf", "--trace-jsonl", "-"],
    ["trace", "p.wf"],
    ["check", "bad.wf"],
    ["compile", "p.wf"],
    ["compile", "p.wf", "--format", "canonical-source"],
    ["disasm", "p.wf"],
    ["fmt", "--diff", "p.wf"],
    ["diagram", "p.wf"],
    ["diagram", "p.wf", "--format", "html"],
    ["sandbox", "p.wf", "--target", "kubernetes"],
    ["import", "d.md", "--type", "workflow"],
    ["check", `${HOSTILE}.wf`],
    ["init", `new${HOSTILE}`],
  ])("wf %s %s %s", async (...argv) => {
    const text = HOSTILE.replace("\r", "");
    const cwd = folderWith({
      "p.wf": `L1:\n    Set x ${JSON.stringify(HOSTILE)}  # ${text}\n  Set y '${text}'\n  Set z [x,y]\n  J z\n`,
      "fail.wf": `L1:\n  X x fail '${text}'\n`,
      "bad.wf": `L1:\n  X ${text} '${text}'\n`,
      "d.md": `---\nname: ${text}\n---\n# ${text}\n\n1. **${text}** ${text}\n2. ${text}\n`,
    });
    const result = await wf(
      argv.filter((word) => word !== undefined),
      { cwd, terminal: true, columns: 200, environment: { TERM: "dumb", WF_LOG_LEVEL: "info" } },
    );
    expect(result.code).not.toBe(70);
    expect(`${result.stdout}${result.stderr}`).not.toBe("");
    expect(obeyed(result)).toEqual([]);
  });
});

describe("lines to copy into a shell", () => {
  it("are one word for each word, whatever stands in it", () => {
    for (const word of ["a", "", "$(id)", "a'b", "`id`;x", "=ls", "*", "~", "a b", "{a,b}", "a\nb", "\\", "!x"])
      expect(execFileSync("sh", ["-c", `printf %s ${shellWord(word)}`], { encoding: "utf8" })).toBe(word);
  });

  it.each([
    ["x$(id);id", "--tools-allow 'x$(id);id'"],
    ["x'`id`", "--tools-allow 'x'\\''`id`'"],
    ["--raw", "--tools-allow=--raw"],
    ["plain.tool", "--tools-allow plain.tool"],
  ])("tool %s", async (tool, flag) => {
    const { stderr } = await wf(["run", "-"], { stdin: `L1:\n  R tools.call "${tool}" {} ->x\n  J x\n` });
    expect(stderr).toContain(`help: add --enable-adapter tools ${flag}\n`);
  });
});
