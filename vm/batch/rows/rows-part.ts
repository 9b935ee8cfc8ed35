/** Results as rows: what a row says, and several of them on their way out with what they come to. */
import type { Usage } from "../../run.ts";

/**
 * `out`: the result alone. `lean`: `{"ok":true,"out":…}`. Both have one row for each frame, in the order of the frames, and a frame that failed has its whole
 * result there. `full`: index, usage and duration as well.
 */
export type Rows = "out" | "lean" | "full";

/** Whole lines, and what they come to. */
export type RowsPart = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly count: number;
  readonly failed: number;
  /** The first of them, up to MAX_SHOWN_FAILURES. */
  readonly failures: readonly RowFailure[];
  /** Those of its runs together; sums, and of depth, frame size and iterations the maximum. */
  readonly usage: Usage;
  /** What lean rows do not say, each once; of many the first ones. */
  readonly warnings: readonly string[];
};

/** Which frame failed, and why. `index` counts frames from 0. */
export type RowFailure = { readonly index: number; readonly error: string; readonly message: string };

/** More are only counted. */
export const MAX_SHOWN_FAILURES = 10;
export const MAX_ROW_WARNINGS = 20;
