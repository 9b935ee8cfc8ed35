/** Rows of Arrow as frames: every value arrives as what its column says, and memory holds one record batch. */
import * as arrow from "apache-arrow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arrowFrames } from "../../../../cli/batch/arrow/reader.ts";
import { EVERY_LINE } from "../../../../vm/batch/rows/cut-lines.ts";
import { itemsOf } from "../../../../vm/batch/rows/frame-lines.ts";
import {
  column,
  END_MARK,
  fileOf,
  messageBytes,
  messagesOf,
  piecesOf,
  refusalOf,
  rowsOf,
  streamOf,
  streamWith,
} from "./streams.ts";

const list = (type: arrow.DataType) => new arrow.List(new arrow.Field("item", type));
const DAY = Date.UTC(2024, 1, 29);

/** 64-bit values as they are in the file: the library's own setters would divide and round. */
function raw(type: arrow.DataType, values: readonly bigint[]): arrow.Vector {
  return new arrow.Vector([arrow.makeData({ type: type as arrow.Int64, data: BigInt64Array.from(values) })]);
}

describe("values of Arrow columns", () => {
  it.each<[string, arrow.Vector, readonly string[]]>([
    ["booleans", column([true, null, false], new arrow.Bool()), ["true", "null", "false"]],
    ["the smallest int8", column([-128, null], new arrow.Int8()), ["-128", "null"]],
    ["the largest uint16", column([65_535], new arrow.Uint16()), ["65535"]],
    ["the largest uint32", column([4_294_967_295], new arrow.Uint32()), ["4294967295"]],
    ["int64 beyond 2^53", column([9_007_199_254_740_993n, null], new arrow.Int64()), ["9007199254740993", "null"]],
    ["the smallest int64", column([-(2n ** 63n)], new arrow.Int64()), ["-9223372036854775808"]],
    ["the largest uint64", column([2n ** 64n - 1n], new arrow.Uint64()), ["18446744073709551615"]],
    ["whole floats", column([5, -0, 1e21, null], new arrow.Float64()), ["5.0", "-0.0", "1e+21", "null"]],
    ["float32", column([0.5, 16_777_216], new arrow.Float32()), ["0.5", "16777216.0"]],
    ["float16", column([-1.5, 2 ** -24, 0], new arrow.Float16()), ["-1.5", "5.960464477539063e-8", "0.0"]],
    ["text", column(['a"b\n', null, "", "ü😀"], new arrow.Utf8()), ['"a\\"b\\n"', "null", '""', '"ü😀"']],
    ["large text", column(["x", null], new arrow.LargeUtf8()), ['"x"', "null"]],
    [
      "text views, in the view and outside",
      column(["twelve bytes", "thirteen bytes", null], new arrow.Utf8View()),
      ['"twelve bytes"', '"thirteen bytes"', "null"],
    ],
    ["nothing", column([null, null], new arrow.Null()), ["null", "null"]],
    [
      "dictionaries",
      column(["a", null, "b", "a"], new arrow.Dictionary(new arrow.Utf8(), new arrow.Int8())),
      ['"a"', "null", '"b"', '"a"'],
    ],
    ["dates of days", column([new Date(DAY), null], new arrow.DateDay()), ['"2024-02-29"', "null"]],
    ["dates of milliseconds", column([new Date(DAY)], new arrow.DateMillisecond()), ['"2024-02-29"']],
    [
      "timestamps in seconds before 1970",
      raw(new arrow.TimestampSecond(), [-1n, 0n]),
      ['"1969-12-31T23:59:59"', '"1970-01-01T00:00:00"'],
    ],
    ["timestamps in milliseconds", raw(new arrow.TimestampMillisecond(), [-1n]), ['"1969-12-31T23:59:59.999"']],
    [
      "timestamps with a zone, as points in time",
      raw(new arrow.TimestampMicrosecond("Europe/Berlin"), [1_500_000n]),
      ['"1970-01-01T00:00:01.500000Z"'],
    ],
    [
      "timestamps in nanoseconds",
      raw(new arrow.TimestampNanosecond("UTC"), [1_700_000_000_123_456_789n]),
      ['"2023-11-14T22:13:20.123456789Z"'],
    ],
    ["lists", column([[1, 2], null, []], list(new arrow.Int32())), ["[1,2]", "null", "[]"]],
    [
      "lists of one length",
      column([[1, 2], null, [3, 4]], new arrow.FixedSizeList(2, new arrow.Field("item", new arrow.Int32()))),
      ["[1,2]", "null", "[3,4]"],
    ],
    [
      "structs, with any name of a member",
      column(
        [{ x: 1n, constructor: "c" }, null],
        new arrow.Struct([new arrow.Field("x", new arrow.Int64()), new arrow.Field("constructor", new arrow.Utf8())]),
      ),
      ['{"x":1,"constructor":"c"}', "null"],
    ],
  ])("reads %s", async (_name, values, expected) => {
    const stream = streamWith({ v: values });
    const rows = expected.map((text) => `{"v":${text}}`);
    expect(await rowsOf(stream)).toEqual(rows);
    expect(await rowsOf(fileOf(stream), { blockBytes: 5, total: null })).toEqual(rows);
  });

  it("keeps all digits of a decimal, as text", async () => {
    const words = [123n, -5n, 10n ** 20n].flatMap((value) => {
      const bits = BigInt.asUintN(128, value);
      return [0n, 32n, 64n, 96n].map((shift) => Number((bits >> shift) & 0xffff_ffffn));
    });
    const data = arrow.makeData({ type: new arrow.Decimal(2, 38, 128), data: Uint32Array.from(words) });
    expect(await rowsOf(streamWith({ v: new arrow.Vector([data]) }))).toEqual([
      '{"v":"1.23"}',
      '{"v":"-0.05"}',
      '{"v":"1000000000000000000.00"}',
    ]);
  });

  const scalar = (one: fc.Arbitrary<unknown>, type: () => arrow.DataType, text: (value: never) => unknown) =>
    fc.array(fc.option(one), { minLength: 1, maxLength: 20 }).map((values) => ({
      vector: column(values, type()),
      expected: values.map((value) => (value === null ? null : text(value as never))),
    }));
  const COLUMNS = [
    scalar(
      fc.boolean(),
      () => new arrow.Bool(),
      (value: boolean) => value,
    ),
    scalar(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), () => new arrow.Int64(), String),
    scalar(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      () => new arrow.Float64(),
      (value: number) => value + 0,
    ),
    scalar(
      fc.string({ unit: "grapheme" }),
      () => new arrow.Utf8(),
      (value: string) => value,
    ),
    scalar(
      fc.string(),
      () => new arrow.Utf8View(),
      (value: string) => value,
    ),
    scalar(
      fc.array(fc.integer({ min: -9, max: 9 })),
      () => list(new arrow.Int8()),
      (value: number[]) => value,
    ),
    scalar(fc.constantFrom("a", "bb"), () => new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32()), String),
  ] as const;

  it("reads back what was written, whatever the values and the blocks of bytes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(...COLUMNS),
        fc.integer({ min: 1, max: 300 }),
        fc.boolean(),
        async (given, size, file) => {
          const stream = streamWith({ v: given.vector });
          const rows = await rowsOf(file ? fileOf(stream) : stream, { blockBytes: size });
          const isWhole = arrow.DataType.isInt(given.vector.type);
          const found = rows.map((row) => (isWhole && !row.includes("null") ? row.slice(5, -1) : JSON.parse(row).v));
          expect(found).toEqual(given.expected);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("takes a column with the name __proto__ for data", async () => {
    const field = new arrow.Field("__proto__", new arrow.Int32());
    const schema = new arrow.Schema([field]);
    const data = arrow.makeData({
      type: new arrow.Struct([field]),
      children: [column([7], field.type).data[0] as arrow.Data],
    });
    const stream = arrow.RecordBatchStreamWriter.writeAll([new arrow.RecordBatch(schema, data)]).toUint8Array(true);
    const [piece] = await piecesOf(stream);
    if (piece === undefined || "fault" in piece) throw new Error("no frame");
    const [item] = itemsOf(piece);
    expect(item !== undefined && "frame" in item && Object.entries(item.frame)).toEqual([["__proto__", 7]]);
  });
});

describe("rows that are not frames", () => {
  it("fail alone, by row and column", async () => {
    const stream = streamWith({
      a: column([1, Number.NaN, Number.POSITIVE_INFINITY, 2], new arrow.Float64()),
      t: raw(new arrow.TimestampSecond(), [0n, 0n, 0n, 10n ** 15n]),
    });
    const fault = (line: number, message: RegExp) => ({
      index: line - 1,
      fault: { error: "invalid_json", message: expect.stringMatching(message), line },
    });
    expect(await piecesOf(stream)).toMatchObject([
      { index: 0, line: 1 },
      fault(2, /^row 2: column 'a' is NaN/),
      fault(3, /^row 3: column 'a' is Infinity/),
      fault(4, /^row 4: column 't' is a date outside of the years 1 to 9999/),
    ]);
  });

  it("fail when their values repeat a long text of a dictionary too often", async () => {
    const long = "x".repeat(60);
    const texts = column([long], new arrow.Dictionary(new arrow.Utf8(), new arrow.Int8()));
    const stream = streamWith({ v: texts, w: texts });
    expect(await rowsOf(stream, { maxLineBytes: 100 })).toEqual([
      "row 1: column 'w' makes the row longer than 100 bytes as JSON",
    ]);
  });

  it("fail when a text is not UTF-8", async () => {
    const [schema, batch] = messagesOf(streamWith({ v: column(["ab", "cd"], new arrow.Utf8()) }));
    if (schema === undefined || batch === undefined) throw new Error("two messages");
    const body = Buffer.from(batch.body);
    body[body.indexOf("cd")] = 0xff;
    expect(await rowsOf(streamOf([schema, { ...batch, body }]))).toEqual([
      '{"v":"ab"}',
      "row 2: column 'v' is not UTF-8",
    ]);
  });
});

describe("which rows are read", () => {
  const stream = streamWith({ v: column([0, 1, 2, 3, 4, 5], new arrow.Int32()) });

  it("leaves out those that are done, and numbers the others as they are", async () => {
    const pieces = await piecesOf(stream, { isDone: (index) => index < 2 || index === 3 });
    expect(pieces.map((piece) => [piece.index, "bytes" in piece && Buffer.from(piece.bytes).toString()])).toEqual([
      [2, '{"v":2}'],
      [4, '{"v":4}\n{"v":5}'],
    ]);
  });

  it("stops after the wanted number, and does not look at what follows", async () => {
    expect(await rowsOf(stream.subarray(0, -8), { most: 2, total: null })).toEqual(['{"v":0}', '{"v":1}']);
  });

  it("reads inputs of no rows, and of no columns", async () => {
    expect(await rowsOf(streamWith({ v: column([], new arrow.Int32()) }))).toEqual([]);
    expect(await rowsOf(arrow.tableToIPC(new arrow.Table(), "stream"))).toEqual([]);
  });

  it("holds one record batch of 100,000 rows in a hundred of them", async () => {
    const [schema, batch] = messagesOf(
      streamWith({
        v: column(
          Array.from({ length: 1000 }, (_, at) => at),
          new arrow.Int32(),
        ),
      }),
    );
    if (schema === undefined || batch === undefined) throw new Error("two messages");
    let [given, taken, ahead] = [0, 0, 0];
    async function* blocks() {
      yield messageBytes(schema as never);
      for (; given < 100; given += 1) {
        ahead = Math.max(ahead, given - Math.floor(taken / 1000));
        yield messageBytes(batch as never);
      }
      yield END_MARK;
    }
    for await (const piece of arrowFrames(blocks(), EVERY_LINE, null))
      if ("bytes" in piece) taken += Buffer.from(piece.bytes).toString().split("\n").length;
    expect([given, taken, ahead]).toEqual([100, 100_000, 0]);
  });
});

describe("columns that are refused", () => {
  it.each<[string, arrow.Vector, string]>([
    [
      "binary",
      column([Uint8Array.of(1)], new arrow.Binary()),
      "column 'v' has the type Binary, which frames cannot hold",
    ],
    ["times", raw(new arrow.TimeMicrosecond(), [1n]), "column 'v' has the type Time64<MICROSECOND>"],
    ["durations", raw(new arrow.DurationSecond(), [1n]), "column 'v' has the type Duration<SECOND>"],
    [
      "binary inside a list",
      column([[Uint8Array.of(1)]], list(new arrow.Binary())),
      "column 'v[]' has the type Binary",
    ],
    [
      "a struct with a member twice",
      column(
        [{ a: 1 }],
        new arrow.Struct([new arrow.Field("a", new arrow.Int8()), new arrow.Field("a", new arrow.Int8())]),
      ),
      "two columns have the name 'v.a'",
    ],
  ])("%s", async (_name, values, message) => {
    expect(await refusalOf(streamWith({ v: values }))).toContain(message);
  });

  it("columns of one name, and without a name", async () => {
    const of = (...names: string[]) => {
      const fields = names.map((name) => new arrow.Field(name, new arrow.Int8()));
      const children = names.map(() => column([1], new arrow.Int8()).data[0] as arrow.Data);
      const data = arrow.makeData({ type: new arrow.Struct(fields), children });
      return arrow.RecordBatchStreamWriter.writeAll([
        new arrow.RecordBatch(new arrow.Schema(fields), data),
      ]).toUint8Array(true);
    };
    expect(await refusalOf(of("a", "b", "a"))).toContain("two columns have the name 'a'");
    expect(await refusalOf(of("a", ""))).toContain("a column has no name");
  });
});
