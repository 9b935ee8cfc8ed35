/** The examples of docs/policy.md: its files are written down in it, and every command prints exactly what stands below it. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { POLICY_CODES } from "../../compiler/policy/validate.ts";
import { wf } from "../cli/console.ts";
import { folderWith } from "../cli/folders.ts";

const PAGE = readFileSync(new URL("../../docs/policy.md", import.meta.url), "utf8");
const files = Object.fromEntries(
  [...PAGE.matchAll(/^`([\w.-]+)`:\n\n```(?:wf|json)\n(.*?)^```$/gms)].map(([, name = "", text = ""]) => [name, text]),
);
const commands = [...PAGE.matchAll(/^```\n\$ wf (.*?)\n(.*?)^```$/gms)].map(([, line = "", printed = ""]) => ({
  line,
  printed,
}));

describe("docs/policy.md", () => {
  it("has files and commands", () => {
    expect(Object.keys(files)).toEqual(["weather.wf", "grant.json", "policy.json", "team.json"]);
    expect(commands.length).toBeGreaterThan(5);
  });

  it.each(commands)("wf $line", async ({ line, printed }) => {
    const result = await wf(line.split(" "), { cwd: folderWith(files) });
    expect(result.stdout + result.stderr).toBe(printed);
  });

  it("has a grant that is valid and a row for every code", async () => {
    const checked = await wf(["policy-validate", "weather.wf", "--grant", "grant.json"], { cwd: folderWith(files) });
    expect(checked.code).toBe(3);
    for (const code of Object.keys(POLICY_CODES)) expect(PAGE).toContain(`| \`${code}\` |`);
  });
});
