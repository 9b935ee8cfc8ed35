/** `wf` with programs in Python: files that end in .py. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { documentOf, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const PROGRAM = `# surface: python
def main(n: int, by=2):
    """Multiplies."""
    return n * by
`;

describe("a program that ends in .py", () => {
  const place = (): string => folderWith({ "times.py": PROGRAM });

  it("runs with its inputs", async () => {
    const result = await wf(["run", "times.py", "--frame", '{"n": 21}', "--json"], { cwd: place() });
    expect([result.code, documentOf(result)["out"]]).toEqual([0, 42]);
  });

  it("is refused without a required input", async () => {
    const { code, stderr } = await wf(["run", "times.py"], { cwd: place() });
    expect(code).not.toBe(0);
    expect(stderr).toContain("/n");
  });

  it("is checked, and its inputs are shown", async () => {
    expect((await wf(["check", "times.py"], { cwd: place() })).code).toBe(0);
    expect(documentOf(await wf(["inspect", "times.py", "--json"], { cwd: place() }))["inputs"]).toEqual([
      { name: "n", type: "integer", annotation: "int", required: true },
      { name: "by", type: "any", annotation: "Any" },
    ]);
  });
});

describe("a program that imports files", () => {
  const MAIN = "from helpers import twice\nfrom lib.text import loud\n\ndef main(n: int):\n    return loud(twice(n))\n";
  const files = {
    "flows/main.py": MAIN,
    "flows/helpers.py": "def twice(n):\n    return n * 2\n",
    "flows/lib/text.py": "from helpers import twice\n\ndef loud(n):\n    return f'{twice(n)}!'\n",
  };

  it("runs with them, from whatever folder", async () => {
    const result = await wf(["run", "flows/main.py", "--frame", '{"n": 3}', "--json"], { cwd: folderWith(files) });
    expect([result.code, documentOf(result)["out"]]).toEqual([0, "12!"]);
  });

  it("shows a finding in the file that it is in", async () => {
    const cwd = folderWith({ ...files, "flows/helpers.py": "def twice(n):\n    return m * 2\n" });
    const { code, stdout } = await wf(["check", "flows/main.py"], { cwd });
    expect([code, stdout]).toEqual([1, expect.stringContaining("helpers.py:2:12 error WF6001")]);
    expect(stdout).toContain("return m * 2");
  });

  it.each([
    ["next to the folder of the program", "helpers.py"],
    ["in a folder modules, which holds files of the opcode form", "flows/modules/helpers.py"],
    ["in a folder that --include-root names", "shared/helpers.py"],
  ])("does not find a file %s", async (_where, place) => {
    const { "flows/helpers.py": text, ...others } = files;
    const cwd = folderWith({ ...others, [place]: text });
    mkdirSync(join(cwd, "shared"), { recursive: true });
    const { code, stdout } = await wf(["check", "flows/main.py", "--include-root", "shared"], { cwd });
    expect([code, stdout]).toEqual([1, expect.stringContaining("the module 'helpers' does not exist here")]);
  });

  it("reads no link that leads out of the folder, and does not show what it leads to", async () => {
    const { "flows/helpers.py": _own, ...others } = files;
    const cwd = folderWith(others);
    writeFileSync(join(cwd, "secret.py"), "token = 'abc'\n");
    symlinkSync(join(cwd, "secret.py"), join(cwd, "flows/helpers.py"));
    const { code, stdout } = await wf(["check", "flows/main.py"], { cwd });
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining("helpers.py cannot be imported: it is outside of the program's folder"),
    ]);
    expect(stdout).not.toContain("abc");
  });

  it("differs from the version before by what its files do", async () => {
    const cwd = folderWith(files);
    await wf(["compile", "flows/main.py", "-o", "before.json"], { cwd });
    writeFileSync(join(cwd, "flows/helpers.py"), "def twice(n):\n    return n * 3\n");
    const { stdout } = await wf(["diff", "before.json", "flows/main.py"], { cwd });
    expect(stdout).toContain("helpers/twice");
  });
});
