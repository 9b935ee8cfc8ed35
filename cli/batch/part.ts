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

/** Characters of one part: results are gathered up to here, far below the longest text there can be. */
const MOST_TOGETHER = 16 * 1024 * 1024;

/** Several parts where one would become too long. */
export function* partsOfResults(results: readonly BatchResult[]): Generator<BatchPart, void> {
  let failed = 0;
  let count = 0;
  let text = "";
  for (const result of results) {
    const line = lineOf(result);
    if (count > 0 && text.length + line.length > MOST_TOGETHER) {
      yield { lines: encoded(text), count, failed };
      [text, count, failed] = ["", 0, 0];
    }
    text += line;
    count += 1;
    if (!result.ok) failed += 1;
  }
  if (count > 0) yield { lines: encoded(text), count, failed };
}

/** A value may hold one part so often that its text is longer than any text can be. */
function lineOf(result: BatchResult): string {
  try {
    return `${JSON.stringify(result)}\n`;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const message = "the result is too large to write";
    return `${JSON.stringify({ index: result.index, ok: false, error: "result_too_large", message })}\n`;
  }
}
