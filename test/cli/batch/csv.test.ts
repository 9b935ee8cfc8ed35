/** Rows of CSV as frames: whatever the file is, every row is a frame or a fault, and none is lost. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvFrames, type Selection } from "../../../cli/batch/csv/reader.ts";
import type { Piece } from "../../../vm/batch/rows/cut-lines.ts";
import { itemsOf } from "../../../vm/batch/rows/frame-lines.ts";
import { executed } from "../../support/executed.ts";
import { wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const EVERYTHING: Selection = { isDone: () => false, most: Number.POSITIVE_INFINITY, maxLineBytes: 100 };

async function read(
  csv: string | Uint8Array,
  blockBytes = 1_000_000,
  selection: Partial<Selection> = {},
  code = { csvFrames, itemsOf },
) {
  const bytes = typeof csv === "string" ? Buffer.from(csv) : csv;
  async function* blocks() {
    for (let at = 0; at < bytes.length; at += blockBytes) yield bytes.subarray(at, at + blockBytes);
  }
  const pieces: Piece[] = [];
  for await (const piece of code.csvFrames(blocks(), { ...EVERYTHING, ...selection })) pieces.push(piece);
  return pieces.flatMap((piece) => ("fault" in piece ? [piece] : code.itemsOf(piece)));
}

/** Values of each frame, or the message of its fault. */
const contents = async (...args: Parameters<typeof read>) =>
  (await read(...args)).map((item) => ("fault" in item ? item.fault.message : Object.values(item.frame)));

const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");
const utf16 = (text: string): Uint8Array => Buffer.from(text, "utf16le");
const LONG = "x".repeat(101);

describe("frames of CSV", () => {
  it.each<[string, string | Uint8Array, readonly unknown[]]>([
    [
      "lines that end in CR alone",
      "a,b\r1,x\r2,y\r",
      [
        ["1", "x"],
        ["2", "y"],
      ],
    ],
    ["lines that end in CRLF, LF and CR in one file", "a\r\n1\n2\r3\r\n4", [["1"], ["2"], ["3"], ["4"]]],
    ["line ends inside quotes", 'a\n"1\r2\r\n3\n4"\n', [["1\r2\r\n3\n4"]]],
    [
      "a quote inside an unquoted value",
      'a,b\n1,5" pipe\n2,"a""b"\n3,z',
      [
        ["1", '5" pipe'],
        ["2", 'a"b'],
        ["3", "z"],
      ],
    ],
    [
      "characters after a closing quote",
      'a,b\n1,"x"y\n"2" ,z\n3,w',
      [
        ["1", '"x"y'],
        ['"2" ', "z"],
        ["3", "w"],
      ],
    ],
    [
      "a quote that nothing closes",
      'a,b\n1,"Bob\n2,Al\n3,Eve\n',
      ["line 2 opens a quote that is not closed", ["2", "Al"], ["3", "Eve"]],
    ],
    [
      "a quote that only a later value closes",
      'a,b\n1,"Bob\n2,Al\n3,"Eve"\n4,"J\no"',
      ["line 2 opens a quote that is not closed", ["2", "Al"], ["3", "Eve"], ["4", "J\no"]],
    ],
    ["a quote that opens at the end of the file", 'a\n1\n"', [["1"], "line 3 opens a quote that is not closed"]],
    [
      "rows with too few and too many values",
      "a,b\n1\n1,2,3\n4,5",
      ["line 2 has 1 values, the header has 2", "line 3 has 3 values, the header has 2", ["4", "5"]],
    ],
    ["empty lines, and rows of empty values", "\n\na\n\n1\n\r\n\r\n2\n\n", [["1"], ["2"]]],
    [
      "empty values",
      'a,b\n,\n"",1\n',
      [
        ["", ""],
        ["", "1"],
      ],
    ],
    ["a byte order mark", '\uFEFF"a"\n1', [["1"]]],
    ["Latin-1 in a row", latin1("a\nJos\xe9\nok"), ["line 2 is not UTF-8", ["ok"]]],
    ["Latin-1 in a row with a stray quote", latin1('a\n5" \xe9\nok'), ["line 2 is not UTF-8", ["ok"]]],
    [
      "a long row",
      `a\n1\n${LONG}\n2\n"${LONG}"\n3`,
      [["1"], "line 3 begins a row longer than 100 bytes", ["2"], "line 5 begins a row longer than 100 bytes", ["3"]],
    ],
    [
      "lines of a long quoted value",
      `a\n"x\n${"y\n".repeat(60)}"\n`,
      [
        "line 2 begins a row longer than 100 bytes",
        ...Array(60).fill(["y"]),
        "line 63 opens a quote that is not closed",
      ],
    ],
    ["many empty lines at the end", `a\n1${"\n".repeat(300)}`, [["1"]]],
    ["a header alone", "a,b\n", []],
  ])("%s", async (_, csv, wanted) => {
    // The bound of a row's length is looked at where the whole file is there, and where it comes in small pieces.
    for (const blockBytes of [1_000_000, 7, 1]) expect(await contents(csv, blockBytes)).toEqual(wanted);
  });

  it.each<[string, string | Uint8Array, string]>([
    ["UTF-16 with a byte order mark", Buffer.concat([Buffer.from([0xff, 0xfe]), utf16("a\n1\n")]), "the CSV is UTF-16"],
    ["UTF-16 without one", utf16("a\n1\n"), "the CSV is UTF-16"],
    ["UTF-16, high bytes first", utf16("a\n1\n").slice().reverse(), "the CSV is UTF-16"],
    ["a header in Latin-1", latin1("Stra\xdfe\n1"), "the header of the CSV cannot be read: line 1 is not UTF-8"],
    ["a header whose quote is open", '"a\n1', "line 1 opens a quote that is not closed"],
    ["a header with an empty name", "a,,b\n1,2,3", "names no variables"],
    ["a header with one name twice", "a,b,a\n1,2,3", "a name twice"],
    ["values separated by semicolons", "a;b\n1;2", "separated by ';'"],
    ["values separated by tabs", "a\tb\n1\t2", "separated by tabs"],
    ["no text at all", "", "no header row"],
    ["empty lines alone", "\r\n\r\n", "no header row"],
  ])("%s: refused", async (_, csv, message) => {
    for (const blockBytes of [1_000_000, 1]) await expect(read(csv, blockBytes)).rejects.toThrow(message);
  });

  it("are numbered by row, and faults name the line that the row begins on", async () => {
    const items = await read('a,b\r\n1,"x\r\ny"\r\n\r\n2\r\n3,z\r\n');
    expect(items.map((item) => [item.index, "fault" in item ? item.fault.line : null])).toEqual([
      [0, null],
      [1, 5],
      [2, null],
    ]);
  });

  it("skip finished and unwanted frames", async () => {
    const items = await read("a\n1\n2\n3\n4\n", 3, { isDone: (index) => index === 1, most: 3 });
    expect(items.map(({ index }) => index)).toEqual([0, 2]);
  });

  it("equal what was written, for any values, line ends and pieces", async () => {
    const value = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r", " ", "é", "€", "😀") });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(value, value)),
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.integer({ min: 1, max: 40 }),
        async (rows, end, blockBytes) => {
          const quoted = rows.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(","));
          const csv = ["a,b", ...quoted].join(end);
          expect(await contents(csv, blockBytes, { maxLineBytes: 10_000 })).toEqual(rows);
        },
      ),
    );
  });

  it("are as many as the lines, when quotes stand anywhere but nothing is quoted whole", async () => {
    const line = fc.string({ unit: fc.constantFrom("a", '"', ","), minLength: 1 }).map((text) => `a${text}`);
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 40 }), async (lines, blockBytes) => {
        const items = await contents(["a,b", ...lines].join("\n"), blockBytes, { maxLineBytes: 10_000 });
        const whole = await contents(["a,b", ...lines].join("\n"), 1_000_000, { maxLineBytes: 10_000 });
        expect(items).toEqual(whole);
        expect(items.flat().join("\n").split("\n").length).toBeLessThanOrEqual(Math.max(1, lines.length * 4));
      }),
    );
  });

  it("come with linear work from rows that cannot be read", { timeout: 60_000 }, async () => {
    type Code = typeof import("../../../cli/batch/csv/reader.ts") &
      typeof import("../../../vm/batch/rows/frame-lines.ts");
    const { module, count, end } = await executed<Code>("cli/batch/csv/reader.ts", "vm/batch/rows/frame-lines.ts");
    const work = (lines: number) =>
      count(() => read(`a,b\n${'z","b\n'.repeat(lines)}"`, 64 * 1024, { maxLineBytes: 1_000_000 }, module));
    await work(500);
    // Four times as many rows: quadratic work would be sixteen times as much.
    const growth = (await work(8000)) / (await work(2000));
    end();
    expect(growth).toBeLessThan(8);
  });

  it("are counted by the command, including unreadable ones", async () => {
    const cwd = folderWith({
      "p.wf": "# frame: id, name\nL1:\n  J name\n",
      "in.csv": 'id,name\n1,5" pipe\n2,"open\n3\n4,d\n',
    });
    const { code, stdout, stderr } = await wf(["batch", "p.wf", "--frames-csv", "in.csv", "--ordered"], { cwd });
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).out),
    ).toEqual(['5" pipe', undefined, undefined, "d"]);
    expect(stderr).toContain("4 frames  2 failed");
    expect(code).toBe(1);
  });
});
