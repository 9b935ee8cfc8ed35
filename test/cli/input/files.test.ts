/** Reading and writing: confined includes, folders and globs, atomic writes. */
import { chmodSync, existsSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expandFiles, writeAtomically } from "../../../cli/input/files.ts";
import { createIncludeReader } from "../../../cli/input/include-reader.ts";
import { verifies } from "../../support/requirements.ts";
import { folderWith } from "../folders.ts";

function readerOf(folder: string, roots: readonly string[] = [], program: string | null = "main.wf") {
  const reader = createIncludeReader(folder, program === null ? null : join(folder, program), roots);
  if (reader === undefined) throw new Error("no reader");
  return reader;
}

describe("included files", () => {
  it("are found next to the including file, in the program's folder, in modules and in given roots", () => {
    verifies("language.includes-confined");
    const folder = folderWith({
      "p/main.wf": "",
      "p/a.wf": "A",
      "p/modules/b.wf": "B",
      "p/lib/c.wf": "C",
      "p/lib/d.wf": "D",
      "extra/e.wf": "E",
    });
    const reader = createIncludeReader(folder, join(folder, "p/main.wf"), ["extra"]);
    const read = (path: string, from: string | null = null) => {
      const result = reader?.read(path, from);
      return result?.ok === true ? result.text : (result?.reason ?? "no reader");
    };
    expect([read("a.wf"), read("b.wf"), read("lib/c.wf"), read("e.wf"), read("./lib/../a.wf")]).toEqual([
      "A",
      "B",
      "C",
      "E",
      "A",
    ]);
    const c = reader?.read("lib/c.wf", null);
    const identity = c?.ok === true ? c.identity : "";
    expect(identity).toBe(join(realpathSync(folder), "p/lib/c.wf"));
    expect([read("d.wf", identity), read("../a.wf", identity), read("nothing.wf")]).toEqual(["D", "A", "not_found"]);
  });

  it("never lie outside, in any spelling", () => {
    verifies("language.includes-confined");
    const folder = folderWith({ "p/main.wf": "", "p/lib/x.wf": "X", "secret.wf": "S", "pp/s.wf": "S" });
    symlinkSync(join(folder, "secret.wf"), join(folder, "p/link.wf"));
    symlinkSync(folder, join(folder, "p/up"));
    const reader = readerOf(join(folder, "p"));
    const paths = [
      "../secret.wf",
      "lib/../../secret.wf",
      "../pp/s.wf",
      join(folder, "secret.wf"),
      "/etc/passwd",
      "C:\\secret.wf",
      "c:secret.wf",
      "..\\secret.wf",
      "lib\\x.wf",
      "secret.wf\0",
      "link.wf",
      "up/secret.wf",
      "",
      "../does-not-exist.wf",
    ];
    for (const path of paths)
      expect([path, reader.read(path, null)]).toMatchObject([path, { ok: false, reason: "outside_root" }]);
  });

  it("are not found, rather than outside, where the folder of the including file is inside", () => {
    const folder = folderWith({ "p/main.wf": "", "p/lib/x.wf": "X" });
    const reader = readerOf(join(folder, "p"));
    const from = join(realpathSync(folder), "p/lib/x.wf");
    expect(reader.read("../nothing.wf", from)).toMatchObject({ ok: false, reason: "not_found" });
    expect(reader.read("../../nothing.wf", from)).toMatchObject({ ok: false, reason: "outside_root" });
  });

  it("do not follow a modules folder that is a link out of the program's folder", () => {
    const folder = folderWith({ "p/main.wf": "", "elsewhere/m.wf": "M" });
    symlinkSync(join(folder, "elsewhere"), join(folder, "p/modules"));
    const reader = readerOf(join(folder, "p"));
    expect(reader.read("m.wf", null)).toMatchObject({ ok: false, reason: "not_found" });
    expect(reader.read("modules/m.wf", null)).toMatchObject({ ok: false, reason: "outside_root" });
  });

  it("are off for standard input without a root, and on with one", () => {
    const folder = folderWith({ "r/a.wf": "A" });
    expect(createIncludeReader(folder, null, [])).toBeUndefined();
    expect(readerOf(folder, ["r"], null).read("a.wf", null)).toMatchObject({ ok: true, text: "A" });
    expect(() => createIncludeReader(folder, null, ["missing"])).toThrow("--include-root");
  });

  it("are bounded, UTF-8 and regular files", () => {
    const folder = folderWith({
      "main.wf": "",
      "big.wf": "#".repeat(1024 * 1024 + 1),
      "bad.wf": Uint8Array.of(0xff),
      "dir/x.wf": "",
    });
    const reader = readerOf(folder);
    expect(reader.read("big.wf", null)).toMatchObject({ reason: "too_large" });
    expect(reader.read("bad.wf", null)).toMatchObject({ reason: "unreadable" });
    expect(reader.read("dir", null)).toMatchObject({ reason: "unreadable" });
  });
});

describe("operands", () => {
  const tree = { "a.wf": "", "b.txt": "", "d/c.wf": "", "d/e/f.wf": "", ".hidden/g.wf": "", "node_modules/h.wf": "" };
  it.each([
    [["a.wf"], ["a.wf"]],
    [["missing.wf"], ["missing.wf"]],
    [["d"], ["d/c.wf", "d/e/f.wf"]],
    [["d/"], ["d/c.wf", "d/e/f.wf"]],
    [["."], ["./a.wf", "./d/c.wf", "./d/e/f.wf"]],
    [["*.wf"], ["a.wf"]],
    [["**/*.wf"], ["a.wf", "d/c.wf", "d/e/f.wf"]],
    [["d/**/f.wf"], ["d/e/f.wf"]],
    [["d/?.wf"], ["d/c.wf"]],
    [["b.*"], ["b.txt"]],
    [
      ["a.wf", "a.wf", "-"],
      ["a.wf", "-"],
    ],
  ])("%j mean %j", (operands, files) => {
    expect(expandFiles(folderWith(tree), operands)).toEqual(files);
  });

  it("of a folder include .py files that are programs, and count those that are not", () => {
    const program = "from weft import http\n\ndef main():\n    return 1\n";
    const decorated = '@api("/a")\ndef f():\n    return 1\n';
    const folder = folderWith({
      "main.py": program,
      "routes/orders.py": decorated,
      "routes/scheduled.py": '@weft.cron("@daily")\ndef f():\n    return 1\n',
      "utils.py": "def main():\n    return 1\n",
      "setup.py": "import weft\n",
      "flask.py": '@api.route("/a")\ndef f():\n    return 1\n',
      ...Object.fromEntries(
        ["venv", ".venv", "lib/site-packages", "node_modules", "__pycache__", "tests"].map((name) => [
          `${name}/x.py`,
          program,
        ]),
      ),
    });
    symlinkSync(join(folder, "main.py"), join(folder, "link.py"));
    const leftOut: string[] = [];
    const found = expandFiles(folder, ["."], (file) => leftOut.push(file));
    expect(found).toEqual(["./main.py", "./routes/orders.py", "./routes/scheduled.py"]);
    expect(leftOut).toEqual(["./flask.py", "./link.py", "./setup.py", "./tests/x.py", "./utils.py"]);
    expect(expandFiles(folder, ["utils.py"])).toEqual(["utils.py"]);
  });

  it("that match nothing are a usage error", () => {
    expect(() => expandFiles(folderWith(tree), ["*.xyz"])).toThrow("no program matches *.xyz");
    expect(() => expandFiles(folderWith({ "old/a.txt": "" }), ["old"])).toThrow("old has no file that ends in .wf");
  });

  it("with many stars are matched in no time", () => {
    const folder = folderWith({ [`${"a".repeat(200)}.wf`]: "" });
    expect(() => expandFiles(folder, [`${"*a".repeat(60)}*b`])).toThrow("no program matches");
    expect(() => expandFiles(folder, [`${"**/".repeat(200)}b`])).toThrow("no program matches");
  });
});

describe("writing", () => {
  it("replaces a file atomically and keeps its mode", () => {
    const folder = folderWith({ "a.wf": "old" });
    chmodSync(join(folder, "a.wf"), 0o640);
    writeAtomically(folder, "a.wf", "new");
    expect(readFileSync(join(folder, "a.wf"), "utf8")).toBe("new");
    expect(statSync(join(folder, "a.wf")).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder)).toEqual(["a.wf"]);
  });

  it.skipIf(process.getuid?.() === 0)("does not touch a file that must not be written", () => {
    const folder = folderWith({ "a.wf": "old" });
    chmodSync(join(folder, "a.wf"), 0o444);
    expect(() => writeAtomically(folder, "a.wf", "new")).toThrow("a.wf cannot be written (EACCES): permission denied");
    expect(readdirSync(folder)).toEqual(["a.wf"]);
  });

  it("makes private files private", () => {
    const folder = folderWith({});
    writeAtomically(folder, "trace.json", "{}", 0o600);
    expect(statSync(join(folder, "trace.json")).mode & 0o777).toBe(0o600);
  });

  it("follows a link to its target", () => {
    const folder = folderWith({ "real.wf": "old" });
    symlinkSync("real.wf", join(folder, "link.wf"));
    writeAtomically(folder, "link.wf", "new");
    expect(readFileSync(join(folder, "real.wf"), "utf8")).toBe("new");
  });

  it("takes any name that the file system takes", () => {
    const folder = folderWith({});
    writeAtomically(folder, "n".repeat(255), "x");
    expect(readdirSync(folder)).toEqual(["n".repeat(255)]);
  });

  it("is not blocked by files of a dead process with the same id, and does not touch them", () => {
    const left = Array.from({ length: 1000 }, (_, count) => `.a.wf.${process.pid}.${count}.tmp`);
    const folder = folderWith(Object.fromEntries(left.map((name) => [name, ""])));
    writeAtomically(folder, "a.wf", "new");
    expect(readdirSync(folder).sort()).toEqual([...left, "a.wf"].sort());
  });

  it("leaves no file when it fails", () => {
    const folder = folderWith({ "d/x": "" });
    expect(() => writeAtomically(folder, "missing/a.wf", "x")).toThrow("cannot be written");
    expect(() => writeAtomically(folder, "d", "x")).toThrow("cannot be written");
    expect(readdirSync(folder)).toEqual(["d"]);
    expect(existsSync(join(folder, "missing"))).toBe(false);
  });
});
