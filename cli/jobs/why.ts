/** `wf jobs why`: what a job waits for and what would wake it, or why it did not succeed and what runs it again. */

import { visible } from "../output/terminal/columns.ts";
import { counted, duration } from "../output/terminal/table.ts";
import type { Screen } from "../session/screen.ts";
import type { Session } from "../session/session.ts";
import type { JobService, RemoteJob } from "./client.ts";
import type { JobWaits } from "./durable.ts";
import { jobFailureText } from "./failure.ts";
import { type JobProgram, programOf } from "./job-program.ts";

/** States of jobs that are over and did not succeed. */
const FAILED: readonly string[] = ["failed", "timed_out", "cancelled", "interrupted", "rejected", "expired"];

function didNotSucceed({ status }: Pick<JobWaits, "status">): boolean {
  return FAILED.includes(status);
}

/** Those of them that are dead letters until they are retried or discarded (docs/jobs.md). */
const DEAD: readonly string[] = FAILED.filter((status) => status !== "cancelled" && status !== "expired");

/** By state of a job that has no open wait, and did not fail. */
const WITHOUT_WAIT: Readonly<Record<string, string>> = {
  waiting: "its wait has just ended, and it continues when the service has a free place",
  sleeping: "its wait has just ended, and it continues when the service has a free place",
  cancelling: "it was cancelled, and ends when its cleanup is done",
  succeeded: "it came to its end: wf jobs get shows the result",
};

/** By the rule that holds a job back in the queue (docs/how-to/flow-control.md). */
const HELD: Readonly<Record<string, string>> = {
  time: "it is in the queue, and its rule lets it begin later",
  concurrency: "it is in the queue: as many jobs as its rule admits are running, and it starts when one of them ends",
  rate: "it is in the queue: as many jobs as its rule admits have just begun",
  unique: "it is in the queue: the job that it replaces has not ended",
};

/** Why a job without an open wait does not go further, or that it does. */
function withoutWait({ job_id: id, status }: JobWaits, { held_by: held, position }: Standing): string {
  if (status === "running") return `it is running: wf trace --follow --job ${visible(id)} shows what it calls`;
  if (status !== "queued")
    return WITHOUT_WAIT[status] ?? `this version of wf does not know the state ${visible(status)}`;
  const until = held?.until === undefined ? "" : `, at ${visible(held.until)}`;
  const rule = held === undefined ? undefined : HELD[held.kind];
  if (rule !== undefined) return `${rule}${until}`;
  const before = position === undefined || position === 0 ? "" : `, after ${counted(position, "other job")}`;
  return `it is in the queue${before}, and starts when the service has a free place`;
}

/** Rounds that are shown. */
const SHOWN_ROUNDS = 5;

/** One line for the state, one for each open wait, and what would end it. `job`: null where it did not fail. `rounds`: of a job that began again. */
export function whyText(state: JobWaits, job: RemoteJob | null, looked: Looked): string {
  const { job_id, status, waits, unread } = state;
  const { now, found, program } = looked;
  const open = waits.filter((wait) => wait.ended_at === null);
  const lines = [`${visible(job_id)}  ${visible(status)}`, ...roundLines(found)];
  for (const wait of open) {
    const since = duration(Math.max(0, now - Date.parse(wait.since)));
    const until = wait.until === null ? "" : `, until ${visible(wait.until)}`;
    lines.push(
      `  ${branchText(wait, program)}waits ${subject(wait)} for ${since}${until}`,
      `    ${cure(job_id, wait)}`,
    );
  }
  if (job !== null) lines.push(...failureLines(job, looked));
  else if (open.length === 0) lines.push(`  ${withoutWait(state, found)}`);
  const left = Object.entries(unread).map(([name, count]) => `${count} of ${visible(name)}`);
  if (left.length > 0) lines.push(`  unread signals: ${left.join(", ")}`);
  return `${lines.join("\n")}\n`;
}

type Rounds = Pick<RemoteJob, "round" | "rounds">;
type Standing = Pick<RemoteJob, "held_by" | "position">;
type Looked = {
  readonly now: number;
  readonly screen: Screen;
  readonly found: Rounds & Standing;
  readonly program: JobProgram;
  /** It failed, and was retried or discarded since. */
  readonly handled: boolean;
  /** It failed, and its journal has the answers of its calls. */
  readonly recorded: boolean;
};

/** Asks the service why the job is where it is, and prints it. */
export async function showWhy(
  service: JobService,
  id: string,
  { screen, io }: Pick<Session, "screen" | "io">,
): Promise<void> {
  const waits = await service.waits(id);
  const found = await service.get(id, 0);
  const job = didNotSucceed(waits) ? found : null;
  const { round, rounds } = found;
  const again = round === undefined ? {} : { round, rounds };
  if (screen.json) {
    screen.document({ ...waits, ...again, ...(job?.result === undefined ? {} : { result: job.result }) });
    return;
  }
  const program = await programOf(service, found);
  const handled = DEAD.includes(waits.status) && (await service.list({ dead: "1", q: found.job_id })).jobs.length === 0;
  const recorded = job?.durable === true && (await hasRecords(service, id));
  screen.out(whyText(waits, job, { now: io.clock.wall(), screen, found, program, handled, recorded }));
}

/** A journal that cannot be read has none to continue from; why that is so stands in the failure of its job. */
function hasRecords(service: JobService, id: string): Promise<boolean> {
  return service.journal(id, 0, false).then(
    ({ records }) => records.some(({ adapter }) => adapter !== undefined),
    () => false,
  );
}

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
function failureLines(job: RemoteJob, { handled, recorded, program: { source }, screen }: Looked): readonly string[] {
  const { paint } = screen;
  const failure = jobFailureText(job, source, { ...screen, errorPaint: paint })
    .trimEnd()
    .split("\n");
  const retry = `    wf jobs retry ${visible(job.job_id)}`;
  const current = `${retry} --current    with the version of ${visible(job.program ?? "")} that is current now`;
  const failed = `${retry} --from failure    keeps the answers of its calls before it, and makes none of them again`;
  const again = [retry, ...(recorded ? [failed] : []), ...(job.program === undefined ? [] : [current])];
  const since = handled ? ["  it was retried or discarded since; once more:"] : [];
  return [...failure.map((line) => `  ${line}`), ...since, ...(job.status === "expired" ? [] : again)];
}

type OpenWait = JobWaits["waits"][number];

/** `branch 2 of main line 4, branch 1 of probe line 9 `: numbers from 1, with the steps that began them. "" outside of branches. */
function branchText({ branch }: OpenWait, { stepName }: JobProgram): string {
  if (branch === undefined) return "";
  const parts = branch.split(">").map((one) => {
    const [, label, node, number] = /^(.+)\/([^/]+)\/[^/]*#([0-9]+)$/.exec(one) ?? [];
    return label === undefined ? one : `branch ${Number(number) + 1} of ${stepName({ label, node })}`;
  });
  return `${visible(parts.join(", "))} `;
}

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
