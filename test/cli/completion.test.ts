/** `wf completion`: scripts made from the commands themselves; that of bash is run by bash. */
import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../cli/commands/registry.ts";
import { documentOf, wf } from "./console.ts";
import { folderWith } from "./folders.ts";

const hasBash = spawnSync("bash", ["--version"]).status === 0;
const script = async (shell: string): Promise<string> => (await wf(["completion", shell])).stdout;

/** What bash offers for these words; the last one is being written. */
function offered(source: string, words: readonly string[], cwd?: string): string[] {
  const quoted = words.map((word) => `'${word}'`).join(" ");
  const probe = `${source}\nCOMP_WORDS=(${quoted})\nCOMP_CWORD=${words.length - 1}\n_wf\nprintf '%s\\n' "\${COMPREPLY[@]}"\n`;
  const output = execFileSync("bash", ["--norc", "-c", probe], {
    encoding: "utf8",
    ...(cwd === undefined ? {} : { cwd }),
  });
  return output.split("\n").filter((line) => line !== "");
}

describe.skipIf(!hasBash)("wf completion bash", () => {
  it.each([
    [["wf", "che"], ["check"]],
    [["wf", "run", "--max-st"], ["--max-steps"]],
    [["wf", "run", "--enable-adapter", "sq"], ["sqlite"]],
    [["wf", "run", "--enable-adapter", "=", "sq"], ["sqlite"]],
    [["wf", "run", "--profile", "local"], ["local_minimal"]],
    [["wf", "check", "--format", "s"], ["sarif"]],
    [
      ["wf", "diagram", "--format", ""],
      ["mermaid", "dot", "svg", "html"],
    ],
    [["wf", "jobs", "re"], ["retry"]],
    [["wf", "--json", "jobs", "re"], ["retry"]],
    [["wf", "help", "mail"], ["mailbox"]],
    [["wf", "completion", "f"], ["fish"]],
    [
      ["wf", "init", "--template", "a"],
      ["approval", "agent-handoff"],
    ],
    [["wf", "run", "--max-steps", "1"], []],
  ])("completes %j", async (words, expected) => {
    expect(offered(await script("bash"), words)).toEqual(expected);
  });

  it("completes labels of the program on the line, files and folders", async () => {
    const cwd = folderWith({ "flow.wf": "L1:\n  J 1\nL_other: J 2\n", "flows/a.wf": "" });
    const source = await script("bash");
    expect(offered(source, ["wf", "run", "flow.wf", "--label", ""], cwd)).toEqual(["L1", "L_other"]);
    expect(offered(source, ["wf", "run", "flo"], cwd).sort()).toEqual(["flow.wf", "flows"]);
    expect(offered(source, ["wf", "run", "--fs-root", "flo"], cwd)).toEqual(["flows"]);
  });
});

describe("wf completion", () => {
  it.each(["bash", "zsh", "fish"])("knows every command and flag in %s", async (shell) => {
    const text = await script(shell);
    for (const { names } of COMMANDS) {
      for (const name of names) expect(text).toContain(name);
      const flags = documentOf(await wf(["help", names[0], "--json"]))["help"] as string;
      for (const flag of flags.split("Examples:")[0]?.match(/(?<=[ ,] ?)--[a-z-]+/g) ?? [])
        expect(text).toContain(shell === "fish" ? `-l ${flag.slice(2)}` : flag);
    }
  });

  it("gives the script as JSON, and refuses other shells", async () => {
    expect(documentOf(await wf(["completion", "bash", "--json"]))).toEqual({
      ok: true,
      shell: "bash",
      script: await script("bash"),
    });
    expect(await wf(["completion", "tcsh"])).toMatchObject({
      code: 2,
      stderr: "option SHELL needs one of bash, zsh, fish, found 'tcsh'\n",
    });
    expect((await wf(["completion"])).stderr).toBe("a SHELL is needed: bash, zsh, fish\n");
  });
});
