/** What a caller of JavaScript gives a Python program and gets from it: values, or the JSON texts that say more than they do. */
import { expect, test } from "vitest";
import type { Ir } from "../../compiler/ir/graph.ts";
import { RequestInvalid } from "../../vm/inputs/request-invalid.ts";
import { compiled, hostWith } from "./support/weft.ts";

const ECHO = "def main(x):\n    return x\n";
const LIMITS = { max_steps: 100_000, max_time_ms: 5_000 };

function irOf(source: string): Ir {
  const made = compiled(source);
  if ("ir" in made) return made.ir;
  throw new Error(JSON.stringify(made.refused));
}

async function run(source: string, request: { frame?: object; frameText?: string; outText?: boolean }) {
  return hostWith().run({ ir: irOf(source), limits: LIMITS, ...request } as Parameters<
    ReturnType<typeof hostWith>["run"]
  >[0]);
}

test.each([
  ["a whole float", "5.0"],
  ["a float below zero that is zero", "-0.0"],
  ["an int beyond 2^53", "12345678901234567890123"],
  ["an exponent", "1e+16"],
  ["whole floats in lists and dicts", '{"a":[1,2.0,{"b":3.0}],"c":1.5}'],
  ["keys that look like places of a list", '{"10":1,"9":2,"a":3}'],
])("%s leaves as it came in", async (_title, text) => {
  const answer = await run(ECHO, { frameText: `{"x": ${text}}` });
  expect(answer).toMatchObject({ ok: true, out_text: text });
});

test("values that JavaScript holds have no text of their own", async () => {
  const answer = await run(ECHO, { frameText: '{"x": {"a": [1, 1.5, "5.0", null, true]}}' });
  expect(answer).toMatchObject({ ok: true, out: { a: [1, 1.5, "5.0", null, true] } });
  expect(answer).not.toHaveProperty("out_text");
});

test("an int beyond 2^53 ends the run of a caller who takes values only", async () => {
  expect(await run("def main():\n    return 2 ** 64\n", {})).toMatchObject({
    ok: false,
    error: { code: "RUNTIME_NOT_EXACT" },
  });
  expect(await run("def main():\n    return 2 ** 64\n", { outText: true })).toMatchObject({
    ok: true,
    out_text: "18446744073709551616",
  });
});

test("a script reads its inputs from the text, too", async () => {
  expect(await run("y = x + 1\ny\n", { frameText: '{"x": 2.0}' })).toMatchObject({ ok: true, out_text: "3.0" });
});

test.each([
  ["not JSON", "{x}", "expected JSON"],
  ["a list", "[1]", "expected a JSON object"],
])("a text that is %s is refused before the run", async (_title, frameText, message) => {
  await expect(run(ECHO, { frameText })).rejects.toThrow(message);
});

test("a frame and its text cannot be given together", async () => {
  await expect(run(ECHO, { frame: { x: 1 }, frameText: '{"x": 1}' })).rejects.toBeInstanceOf(RequestInvalid);
});

test("lines that a program prints come with its answer, and with its failure", async () => {
  const source = "def main(n):\n    print('a', n)\n    print('b', end='')\n    return 1 // n\n";
  expect(await run(source, { frame: { n: 1 } })).toMatchObject({ ok: true, printed: "a 1\nb" });
  expect(await run(source, { frame: { n: 0 } })).toMatchObject({
    ok: false,
    printed: "a 0\nb",
    error: { code: "RUNTIME_ZERO_DIVISION_ERROR", exception: "ZeroDivisionError", line: 5 },
  });
  expect(await run(ECHO, { frame: { x: 1 } })).not.toHaveProperty("printed");
});

test("what is printed after 65,536 characters is counted and left out", async () => {
  const source = "def main():\n    for i in range(7000):\n        print('123456789')\n";
  const answer = await run(source, {});
  expect(answer.printed).toHaveLength(65_536);
  expect(answer.printed_dropped).toBe(70_000 - 65_536);
});

test("a machine that is used again forgets what its last run printed", async () => {
  const prepared = hostWith().prepare(irOf("def main(x):\n    if x:\n        print(x)\n    return x\n"));
  for (let round = 0; round < 4; round++) {
    expect(await prepared.run({ x: "a" })).toMatchObject({ printed: "a\n" });
    expect(await prepared.run({ x: "" })).not.toHaveProperty("printed");
  }
});
