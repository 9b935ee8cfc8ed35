/** Call durations of runs, by adapter; and text as bytes that may cross threads. */
import type { FrameEnd } from "../../vm/batch/frame-options.ts";

export type CallTimes = FrameEnd["callTimes"];

const encoder = new TextEncoder();

/** UTF-8 in a buffer of its own. */
export function encoded(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text) as Uint8Array<ArrayBuffer>;
}
