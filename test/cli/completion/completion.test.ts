/**
 * `wf completion`: scripts made from the commands themselves, tried in the shells they are for. A shell that is not installed is
 * skipped, with the reason.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { SHELLS, type Shell } from "../../../cli/completion/table.ts";
import { COMMANDS } from "../../../cli/registry.ts";
import { documentOf, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const IN_ZSH = fileURLToPath(new URL("completion.zsh", import.meta.url));
const scripts = new Map<Shell, string>();
async function script(shell: Shell): Promise<string> {
  const text = scripts.get(shell) ?? (await wf(["completion", shell])).stdout;
  scripts.set(shell, text);
  return text;
}
const isMissing = (command: string): boolean => spawnSync(command, ["--version"]).status !== 0;
for (const shell of SHELLS.filter(isMissing))
  console.warn(`test/cli/completion/completion.test.ts: ${shell} is skipped, it is not installed`);

/** What a shell offers for these words, the last of which is being written, by name. */
async function offered(shell: Shell, words: readonly string[], folder?: string): Promise<string[]> {
  const cwd = folder ?? folderWith({});
  const file = join(folderWith({}), "script");
  writeFileSync(file, await script(shell));
  const line = words.map((word) => word.replaceAll(" ", "\\ ")).join(" ");
  const args = {
    bash: ["--norc", "-c", inBash(file, line)],
    zsh: ["-f", IN_ZSH, file, line],
    fish: ["--no-config", "-c", `source ${quoted(file)}; complete -C ${quoted(line)}`],
  };
  const output = execFileSync(shell, args[shell], { encoding: "utf8", cwd });
  const names = output.split("\n").map((row) => row.replace(/\t.*/, "").replace(/^--[\w-]+=|\/$/g, ""));
  return [...new Set(names)].filter((name) => name !== "").sort();
}

/** Words of bash end at blanks and equals signs. It quotes what it takes for files itself; all else must be quoted already. */
function inBash(file: string, line: string): string {
  const words = line.match(/(?:\\ |[^ =])+|=|(?<=[ =])$/g) ?? [];
  return [
    `source ${quoted(file)}`,
    "compopt() { files=true; }",
    `COMP_WORDS=(${words.map(quoted).join(" ")}) COMP_CWORD=${words.length - 1}`,
    "_wf",
    'for word in "${COMPREPLY[@]}"; do',
    `  if [[ -n "$files" ]]; then printf '%s\\n' "$word"; else eval "printf '%s\\n' $word"; fi`,
    "done",
  ].join("\n");
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const OFFERS: readonly (readonly [words: string[], expected: string[]])[] = [
  [["wf", "che"], ["check"]],
  [["wf", "--js"], ["--json"]],
  [
    ["wf", "--color", "a"],
    ["always", "auto"],
  ],
  [["wf", "--cwd", ".", "che"], ["check"]],
  [["wf", "run", "--max-st"], ["--max-steps"]],
  [["wf", "run", "--quiet", "a.wf", "--max-st"], ["--max-steps"]],
  [["wf", "run", "--enable-adapter", "sq"], ["sqlite"]],
  [["wf", "run", "--enable-adapter=sq"], ["sqlite"]],
  [["wf", "run", "--profile", "local"], ["local_minimal"]],
  [["wf", "check", "--format", "s"], ["sarif"]],
  [
    ["wf", "diagram", "--format", ""],
    ["dot", "html", "mermaid", "svg"],
  ],
  [["wf", "jobs", "re"], ["retry"]],
  [["wf", "--json", "jobs", "re"], ["retry"]],
  [["wf", "jobs", "--json", "re"], ["retry"]],
  [["wf", "audit", ""], ["verify"]],
  [["wf", "help", "mail"], ["mailbox"]],
  [["wf", "completion", "f"], ["fish"]],
  [["wf", "explain", "WF4001"], ["WF4001"]],
  [["wf", "explain", "RUNTIME_MAX_ST"], ["RUNTIME_MAX_STEPS"]],
  [["wf", "explain", "filter_"], ["filter_high_score"]],
  [
    ["wf", "explain", "Filt"],
    ["Filt", "Filter"],
  ],
  [["wf", "explain", "fs.readl"], ["fs.readlines"]],
  [["wf", "profiles", "local"], ["local_minimal"]],
  [["wf", "profiles", "inspect"], ["inspect_only"]],
  [["wf", "mcp", "--exposure", "safe"], ["safe_workflow"]],
  [["wf", "capabilities", "sq"], ["sqlite"]],
  [
    ["wf", "init", "--template", "a"],
    ["agent-handoff", "approval"],
  ],
  [["wf", "run", "--max-steps", "1"], []],
];

describe.each(SHELLS)("wf completion %s", (shell) => {
  const missing = isMissing(shell);

  it.skipIf(missing).each(OFFERS)("completes %j", async (words, expected) => {
    expect(await offered(shell, words)).toEqual(expected);
  });

  it.skipIf(missing)("completes labels of the program on the line, files and folders", async () => {
    const labels = "L1:\n  J 1\nL_other: J 2\nL_größe:\n  J 3\n";
    const cwd = folderWith({ "flow.wf": labels, "flows/a.wf": "", "my flow.wf": "Lx:\n  J 1\n" });
    const offer = (...words: string[]) => offered(shell, ["wf", "run", ...words], cwd);
    expect(await offer("flow.wf", "--label", "")).toEqual(["L1", "L_größe", "L_other"]);
    expect(await offer("flow.wf", "--label=L_o")).toEqual(["L_other"]);
    expect(await offer("my flow.wf", "--label", "")).toEqual(["Lx"]);
    expect(await offer("flo")).toEqual(["flow.wf", "flows"]);
    expect(await offer("my")).toEqual(["my flow.wf"]);
    expect(await offer("--fs-root", "flo")).toEqual(["flows"]);
    expect(await offer("--trace", "flow.wf", "flow.")).toEqual(["flow.wf"]);
  });

  it.skipIf(missing)("does not execute labels of a program", async () => {
    const label = "L$(touch$IFS$()pwned)`touch${IFS}pwned`";
    const cwd = folderWith({ "a.wf": `${label}:\n  J 1\n` });
    expect(await offered(shell, ["wf", "run", "a.wf", "--label", ""], cwd)).toEqual([label]);
    expect(existsSync(join(cwd, "pwned"))).toBe(false);
  });

  it.skipIf(missing)("takes no file name for an option of what reads the labels", async () => {
    // As an option to sed the first is a script that starts a command; the script that was meant is then the name of a file.
    const hostile = "-e1etouch pwned .wf";
    const cwd = folderWith({ [hostile]: "Lx:\n  J 1\n", "s/^[[:space:]]*\\(L[^:[:space:]]*\\):.*/\\1/p": "one\n" });
    expect(await offered(shell, ["wf", "run", hostile, "--label", ""], cwd)).toEqual(["Lx"]);
    expect(existsSync(join(cwd, "pwned"))).toBe(false);
  });

  it("knows every command and flag", async () => {
    const text = await script(shell);
    for (const { names } of COMMANDS) {
      for (const name of names) expect(text).toContain(name);
      const flags = documentOf(await wf(["help", names[0], "--json"]))["help"] as string;
      for (const flag of flags.split("Examples:")[0]?.match(/(?<=[ ,] ?)--[a-z-]+/g) ?? [])
        expect(text).toContain(shell === "fish" ? `-l ${flag.slice(2)}` : flag);
    }
  });
});

describe("wf completion", () => {
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
    expect((await wf(["completion"])).stderr).toBe("missing SHELL; use one of bash, zsh, fish\n");
  });
});
