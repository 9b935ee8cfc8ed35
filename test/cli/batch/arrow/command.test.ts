/** `wf batch --frames-arrow`: columns become variables, and everything else of a batch is as with lines. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as arrow from "apache-arrow";
import { expect, it } from "vitest";
import { documentOf, wf } from "../../console.ts";
import { folderWith } from "../../folders.ts";
import { column, fileOf, streamWith } from "./streams.ts";

const PROGRAM = "def main(n: int, f: float):\n    return [n + 1, str(f)]\n";

const table = (count: number): Uint8Array =>
  streamWith({
    n: column(
      Array.from({ length: count }, (_, at) => 2n ** 60n + BigInt(at)),
      new arrow.Int64(),
    ),
    f: column(
      Array.from({ length: count }, (_, at) => at),
      new arrow.Float64(),
    ),
  });

const expected = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, at) => `[${2n ** 60n + BigInt(from + at) + 1n},"${from + at}.0"]\n`).join("");

function folder(bytes: Uint8Array): string {
  const cwd = folderWith({ "p.py": PROGRAM });
  writeFileSync(join(cwd, "in.arrow"), bytes);
  return cwd;
}

const batch = (cwd: string, words: string) => wf(["batch", "p.py", "--rows", "out", ...words.split(" ")], { cwd });

it("gives a program the exact values of a file", async () => {
  const { code, stdout } = await batch(folder(fileOf(table(3))), "--frames-arrow in.arrow");
  expect([code, stdout]).toEqual([0, expected(3)]);
});

it("runs the first frames, and continues after them", async () => {
  const cwd = folder(table(5));
  await batch(cwd, "--frames-arrow in.arrow --out out.ndjson --max-frames 2");
  expect(readFileSync(join(cwd, "out.ndjson"), "utf8")).toBe(expected(2));
  expect((await batch(cwd, "--frames-arrow in.arrow --out out.ndjson --resume")).code).toBe(0);
  expect(readFileSync(join(cwd, "out.ndjson"), "utf8")).toBe(expected(5));
});

it("refuses a value of another type than the program declares, in its row alone", async () => {
  const stream = streamWith({ n: column([1, null], new arrow.Int8()), f: column([1, 2], new arrow.Float32()) });
  const { code, stdout } = await batch(folder(stream), "--frames-arrow in.arrow");
  expect(code).toBe(1);
  expect(stdout.split("\n")).toEqual([
    '[2,"1.0"]',
    expect.stringMatching(/^\{"index":1,"ok":false,"error":"input_invalid"/),
    "",
  ]);
});

it("keeps the rows before damage, and ends with what is wrong", async () => {
  const cwd = folder(Buffer.concat([table(2).subarray(0, -8), Buffer.from("no message")]));
  const { code, stdout, stderr } = await batch(cwd, "--frames-arrow in.arrow");
  expect([code, stdout]).toEqual([2, expected(2)]);
  expect(stderr).toContain("arrow_damaged");
  expect(documentOf(await batch(cwd, "--frames-arrow in.arrow --json --out out.ndjson"))).toMatchObject({
    ok: false,
    error: "input_error",
    error_kind: "arrow_damaged",
  });
});

it("excludes the other forms of frames", async () => {
  const { code, stderr } = await batch(folder(table(1)), "--frames-arrow in.arrow --frames-csv in.csv");
  expect(code).toBe(2);
  expect(stderr).toContain("--frames-csv and --frames-arrow exclude each other");
});
