/** `wf batch --out-csv`: results as columns of a table, which says of each row whether it failed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CsvResults } from "../../../cli/batch/csv/results.ts";
import { wf } from "../console.ts";
import { folderWith } from "../folders.ts";

async function written(...parts: readonly string[]): Promise<string> {
  const bytes: Uint8Array[] = [];
  const output = new CsvResults({
    write: async (block: Uint8Array) => void bytes.push(block),
    sync: async () => {},
    close: async () => {},
  });
  for (const part of parts) await output.write(Buffer.from(part));
  await output.close();
  return Buffer.concat(bytes).toString();
}

const lean = (...outs: readonly string[]): string => outs.map((out) => `{"ok":true,"out":${out}}\n`).join("");
const FAILED =
  '{"index":1,"ok":false,"error":"runtime_error","message":"no, \\"not\\" this","usage":{},"duration_ms":0}\n';

describe("columns of a CSV file", () => {
  it("have the members of all results, each as it is written", async () => {
    const csv = await written(
      lean('{"id":9007199254740993,"f":5.0,"t":"a,b","l":[1,"x"]}', '{"id":2,"f":null,"t":"\\"q\\"\\n","more":true}'),
      FAILED,
    );
    expect(csv).toBe(
      [
        "id,f,t,l,more,ok,error",
        '9007199254740993,5.0,"a,b","[1,""x""]",,true,',
        '2,,"""q""\n",,true,true,',
        ',,,,,false,"runtime_error: no, ""not"" this"',
        "",
      ].join("\r\n"),
    );
  });

  it("are one where results are not objects, or have a member of another column", async () => {
    expect(await written(lean("1", '"a"', "null"))).toBe("out,ok,error\r\n1,true,\r\na,true,\r\n,true,\r\n");
    expect(await written(lean('{"ok":1}'))).toBe('out,ok,error\r\n"{""ok"":1}",true,\r\n');
    expect(await written("")).toBe("out,ok,error\r\n");
  });

  it("are those of the first 10,000 rows; a later member that is not there ends the batch", async () => {
    const many = lean(...Array.from({ length: 10_000 }, () => '{"a":1}'));
    await expect(written(many, lean('{"b":2}'))).rejects.toMatchObject({
      message: expect.stringContaining("row 10001"),
    });
    expect((await written(many, lean("{}"))).endsWith("1,true,\r\n,true,\r\n")).toBe(true);
  });

  it("give back any texts to a reader of CSV", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ a: fc.string(), b: fc.string() }), { minLength: 1 }), async (rows) => {
        const csv = await written(lean(...rows.map((row) => JSON.stringify(row))));
        const read: unknown = parse(csv, { columns: true });
        expect(read).toEqual(rows.map((row) => ({ ...row, ok: "true", error: "" })));
      }),
    );
  });
});

describe("wf batch --out-csv", () => {
  const FILES = {
    "p.py": "def main(n: int):\n    return {'n': n, 'half': 1 / n}\n",
    "in.csv": "n\n1\n2\n0\n",
  };

  it("writes a row for each frame in their order, and ends with 1 when one failed", async () => {
    const cwd = folderWith(FILES);
    const { code } = await wf(["batch", "p.py", "--frames-csv", "in.csv", "--out-csv", "out.csv"], { cwd });
    expect(code).toBe(1);
    expect(readFileSync(join(cwd, "out.csv"), "utf8").split("\r\n")).toEqual([
      "n,half,ok,error",
      "1,1.0,true,",
      "2,0.5,true,",
      ',,false,"runtime_error: ZeroDivisionError: division by zero at main, line 2"',
      "",
    ]);
  });

  it.each([
    ["--out-csv a --out b", "--out and --out-csv exclude each other"],
    ["--out-csv a --rows out", "--rows and --out-csv exclude each other"],
    ["--out-csv a --resume", "--resume and --out-csv exclude each other"],
    ["--out-csv a --out-arrow b", "--out-csv and --out-arrow exclude each other"],
    ["--out-csv in.csv", "are the same file"],
  ])("%s is refused", async (flags, message) => {
    const cwd = folderWith(FILES);
    const { code, stderr } = await wf(["batch", "p.py", "--frames-csv", "in.csv", ...flags.split(" ")], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
