/**
 * The commands in the pages print what stands below them, and the pages of commands are what `wf help` says. Out of date:
 * `WEFT_DOCS=write npx vitest run test/docs/commands.test.ts`.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { type CommandPage, commandPages, commandTables } from "./command-pages.ts";
import { printedBy, readPage, rewritePage } from "./page.ts";

const PAGES = ["../README.md", "start-author.md", "guide.md", "policy.md", "security.md", "migration.md"];
const writing = process.env["WEFT_DOCS"] === "write";

const DOCS = new URL("../../docs/", import.meta.url);
const INDEX = new URL("cli.md", DOCS);
const TABLES = /(?<=^## Commands\n\n)[\s\S]*?(?=\n## )/m;

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

describe("docs/cli", () => {
  let pages: readonly CommandPage[];
  beforeAll(async () => {
    pages = await commandPages();
    if (!writing) return;
    const tables = await commandTables();
    writeFileSync(
      INDEX,
      readFileSync(INDEX, "utf8").replace(TABLES, () => tables),
    );
    rmSync(new URL("cli", DOCS), { recursive: true, force: true });
    mkdirSync(new URL("cli", DOCS));
    for (const { path, text } of pages) writeFileSync(new URL(path, DOCS), text);
  });

  it("has a page for every command, as its help says, and no other", () => {
    for (const { path, text } of pages) expect(readFileSync(new URL(path, DOCS), "utf8"), path).toBe(text);
    expect(readdirSync(new URL("cli", DOCS)).sort()).toEqual(pages.map(({ name }) => `${name}.md`).sort());
  });

  it("explains every flag and shows at least three examples on each page", () => {
    for (const { path, text } of pages) {
      expect(text.match(/^# .*\n\S.*$/gm)?.length, path).toBeGreaterThanOrEqual(3);
      expect(text.match(/^\| `-.*` \| +\|$/gm), path).toBeNull();
    }
  });

  it("is listed whole in docs/cli.md", async () => {
    expect(TABLES.exec(readFileSync(INDEX, "utf8"))?.[0]).toBe(await commandTables());
  });
});
