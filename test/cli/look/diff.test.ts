/** `wf diff`: two programs as text and as JSON, and revisions of git. */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { documentOf, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const OLD = "L1:\n  R core.ADD 1 1 ->x\n  R core.ADD x 1 ->a\n  J a\nL_old:\n  J 1\n";
const NEW = [
  "# what it does now",
  "L1:",
  "  R core.ADD 1 1 ->x",
  "  R core.ADD x 2 ->a",
  '  R http.Get "https://api.example.com/v1" ->r',
  "  J r",
  "",
].join("\n");

describe("wf diff", () => {
  it("shows what a program may touch first, then label by label", async () => {
    const cwd = folderWith({ "old.wf": OLD, "new.wf": NEW });
    const result = await wf(["diff", "old.wf", "new.wf"], { cwd });
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout).toBe(
      [
        "privileges  + network (http.Get at L1 n3, line 5)",
        "adapters    + http.Get (L1 n3, line 5)",
        "effects     + io-read (http.Get at L1 n3, line 5)",
        "hosts       + api.example.com",
        "L1          ~ n2  R core.ADD x 1 ->a  →  R core.ADD x 2 ->a",
        '            + n3  R http.Get "https://api.example.com/v1" ->r',
        "            ~ n4  J a  →  J r",
        "L_old       - removed (1 step)",
        "",
      ].join("\n"),
    );
    expect((await wf(["diff", "old.wf", "new.wf", "--exit-code"], { cwd })).code).toBe(1);
  });

  it("ignores layout, comments and the form of the program", async () => {
    const cwd = folderWith({ "old.wf": OLD, "same.wf": `# a comment\n\n${OLD.replace("  J a", "\n      J   a")}` });
    await wf(["compile", "old.wf", "-o", "old.json"], { cwd });
    for (const other of ["same.wf", "old.json"])
      expect(await wf(["diff", "old.wf", other, "--exit-code"], { cwd })).toMatchObject({ code: 0, stdout: "" });
  });

  it("answers JSON", async () => {
    const cwd = folderWith({ "old.wf": OLD, "new.wf": NEW });
    expect(documentOf(await wf(["diff", "old.wf", "new.wf", "--json"], { cwd }))).toMatchObject({
      ok: true,
      same: false,
      before: { path: "old.wf" },
      after: { path: "new.wf" },
      powers: [
        { change: "added", kind: "privilege", value: "network", steps: [{ label: "1", node: "n3", line: 5 }] },
        { kind: "adapter" },
        { kind: "effect" },
        { kind: "host" },
      ],
      labels: [
        { change: "changed", label: "1", steps: [{ change: "changed" }, { change: "added" }, { change: "changed" }] },
        { change: "removed", label: "_old", steps: 1 },
      ],
    });
  });

  const PYTHON = [
    "def check(order: dict):",
    "    total = 0",
    '    for item in order["items"]:',
    '        total += item["price"]',
    "        seen = True",
    "    with retry(3):",
    '        cache.set("k", sorted([total], key=lambda one: -one))',
    "    return total",
    "",
    "",
    "def main(order: dict):",
    "    return check(order)",
    "",
  ].join("\n");

  it("shows programs in Python by their functions and lines, and their steps on request", async () => {
    const changed = PYTHON.replace("key=lambda one: -one", "key=lambda one: one")
      .replace("        seen", "    seen")
      .replace("    return check(order)", "    return None")
      .replace("def main", "def late():\n    return 1\n\n\ndef main");
    const cwd = folderWith({ "old.wf": PYTHON, "new.wf": changed, "same.wf": `# moved\n\n${PYTHON}` });
    const { stdout } = await wf(["diff", "old.wf", "new.wf"], { cwd });
    expect(stdout).toBe(
      [
        "check  ~ line 5      seen = True  →  seen = True",
        '       ~ line 7      cache.set("k", sorted([total], key=lambda one: -one))  →      cache.set("k", sorted([total], key=lambda one: one))',
        "main   ~ line 16  return check(order)  →  return None",
        "late   + added (1 line)",
        "",
      ].join("\n"),
    );
    expect((await wf(["diff", "old.wf", "same.wf"], { cwd })).stdout).toBe("");
    expect((await wf(["diff", "old.wf", "new.wf", "--steps"], { cwd })).stdout).toMatch(/^Lmain .*~ n1 {2}Py return/m);
  });

  it("says where a program in Python newly reaches something by function and line", async () => {
    const cwd = folderWith({
      "old.wf": "def main():\n    return 1\n",
      "new.wf": 'def main():\n    return cache.get("k")\n',
    });
    const { stdout } = await wf(["diff", "old.wf", "new.wf"], { cwd });
    expect(stdout).toContain("adapters    + cache.get (main, line 2)");
    expect(stdout).not.toMatch(/Lmain|\bn\d/);
  });

  it("escapes text of the programs", async () => {
    const cwd = folderWith({ "a.wf": "L1:\n  J 1\n", "b.wf": 'L1:\n  J "\u202e"\n' });
    const { stdout } = await wf(["diff", "a.wf", "b.wf"], { cwd, terminal: true, environment: { NO_COLOR: "1" } });
    expect(stdout).toContain('J "\\u202e"');
  });

  it.each([[[]], [["a.wf"]], [["-", "-"]], [["git:HEAD", "a.wf"]], [["git:--help:x", "a.wf"]]])(
    "refuses the operands %j",
    async (operands) => {
      const cwd = folderWith({ "a.wf": OLD });
      expect((await wf(["diff", ...operands], { cwd })).code).toBe(2);
    },
  );

  it("reads revisions of git", async () => {
    const cwd = folderWith({ "flows/a.wf": OLD });
    const git = (...words: string[]) =>
      spawnSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...words], { cwd, encoding: "utf8" });
    if (git("init", "-q").status !== 0) return;
    git("add", ".");
    git("commit", "-q", "-m", "one");
    expect(await wf(["diff", "git:HEAD:flows/a.wf", "flows/a.wf", "--exit-code"], { cwd })).toMatchObject({ code: 0 });
    expect(await wf(["diff", "git:HEAD:a.wf", "a.wf"], { cwd: `${cwd}/flows` })).toMatchObject({ code: 0 });
    const missing = await wf(["diff", "git:HEAD:b.wf", "flows/a.wf", "--json"], { cwd });
    expect(missing.code).toBe(2);
    expect(documentOf(missing)).toMatchObject({ error: "input_error", error_kind: "path_not_found" });
  });
});
