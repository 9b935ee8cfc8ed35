/** The commands in the pages print what stands below them. Out of date: `WEFT_DOCS=write npx vitest run test/docs/commands.test.ts`. */
import { describe, expect, it } from "vitest";
import { printedBy, readPage, rewritePage } from "./page.ts";

const PAGES = ["../README.md", "start-author.md", "guide.md", "policy.md", "security.md", "migration.md"];
const writing = process.env["WEFT_DOCS"] === "write";

describe.each(PAGES)("docs/%s", (name) => {
  const page = readPage(name);

  it("shows commands", () => {
    expect(page.commands.length).toBeGreaterThan(1);
  });

  if (writing) it("is written", () => rewritePage(name), 120_000);
  else
    it.each(page.commands)("wf $line", async (command) => {
      expect(await printedBy(page, command)).toBe(command.printed);
    });
});
