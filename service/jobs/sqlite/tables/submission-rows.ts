/** The jobs of a submission on their way to the thread of the database, and back: rows, and once what all of them share. */
import type { Submission, SubmittedJob } from "../../job.ts";

/** The jobs of a submission, three texts for each: its id, its trace and its frame. Lists for each take longer on the way between the threads. */
type SubmittedRows = readonly (string | null)[];
export type SubmissionRows = { readonly submission: Omit<Submission, "jobs">; readonly rows: SubmittedRows };

export function submittedRows({ jobs, ...submission }: Submission): SubmissionRows {
  const rows: (string | null)[] = [];
  for (const { id, traceId, frame } of jobs) rows.push(id, traceId, frame);
  return { submission, rows };
}

/** As they were before they became rows. */
export function submittedJobs(rows: SubmittedRows): readonly SubmittedJob[] {
  const jobs: SubmittedJob[] = [];
  for (let at = 0; at < rows.length; at += 3)
    jobs.push({ id: rows[at] as string, traceId: rows[at + 1] as string, frame: rows[at + 2] as string | null });
  return jobs;
}

/** What the request of a submission is called among the texts of the store. */
export function requestName({ label, checksum }: { readonly label: string; readonly checksum: string }): string {
  return `request ${label} ${checksum}`;
}

/** What the frame of a job is called among the texts of the store. */
export function frameName(id: string, submission: number | bigint): string {
  return `frame ${id} ${submission}`;
}
