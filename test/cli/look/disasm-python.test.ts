/** Programs in Python have no listing of bytecode, and none of another program is shown in its place. */
import { expect, it } from "vitest";
import { wf } from "../console.ts";

it.each([
  ["wf disasm", ["disasm", "-"]],
  ["wf compile --format disasm", ["compile", "-", "--format", "disasm"]],
])("%s says so", async (_title, argv) => {
  const { code, stdout, stderr } = await wf(argv, { stdin: "def main():\n    return 1\n" });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("bytecode is listed for the opcode form");
});
