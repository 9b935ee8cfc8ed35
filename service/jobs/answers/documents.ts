/** Jobs as callers see them, and jobs as callers name them. */
import { counted } from "../../../grammar/text/english.ts";
import type { FoundJob, JobNote } from "../../state/store.ts";
import type { Answer } from "../../wire/answer.ts";
import { later, ServiceFault } from "../../wire/errors.ts";
import type { Round } from "../families/families.ts";
import type { HeldBy } from "../flow/job-flow.ts";
import { isTerminal, type Job } from "../job.ts";
import { readJobId } from "../job-id.ts";
import type { JobSummaries } from "./summaries.ts";

/** Members of a job wherever it is shown. */
export function listedJob(job: Job) {
  return {
    job_id: job.id,
    status: job.status,
    trace_id: job.traceId,
    label: job.label,
    ...(job.deployment === null ? {} : { program: job.deployment, version: job.version }),
    ...aboutMembers(job),
    attempt: job.attempt,
    queued_at: time(job.queuedMs),
    ...(job.startedMs === null ? {} : { started_at: time(job.startedMs) }),
    ...(job.finishedMs === null ? {} : { finished_at: time(job.finishedMs) }),
    ...(job.finishedMs === null || job.startedMs === null ? {} : { duration_ms: job.finishedMs - job.startedMs }),
    ...(job.error === null ? {} : { error: job.error }),
    ...(job.held && job.status === "queued" ? { held: true } : {}),
    ...(job.durable ? durableMembers(job) : {}),
  };
}

/** What a list says besides. `shown`: messages are shown, which are values of a run. */
export function noteMembers(note: JobNote | undefined, shown: boolean) {
  if (note === undefined) return {};
  const message = shown ? messageText(note.message) : null;
  const kind = note.kind === "date" ? "timer" : note.kind;
  const names = kind === "signal" && note.names !== null ? { names: JSON.parse(note.names) as readonly string[] } : {};
  return { ...(message === null ? {} : { message }), ...(kind === null ? {} : { waits_for: { kind, ...names } }) };
}

const MAX_MESSAGE = 200;

/** `line`: as JSON writes it, cut anywhere; null: no message can be read from it. */
function messageText(line: string | null): string | null {
  if (line === null) return null;
  try {
    const text = JSON.parse(`"${line}"`) as string;
    return text.length > MAX_MESSAGE ? `${[...text.slice(0, MAX_MESSAGE)].slice(0, -1).join("")}…` : text;
  } catch {
    return null;
  }
}

function durableMembers(job: Job) {
  const { resumes, endsMs, status } = job;
  const ends = endsMs === null || isTerminal(status) ? {} : { lifetime_ends_at: time(endsMs) };
  return { durable: true, resumes, ...ends, ...spentTime(job) };
}

/** How long it ran is known when it is over or waits; how long it waited, without the wait under way. */
function spentTime({ startedMs, finishedMs, parkedMs, parkedAtMs }: Job) {
  if (startedMs === null) return {};
  const until = finishedMs ?? parkedAtMs;
  const ran = until === null ? {} : { running_ms: Math.max(0, until - startedMs - parkedMs) };
  return { ...ran, waiting_ms: parkedMs };
}

function aboutMembers({ about: { name, tags, schedule, dueMs, parent }, index }: Job) {
  return {
    ...(name === null ? {} : { name }),
    ...(Object.keys(tags).length === 0 ? {} : { tags }),
    ...(schedule === null ? {} : { schedule }),
    ...(parent === null ? {} : { parent }),
    ...(dueMs === null ? {} : { due_at: time(dueMs) }),
    ...(index === null ? {} : { index }),
  };
}

/** The answer for one job, with its result or, given `summaries`, the summary of it. The result is put in as the text it was stored as. */
export function jobAnswer(
  job: FoundJob,
  headers: Readonly<Record<string, string>>,
  summaries: JobSummaries | null,
  rounds: readonly Round[],
): Answer {
  const document = {
    ...listedJob(job),
    checksum: job.checksum,
    ...(job.expiresMs === null ? {} : { expires_at: time(job.expiresMs) }),
    ...(job.position === null ? {} : { position: job.position }),
    ...(job.heldBy === null ? {} : { held_by: heldBy(job.heldBy) }),
    ...(job.retryOf === null ? {} : { retry_of: job.retryOf }),
    ...roundMembers(rounds),
  };
  const text = JSON.stringify(document);
  const body = job.result === null ? text : `${text.slice(0, -1)},${resultMember(job, job.result, summaries)}}`;
  const again: Readonly<Record<string, string>> = isTerminal(job.status) ? {} : { "retry-after": "1" };
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8", ...again, ...headers },
    body: `${body}\n`,
  };
}

/** Of a job that began again (`job.again`). */
function roundMembers(rounds: readonly Round[]) {
  const [last] = rounds;
  if (last === undefined) return {};
  const over = rounds.map(({ round, traceId, beganMs, endedMs, waited }) => ({
    ...{ round, trace_id: traceId, began_at: time(beganMs), ended_at: time(endedMs), waited },
  }));
  return { round: last.round + 1, rounds: over };
}

function heldBy({ kind, until }: HeldBy) {
  return { kind, ...(until === null ? {} : { until: time(until) }) };
}

/** `"result":…`, or `"summary":…` with the result in it. */
function resultMember(job: Job, result: string, summaries: JobSummaries | null): string {
  return summaries === null ? `"result":${result}` : `"summary":${summaries.of(job, result)}`;
}

/** A job with its result, however large. Rejects with ServiceFault when that is gone. */
export async function withResult(job: FoundJob, fetched: (id: string) => Promise<string | null>): Promise<FoundJob> {
  if (!job.isResultLarge) return job;
  const result = await fetched(job.id);
  return result === null ? existing({ ...job, status: "expired" }) : { ...job, result };
}

/** Throws ServiceFault job_not_found. */
export function jobIdIn(path: { readonly id: string }): string {
  const id = readJobId(path.id);
  if (id === null) throw jobNotFound();
  return id;
}

/** Throws ServiceFault for a job that does not exist or has expired. */
export function existing<T extends Job>(job: T | null): T {
  if (job === null) throw jobNotFound();
  if (job.status === "expired") throw jobExpired(job.id);
  return job;
}

export function jobExpired(id: string): ServiceFault {
  return new ServiceFault("job_expired", "the result of this job is past its retention", { job_id: id });
}

/** A rule says that no job is queued while others run. */
export function dropped(): ServiceFault {
  return new ServiceFault("job_dropped", "as many jobs run as a rule allows, and it drops further ones");
}

/** Another job has the key of this one. */
export function keyTaken(by: string): ServiceFault {
  return new ServiceFault("job_exists", "a job with the same key is queued or runs", { job_id: by });
}

export function jobNotFound(): ServiceFault {
  return new ServiceFault("job_not_found", "no job has this id");
}

/** `wanted`: jobs of the request. One that asks for more than ever wait is not told to come again. */
export function queueFull(
  most: number,
  wanted: number,
  { maxBytes, isTooLarge = false }: { readonly maxBytes?: number; readonly isTooLarge?: boolean } = {},
): ServiceFault {
  if (maxBytes !== undefined) {
    const bytes = `queued jobs can take ${maxBytes} bytes together`;
    if (!isTooLarge) return later("queue_full", `the queue is full: ${bytes}`, 1);
    const issue = { path: "", code: "range", message: bytes };
    return new ServiceFault("queue_full", `the request is too large for the queue: ${bytes}`, { issues: [issue] });
  }
  const bound = `at most ${counted(most, "job")} can wait`;
  if (wanted > most) {
    const message = `the request asks for ${counted(wanted, "job")}, and ${bound}: send fewer frames at a time`;
    return new ServiceFault("queue_full", message, { issues: [{ path: "/frames", code: "range", message: bound }] });
  }
  const full = wanted === 1 ? "the queue is full" : `the queue has no room for ${counted(wanted, "job")}`;
  return later("queue_full", `${full}: ${bound}`, 1);
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}
