/** `wf jobs why`: what a job waits for and what would wake it, or why it did not succeed and what runs it again. */
import { visible } from "../output/terminal/columns.ts";
import { duration } from "../output/terminal/table.ts";
import type { Screen } from "../session/screen.ts";
import type { RemoteJob } from "./client.ts";
import type { JobWaits } from "./durable.ts";
import { jobFailureText } from "./failure.ts";

/** States of jobs that are over and did not succeed. */
const FAILED: readonly string[] = ["failed", "timed_out", "cancelled", "interrupted", "rejected", "expired"];

export function didNotSucceed({ status }: Pick<JobWaits, "status">): boolean {
  return FAILED.includes(status);
}

/** By state of a job that waits for nothing, and did not fail. */
const WITHOUT_WAIT: Readonly<Record<string, string>> = {
  queued: "it is in line for a place to run in",
  running: "it runs, and waits for nothing",
  cancelling: "it is about to end, and waits for nothing",
  succeeded: "it came to its end: wf jobs get shows the result",
};

/** Rounds that are shown. */
const SHOWN_ROUNDS = 5;

/** One line for the state, one for each open wait, and what would end it. `job`: null where it did not fail. `rounds`: of a job that began again. */
export function whyText(
  { job_id, status, waits, unread }: JobWaits,
  job: RemoteJob | null,
  { now, screen, rounds }: { readonly now: number; readonly screen: Screen; readonly rounds: Rounds },
): string {
  const open = waits.filter((wait) => wait.ended_at === null);
  const lines = [`${visible(job_id)}  ${visible(status)}`, ...roundLines(rounds)];
  for (const wait of open) {
    const since = duration(Math.max(0, now - Date.parse(wait.since)));
    const until = wait.until === null ? "" : `, until ${visible(wait.until)}`;
    const branch = wait.branch === undefined ? "" : `branch ${visible(wait.branch)} `;
    lines.push(`  ${branch}waits ${subject(wait)} for ${since}${until}`, `    ${cure(job_id, wait)}`);
  }
  if (job !== null) lines.push(...failureLines(job, screen));
  else if (open.length === 0) lines.push(`  ${WITHOUT_WAIT[status] ?? "it waits for nothing"}`);
  const left = Object.entries(unread).map(([name, count]) => `${count} of ${visible(name)}`);
  if (left.length > 0) lines.push(`  unread signals: ${left.join(", ")}`);
  return `${lines.join("\n")}\n`;
}

type Rounds = Pick<RemoteJob, "round" | "rounds">;

/** Which round it is, and the last ones before. */
function roundLines({ round, rounds = [] }: Rounds): readonly string[] {
  if (round === undefined) return [];
  const before = rounds.slice(0, SHOWN_ROUNDS).map(({ round: at, began_at, ended_at, waited }) => {
    const took = duration(Math.max(0, Date.parse(ended_at) - Date.parse(began_at)));
    return `    round ${at} from ${visible(began_at)}, for ${took}${waited ? ", with waits" : ""}`;
  });
  return [`  round ${round} of the job, which began again (job.again)`, ...before];
}

/** As `wf jobs wait` prints it, in the colors of stdout. */
function failureLines(job: RemoteJob, screen: Screen): readonly string[] {
  const { paint } = screen;
  const failure = jobFailureText(job, null, { ...screen, errorPaint: paint })
    .trimEnd()
    .split("\n");
  const again = job.status === "expired" ? [] : [`    wf jobs retry ${visible(job.job_id)}`];
  return [...failure.map((line) => `  ${line}`), ...again];
}

type OpenWait = JobWaits["waits"][number];

function subject({ kind, names = [], jobs = [], keyed, of }: OpenWait): string {
  if (kind === "timer") return "for its time,";
  if (kind === "job")
    return `for ${jobs.length === 1 ? "the job" : "one of the jobs"} ${jobs.map((id) => visible(id)).join(", ")},`;
  if (kind === "approval") return "for a decision,";
  if (kind === "outcome") return `for a word on record ${of ?? "?"}, a call of unknown outcome,`;
  if (kind === "event") return `for the event ${visible((names[0] ?? "").slice("event:".length))},`;
  return `for signal ${names.map((name) => visible(name)).join(" or ")}${keyed === true ? " under its key" : ""},`;
}

function cure(id: string, { kind, names = [], jobs = [], keyed, of, approval }: OpenWait): string {
  if (kind === "timer") return "the time wakes it";
  if (kind === "job") return `wf jobs why ${visible(jobs[0] ?? "ID")}`;
  if (kind === "approval") return `wf approve ${visible(approval ?? "ID")}`;
  if (kind === "outcome") return `wf jobs outcome ${visible(id)} ${of ?? "SEQ"} done|make|fail`;
  if (kind === "event") return `wf events emit ${visible((names[0] ?? "").slice("event:".length))} DATA`;
  if (keyed === true) return `wf jobs signal --key KEY ${visible(names[0] ?? "NAME")}`;
  return `wf jobs signal ${visible(id)} ${visible(names[0] ?? "NAME")}`;
}
