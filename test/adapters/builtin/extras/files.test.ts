/** Files, folders and disks: what probes report, and what lies outside the probe roots. */
import { chmod, mkdir, mkdtemp, rm, statfs, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AdapterBench } from "../../../support/adapter-bench.ts";
import { verifies } from "../../../support/requirements.ts";
import { NOW } from "../svc/wall-clock.ts";
import { type ExtrasWorld, extrasWorld } from "./world.ts";

const NONE = { exists: false, type: null, size: null, mtime: null };

let world: ExtrasWorld;
let outside: string;
let bench: AdapterBench;
beforeAll(async () => {
  world = await extrasWorld();
  outside = await mkdtemp(join(tmpdir(), "weft-outside-"));
  await world.file("notes.txt", "four", 60);
  await world.file("bin/tool", "#!", 60);
  await chmod(join(world.folder, "bin/tool"), 0o755);
  await world.file("backup/a.bak", "old", 7200.5);
  await world.file("backup/b.bak", "new", 3600.25);
  await world.file("backup/c.tar", "newest", 5);
  await world.file("backup/.c.tar.00000000-0000-4000-8000-000000000000.tmp", "", 0);
  await mkdir(join(world.folder, "backup/folder.bak"));
  await mkdir(join(world.folder, "empty"));
  await symlink("notes.txt", join(world.folder, "link"));
  await symlink(outside, join(world.folder, "away"));
  await symlink(join(outside, "x.bak"), join(world.folder, "backup/z.bak"));
  bench = await world.open();
});
afterAll(async () => {
  await bench.end();
  await world.close();
  await rm(outside, { recursive: true });
});

describe("file_exists", () => {
  it.each([
    ["notes.txt", { exists: true, type: "file", size: 4, mtime: new Date(NOW - 60_000).toISOString() }],
    ["./link", { exists: true, type: "file", size: 4 }],
    ["bin", { exists: true, type: "directory" }],
    ["none", NONE],
    ["none/deeper", NONE],
    ["notes.txt/deeper", NONE],
  ])("%s", async (path, facts) => {
    verifies("adapter.extras.probes");
    expect(await bench.call("file_exists", path)).toMatchObject(facts);
  });

  it.each([
    ["bin/tool", true],
    ["notes.txt", false],
    ["bin", false],
    ["none", false],
  ])("%s executable: %s", async (path, exists) => {
    expect(await bench.call("file_exists", path, { executable: true })).toMatchObject({ exists });
  });

  it("takes absolute paths inside a probe root", async () => {
    expect(await bench.call("file_exists", join(world.folder, "notes.txt"))).toMatchObject({ exists: true });
    expect(await bench.call("file_exists", world.folder)).toMatchObject({ exists: true, type: "directory" });
  });

  it.each([
    ["../x", "ADAPTER_PATH_ESCAPE"],
    ["away", "ADAPTER_PATH_ESCAPE"],
    ["away/x", "ADAPTER_PATH_ESCAPE"],
    ["/etc/passwd", "ADAPTER_PATH_ESCAPE"],
    ["{root}-sibling/x", "ADAPTER_PATH_ESCAPE"],
    ["{root}/../x", "ADAPTER_PATH_ESCAPE"],
    ["", "ADAPTER_BAD_ARGS"],
    ["a\0b", "ADAPTER_BAD_ARGS"],
    ["a\\b", "ADAPTER_BAD_ARGS"],
  ])("%j is refused with %s", async (path, code) => {
    expect(await bench.code("file_exists", path.replace("{root}", world.folder))).toBe(code);
  });

  it("is 1 or 0 with compat", async () => {
    const compat = await world.open({ compat: true });
    expect(await compat.call("file_exists", "notes.txt")).toBe(1);
    expect(await compat.call("file_exists", "none")).toBe(0);
  });
});

describe("probe roots", () => {
  it("are looked into in order", async () => {
    const two = await world.open({ probe_roots: [join(world.folder, "empty"), join(world.folder, "bin")] });
    expect(await two.call("file_exists", "tool")).toMatchObject({ exists: true, size: 2 });
    expect(await two.call("file_exists", "none")).toEqual(NONE);
    expect(await two.code("file_exists", join(world.folder, "notes.txt"))).toBe("ADAPTER_PATH_ESCAPE");
  });

  it.each([
    [["/"], "ADAPTER_BAD_SETTINGS"],
    [["{root}/none"], "ADAPTER_NOT_CONFIGURED"],
    [["{root}/notes.txt"], "ADAPTER_BAD_SETTINGS"],
  ])("%j: %s", async (roots, code) => {
    const wrong = await world.open({ probe_roots: roots.map((root) => root.replace("{root}", world.folder)) });
    expect(await wrong.code("disk", ".")).toBe(code);
  });

  it("without any, no path may be probed", async () => {
    const none = await world.open({ probe_roots: [] });
    expect(await none.code("disk", ".")).toBe("ADAPTER_NOT_FOUND");
    expect(await none.code("disk", world.folder)).toBe("ADAPTER_PATH_ESCAPE");
  });
});

describe("newest files", () => {
  it("are regular files whose name fits", async () => {
    const newest = { found: true, name: "c.tar", age_s: 5, size: 6, mtime: new Date(NOW - 5_000).toISOString() };
    expect(await bench.call("newest_file", "backup")).toEqual(newest);
    expect(await bench.call("newest_file", "backup", { pattern: "?.b*" })).toMatchObject({ name: "b.bak", size: 3 });
    const none = { found: false, name: null, mtime: null, age_s: null, size: null };
    expect(await bench.call("newest_file", "backup", { pattern: "*.zip" })).toEqual(none);
    expect(await bench.call("newest_file", "empty")).toEqual(none);
  });

  it("the newest backup's time is in whole seconds", async () => {
    expect(await bench.call("newest_backup_mtime", "backup")).toBe(Math.floor(NOW / 1000 - 3600.25));
    expect(await bench.call("newest_backup_mtime", "empty")).toBe(0);
  });

  it.each([
    ["newest_backup_mtime", "none", "ADAPTER_NOT_FOUND"],
    ["newest_file", "none", "ADAPTER_NOT_FOUND"],
    ["newest_backup_mtime", "notes.txt", "ADAPTER_NOT_A_DIRECTORY"],
    ["newest_file", "away", "ADAPTER_PATH_ESCAPE"],
    ["newest_backup_mtime", "..", "ADAPTER_PATH_ESCAPE"],
  ])("%s %s: %s", async (verb, path, code) => {
    expect(await bench.code(verb, path)).toBe(code);
  });

  it.each(["a/*", "**", "../*", ""])("the pattern %j is refused", async (pattern) => {
    expect(await bench.code("newest_file", "backup", { pattern })).toMatch(/BAD_ARGS|PATH_ESCAPE/);
  });
});

describe("disk", () => {
  it("is the file system of the path", async () => {
    const { blocks, bsize } = await statfs(world.folder);
    const found = (await bench.call("disk", ".")) as { total: number; free: number; used_ratio: number };
    expect(found.total).toBe(blocks * bsize);
    expect(found.used_ratio).toBeCloseTo(1 - found.free / found.total, 10);
    expect(await bench.code("disk", "none")).toBe("ADAPTER_NOT_FOUND");
  });
});
