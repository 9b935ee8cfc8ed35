/** The frame that a program states in the comment `# with:`. */
import { describe, expect, it } from "vitest";
import { wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const SUM = '# with: {"a": 2, "b": 3}\n# result: 5\nL1:\n  R core.ADD a b ->x\n  J x\n';
const NOTE = "note no frame is given: the comment '# with:' supplies it\n";
const run = (...argv: string[]) => wf(argv, { cwd: folderWith({ "sum.wf": SUM }) });

describe("the comment # with:", () => {
  it.each([
    ["run", ["run", "sum.wf"], "5\n"],
    ["run --strict", ["run", "sum.wf", "--strict"], "5\n"],
    ["run --plan", ["run", "sum.wf", "--plan"], "steps"],
    ["trace", ["trace", "sum.wf"], "5"],
    ["run --repeat", ["run", "sum.wf", "--repeat", "2"], "first"],
  ])("supplies the frame of wf %s, and says so", async (_, argv, expected) => {
    const { code, stdout, stderr } = await run(...argv);
    expect(code).toBe(0);
    expect(stdout).toContain(expected);
    expect(stderr).toContain(NOTE);
  });

  it.each([
    ["--frame", ["--frame", '{"a": 1, "b": 1}'], "2\n"],
    ["--frame-set", ["--frame-set", "a=1", "--frame-set", "b=9"], "10\n"],
  ])("is ignored with %s", async (_, flags, stdout) => {
    expect(await run("run", "sum.wf", ...flags)).toMatchObject({ code: 0, stdout, stderr: "" });
  });

  it("accepts one variable a line in the older form", async () => {
    const stdin = "# frame-value: a = 2\n# frame-value: b = 5\nL1:\n  R core.ADD a b ->x\n  J x\n";
    expect((await wf(["run", "-"], { stdin })).stdout).toBe("7\n");
  });

  it.each([
    ["is not JSON", '# with: {"a": 2', "<stdin>: the comment '# with:': the value is not JSON at"],
    [
      "contains a number out of range",
      '# with: {"a": 1e999}',
      "<stdin>: the comment '# with:': a number is out of range",
    ],
  ])("is refused when it %s", async (_, comment, message) => {
    const { code, stderr } = await wf(["run", "-"], { stdin: `${comment}\nL1:\n  J 1\n` });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it("is a sentence when no object follows", async () => {
    expect(await wf(["run", "-"], { stdin: "# with: love\nL1:\n  J 1\n" })).toMatchObject({
      stdout: "1\n",
      stderr: "",
    });
  });

  it("warns about a whole number that loses digits", async () => {
    const { stderr } = await wf(["run", "-"], { stdin: '# with: {"a": 9007199254740993}\nL1:\n  J a\n' });
    expect(stderr).toContain("warning number_precision: <stdin>: the comment '# with:'");
  });
});
