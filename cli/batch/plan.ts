/** What `wf batch` was asked to do. */
import type { BatchPace } from "../../vm/batch/run-items.ts";
import type { ProgramPlan } from "../run/prepare-program.ts";
import type { FrameSource } from "./input.ts";

export type BatchPlan = ProgramPlan & {
  readonly source: FrameSource;
  /** undefined: standard output. */
  readonly out: string | undefined;
  readonly resume: boolean;
  /** Frames at a time; undefined: as many as are useful. */
  readonly jobs: number | undefined;
  readonly ordered: boolean;
  readonly onError: NonNullable<BatchPace["onError"]>;
  /** Frames of the input that are looked at. */
  readonly mostFrames: number;
};
