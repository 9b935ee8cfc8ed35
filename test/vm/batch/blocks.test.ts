/** Frames as objects and as blocks of lines, results as values and as rows: all four ways say the same. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../compiler/json.ts";
import type { BatchResult } from "../../../vm/batch/result.ts";
import { type BatchOptions, runBatch } from "../../../vm/batch.ts";
import { irOf, world } from "../../support/world.ts";

const DIVIDE = irOf("def main(n):\n    return 12 / n\n");
const FRAMES: readonly JsonObject[] = [{ n: 4 }, { n: 0 }, { n: 5 }];
const LINES = Buffer.from(FRAMES.map((frame) => `${JSON.stringify(frame)}\n`).join(""));
const host = () => world().host;

/** The lines in blocks of `size` bytes. */
async function* blocks(size: number, lines = LINES): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < lines.length; at += size) yield lines.subarray(at, at + size);
}

async function values(frames: Parameters<typeof runBatch>[1], options: Partial<BatchOptions> = {}) {
  const results: BatchResult[] = [];
  for await (const result of runBatch(DIVIDE, frames, { host: host(), ordered: true, ...options }))
    results.push(result);
  return results;
}

async function rows(frames: Parameters<typeof runBatch>[1], kind: "lean" | "out" | "full" = "lean") {
  const parts: Uint8Array[] = [];
  let failed = 0;
  for await (const part of runBatch(DIVIDE, frames, { host: host(), rows: kind, ordered: true })) {
    parts.push(part.bytes);
    failed += part.failed;
  }
  return { text: Buffer.concat(parts).toString(), failed };
}

const plain = (results: readonly BatchResult[]) =>
  results.map((result) => [result.index, result.ok ? result.out : result.error]);

describe("a batch of the library", () => {
  it("gives the same results for objects and for blocks, however lines are split", async () => {
    const wanted = [
      [0, 3],
      [1, "runtime_error"],
      [2, 2.4],
    ];
    expect(plain(await values(FRAMES))).toEqual(wanted);
    for (const size of [1, 7, 1000]) expect(plain(await values(blocks(size)))).toEqual(wanted);
    expect(plain(await values([LINES]))).toEqual(wanted);
  });

  it("gives the same rows for both, with floats as Python has them", async () => {
    const [lean, full] = [await rows(FRAMES), await rows(FRAMES, "full")];
    expect(lean.failed).toBe(1);
    expect(lean.text.split("\n")[0]).toBe('{"ok":true,"out":3.0}');
    const out = await rows(blocks(5), "out");
    expect(out.text.split("\n").filter((_, at) => at !== 1)).toEqual(["3.0", "2.4", ""]);
    for (const size of [1, 7, 1000]) expect(await rows(blocks(size))).toEqual(lean);
    const shape = (text: string) => text.replaceAll(/"duration_ms":[0-9.]+/g, "");
    expect(shape((await rows([LINES], "full")).text)).toEqual(shape(full.text));
  });

  it("takes a line that is not a frame as the fault of that line", async () => {
    const results = await values(blocks(9, Buffer.from('{"n":3}\noops\n\n{"n":"\ud800"')));
    expect(plain(results)).toEqual([
      [0, 4],
      [1, "invalid_json"],
      [2, "invalid_json"],
    ]);
  });

  it("refuses blocks that are mixed with frames, and rows of another name", async () => {
    await expect(values([LINES, { n: 1 }] as never)).rejects.toThrow("mixed");
    expect(plain(await values([{ n: 1 }, LINES] as never))[1]).toEqual([1, "invalid_json"]);
    await expect(rows(FRAMES, "small" as never)).rejects.toThrow("lean, out or full");
  });

  it("ends its source when its reader leaves", async () => {
    let ended = false;
    async function* endless() {
      try {
        for (;;) yield LINES;
      } finally {
        ended = true;
      }
    }
    for await (const part of runBatch(DIVIDE, endless(), { host: host(), rows: "lean" })) {
      expect(part.count).toBeGreaterThan(0);
      break;
    }
    expect(ended).toBe(true);
  });

  it("is the same of a prepared program", async () => {
    const parts: string[] = [];
    for await (const { bytes } of host().prepare(DIVIDE).batch(blocks(4), { rows: "out" }))
      parts.push(Buffer.from(bytes).toString());
    expect(parts.join("").split("\n")[0]).toBe("3.0");
  });
});
