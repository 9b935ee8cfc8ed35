/** Values of Python programs on the command line: numbers and the order of members stay as they are written, and what is printed is not the value. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const HEAD = "# surface: python\n";
const ECHO = `${HEAD}def main(x):\n    return x\n`;
const EXACT = '{"10": 5.0, "9": 12345678901234567890123, "a": [], "b": [1.5, -0.0]}';
const SHOWN = `{
  "10": 5.0,
  "9": 12345678901234567890123,
  "a": [],
  "b": [
    1.5,
    -0.0
  ]
}
`;
const folder = () =>
  folderWith({ "echo.wf": ECHO, "frame.json": `{"x": ${EXACT}}`, "frames.jsonl": `{"x":${EXACT}}\n{"x":7}\n` });

describe("wf run", () => {
  it.each([
    ["--frame", ["--frame", `{"x": ${EXACT}}`], SHOWN],
    ["--frame @FILE", ["--frame", "@frame.json"], SHOWN],
    ["--frame-set", ["--frame-set", "x=5.0"], "5.0\n"],
    ["--strict", ["--strict", "--frame-set", "x=12345678901234567890123"], "12345678901234567890123\n"],
  ])("gives the value as it came with %s, without a warning", async (_title, flags, stdout) => {
    expect(await wf(["run", "echo.wf", ...flags], { cwd: folder() })).toMatchObject({ code: 0, stdout, stderr: "" });
  });

  it("writes the value exactly with --json and --out", async () => {
    const cwd = folder();
    const { stdout } = await wf(["run", "echo.wf", "--frame", "@frame.json", "--json", "--out", "out.json"], { cwd });
    expect(stdout).toContain(`"out":${EXACT.replaceAll(" ", "")},"result":${EXACT.replaceAll(" ", "")},`);
    expect(readFileSync(join(cwd, "out.json"), "utf8")).toBe(SHOWN);
  });

  it("takes a frame from the comment of the program exactly", async () => {
    const stdin = `${HEAD}# with: {"x": 5.0}\ndef main(x):\n    return [x]\n`;
    expect((await wf(["run", "-"], { stdin })).stdout).toBe("[\n  5.0\n]\n");
  });

  it("warns about digits that an opcode program loses, and refuses them when strict", async () => {
    const cwd = folderWith({ "echo.wf": "L1:\n  J x\n" });
    const flags = ["run", "echo.wf", "--frame-set", "x=12345678901234567890123"];
    expect((await wf(flags, { cwd })).stderr).toContain("number_precision");
    expect((await wf([...flags, "--strict"], { cwd })).code).toBe(2);
  });

  it("prints what the program prints to standard error: its value stays alone on standard output", async () => {
    const cwd = folderWith({ "p.wf": `${HEAD}print("a", "b")\nprint("\\x1b[31mred")\n1 / 0 if False else 7\n` });
    expect(await wf(["run", "p.wf"], { cwd })).toMatchObject({
      code: 0,
      stdout: "7\n",
      stderr: "a b\n\\x1b[31mred\n",
    });
    const { stdout, stderr } = await wf(["run", "p.wf", "--json"], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ out: 7, printed: "a b\n\u001b[31mred\n" });
    expect(stderr).toBe("");
  });

  it("shows what was printed above the failure", async () => {
    const cwd = folderWith({ "p.wf": `${HEAD}print("before")\n[][0]\n` });
    const { code, stderr } = await wf(["run", "p.wf"], { cwd });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^before\nerror RUNTIME_INDEX_ERROR {2}IndexError: list index out of range\n {2}--> p\.wf:3/,
    );
  });
});

describe("wf batch", () => {
  it.each([["1"], ["2"]])("gives every line its exact value with --jobs %s", async (jobs) => {
    const { code, stdout } = await wf(
      ["batch", "echo.wf", "--in", "frames.jsonl", "--ordered", "--rows", "full", "--jobs", jobs],
      {
        cwd: folder(),
      },
    );
    expect(code).toBe(0);
    const [first, second] = stdout.split("\n");
    expect(first).toContain(`"out":${EXACT.replaceAll(" ", "")},`);
    expect(second).toContain('"out":7,');
  });
});
