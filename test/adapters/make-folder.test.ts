/** Folders made with those above them, also where the system is strange. */
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeFolder, makeFolderSoon } from "../../adapters/guard/files/make-folder.ts";

const HAS_PROC = existsSync("/proc/self");
if (!HAS_PROC) console.log("skipped: folders below /proc, which this system has not");

const root = mkdtempSync(join(tmpdir(), "weft-folders-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe.each([
  ["at once", async (path: string) => makeFolder(path)],
  ["later", makeFolderSoon],
])("a folder made %s", (name, make) => {
  const own = join(root, name);

  it("comes with those above it, for its owner alone, and may be there already", async () => {
    const path = join(own, "a", "b", "c");
    await make(path);
    await make(path);
    for (const folder of [path, join(own, "a"), own]) expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it("is refused where a file stands, or above it", async () => {
    const file = join(own, "file");
    writeFileSync(file, "");
    await expect(make(file)).rejects.toMatchObject({ code: "EEXIST" });
    await expect(make(join(file, "below"))).rejects.toMatchObject({ code: "ENOTDIR" });
  });

  it.skipIf(!HAS_PROC)("is refused where the system has no place for it", async () => {
    await expect(make("/proc/weft-nope/a")).rejects.toMatchObject({ code: "ENOENT" });
  });
});
