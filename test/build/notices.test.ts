/** The notices that ship with the bundles: every package that a bundle copies, each with its licence text. */
import { readFileSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { folderWith } from "../cli/folders.ts";

type Metafile = {
  readonly outputs: Record<string, { readonly inputs: Record<string, { readonly bytesInOutput: number }> }>;
};
type Notices = {
  bundledPackages(metafiles: readonly Metafile[]): string[];
  noticesOf(root: string, folders: readonly string[]): Promise<string>;
};

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const { bundledPackages, noticesOf }: Notices = await import(`${ROOT}scripts/notices.mjs`);

const metafileOf = (inputs: Record<string, number>): Metafile => ({
  outputs: {
    "dist/a.mjs": {
      inputs: Object.fromEntries(Object.entries(inputs).map(([path, bytesInOutput]) => [path, { bytesInOutput }])),
    },
  },
});

describe("the packages in a bundle", () => {
  it.each<[string, Record<string, number>, readonly string[]]>([
    [
      "a package and a scoped one",
      { "node_modules/a/x.js": 1, "node_modules/@s/b/lib/y.js": 2 },
      ["node_modules/@s/b", "node_modules/a"],
    ],
    ["a package inside another", { "node_modules/a/node_modules/b/x.js": 1 }, ["node_modules/a/node_modules/b"]],
    ["a module that a plugin loaded", { "start:/home/x/node_modules/zod/v4/core.js": 1 }, ["node_modules/zod"]],
    ["a module that was cut away", { "node_modules/a/x.js": 0 }, []],
    ["our own modules", { "cli/bin.ts": 9 }, []],
  ])("are found: %s", (_, inputs, wanted) => {
    expect(bundledPackages([metafileOf(inputs)])).toEqual(wanted);
  });

  it("are those that the bundler copies", async () => {
    const { metafile } = await build({
      entryPoints: [join(ROOT, "adapters/entries/parser-thread.ts")],
      absWorkingDir: ROOT,
      bundle: true,
      write: false,
      metafile: true,
      platform: "node",
      format: "esm",
    });
    expect(bundledPackages([metafile])).toContain("node_modules/fast-xml-parser");
  });
});

describe("the notices", () => {
  async function packages(files: Record<string, string>): Promise<string> {
    const root = folderWith({});
    await mkdir(join(root, "node_modules/p"), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, "node_modules/p", name), text);
    return noticesOf(root, ["node_modules/p"]);
  }
  const facts = (more: object = {}) =>
    JSON.stringify({ name: "p", version: "1.2.3", license: "ISC", homepage: "https://p.example", ...more });

  it("name version, licence and source, and hold every licence file", async () => {
    const text = await packages({
      "package.json": facts(),
      "LICENCE.md": "Do what you like.",
      NOTICE: "Made by P.",
      "a.js": "",
    });
    for (const part of ["p 1.2.3\n", "Licence: ISC", "Source:  https://p.example", "Do what you like.", "Made by P."])
      expect(text).toContain(part);
  });

  it("hold the standard text for a package that names MIT and has no file", async () => {
    expect(await packages({ "package.json": facts({ license: "MIT", author: "Ann" }) })).toContain(
      "Copyright (c) Ann\n",
    );
  });

  it.each([
    ["a licence text", facts()],
    ["the place of its source", facts({ homepage: undefined, license: "MIT" })],
  ])("cannot be made for a package without %s", async (_, text) => {
    await expect(packages({ "package.json": text })).rejects.toThrow("notices: p ");
  });

  it("of the built files hold the text of ical.js, whose licence asks for it", async () => {
    const text = await noticesOf(ROOT, ["node_modules/ical.js"]);
    expect(text).toContain("Licence: MPL-2.0");
    expect(text).toContain(readFileSync(join(ROOT, "node_modules/ical.js/LICENSE"), "utf8").trim());
  });
});
