/** Strict or loose: what every command that compiles source does without a flag, and with each of the two (docs/cli.md, strict and loose). */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../cli/registry.ts";
import { wf } from "./console.ts";
import { folderWith } from "./folders.ts";

/** Nothing sets `maybe`: an error in strict mode, a warning in loose mode. */
const DOUBTFUL = "L1:\n  J maybe\n";
const FILES = { "p.wf": DOUBTFUL, "q.wf": DOUBTFUL, "frames.ndjson": "{}\n", "policy.json": "{}\n" };

/** Command, default, command line. */
const TABLE: readonly (readonly [string, "strict" | "loose", readonly string[]])[] = [
  ["run", "loose", ["run", "p.wf"]],
  ["batch", "loose", ["batch", "p.wf", "--in", "frames.ndjson"]],
  ["replay", "loose", ["replay", "p.wf", "p.record.json"]],
  ["replay", "loose", ["replay", "--check", "."]],
  ["trace", "loose", ["trace", "p.wf"]],
  ["run", "loose", ["run", "p.wf", "--repeat", "1"]],
  ["security-report", "loose", ["security-report", "p.wf"]],
  ["profiles", "loose", ["profiles", "--explain", "p.wf"]],
  ["check", "strict", ["check", "p.wf"]],
  ["lint", "strict", ["lint", "p.wf"]],
  ["compile", "strict", ["compile", "p.wf"]],
  ["inspect", "strict", ["inspect", "p.wf"]],
  ["disasm", "strict", ["disasm", "p.wf"]],
  ["diagram", "strict", ["diagram", "p.wf"]],
  ["diff", "strict", ["diff", "p.wf", "q.wf"]],
  ["policy-validate", "strict", ["policy-validate", "p.wf", "--policy", "policy.json"]],
];

async function folder(): Promise<string> {
  const cwd = folderWith(FILES);
  expect((await wf(["run", "p.wf", "--record", "p.record.json"], { cwd })).code).toBe(0);
  return cwd;
}

describe("strict and loose", () => {
  it.each(TABLE)("wf %s: %s without a flag", async (_, standard, argv) => {
    const cwd = await folder();
    const code = async (...flags: string[]) => (await wf([...argv, ...flags], { cwd })).code;
    expect({ without: await code(), strict: await code("--strict"), loose: await code("--loose") }).toEqual({
      without: standard === "strict" ? 1 : 0,
      strict: 1,
      loose: 0,
    });
    const both = await wf([...argv, "--strict", "--loose"], { cwd });
    expect(both).toMatchObject({ code: 2, stdout: "" });
    expect(both.stderr).toContain("--strict and --loose exclude each other");
  });

  it("wf jobs submit is strict before it asks the service", async () => {
    const cwd = folderWith(FILES);
    const submit = async (...flags: string[]) =>
      (await wf(["jobs", "submit", "p.wf", "--server", "http://127.0.0.1:1", ...flags], { cwd })).stderr;
    expect(await submit()).toContain("WF4001");
    expect(await submit("--strict")).toContain("WF4001");
    expect(await submit("--loose")).not.toContain("WF4001");
    expect(await submit("--strict", "--loose")).toContain("exclude each other");
  });

  it("every command that takes one of the flags takes both, is in the table, and says in its help which is its default", async () => {
    const takers: string[] = [];
    for (const { names } of COMMANDS) {
      const [command] = names;
      const { stdout } = await wf([command, "--help"], { columns: 200 });
      const lines = ["--strict", "--loose"].map((flag) => new RegExp(`^ +${flag} .*$`, "m").exec(stdout)?.[0]);
      if (lines.every((line) => line === undefined)) continue;
      takers.push(command);
      const standard = TABLE.find(([name]) => name === command)?.[1] ?? "strict";
      const told = lines.map((line) => line?.endsWith("(default)"));
      expect(told, command).toEqual([standard === "strict", standard === "loose"]);
    }
    expect(takers.sort()).toEqual([...new Set([...TABLE.map(([command]) => command), "jobs"])].sort());
  });

  it("docs/cli.md has the same table", () => {
    const page = readFileSync(new URL("../../docs/cli.md", import.meta.url), "utf8");
    for (const mode of ["strict", "loose"]) {
      const [, row = ""] = new RegExp(`^\\| ${mode} \\| (.*) \\|$`, "m").exec(page) ?? [];
      const listed = [...row.matchAll(/`([a-z-]+)[^`]*`/g)].map(([, command = ""]) => command);
      const expected = TABLE.filter(([, standard]) => standard === mode).map(([command]) => command);
      expect(new Set(listed), mode).toEqual(new Set([...expected, ...(mode === "strict" ? ["jobs"] : [])]));
    }
  });

  it("a flag wins over the configuration of the project", async () => {
    const cwd = folderWith({ ...FILES, "wf.config.json": '{ "strict": true }' });
    expect((await wf(["run", "p.wf"], { cwd })).code).toBe(1);
    expect((await wf(["run", "p.wf", "--loose"], { cwd })).code).toBe(0);
    expect((await wf(["profiles", "--strict"], { cwd })).stderr).toContain("--strict and --loose go with --explain");
  });
});
