/**
 * The extension for Visual Studio Code as far as it goes without that editor: its files say what is there, its grammar is the
 * generated one, its patterns match what they should, and what it starts is started without a shell.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { invocationOf, runArguments, runRequest } from "../../editors/vscode/src/invocation.ts";
import { startProcess } from "../../editors/vscode/src/process-terminal.ts";
import { textMateOf } from "../../grammar/generate/textmate.ts";
import { wf } from "../cli/console.ts";

const extension = new URL("../../editors/vscode/", import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, extension), "utf8");
const manifest = JSON.parse(textOf("package.json"));
const language = JSON.parse(textOf("language-configuration.json"));

const folder = mkdtempSync(join(tmpdir(), "weft-vscode-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the manifest", () => {
  it("names files that exist, and packs them", () => {
    const [{ configuration }] = manifest.contributes.languages;
    const [{ path }] = manifest.contributes.grammars;
    const packed = textOf(".vscodeignore");
    for (const file of [configuration, path].map((one: string) => one.replace("./", ""))) {
      expect(existsSync(new URL(file, extension)), file).toBe(true);
      expect(packed.split("\n")).toContain(`!${file}`);
    }
    expect(packed.split("\n")).toContain(`!${manifest.main.replace("./", "")}`);
  });

  it("is started for the language it contributes, colors it by its own grammar, and runs where its types are true", () => {
    const [{ id, extensions }] = manifest.contributes.languages;
    const [{ language: colored, scopeName }] = manifest.contributes.grammars;
    expect([manifest.activationEvents, colored, extensions]).toEqual([[`onLanguage:${id}`], id, [".wf"]]);
    expect(scopeName).toBe(JSON.parse(textOf("syntaxes/weft.tmLanguage.json")).scopeName);
    expect(manifest.engines.vscode).toBe(`^${manifest.devDependencies["@types/vscode"]}`);
    for (const { command } of manifest.contributes.menus["editor/title/run"])
      expect(manifest.contributes.commands).toContainEqual(expect.objectContaining({ command }));
  });

  it("has the version and license of the package, and the locked versions of what it is built with", () => {
    const own = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect([manifest.version, manifest.license]).toEqual([own.version, own.license]);
    expect(textOf("LICENSE")).toBe(readFileSync(new URL("../../LICENSE", import.meta.url), "utf8"));
    const lock = JSON.parse(textOf("package-lock.json"));
    for (const [name, version] of Object.entries(manifest.devDependencies))
      expect(lock.packages[`node_modules/${name}`]?.version, name).toBe(version);
  });

  it("declares the commands and settings that its code uses, and no others", () => {
    const source = textOf("src/extension.ts");
    const used = (pattern: RegExp) =>
      [...new Set([...source.matchAll(pattern)].map(([, name]) => `weft.${name}`))].sort();
    const commands = manifest.contributes.commands.map(({ command }: { command: string }) => command);
    expect(used(/registerCommand\("weft\.(\w+)"/g)).toEqual(commands.sort());
    // The client library reads this one itself.
    const settings = Object.keys(manifest.contributes.configuration.properties).filter((name) => !/trace/.test(name));
    expect(used(/\.get<unknown>\("(\w+)"/g)).toEqual(settings.sort());
    expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.sort()).toEqual(settings.sort());
  });

  it("finds the diagnostics that wf check prints", async () => {
    const file = join(folder, "faulty.wf");
    writeFileSync(file, "L1:\n  Set total 1\n  J totl\n");
    const { stdout, stderr } = await wf(["check", file]);
    const [{ pattern }] = manifest.contributes.problemMatchers;
    const match = new RegExp(pattern.regexp, "m").exec(`${stdout}${stderr}`);
    const parts = ["file", "line", "column", "severity", "code"].map((name) => match?.[pattern[name]]);
    expect(parts).toEqual([file, "3", "5", "error", "WF4001"]);
  });
});

it("the grammar is that of the op table", () => {
  // Out of date: node scripts/editor-files.mjs
  expect(textOf("syntaxes/weft.tmLanguage.json")).toBe(`${JSON.stringify(textMateOf(), null, 2)}\n`);
});

describe("the editor's settings of the language", () => {
  const { increaseIndentPattern, decreaseIndentPattern } = language.indentationRules;
  it.each([
    ["L1:", true, true],
    ["L_a: # note", true, true],
    ["  L1: J 1", false, true],
    ["  Set a {", true, false],
    ['  Set a ["#(", [ # open', true, false],
    ['  J "{"', false, false],
    ["  J 1 # (", false, false],
    ["  }", false, true],
    ["  List a", false, false],
  ])("indent after %j: %s, unindent: %s", (line, after, back) => {
    expect(new RegExp(increaseIndentPattern).test(line)).toBe(after);
    expect(new RegExp(decreaseIndentPattern).test(line)).toBe(back);
  });

  it("read a hostile line quickly", () => {
    for (const line of [`J ${'"'.repeat(50_001)}`, `J ${"\\".repeat(50_000)}`, `J ${"[".repeat(50_000)}x`])
      expect(typeof new RegExp(increaseIndentPattern).test(line)).toBe("boolean");
  });

  it("take names as words", () => {
    const { pattern, flags } = language.wordPattern;
    expect("Set größe_1 $x -1.5 ->L2".match(new RegExp(pattern, `${flags}g`))).toEqual([
      "Set",
      "größe_1",
      "x",
      "-1.5",
      "L2",
    ]);
  });
});

describe("what is started", () => {
  it.each([
    ["wf", { command: "wf", args: ["lsp"] }],
    ["  ", { command: "wf", args: ["lsp"] }],
    ["/opt/wf", { command: "/opt/wf", args: ["lsp"] }],
    ["./bin/wf", { command: resolve("/work-folder/bin/wf"), args: ["lsp"] }],
    ["dist/wf.mjs", { command: "node", args: [resolve("/work-folder/dist/wf.mjs"), "lsp"] }],
    ["/opt/wf.mjs", { command: "node", args: ["/opt/wf.mjs", "lsp"] }],
  ])("for the path %j", (path, expected) => {
    expect(invocationOf(path, ["lsp"], "/work-folder")).toEqual(expected);
  });

  it("takes only what a lens gives for the label to run", () => {
    expect(runRequest(["file:///a.wf", "2"])).toEqual({ uri: "file:///a.wf", label: "2" });
    for (const args of [
      [],
      ["file:///a.wf"],
      [{ uri: "file:///a.wf" }, "2"],
      ["file:///a.wf", 2],
      ["file:///a.wf", ""],
    ])
      expect(runRequest(args)).toBeNull();
  });

  it("runs a label of any name in a file of any name, and no shell reads them", async () => {
    const file = join(folder, "a $(touch pwned) ${command:x} 'b.wf");
    const label = "-;touch$IFS`pwned`|$HOME&x";
    writeFileSync(file, `L1:\n  J 1\nL${label}:\n  J "right"\n`);
    const { code, stdout } = await wf([...runArguments(file, label, ["--json"])]);
    expect([code, JSON.parse(stdout).result]).toEqual([0, "right"]);
    const echo = join(folder, "echo.mjs");
    writeFileSync(echo, 'console.log(JSON.stringify(process.argv.slice(2))); console.error("noted");');
    const args = runArguments(file, label, []);
    const written: string[] = [];
    await startProcess(invocationOf(echo, args, null), folder, (text) => written.push(text)).ended;
    expect(written.join("")).toContain(`${JSON.stringify(args)}\r\n`);
    expect(written.join("")).toContain("noted\r\n");
    expect(written.at(-1)).toBe("\r\n[exit code 0]\r\n");
    expect(existsSync(join(folder, "pwned"))).toBe(false);
  });

  it("reports what could not be started, and ends what it is asked to end", async () => {
    const written: string[] = [];
    await startProcess({ command: join(folder, "absent"), args: [] }, null, (text) => written.push(text)).ended;
    expect(written.join("")).toMatch(/absent: .*ENOENT\r\n$/);
    const waiting = join(folder, "waiting.mjs");
    writeFileSync(waiting, 'console.log("ready"); setInterval(() => {}, 1000);');
    const running = startProcess(invocationOf(waiting, [], null), null, (text) => {
      written.push(text);
      if (text.includes("ready")) running.interrupt();
    });
    await running.ended;
    expect(written.at(-1)).toBe("\r\n[ended by SIGINT]\r\n");
  });

  it("shows what a terminal would obey", async () => {
    const written: string[] = [];
    const rude = join(folder, "rude.mjs");
    writeFileSync(rude, String.raw`console.log("a\u009b2J\u001b]0;t\u0007\tb");`);
    await startProcess(invocationOf(rude, [], null), null, (text) => written.push(text)).ended;
    expect(written[0]).toBe("a\\u009b2J\\u001b]0;t\\u0007\tb\r\n");
  });
});
