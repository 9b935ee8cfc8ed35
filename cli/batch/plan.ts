/** What `wf batch` was asked to do. */
import type { Rows } from "../../vm/batch/rows/rows-part.ts";
import type { BatchPace } from "../../vm/batch/run-groups.ts";
import type { ProgramPlan } from "../run/prepare-program.ts";
import type { FrameSource } from "./input.ts";

export type BatchPlan = ProgramPlan & {
  readonly source: FrameSource;
  /** undefined: standard output. */
  readonly out: string | undefined;
  /** Form of `out`: columns are of lean rows, and cannot be continued. */
  readonly outForm: "lines" | "arrow" | "csv";
  readonly resume: boolean;
  /** Frames at a time; undefined: as many as are useful. */
  readonly jobs: number | undefined;
  readonly rows: Rows;
  /** Also of full rows; others always are. */
  readonly ordered: boolean;
  readonly onError: NonNullable<BatchPace["onError"]>;
  /** Frames of the input that are looked at. */
  readonly mostFrames: number;
};
