/** What log and figures are told of jobs (docs/jobs.md, log events and figures). */
import type { ServiceFault } from "../errors.ts";
import type { EventContext } from "../events.ts";
import { logRefusal } from "../refusals.ts";
import { jobMoveText, membersText } from "../run-text.ts";
import type { Services } from "../services.ts";
import type { Job, JobStatus, Submission } from "./job.ts";

type Told = Pick<Job, "id" | "traceId" | "status" | "attempt">;

const ENDED: Readonly<Partial<Record<JobStatus, string>>> = {
  cancelled: "job_cancelled",
  rejected: "job_rejected",
  interrupted: "job_interrupted",
  // Taken from a process that is gone, to be started again.
  queued: "job_interrupted",
  expired: "job_expired",
};

export function jobContext({ id, traceId }: Pick<Job, "id" | "traceId">): EventContext {
  return { trace_id: traceId, job_id: id };
}

export class JobLog {
  readonly #services: Pick<Services, "events" | "metrics" | "clock">;
  readonly #own: Readonly<Record<string, string>>;
  readonly #ownText: string;

  /** `replica`: told with every event where several processes share a queue. */
  constructor(services: Pick<Services, "events" | "metrics" | "clock">, replica: string | null) {
    this.#services = services;
    this.#own = replica === null ? {} : { replica };
    this.#ownText = membersText(this.#own);
  }

  /** Jobs that have traces of their own name the request with its trace. */
  queued({ jobs, bulk, traceId }: Submission): void {
    const { metrics, events } = this.#services;
    const members = jobMoveText("queued", 0) + this.#ownText;
    for (const { id, traceId: trace_id } of jobs) {
      metrics.jobMoved("queued");
      const context = bulk ? { trace_id, parent_trace_id: traceId, job_id: id } : { trace_id, job_id: id };
      events.jobMoved("info", "job_queued", context, members);
    }
  }

  started(job: Told & Pick<Job, "queuedMs" | "startedMs">): void {
    const wait_ms = Math.max(0, (job.startedMs ?? job.queuedMs) - job.queuedMs);
    this.#services.metrics.jobStarted(wait_ms);
    this.#moved("job_started", job, "wait_ms", wait_ms);
  }

  /** Ended, cancelled, interrupted, expired: whatever a job moved to. `duration_ms` when this process ran it. */
  ended(job: Told, duration_ms?: number): void {
    this.#services.metrics.jobMoved(job.status);
    const event = ENDED[job.status] ?? "job_finished";
    if (duration_ms === undefined) this.#moved(event, job);
    else this.#moved(event, job, "duration_ms", duration_ms);
  }

  /** A result that came too late to be one: another process has the job, or it is over. */
  stale(job: Told, outcome: string): void {
    this.#note("stale_completion", job, { outcome }, "warn");
  }

  /** A job that could not be run any more. `receivedAt`: when it was begun. */
  refused(job: Told, receivedAt: number, fault: ServiceFault): void {
    logRefusal(this.#services, jobContext(job), receivedAt, fault);
  }

  defect(job: Told, thrown: unknown): void {
    this.#note("defect", job, { error: thrown instanceof Error ? thrown.name : "unknown" }, "error");
  }

  store(fault: string | null): void {
    const { events } = this.#services;
    if (fault === null) events.note("info", "store_recovered", {});
    else events.note("error", "store_unavailable", { reason: fault });
  }

  #moved(event: string, job: Told, figure?: string, ms?: number): void {
    const members = jobMoveText(job.status, job.attempt, figure, ms) + this.#ownText;
    this.#services.events.jobMoved("info", event, jobContext(job), members);
  }

  #note(event: string, job: Told, more: Readonly<Record<string, string>>, level: "warn" | "error"): void {
    const { status, attempt } = job;
    this.#services.events.note(level, event, { status, attempt, ...more, ...this.#own }, jobContext(job));
  }
}
