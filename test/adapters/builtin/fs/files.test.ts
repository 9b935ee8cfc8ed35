/** What the verbs of fs do, on real folders. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changedAt } from "../../../../adapters/builtin/fs/reading.ts";
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import type { AdapterBench } from "../../../support/adapter-bench.ts";
import { verifies } from "../../../support/requirements.ts";
import { fsOn, type Scratch, scratch } from "./scratch.ts";

let place: Scratch;
let fs: AdapterBench;

beforeEach(async () => {
  place = scratch();
  place.put("root/a.txt", "héllo");
  place.put("root/d/b.txt", "x");
  place.put("root/d/e/c.md", "y");
  fs = await fsOn(place.root, { allow_delete: true });
});
afterEach(async () => {
  await fs.end();
  place.remove();
});

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const content = (path: string): string => readFileSync(place.at(`root/${path}`), "utf8");

describe("read", () => {
  type Row = readonly [name: string, options: JsonObject, result: Json];
  it.each<Row>([
    ["text", {}, "héllo"],
    ["Latin-1", { encoding: "latin1" }, "hÃ©llo"],
    ["base64", { encoding: "base64" }, { $base64: "aMOpbGxv" }],
    ["from an offset", { offset: 3 }, "llo"],
    ["a part", { offset: 3, length: 2 }, "ll"],
    ["nothing", { length: 0 }, ""],
    ["beyond the end", { offset: 100 }, ""],
    ["more than there is", { length: 100 }, "héllo"],
    ["half a character, lossy", { length: 2, lossy: true }, "h\ufffd"],
  ])("%s", async (_, options, result) => {
    expect(await fs.call("read", "a.txt", options)).toEqual(result);
  });

  it("drops a byte order mark, unless it is asked for, and keeps every line end", async () => {
    place.put("root/bom.txt", "\ufeffa\r\nb\r");
    expect(await fs.call("read", "bom.txt")).toBe("a\r\nb\r");
    expect(await fs.call("read", "bom.txt", { lossy: true })).toBe("a\r\nb\r");
    expect(await fs.call("read", "bom.txt", { keep_bom: true })).toBe("\ufeffa\r\nb\r");
    expect(await fs.call("read", "bom.txt", { offset: 3 })).toBe("a\r\nb\r");
    expect(await fs.call("read", "bom.txt", { encoding: "base64" })).toEqual({ $base64: "77u/YQ0KYg0=" });
    expect(await fs.call("readlines", "bom.txt")).toEqual(["a", "b\r"]);
    place.put("root/inside.txt", "a\ufeff");
    expect(await fs.call("read", "inside.txt")).toBe("a\ufeff");
  });

  it("refuses what is not valid UTF-8", async () => {
    place.put("root/bad.txt", Uint8Array.of(0x61, 0xff));
    expect(await fs.code("read", "bad.txt")).toBe("ADAPTER_ENCODING");
    expect(await fs.code("readlines", "bad.txt")).toBe("ADAPTER_ENCODING");
    expect(await fs.call("read", "bad.txt", { lossy: true })).toBe("a\ufffd");
    expect(await fs.code("read", "a.txt", { length: 2 })).toBe("ADAPTER_ENCODING");
  });

  it.each([
    ["a\r\nb\n\nc", ["a", "b", "", "c"]],
    ["a\n", ["a"]],
    ["", []],
    ["\n", [""]],
    ["a\rb", ["a\rb"]],
  ])("lines of %j", async (text, lines) => {
    place.put("root/l.txt", text);
    expect(await fs.call("readlines", "l.txt")).toEqual(lines);
    expect(await fs.call("readlines", "l.txt", { max_lines: 1 })).toEqual(lines.slice(0, 1));
  });
});

describe("write", () => {
  type Row = readonly [name: string, args: readonly Json[], bytes: number, content: string];
  it.each<Row>([
    ["text", ["n/m/c.txt", "héllo"], 6, "héllo"],
    ["nothing", ["n/m/c.txt"], 0, ""],
    ["nothing, with options", ["n/m/c.txt", "", { mode: "create" }], 0, ""],
    ["an object as compact JSON", ["n/m/c.txt", { a: [1, null, "é"] }], 19, '{"a":[1,null,"é"]}'],
    ["a number", ["n/m/c.txt", 4.5], 3, "4.5"],
    ["false", ["n/m/c.txt", false], 5, "false"],
    ["base64 text", ["n/m/c.txt", "aMOpbGxv", { encoding: "base64" }], 6, "héllo"],
    ["bytes", ["n/m/c.txt", { $base64: "aMOpbGxv" }], 6, "héllo"],
  ])("%s", async (_, args, bytes, expected) => {
    expect(await fs.call("write", ...args)).toEqual({ ok: true, bytes });
    expect(content("n/m/c.txt")).toBe(expected);
    expect(statSync(place.at("root/n/m/c.txt")).mode & 0o777).toBe(0o600);
    expect(statSync(place.at("root/n")).mode & 0o777).toBe(0o700);
    expect(await fs.call("list", "n/m")).toEqual(["c.txt"]);
  });

  it("keeps the mode of the file it replaces", async () => {
    const mode = statSync(place.at("root/a.txt")).mode;
    await fs.call("write", "a.txt", "new");
    expect(content("a.txt")).toBe("new");
    expect(statSync(place.at("root/a.txt")).mode).toBe(mode);
  });

  it("keeps what is there in mode create, and adds in mode append", async () => {
    expect(await fs.code("write", "a.txt", "new", { mode: "create" })).toBe("ADAPTER_CONFLICT");
    expect(content("a.txt")).toBe("héllo");
    expect(await fs.call("write", "log.txt", "1\n", { mode: "append" })).toEqual({ ok: true, bytes: 2 });
    expect(await fs.call("write", "log.txt", "2\n", { mode: "append" })).toEqual({ ok: true, bytes: 2 });
    expect(content("log.txt")).toBe("1\n2\n");
  });

  it.each([
    ["replace", "a.txt", sha256("héllo"), true],
    ["replace", "a.txt", sha256("héllo").toUpperCase(), true],
    ["replace", "a.txt", sha256("other"), false],
    ["replace", "a.txt", "", false],
    ["replace", "new.txt", "", true],
    ["replace", "new.txt", sha256(""), false],
    ["append", "a.txt", sha256("héllo"), true],
    ["append", "a.txt", sha256("other"), false],
    ["append", "new.txt", "", true],
  ])("%s %s if it has the hash %s", async (mode, path, hash, fits) => {
    const before = existsSync(place.at(`root/${path}`)) ? content(path) : null;
    const code = await fs.code("write", path, "!", { mode, if_match: hash });
    expect(code).toBe(fits ? "no error" : "ADAPTER_CONFLICT");
    const after = existsSync(place.at(`root/${path}`)) ? content(path) : null;
    expect(after).toBe(fits ? `${mode === "append" ? (before ?? "") : ""}!` : before);
    expect(await fs.call("list")).not.toContain(expect.stringMatching(/tmp$/));
  });

  it("tells the present hash in a conflict", async () => {
    for (const mode of ["replace", "append"] as const) {
      await fs.call("write", "race.txt", "?");
      const race = Array.from({ length: 20 }, () => fs.code("write", "race.txt", "!", { mode, if_match: sha256("?") }));
      expect((await Promise.all(race)).sort()).toEqual([...Array(19).fill("ADAPTER_CONFLICT"), "no error"]);
      // Also where the first of them makes the file.
      const first = Array.from({ length: 20 }, () => fs.code("write", `${mode}.txt`, "!", { mode, if_match: "" }));
      expect((await Promise.all(first)).sort()).toEqual([...Array(19).fill("ADAPTER_CONFLICT"), "no error"]);
    }
    await expect(fs.call("write", "a.txt", "!", { if_match: sha256("?") })).rejects.toMatchObject({
      code: "ADAPTER_CONFLICT",
      retryable: false,
      data: { sha256: sha256("héllo") },
    });
  });
});

describe("list and glob", () => {
  beforeEach(() => {
    place.put("root/.hidden", "");
    place.put("root/z[1].txt", "");
    place.put("root/\u{1f600}.txt", "");
    place.put("root/\uffee.txt", "");
    symlinkSync("d", place.at("root/ln"));
    symlinkSync("..", place.at("root/d/up"));
  });

  it("lists names in code point order", async () => {
    const names = [".hidden", "a.txt", "d", "ln", "z[1].txt", "\uffee.txt", "\u{1f600}.txt"];
    expect(await fs.call("list")).toEqual(names);
    expect(await fs.call("list", ".")).toEqual(names);
    expect(await fs.call("list", ".", { limit: 2 })).toEqual(names.slice(0, 2));
    expect(await fs.call("list", "nosuch")).toEqual([]);
    expect(await fs.call("list", "nosuch/deeper")).toEqual([]);
    expect(await fs.code("list", "a.txt")).toBe("ADAPTER_NOT_A_DIRECTORY");
  });

  it("lists a tree without following links", async () => {
    expect(await fs.call("list", "d", { recursive: true })).toEqual(["b.txt", "e", "e/c.md", "up"]);
    expect(await fs.call("list", "ln", { recursive: true })).toEqual(["b.txt", "e", "e/c.md", "up"]);
  });

  it("tells details", async () => {
    utimesSync(place.at("root/d/b.txt"), 1_000_000_000.5, 1_000_000_000.5);
    expect(await fs.call("list", "d", { details: true })).toEqual([
      { name: "b.txt", type: "file", size: 1, mtime: "2001-09-09T01:46:40.500Z" },
      { name: "e", type: "directory", size: expect.any(Number), mtime: expect.stringMatching(/Z$/) },
      { name: "up", type: "symlink", size: 2, mtime: expect.stringMatching(/Z$/) },
    ]);
  });

  it.each([
    ["*.txt", ["a.txt", "z[1].txt", "\uffee.txt", "\u{1f600}.txt"]],
    ["?.txt", ["a.txt", "\uffee.txt", "\u{1f600}.txt"]],
    ["z[1].txt", ["z[1].txt"]],
    ["**/*.txt", ["a.txt", "d/b.txt", "z[1].txt", "\uffee.txt", "\u{1f600}.txt"]],
    ["d/**", ["d/b.txt", "d/e", "d/e/c.md", "d/up"]],
    ["d/**/**/c.*", ["d/e/c.md"]],
    ["**/e/*", ["d/e/c.md"]],
    ["d/*/c.md", ["d/e/c.md"]],
    ["d/e", ["d/e"]],
    ["ln/*", []],
    ["nosuch/*", []],
    [".", []],
  ])("matches %s", async (pattern, paths) => {
    expect(await fs.call("glob", pattern)).toEqual(paths);
    expect(await fs.call("glob", pattern, { limit: 1 })).toEqual(paths.slice(0, 1));
  });

  it("tells a time for files of any time", () => {
    expect(changedAt({ mtimeMs: 1_000_000_000_500.25 })).toBe("2001-09-09T01:46:40.500Z");
    expect(changedAt({ mtimeMs: 9e15 })).toBe("9999-12-31T23:59:59.999Z");
    expect(changedAt({ mtimeMs: -9e15 })).toBe("0000-01-01T00:00:00.000Z");
  });

  it("matches a pattern of many stars at once", async () => {
    place.put(`root/${"a".repeat(200)}`, "");
    expect(await fs.call("glob", `${"a*".repeat(100)}b`)).toEqual([]);
    expect(await fs.call("glob", `${"**/a/".repeat(300)}b`)).toEqual([]);
  });
});

describe("exists and stat", () => {
  it.each([
    ["a.txt", true],
    ["d", true],
    [".", true],
    ["./d//b.txt", true],
    ["nosuch", false],
    ["nosuch/x", false],
    ["a.txt/x", false],
    ["%2e%2e", false],
  ])("%s: %s", async (path, there) => {
    expect(await fs.call("exists", path)).toBe(there);
  });

  it("describes", async () => {
    utimesSync(place.at("root/a.txt"), 1_000_000_000, 1_000_000_000);
    const facts = { type: "file", size: 6, mtime: "2001-09-09T01:46:40.000Z" };
    expect(await fs.call("stat", "a.txt")).toEqual(facts);
    expect(await fs.call("stat", "a.txt", { sha256: true })).toEqual({ ...facts, sha256: sha256("héllo") });
    expect(await fs.call("stat", "d", { sha256: true })).toMatchObject({ type: "directory" });
    expect(await fs.call("stat", ".")).toMatchObject({ type: "directory" });
    expect(await fs.code("stat", "nosuch")).toBe("ADAPTER_NOT_FOUND");
  });
});

describe("mkdir, copy, move, delete", () => {
  it("makes folders, again and again", async () => {
    for (let i = 0; i < 2; i++) expect(await fs.call("mkdir", "p/q/r")).toEqual({ ok: true });
    expect(statSync(place.at("root/p/q/r")).isDirectory()).toBe(true);
    expect(await fs.call("mkdir", ".")).toEqual({ ok: true });
    expect(await fs.code("mkdir", "a.txt")).toBe("ADAPTER_CONFLICT");
    expect(await fs.code("mkdir", "a.txt/x")).toBe("ADAPTER_NOT_A_DIRECTORY");
  });

  it("copies a file", async () => {
    expect(await fs.call("copy", "a.txt", "n/c.txt")).toEqual({ ok: true, bytes: 6 });
    expect(content("n/c.txt")).toBe("héllo");
    expect(await fs.code("copy", "d/b.txt", "n/c.txt")).toBe("ADAPTER_CONFLICT");
    expect(await fs.call("copy", "d/b.txt", "n/c.txt", { overwrite: true })).toEqual({ ok: true, bytes: 1 });
    expect(content("n/c.txt")).toBe("x");
    expect(await fs.call("copy", "a.txt", "a.txt", { overwrite: true })).toEqual({ ok: true, bytes: 6 });
    expect(content("a.txt")).toBe("héllo");
    expect(await fs.code("copy", "d", "d2")).toBe("ADAPTER_NOT_A_FILE");
    expect(await fs.code("copy", "a.txt", "d", { overwrite: true })).toBe("ADAPTER_NOT_A_FILE");
    expect(await fs.code("copy", "nosuch", "x.txt")).toBe("ADAPTER_NOT_FOUND");
  });

  it("moves files and folders", async () => {
    expect(await fs.call("move", "a.txt", "n/c.txt")).toEqual({ ok: true });
    expect(existsSync(place.at("root/a.txt"))).toBe(false);
    expect(content("n/c.txt")).toBe("héllo");
    expect(await fs.code("move", "d/b.txt", "n/c.txt")).toBe("ADAPTER_CONFLICT");
    expect(content("n/c.txt")).toBe("héllo");
    expect(await fs.call("move", "d/b.txt", "n/c.txt", { overwrite: true })).toEqual({ ok: true });
    expect(content("n/c.txt")).toBe("x");
    expect(await fs.code("move", "d", "d/e/f")).toBe("ADAPTER_CONFLICT");
    expect(await fs.call("move", "d", "d2")).toEqual({ ok: true });
    expect(content("d2/e/c.md")).toBe("y");
    expect(await fs.code("move", "n", "d2", { overwrite: true })).toBe("ADAPTER_CONFLICT");
    expect(await fs.code("move", "d2", "n/c.txt", { overwrite: true })).toBe("ADAPTER_NOT_A_DIRECTORY");
    expect(await fs.code("move", "n/c.txt", "d2", { overwrite: true })).toBe("ADAPTER_NOT_A_FILE");
    expect(await fs.code("move", "nosuch", "x.txt")).toBe("ADAPTER_NOT_FOUND");
    expect(await fs.code("move", ".", "x")).toBe("ADAPTER_PATH_ESCAPE");
    expect(await fs.code("move", "n", ".")).toBe("ADAPTER_PATH_ESCAPE");
  });

  it("deletes files, and folders when asked to", async () => {
    expect(await fs.call("delete", "a.txt")).toEqual({ ok: true, deleted: true });
    expect(await fs.call("delete", "a.txt")).toEqual({ ok: true, deleted: false });
    expect(await fs.call("delete", "nosuch/x")).toEqual({ ok: true, deleted: false });
    expect(await fs.code("delete", "d")).toBe("ADAPTER_NOT_A_FILE");
    expect(await fs.code("delete", ".", { recursive: true })).toBe("ADAPTER_PATH_ESCAPE");
    symlinkSync("/etc", place.at("root/d/etc"));
    expect(await fs.call("delete", "d", { recursive: true })).toEqual({ ok: true, deleted: true });
    expect(await fs.call("list")).toEqual([]);
    expect(existsSync("/etc/passwd")).toBe(true);
  });

  it("moves and deletes a link, not what it leads to", async () => {
    symlinkSync("a.txt", place.at("root/ln"));
    await fs.call("move", "ln", "ln2");
    expect(await fs.call("read", "ln2")).toBe("héllo");
    await fs.call("delete", "ln2");
    expect(await fs.call("list")).toEqual(["a.txt", "d"]);
  });
});

it("keeps files after the run", async () => {
  verifies("state.tier3-durable");
  await fs.call("write", "kept.txt", "1");
  await fs.end();
  const later = await fsOn(place.root);
  expect(await later.call("read", "kept.txt")).toBe("1");
});
