/** `wf batch --out-arrow`: results as typed columns, which say of each row whether it failed. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arrowResults } from "../../../../cli/batch/arrow/results.ts";
import { wf } from "../../console.ts";
import { folderWith } from "../../folders.ts";
import { rowsOf } from "./streams.ts";

/** What is written of lean rows, a part at a time. */
async function written(...parts: readonly string[]): Promise<Uint8Array> {
  const bytes: Uint8Array[] = [];
  const file = {
    write: async (block: Uint8Array) => void bytes.push(block),
    sync: async () => {},
    close: async () => {},
  };
  const output = await arrowResults(async () => file);
  for (const part of parts) await output.write(Buffer.from(part));
  await output.close();
  return Buffer.concat(bytes);
}

const lean = (...outs: readonly string[]): string => outs.map((out) => `{"ok":true,"out":${out}}\n`).join("");
const FAILED =
  '{"index":1,"ok":false,"error":"runtime_error","message":"division by zero","usage":{},"duration_ms":0}\n';
/** More than a record batch takes. */
const many = (out: string): string => lean(...Array.from({ length: 10_000 }, () => out));

function typesIn(bytes: Uint8Array): Record<string, string> {
  return Object.fromEntries(tableFromIPC(bytes).schema.fields.map(({ name, type }) => [name, String(type)]));
}

describe("columns of results", () => {
  it("are the members of objects, with the exact values of their types", async () => {
    const bytes = await written(
      lean(
        '{"i":9007199254740993,"f":5.0,"b":true,"t":"x","l":[1,2.0]}',
        '{"i":-1,"f":2,"b":null,"t":"ü","l":{"a":1}}',
      ),
      FAILED,
    );
    expect(typesIn(bytes)).toEqual({
      i: "Int64",
      f: "Float64",
      b: "Bool",
      t: "Utf8",
      l: "Utf8",
      ok: "Bool",
      error: "Utf8",
    });
    expect(await rowsOf(bytes)).toEqual([
      '{"i":9007199254740993,"f":5.0,"b":true,"t":"x","l":"[1,2.0]","ok":true,"error":null}',
      '{"i":-1,"f":2.0,"b":null,"t":"ü","l":"{\\"a\\":1}","ok":true,"error":null}',
      '{"i":null,"f":null,"b":null,"t":null,"l":null,"ok":false,"error":"runtime_error: division by zero"}',
    ]);
  });

  it.each([
    ["whole numbers", lean("1", "2"), "Int64", ["1", "2"]],
    ["whole numbers and floats", lean("1", "2.5"), "Float64", ["1.0", "2.5"]],
    [
      "floats and a number that would lose digits",
      lean("2.5", "9007199254740993"),
      "Utf8",
      ['"2.5"', '"9007199254740993"'],
    ],
    ["larger numbers than 64 bits hold", lean("9223372036854775808"), "Utf8", ['"9223372036854775808"']],
    ["values of several types", lean("1", '"a"', "null"), "Utf8", ['"1"', '"\\"a\\""', "null"]],
    ["objects and other values", lean("1", '{"a":1}'), "Utf8", ['"1"', '"{\\"a\\":1}"']],
    ["objects with a member ok", lean('{"ok":1}'), "Utf8", ['"{\\"ok\\":1}"']],
    ["nothing but null", lean("null"), "Utf8", ["null"]],
    ["objects without members", lean("{}"), "Utf8", ['"{}"']],
  ])("are the one column out for %s", async (_name, lines, type, values) => {
    const bytes = await written(lines);
    expect(typesIn(bytes)).toEqual({ out: type, ok: "Bool", error: "Utf8" });
    expect(await rowsOf(bytes)).toEqual(values.map((value) => `{"out":${value},"ok":true,"error":null}`));
  });

  it("are there when no row is", async () => {
    const bytes = await written();
    expect(typesIn(bytes)).toEqual({ out: "Utf8", ok: "Bool", error: "Utf8" });
    expect(await rowsOf(bytes)).toEqual([]);
  });

  it("take any name of a member for data", async () => {
    expect(await rowsOf(await written(lean('{"__proto__":1,"constructor":2,"10":3}')))).toEqual([
      '{"__proto__":1,"constructor":2,"10":3,"ok":true,"error":null}',
    ]);
  });

  it("hold what was returned, whatever it is", async () => {
    const value = fc.record({
      a: fc.option(fc.integer()),
      b: fc.option(fc.boolean()),
      c: fc.option(fc.string({ unit: "grapheme" })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 30 }), async (values) => {
        const rows = await rowsOf(await written(lean(...values.map((one) => JSON.stringify(one)))));
        expect(rows.map((row) => JSON.parse(row))).toEqual(values.map((one) => ({ ...one, ok: true, error: null })));
      }),
      { numRuns: 50 },
    );
  });
});

describe("further record batches", () => {
  it("continue the stream with the same columns; a missing member is null", async () => {
    const bytes = await written(many('{"a":1,"b":"x"}'), lean('{"a":2}'));
    const table = tableFromIPC(bytes);
    expect([table.numRows, table.batches.length]).toEqual([10_001, 2]);
    expect((await rowsOf(bytes)).at(-1)).toBe('{"a":2,"b":null,"ok":true,"error":null}');
  });

  it.each([
    ['{"a":"x"}', "the result of row 10001 has a text in the column 'a', which holds a whole number of 64 bits"],
    ['{"a":1.5}', "the result of row 10001 has a float in the column 'a'"],
    ['{"a":1,"c":2}', "the result of row 10001 has the member 'c'"],
    ["7", "the result of row 10001 is not an object"],
  ])("are refused for %s, by row and column", async (out, message) => {
    await expect(written(many('{"a":1}'), lean(out))).rejects.toThrow(message);
  });
});

describe("wf batch --out-arrow", () => {
  const PROGRAM = "def main(n: int):\n    return {'n': n, 'half': n / 2, 'inverse': 12 // n}\n";
  const INPUT = '{"n":4}\n{"n":0}\noops\n{"n":3}\n';
  const batch = (cwd: string, words: string) =>
    wf(["batch", "p.py", "--in", "in.ndjson", ...words.split(" ")], { cwd });

  it("writes a row for each frame in their order, and nothing to continue from", async () => {
    const cwd = folderWith({ "p.py": PROGRAM, "in.ndjson": INPUT });
    const { code, stdout, stderr } = await batch(cwd, "--out-arrow out.arrows");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("2 failed");
    expect(await rowsOf(readFileSync(join(cwd, "out.arrows")))).toEqual([
      '{"n":4,"half":2.0,"inverse":3,"ok":true,"error":null}',
      expect.stringMatching(/^\{"n":null,"half":null,"inverse":null,"ok":false,"error":"runtime_error: /),
      '{"n":null,"half":null,"inverse":null,"ok":false,"error":"invalid_json: line 3 is not JSON"}',
      '{"n":3,"half":1.5,"inverse":4,"ok":true,"error":null}',
    ]);
    expect(existsSync(join(cwd, "out.arrows.resume"))).toBe(false);
  });

  it.each([
    ["--out-arrow a --out b", "--out and --out-arrow exclude each other"],
    ["--out-arrow a --rows out", "--rows and --out-arrow exclude each other"],
    ["--out-arrow a --resume", "--resume and --out-arrow exclude each other"],
    ["--out-arrow a --via http://127.0.0.1:1", "--via and --out-arrow exclude each other"],
    ["--out-arrow in.ndjson", "are the same file"],
  ])("refuses %s", async (words, message) => {
    const cwd = folderWith({ "p.py": PROGRAM, "in.ndjson": INPUT });
    const { code, stderr } = await batch(cwd, words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(readFileSync(join(cwd, "in.ndjson"), "utf8")).toBe(INPUT);
  });
});
