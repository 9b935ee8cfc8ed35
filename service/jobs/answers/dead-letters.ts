/** Dead letters: jobs that failed and that were neither retried nor discarded since (docs/jobs.md). */
import type { JobStatus } from "../job.ts";

/** States that a job can fail with. One that was cancelled did not fail. */
export const FAILED: readonly JobStatus[] = ["failed", "timed_out", "interrupted", "rejected"];

/** What became of one; columns of a job that is not a dead letter any more. */
export const RETRIED = 1;
export const DISCARDED = 2;

/** Condition on columns of `jobs`. The first two name the index. */
export const IS_DEAD = `error IS NOT NULL AND handled IS NULL AND status IN (${FAILED.map((state) => `'${state}'`).join(", ")})`;

/** Those of one program with one reason. */
export type DeadLetters = {
  /** Null: jobs of no deployment. */
  readonly program: string | null;
  /** Error word of the results. */
  readonly error: string;
  readonly count: number;
  /** When the first and the last of them ended, in milliseconds since 1970. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** Id of the newest. */
  readonly job: string;
};

export interface DeadLetterStore {
  /** Groups with the newest first. */
  list(most: number): Promise<readonly DeadLetters[]>;
  /** False: the job is not a dead letter. */
  discard(id: string): Promise<boolean>;
}
