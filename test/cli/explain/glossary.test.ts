/** The glossary page and `wf explain` say the same. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { glossaryTable } from "../../../cli/explain/glossary.ts";
import { wf } from "../console.ts";

describe("the glossary", () => {
  it("on its page has the rows of the table that wf explain reads", () => {
    const page = readFileSync(new URL("../../../docs/glossary.md", import.meta.url), "utf8");
    expect(page).toContain(`|---|---|\n${glossaryTable()}`);
  });

  it("is shown by wf explain", async () => {
    const { code, stdout } = await wf(["explain", "grant"]);
    expect(code).toBe(0);
    expect(stdout).toContain("everything that an operator allows");
  });

  it("is listed by wf explain --list terms", async () => {
    const { stdout } = await wf(["explain", "--list", "terms"]);
    expect(stdout).toContain("idempotency key");
  });
});
