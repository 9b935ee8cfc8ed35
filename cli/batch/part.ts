/** Results on their way to the output: whole lines, and what they come to. */
import type { FrameEnd } from "../../vm/batch/frame-runner.ts";
import type { BatchResult } from "../../vm/batch/result.ts";
import { documentText } from "../../vm/inputs/exact-text.ts";
import { lineSafe } from "../../vm/values/json-line.ts";

export type BatchPart = {
  readonly lines: Uint8Array<ArrayBuffer>;
  readonly count: number;
  readonly failed: number;
  /** The first of them, up to MAX_SHOWN_FAILURES. */
  readonly failures: readonly FrameFailure[];
};

/** Which frame failed, and why. `index` counts frames from 0, as in the result lines. */
export type FrameFailure = { readonly index: number; readonly error: string; readonly message: string };

/** The summary names no more: the results have all of them. */
export const MAX_SHOWN_FAILURES = 10;

export type CallTimes = FrameEnd["callTimes"];

const encoder = new TextEncoder();

/** UTF-8 in a buffer of its own. */
export function encoded(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text) as Uint8Array<ArrayBuffer>;
}

/** Characters of one part: results are gathered up to here, far below the longest text there can be. */
const MAX_TOGETHER = 16 * 1024 * 1024;

/** Several parts where one would become too long. */
export function* partsOfResults(results: readonly BatchResult[]): Generator<BatchPart, void> {
  let failed = 0;
  let count = 0;
  let failures: FrameFailure[] = [];
  let text = "";
  for (const result of results) {
    const line = lineOf(result);
    if (count > 0 && text.length + line.length > MAX_TOGETHER) {
      yield { lines: encoded(text), count, failed, failures };
      [text, count, failed, failures] = ["", 0, 0, []];
    }
    text += line;
    count += 1;
    if (result.ok) continue;
    failed += 1;
    const { index, error, message } = result;
    if (failures.length < MAX_SHOWN_FAILURES) failures.push({ index, error, message });
  }
  if (count > 0) yield { lines: encoded(text), count, failed, failures };
}

/** A value may hold one part so often that its text is longer than any text can be. */
function lineOf(result: BatchResult): string {
  try {
    return `${lineSafe(documentText(result))}\n`;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const message = "the result is too large to write";
    return `${JSON.stringify({ index: result.index, ok: false, error: "result_too_large", message })}\n`;
  }
}
