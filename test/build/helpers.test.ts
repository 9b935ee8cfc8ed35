/**
 * The helper programs where they are shipped: next to the command line's bundle, found from there and from the library, and able to run in
 * a package that is installed somewhere else.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HELPERS, type HelperName, helperPath } from "../../adapters/engine/helpers.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const NAMES = Object.keys(HELPERS) as HelperName[];

describe("a helper", () => {
  it.each([
    ["/p/dist/wf.mjs", "/p/dist/"],
    ["/p/dist/lib/adapters/engine/helpers.js", "/p/dist/"],
    ["/p/dist/sqlite-helper.mjs", "/p/dist/"],
    ["/p/adapters/engine/helpers.ts", "/p/node_modules/.cache/weft/"],
  ])("is looked for from %s in %s", (module, folder) => {
    for (const name of NAMES) expect(helperPath(name, pathToFileURL(module).href)).toBe(`${folder}${name}.mjs`);
  });

  it("is part of the package", () => {
    const { files } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { files: string[] };
    for (const name of NAMES) {
      expect(files.includes("dist/*.mjs") || files.includes(`dist/${name}.mjs`), `${name} in "files"`).toBe(true);
    }
  });
});

describe("an installed package", () => {
  let place: string;
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), "weft-package-"));
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  it("runs a query", async () => {
    const modules = join(place, "node_modules");
    const dist = join(modules, "weft-runner", "dist");
    mkdirSync(dist, { recursive: true });
    symlinkSync(join(ROOT, "node_modules", "better-sqlite3"), join(modules, "better-sqlite3"));
    execFileSync(process.execPath, [join(ROOT, "scripts", "build.mjs"), "--helpers", dist]);
    const outfile = join(dist, "probe.mjs");
    const contents = `
      import { createSqliteService } from "./adapters/engine/sqlite/service.ts";
      const service = createSqliteService();
      const db = service.open({ path: ":memory:", program: "sql", durability: "normal" });
      const rules = { allow_tables: null, allow_ddl: true, allow_virtual: true, trust_triggers: false };
      const input = { sql: "SELECT 6 * 7 AS n", params: null, rules, max_rows: 1, max_bytes: 1000 };
      console.log(JSON.stringify(await db.call("query", input, { timeoutMs: 10_000 })));`;
    const stdin = { contents, resolveDir: ROOT, loader: "ts" as const };
    await build({ stdin, outfile, bundle: true, platform: "node", format: "esm", target: "node20" });
    // The program ends by itself although its service was never closed: an idle helper does not keep the process alive.
    const printed = execFileSync(process.execPath, [outfile], { cwd: place, encoding: "utf8", timeout: 15_000 });
    expect(JSON.parse(printed)).toEqual({ rows: [{ n: 42 }] });
  });
});
