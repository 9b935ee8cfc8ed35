/** Results as rows: what a row says, and several of them on their way out with what they come to. */
import type { Usage } from "../../run.ts";
import type { BatchResult } from "../result.ts";

/**
 * `out`: the result alone. `lean`: `{"ok":true,"out":…}`. Both have one row for each frame, in the order of the frames, and a frame that failed has its whole
 * result there. `full`: index, usage and duration as well.
 */
export type Rows = (typeof ROWS)[number];

/** As callers name them. */
export const ROWS = ["lean", "out", "full"] as const;

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

/** What a surface does about each row. Times are milliseconds of the clock. */
export interface RowWatch {
  /** Values whose text is longer are not written: they go to `shown`. */
  readonly maxBytes: number;
  /** A run has ended well, and its row is written. */
  ran(startedAt: number, endedAt: number): void;
  /** The result as it may be written. */
  shown(result: BatchResult): BatchResult;
}

/** Which frame failed, and why. `index` counts frames from 0. */
export type RowFailure = { readonly index: number; readonly error: string; readonly message: string };

/** More are only counted. */
export const MAX_SHOWN_FAILURES = 10;
export const MAX_ROW_WARNINGS = 20;
