/** Jobs as rows of a table. */
import { duration } from "../output/terminal/table.ts";
import type { RemoteJob } from "./client.ts";

/** The first row has the titles. */
export function jobRows(jobs: readonly RemoteJob[]): readonly (readonly string[])[] {
  const rows = jobs.map((job) => [
    job.job_id,
    job.status,
    programText(job),
    job.label,
    String(job.attempt),
    job.queued_at,
    spentText(job.running_ms ?? job.duration_ms),
    spentText(job.waiting_ms),
    job.error ?? "",
  ]);
  return [["job", "status", "program", "label", "attempt", "queued", "ran", "waited", "error"], ...rows];
}

/** What did not happen, or is not known, is left out. */
function spentText(ms: number | undefined): string {
  return ms === undefined || ms === 0 ? "" : duration(ms);
}

/** `digest@7`, or the name of a job of no deployment. */
function programText({ program, version, name }: RemoteJob): string {
  if (program === undefined) return name ?? "";
  return `${program}@${version ?? "?"}${name === undefined ? "" : ` ${name}`}`;
}
