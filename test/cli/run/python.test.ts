/** `wf` with programs in Python: files that end in .py. */
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
      { name: "n", type: "integer", required: true },
      { name: "by", type: "any" },
    ]);
  });
});
