/** What the command and its threads say to each other. Plain data; chunks and lines are handed over, not copied. */
import type { Ir } from "../../compiler/ir/graph.ts";
import type { FrameChunk } from "../../vm/batch/rows/frame-lines.ts";
import type { Rows, RowsPart } from "../../vm/batch/rows/rows-part.ts";
import type { BatchPace } from "../../vm/batch/run-groups.ts";
import type { InputMode } from "../../vm/inputs/check-inputs.ts";
import type { Limits } from "../../vm/run.ts";
import type { TierSetting } from "../../vm/tier/policy.ts";
import type { CallTimes } from "./part.ts";

/** What a thread is started with: everything about the runs but their frames. */
export type ThreadStart = {
  readonly ir: Ir;
  readonly label: string | undefined;
  readonly limits: Limits;
  /** Which side of the grant each limit comes from, for the error of a run that breaks it. */
  readonly limitSources: Readonly<Record<string, string>>;
  /** Whose allowlist lacks `core`, the only adapter that is called in threads. */
  readonly allowlistSources: readonly string[];
  /** The allowlist of the command line. */
  readonly requested: readonly string[] | null;
  readonly allowedAdapters: readonly string[];
  readonly allowEnv: readonly string[] | null;
  readonly environment: ReadonlyMap<string, string>;
  readonly frameCeilingBytes: number | null;
  readonly tier: TierSetting;
  /** Frames whose whole numbers lose digits are refused. */
  readonly strict: boolean;
  /** What happens to a frame that is not what the program declares. */
  readonly inputs: InputMode;
  readonly rows: Rows;
  readonly pace: Pick<BatchPace, "concurrency" | "ordered">;
};

export type FromThread =
  | { readonly kind: "part"; readonly part: RowsPart; readonly times: readonly CallTimes[] }
  | { readonly kind: "done" }
  /** A fault of the executor itself. */
  | { readonly kind: "defect"; readonly message: string };

export type ToThread = FrameChunk;
