import { chmodSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ownCacheFolder } from "../../cli/session/compiled-code.ts";
import { folderWith } from "./folders.ts";

const user = process.getuid?.();

describe("folder of compiled code", () => {
  it.each<[string, (folder: string) => Record<string, string>, string]>([
    ["XDG_CACHE_HOME", (folder) => ({ XDG_CACHE_HOME: join(folder, "caches"), HOME: "/nowhere" }), "caches"],
    ["HOME", (folder) => ({ HOME: folder }), ".cache"],
    ["HOME when XDG_CACHE_HOME is relative", (folder) => ({ XDG_CACHE_HOME: "caches", HOME: folder }), ".cache"],
  ])("is made below %s, for the user alone", (_, environment, caches) => {
    const folder = folderWith({});
    const expected = join(folder, caches, "weft", "compiled-code");
    expect(ownCacheFolder(environment(folder), user)).toBe(expected);
    expect(statSync(expected).mode & 0o777).toBe(0o700);
  });

  it("is not used when others could write code into it", () => {
    const environment = { HOME: folderWith({}) };
    const folder = ownCacheFolder(environment, user) ?? "";
    for (const mode of [0o720, 0o702]) {
      chmodSync(folder, mode);
      expect(ownCacheFolder(environment, user)).toBeNull();
    }
    chmodSync(folder, 0o755);
    expect(ownCacheFolder(environment, user)).toBe(folder);
  });

  it("is not used when it belongs to another user", () => {
    const environment = { HOME: folderWith({}) };
    expect(ownCacheFolder(environment, (user ?? 0) + 1)).toBeNull();
  });

  it("is not used when it cannot be made", () => {
    expect(ownCacheFolder({}, user)).toBeNull();
    expect(ownCacheFolder({ HOME: "home" }, user)).toBeNull();
    const home = folderWith({ ".cache/weft": "a file" });
    expect(ownCacheFolder({ HOME: home }, user)).toBeNull();
    expect(existsSync(join(home, ".cache", "weft", "compiled-code"))).toBe(false);
  });
});
