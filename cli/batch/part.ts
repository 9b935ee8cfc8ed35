/** Results on their way to the output: whole lines, and what they come to. */
import type { FrameEnd } from "../../vm/batch/frame-runner.ts";
import type { BatchResult } from "../../vm/batch/result.ts";

export type BatchPart = {
  readonly lines: Uint8Array<ArrayBuffer>;
  readonly count: number;
  readonly failed: number;
};

export type CallTimes = FrameEnd["callTimes"];

const encoder = new TextEncoder();

/** UTF-8 in a buffer of its own. */
export function encoded(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text) as Uint8Array<ArrayBuffer>;
}

export function partOf(results: readonly BatchResult[]): BatchPart {
  let failed = 0;
  let text = "";
  for (const result of results) {
    if (!result.ok) failed += 1;
    text += `${lineOf(result)}\n`;
  }
  return { lines: encoded(text), count: results.length, failed };
}

/** A value may hold one part so often that its text is longer than any text can be. */
function lineOf(result: BatchResult): string {
  try {
    return JSON.stringify(result);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const message = "the result is too large to write";
    return JSON.stringify({ index: result.index, ok: false, error: "result_too_large", message });
  }
}
