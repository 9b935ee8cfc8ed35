/** docs/policy.md: its files are used by its commands (`commands.test.ts`), its grant is valid, and no code is left out. */
import { describe, expect, it } from "vitest";
import { POLICY_CODES } from "../../compiler/policy/validate.ts";
import { wf } from "../cli/console.ts";
import { folderWith } from "../cli/folders.ts";
import { readPage } from "./page.ts";

const page = readPage("policy.md");

describe("docs/policy.md", () => {
  it("has files and commands", () => {
    expect(Object.keys(page.files)).toEqual(["weather.wf", "grant.json", "policy.json", "team.json", "every.wf"]);
    expect(page.commands.length).toBeGreaterThan(5);
  });

  it("has a grant that is valid and a row for every code", async () => {
    const checked = await wf(["policy-validate", "weather.wf", "--grant", "grant.json"], {
      cwd: folderWith(page.files),
    });
    expect(checked.code).toBe(3);
    for (const code of Object.keys(POLICY_CODES)) expect(page.text).toContain(`| \`${code}\` |`);
  });
});
