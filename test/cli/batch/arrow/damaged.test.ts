/** Arrow that is damaged ends with one refusal: it is not read beyond its bytes, and nothing is allocated for lengths that it only claims. */
import * as arrow from "apache-arrow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  changed,
  column,
  END_MARK,
  fileOf,
  type Message,
  messageBytes,
  messagesOf,
  refusalOf,
  rowsOf,
  streamOf,
  streamWith,
} from "./streams.ts";

const LISTS = new arrow.List(new arrow.Field("item", new arrow.Int32()));
const STREAM = streamWith({
  n: column([1, null, 3], new arrow.Int32()),
  t: column(["one", null, "three"], new arrow.Utf8()),
  l: column([[1], [], [2, 3]], LISTS),
  d: column(["a", "b", "a"], new arrow.Dictionary(new arrow.Utf8(), new arrow.Int8())),
  w: column(["a long text of a view", "b", null], new arrow.Utf8View()),
});
const ROWS = await rowsOf(STREAM);
const FILE = fileOf(STREAM);

/** The only column `v`, in its record batch. */
function batchOf(vector: arrow.Vector): readonly [schema: Message, batch: Message] {
  const messages = messagesOf(streamWith({ v: vector }));
  const [schema, batch] = [messages[0], messages.at(-1)];
  if (schema === undefined || batch === undefined) throw new Error("no messages");
  return [schema, batch];
}

/** `vector` as a stream, in which the header of the record batch is changed. */
function streamChanged(vector: arrow.Vector, ...change: ChangeArguments): Uint8Array {
  const [schema, batch] = batchOf(vector);
  return streamOf([schema, changed(batch, ...change)]);
}
type ChangeArguments = [change: Parameters<typeof changed>[1], body?: number | bigint];

/** `vector` with 32-bit words of the body that are others. */
function streamWithWords(vector: arrow.Vector, buffer: number, words: Readonly<Record<number, number>>): Uint8Array {
  const [schema, batch] = batchOf(vector);
  const header = arrow.Message.decode(batch.metadata).header() as unknown as { buffers: { offset: number }[] };
  const body = Buffer.from(batch.body);
  for (const [at, word] of Object.entries(words))
    body.writeInt32LE(word, (header.buffers[buffer]?.offset ?? 0) + 4 * Number(at));
  return streamOf([schema, { ...batch, body }]);
}

const numbers = () => column([1, null, 3], new arrow.Int32());
const texts = () => column(["one", "two", "three"], new arrow.Utf8());
const lists = () => column([[1], [], [2, 3]], LISTS);
const views = () => column(["a long text of a view"], new arrow.Utf8View());

describe("damaged Arrow", () => {
  it("is refused wherever it was cut off", async () => {
    for (const whole of [STREAM, FILE])
      for (let length = 0; length < whole.length; length += 1)
        for (const total of [length, null])
          expect(await refusalOf(whole.subarray(0, length), { total }), `${length} bytes`).toMatch(
            /^the Arrow file cannot be read: /,
          );
  });

  it("is refused when something follows its end", async () => {
    expect(await refusalOf(Buffer.concat([STREAM, STREAM]))).toContain("continues after the end mark");
    expect(await refusalOf(Buffer.concat([FILE, Buffer.alloc(8)]))).toContain("footer is not whole");
  });

  it("is refused or read as rows, whatever byte is another one", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(FILE.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const bytes = Buffer.from(FILE);
        bytes[at] = (bytes[at] ?? 0) ^ mask;
        // Anything that is not a refusal is thrown on.
        if ((await refusalOf(bytes)) === "read")
          for (const row of await rowsOf(bytes)) expect(row).toMatch(/^(\{|row )/);
      }),
      { numRuns: 3000 },
    );
  });

  it("is refused or read as rows, whatever four bytes are a number that is too large, or negative", async () => {
    for (const value of [0x7fff_ffff, -1, -0x8000_0000, 0x1000_0000])
      for (let at = 0; at + 4 <= FILE.length; at += 4) {
        const bytes = Buffer.from(FILE);
        bytes.writeInt32LE(value, at);
        await refusalOf(bytes);
      }
  });

  it.each<[string, Uint8Array, string]>([
    [
      "a negative count of values",
      streamChanged(numbers(), ({ nodes }) => set(nodes, { length: -1 })),
      "has -1 values",
    ],
    ["more nulls than values", streamChanged(numbers(), ({ nodes }) => set(nodes, { nullCount: 9 })), "and 9 nulls"],
    [
      "fewer nulls than its bits",
      streamChanged(numbers(), ({ nodes }) => set(nodes, { nullCount: 0 })),
      "header says 0",
    ],
    ["more values than there are", streamChanged(numbers(), longer), "the values of a column end too early"],
    [
      "fewer values than rows",
      streamChanged(numbers(), (header) => Object.assign(header, { _length: 4 })),
      "where 4 belong",
    ],
    [
      "a negative number of rows",
      streamChanged(numbers(), (header) => Object.assign(header, { _length: -3 })),
      "has -3 rows",
    ],
    ["a buffer outside", streamChanged(numbers(), ({ buffers }) => set(buffers, { offset: 4096 })), "is outside"],
    ["a buffer before", streamChanged(numbers(), ({ buffers }) => set(buffers, { offset: -8 })), "is outside"],
    [
      "a buffer of a negative length",
      streamChanged(numbers(), ({ buffers }) => set(buffers, { length: -8 })),
      "is outside",
    ],
    ["no columns", streamChanged(numbers(), ({ nodes }) => nodes.pop()), "fewer columns"],
    ["no buffers", streamChanged(numbers(), ({ buffers }) => buffers.pop()), "too few buffers"],
    ["a negative body", streamChanged(numbers(), () => {}, -8n), "a negative length"],
    ["offsets that descend", streamWithWords(texts(), 1, { 1: 100 }), "do not ascend"],
    ["a negative offset", streamWithWords(texts(), 1, { 0: -4 }), "do not ascend"],
    ["offsets beyond the text", streamWithWords(texts(), 1, { 3: 1000 }), "end too early"],
    ["offsets beyond the elements", streamWithWords(lists(), 1, { 3: 4 }), "longer than its elements"],
    ["a view outside", streamWithWords(views(), 1, { 3: 1000 }), "outside of its buffers"],
    ["a view of a buffer that is not there", streamWithWords(views(), 1, { 2: 1 }), "outside of its buffers"],
    ["a view of a negative length", streamWithWords(views(), 1, { 0: -1 }), "outside of its buffers"],
  ])("is refused with %s", async (_name, bytes, message) => {
    expect(await refusalOf(bytes)).toContain(message);
  });

  it("is refused when it points outside of a dictionary, or has none", async () => {
    const [schema, dictionary, batch] = messagesOf(
      streamWith({ v: column(["a", "b"], new arrow.Dictionary(new arrow.Utf8(), new arrow.Int8())) }),
    );
    if (schema === undefined || dictionary === undefined || batch === undefined) throw new Error("three messages");
    for (const index of [2, -1]) {
      const body = Buffer.from(batch.body);
      body.writeInt8(index, 1);
      expect(await refusalOf(streamOf([schema, dictionary, { ...batch, body }]))).toContain(
        "outside of its dictionary",
      );
    }
    expect(await refusalOf(streamOf([schema, batch]))).toContain("a dictionary that has not come before it");
    expect(await refusalOf(streamOf([dictionary, batch]))).toContain("before its schema");
    expect(await refusalOf(streamOf([schema, schema]))).toContain("two schemas");
  });

  it("is refused for a length above the limit before it is waited for", async () => {
    const [schema, batch] = batchOf(numbers());
    const large = Buffer.concat([
      messageBytes(schema),
      messageBytes({ ...changed(batch, () => {}, 2n ** 40n), body: END_MARK }),
    ]);
    expect(await refusalOf(large, { total: null })).toBe(
      "a record batch is larger than 256 MiB; write the file in smaller record batches",
    );
    const beyond = Buffer.concat([messageBytes(schema), messageBytes(changed(batch, () => {}, 200_000_000n))]);
    expect(await refusalOf(beyond)).toContain("it ends in the middle");
    expect(await refusalOf(Buffer.from("ffffffffffffff7f", "hex"), { total: null })).toContain("has 2147483647 bytes");
  });

  it.each([
    ["PAR1 and so on", "the file is Parquet, not Arrow"],
    ['{"n": 1}\n{"n": 2}\n', "it begins neither as an Arrow file nor as an Arrow stream"],
    ["", "it is empty"],
  ])("is not taken for another format: %s", async (text, message) => {
    expect(await refusalOf(Buffer.from(text))).toContain(message);
  });

  it("is refused when it is compressed, as a file of pandas is by default", async () => {
    const compressed = (header: object): void => {
      Object.assign(header, { _compression: { type: 0, method: 0 } });
    };
    expect(await refusalOf(streamChanged(numbers(), compressed))).toContain("the Arrow file is compressed");
  });

  it("is refused in the byte order of other machines, in which each value would be another one", async () => {
    expect(await refusalOf(Buffer.from(BIG_ENDIAN, "base64"))).toContain("the byte order of big-endian machines");
  });

  it("is refused with a type that is not known, by the name of the column", async () => {
    const [schema] = batchOf(numbers());
    const refusals = new Set<string>();
    for (const at of schema.metadata.keys()) {
      const metadata = Buffer.from(schema.metadata);
      metadata[at] = 22;
      refusals.add(await refusalOf(streamOf([{ ...schema, metadata }])));
    }
    expect([...refusals]).toContain(
      "column 'v' has a type that is not known (22); write it with an ordinary type, or leave it out",
    );
  });

  it("is refused when it was written by the library as a file, without a schema at its beginning", async () => {
    const file = arrow.tableToIPC(new arrow.Table({ v: numbers() }), "file");
    expect(await refusalOf(file)).toContain("write it as a stream");
  });

  it("still gives the rows of the record batches before the damage", async () => {
    const messages = messagesOf(STREAM);
    const cut = Buffer.concat([...messages.map(messageBytes), Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)]);
    await expect(rowsOf(cut)).rejects.toThrow("a message does not begin where it should");
    expect(await rowsOf(cut, { most: ROWS.length })).toEqual(ROWS);
  });
});

/** A column of one null, as Arrow's own test data has it. */
const BIG_ENDIAN =
  "/////4AAAAAQAAAAAAAKAA4ABgAFAAgACgAAAAABBAAQAAAAAAAKABAABgAIAAwACgAAAAAAAQAMAAAABAAAAAAAAAABAAAAFAAAABAAFAAIAAYABwAM" +
  "AAAAEAAQAAAAAAABARgAAAAQAAAABAAAAAAAAAAEAAQABAAAAAIAAABmMAAAAAAAAP////8AAAAA";

function set<T extends object>(list: readonly T[], members: Partial<T>): void {
  Object.assign(list.at(-1) ?? {}, members);
}

function longer(header: Parameters<Parameters<typeof changed>[1]>[0]): void {
  header._length = 1000;
  set(header.nodes, { length: 1000, nullCount: 0 });
  set(header.buffers.slice(0, 1), { length: 0 });
}
