/** `wf jobs tree`: the jobs of a family, each below the one that started it. */
import * as z from "zod/mini";
import { visible } from "../output/terminal/columns.ts";
import { EXIT } from "../session/faults.ts";
import type { Screen } from "../session/screen.ts";

const Member = z.looseObject({
  job_id: z.string(),
  parent: z.nullable(z.string()),
  detached: z.boolean(),
  share: z.optional(z.string()),
  status: z.string(),
  program: z.nullable(z.string()),
  version: z.nullable(z.number()),
  error: z.nullable(z.string()),
  round: z.optional(z.number()),
});
export const Family = z.looseObject({ job_id: z.string(), jobs: z.array(Member), truncated: z.boolean() });
export type JobFamily = z.output<typeof Family>;
type FamilyMember = JobFamily["jobs"][number];

export function showTree(family: JobFamily, screen: Screen): number {
  if (screen.json) screen.document(family);
  else screen.out(treeText(family));
  return EXIT.success;
}

/** One line for each job, indented by its depth. */
function treeText({ job_id, jobs, truncated }: JobFamily): string {
  const children = new Map<string | null, FamilyMember[]>();
  const known = new Set(jobs.map((job) => job.job_id));
  for (const job of jobs) {
    const parent = job.parent !== null && known.has(job.parent) ? job.parent : null;
    children.set(parent, [...(children.get(parent) ?? []), job]);
  }
  const lines: string[] = [];
  // Not recursive: what a service sends may be deep.
  const left = (children.get(null) ?? []).map((job) => ({ job, depth: 0 }));
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    const { job, depth } = next;
    lines.push(`${"  ".repeat(depth)}${line(job)}${job.job_id === job_id ? "  <" : ""}`);
    left.unshift(...(children.get(job.job_id) ?? []).map((child) => ({ job: child, depth: depth + 1 })));
    children.delete(job.job_id);
  }
  if (truncated) lines.push("… and more");
  return `${lines.join("\n")}\n`;
}

function line({ job_id, status, program, version, error, detached, share, round }: FamilyMember): string {
  const of = program === null ? "" : `  ${visible(program)}@${version ?? "?"}`;
  const what = error === null ? "" : `  ${visible(error)}`;
  const again = round === undefined ? "" : `  round ${round}`;
  const shared = share === undefined ? "" : "  shared budget";
  return `${visible(job_id)}  ${visible(status)}${of}${again}${what}${detached ? "  detached" : ""}${shared}`;
}
