/** Cutting an input into chunks of lines: however the bytes come, no line is lost, doubled or split. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutLines, type LineSelection, type Piece } from "../../../vm/batch/rows/cut-lines.ts";
import { itemsOf } from "../../../vm/batch/rows/frame-lines.ts";

const EVERYTHING: LineSelection = { isDone: () => false, most: Number.POSITIVE_INFINITY, maxLineBytes: 40 };

async function cut(text: string, blockBytes: number, selection: Partial<LineSelection> = {}): Promise<Piece[]> {
  const bytes = Buffer.from(text);
  async function* blocks() {
    for (let at = 0; at < bytes.length; at += blockBytes) yield bytes.subarray(at, at + blockBytes);
  }
  const pieces: Piece[] = [];
  for await (const piece of cutLines(blocks(), { ...EVERYTHING, ...selection })) pieces.push(piece);
  return pieces;
}

/** What the pieces hold, as index and frame or fault. */
const contents = (pieces: readonly Piece[]) =>
  pieces.flatMap((piece) =>
    ("fault" in piece ? [piece] : itemsOf(piece)).map((item) => [
      item.index,
      "fault" in item ? `${item.fault.error} ${item.fault.line}` : item.frame["n"],
    ]),
  );

describe("chunks", () => {
  it("contain the same frames for every split of the bytes", async () => {
    const line = fc.oneof(
      fc.nat(99_999).map((n) => `{"n":${n}}`),
      fc.constantFrom(
        "",
        " ",
        "\r",
        "\u00a0",
        "\f",
        '\uFEFF{"n":0}',
        "oops",
        `{"n":"${"x".repeat(60)}"}`,
        '{"n":"ä€"}',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 50 }), async (lines, blockBytes) => {
        const text = lines.join("\n");
        expect(contents(await cut(text, blockBytes))).toEqual(contents(await cut(text, 1_000_000)));
      }),
    );
  });

  it("are at most as many as requested, and the rest is not read", async () => {
    let given = 0;
    async function* endless() {
      for (;;) {
        given += 1;
        yield Buffer.from(`{"n":${given}}\n`);
      }
    }
    const pieces: Piece[] = [];
    for await (const piece of cutLines(endless(), { ...EVERYTHING, most: 3 })) pieces.push(piece);
    expect(contents(pieces)).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
    expect(given).toBe(3);
  });

  it("a line that is too long is skipped and reported with its number", async () => {
    const long = `{"n":"${"x".repeat(100)}"}`;
    const pieces = await cut(`{"n":1}\n\n${long}\n{"n":2}\n${long}`, 16);
    expect(contents(pieces)).toEqual([
      [0, 1],
      [1, "payload_too_large 3"],
      [2, 2],
      [3, "payload_too_large 5"],
    ]);
  });

  it("count a line of invisible characters like any other invalid line", async () => {
    const text = '\uFEFF{"n":1}\n \t\r\n\u00a0\n\f\n\uFEFF{"n":2}\n{"n":3}\n';
    for (const blockBytes of [5, 1000])
      expect(contents(await cut(text, blockBytes))).toEqual([
        [0, 1],
        [1, "invalid_json 3"],
        [2, "invalid_json 4"],
        [3, "invalid_json 5"],
        [4, 3],
      ]);
  });

  it("skip finished frames, and end at the maximum", async () => {
    const text = Array.from({ length: 10 }, (_, n) => `{"n":${n}}\n`).join("");
    const done = new Set([0, 1, 4, 6]);
    const pieces = await cut(text, 25, { isDone: (index) => done.has(index), most: 8 });
    expect(contents(pieces)).toEqual([2, 3, 5, 7].map((n) => [n, n]));
  });
});
