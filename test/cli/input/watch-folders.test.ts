/** Watching folders: what changes below them is noticed wherever it is, and a thousand new files hold nothing up (issue 36, A-4). */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { watchFolders } from "../../../cli/watch/watch-folders.ts";

let folder: string;
let stop: () => void;
let noticed: (string | null)[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "weft-watch-"));
  mkdirSync(join(folder, "below", "deep"), { recursive: true });
  mkdirSync(join(folder, ".git"));
  mkdirSync(join(folder, "node_modules"));
  noticed = [];
  stop = watchFolders([folder], (path) => noticed.push(path));
});
afterEach(() => {
  stop();
  rmSync(folder, { recursive: true, force: true });
});

const write = (path: string): void => writeFileSync(join(folder, path), "def main():\n    return 1\n");
const comes = (path: string | null) => expect.poll(() => noticed, { timeout: 10_000 }).toContain(path);

describe("a folder that is watched", () => {
  it.each(["a.wf", "below/b.wf", "below/deep/c.wf"])("reports %s, again at every change", async (path) => {
    for (let n = 0; n < 2; n++) {
      noticed = [];
      write(path);
      await comes(path);
    }
  });

  it("reports a file that another one is moved over, again and again", async () => {
    write("a.wf");
    for (let n = 0; n < 3; n++) {
      noticed = [];
      write("a.tmp");
      renameSync(join(folder, "a.tmp"), join(folder, "a.wf"));
      await comes("a.wf");
    }
  });

  it("reports folders that come, go and come again, and of what is in them", async () => {
    for (let n = 0; n < 2; n++) {
      noticed = [];
      mkdirSync(join(folder, "new", "inner"), { recursive: true });
      await comes(null);
      write("new/a.wf");
      await comes("new/a.wf");
      write("new/inner/b.wf");
      await comes("new/inner/b.wf");
      noticed = [];
      rmSync(join(folder, "new"), { recursive: true });
      await comes(null);
    }
  });

  it("does not enter hidden folders and those of packages", async () => {
    write(".git/a.wf");
    write("node_modules/b.wf");
    write("last.wf");
    await comes("last.wf");
    expect(noticed.filter((path) => path?.endsWith("a.wf") === true || path?.endsWith("b.wf") === true)).toEqual([]);
  });

  it("has one watcher for each folder, however many files come", async () => {
    const before = process.getActiveResourcesInfo().filter((kind) => kind === "FSEventWrap").length;
    for (let n = 0; n < 300; n++) write(`below/p${n}.wf`);
    await comes("below/p299.wf");
    expect(process.getActiveResourcesInfo().filter((kind) => kind === "FSEventWrap").length).toBeLessThanOrEqual(
      before,
    );
  });

  it("cannot be one that does not exist", () => {
    expect(() => watchFolders([join(folder, "nowhere")], () => {})).toThrow(/ENOENT/);
  });
});
