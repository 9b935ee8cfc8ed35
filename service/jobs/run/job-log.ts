/** Reports jobs to the log and the metrics (docs/jobs.md, log events and figures). */
import type { LogLevel } from "../../../adapters/operator/host-config.ts";
import type { Services } from "../../services.ts";
import type { EventContext } from "../../telemetry/events.ts";
import { logRefusal } from "../../telemetry/log-refusal.ts";
import type { ServiceFault } from "../../wire/errors.ts";
import type { Job, JobStatus, Submission } from "../job.ts";

/** Hears of each job that ended; absent members: it is not known which program it ran. */
type Ended = (job: Told & Partial<Pick<Job, "deployment" | "version">>) => void;
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
  readonly #ended: Ended;

  /** `replica`: told with every event where several processes share a queue. */
  constructor(
    services: Pick<Services, "events" | "metrics" | "clock">,
    replica: string | null,
    ended: Ended = () => {},
  ) {
    this.#ended = ended;
    this.#services = services;
    this.#own = replica === null ? {} : { replica };
  }

  /** Jobs that have traces of their own name the request with its trace. */
  queued({ jobs, bulk, traceId }: Submission): void {
    const { metrics, events } = this.#services;
    const fields = { status: "queued", attempt: 0, ...this.#own };
    for (const { id, traceId: trace_id } of jobs) {
      metrics.jobMoved("queued");
      const isOwn = bulk || trace_id !== traceId;
      const context = isOwn ? { trace_id, parent_trace_id: traceId, job_id: id } : { trace_id, job_id: id };
      events.note("info", "job_queued", fields, context);
    }
  }

  started(job: Told & Pick<Job, "queuedMs" | "startedMs">): void {
    const wait_ms = Math.max(0, (job.startedMs ?? job.queuedMs) - job.queuedMs);
    this.#services.metrics.jobStarted(wait_ms);
    this.#note("job_started", job, { wait_ms });
  }

  /** Ended, cancelled, interrupted, expired: whatever a job moved to. `duration_ms` when this process ran it. */
  ended(job: Parameters<Ended>[0], duration_ms?: number): void {
    this.#ended(job);
    this.#services.metrics.jobMoved(job.status);
    const event = ENDED[job.status] ?? "job_finished";
    this.#note(event, job, duration_ms === undefined ? {} : { duration_ms });
  }

  /** A durable job waits from now on. */
  parked(job: Told): void {
    this.#note("job_parked", job, {});
  }

  /** A round of a job is over, and the next one is in line, with a trace of its own. */
  again(job: Told, next: Told): void {
    this.#services.metrics.jobMoved("queued");
    this.#note("job_again", next, { before: job.traceId });
  }

  /** What a durable job waited for is there, and it is in line again; `lagMs`: since it should be. */
  woken(job: Told, why: string, lagMs = 0): void {
    this.#services.metrics.jobWoken(lagMs);
    this.#note("job_woken", job, { why });
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

  /** Whether jobs can be archived before they expire. `fault`: why not; null: they can again. */
  archive(fault: string | null): void {
    const { events } = this.#services;
    if (fault === null) events.note("info", "archive_recovered", {});
    else events.note("error", "archive_failed", { reason: fault });
  }

  #note(event: string, job: Told, more: Readonly<Record<string, string | number>>, level: LogLevel = "info"): void {
    const { status, attempt } = job;
    this.#services.events.note(level, event, { status, attempt, ...more, ...this.#own }, jobContext(job));
  }
}
