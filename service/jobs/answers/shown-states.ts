/** What jobs show of themselves, as it is stored. */
import type { ClaimedJob } from "../job.ts";

/** `atMs`: when it was written. */
export type ShownJob = { readonly atMs: number; readonly text: string };

export interface ShownStates {
  /** Of a job of this process. */
  write(job: ClaimedJob, text: string): Promise<void>;
  /** Null: the job shows nothing. */
  find(id: string): Promise<ShownJob | null>;
}
