/** What the service and its worker threads say to each other of frames of a batch. Plain data that can be copied between threads. */
import type { Ir } from "../../compiler/ir/graph.ts";
import type { SharedOptions } from "../../vm/batch/frame-runner.ts";
import type { FromGuest } from "../../vm/offload/messages.ts";
import type { CallEvent, Outcome, Usage } from "../../vm/run.ts";
import type { TierSetting } from "../../vm/tier/policy.ts";
import type { FrameItem } from "../batch/frames.ts";

/** How long the service hears nothing of frames that are over. */
export const PART_MS = 20;

/** A longer line takes so long to make that its time is not booked to the next frame: the clock is read anew. */
export const QUICK_LINE = 4096;

/** Everything about the runs of a batch but their frames. */
export type FrameProgram = Pick<SharedOptions, "limits" | "allowed" | "allowEnv" | "quantum" | "dryRun"> & {
  readonly ir: Ir;
  /** Id of the entry label. */
  readonly entry: string;
  readonly frameCeilingBytes: number | undefined;
  /** null: all runs are in the loop. */
  readonly tier: TierSetting | null;
  readonly maxResultBytes: number;
};

/** `text`: of the frame, where it says more than the frame does. */
export type SentFrame = FrameItem & { readonly text?: string };

export type ToFrameGuest =
  /** Runs the frames in their order. `program` null: that of the frames before. */
  | { readonly kind: "frames"; readonly program: FrameProgram | null; readonly frames: readonly SentFrame[] }
  /** Nothing further is begun, and the run under way is cancelled. */
  | { readonly kind: "stop"; readonly reason: string | null };

/** What the first of the frames came to; the others were not begun. */
export type FramesRan = {
  readonly kind: "ran";
  /** Milliseconds that each took. */
  readonly durations: readonly number[];
  /** Lines of the answer, one for each: empty for those that failed. */
  readonly lines: string;
  readonly failures: readonly FrameFailed[];
  /** Of those that succeeded, together. */
  readonly usage: Usage;
  readonly calls: readonly CallEvent[];
};

export type FrameFailed = {
  /** Among the frames of the message. */
  readonly at: number;
  readonly outcome: Outcome;
  /** The run succeeded, but its result is too large to be sent. */
  readonly ran: boolean;
};

export type FromFrameGuest = FramesRan | Extract<FromGuest, { readonly kind: "defect" }>;
