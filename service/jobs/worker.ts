/**
 * Running one job: it is admitted and checked anew, run like any request, and settled with what came of it. A job that is cancelled,
 * or caught by the end of the service, is given up in good order; one that does not end after that is given up all the same.
 */
import type { JsonObject } from "../../compiler/json.ts";
import type { CallEvent, Cancellation, Usage } from "../../vm/run.ts";
import { anyOf, Cancelling } from "../cancelling.ts";
import { faultBody, faults, ServiceFault, ThreadLost } from "../errors.ts";
import { thousandths } from "../events.ts";
import { executeRun } from "../execute.ts";
import { planRun, type RunInputs } from "../run-plan.ts";
import type { RunSlot } from "../run-slots.ts";
import type { Services } from "../services.ts";
import { jobTrace } from "../tracing.ts";
import { endedBody } from "./bodies.ts";
import { EventOutbox } from "./event-outbox.ts";
import type { ClaimedJob, Job, JobOutcome } from "./job.ts";
import { type JobLog, jobContext } from "./job-log.ts";
import type { JobPrograms } from "./job-programs.ts";
import { readJobWork } from "./job-request.ts";
import type { JobStore, JobWorker } from "./store.ts";
import { untilDone } from "./until-done.ts";

export type WorkerTimes = {
  /** From the cancelling of a run to giving it up. */
  readonly hardStopMs: number;
  /** Usage of a running job is told this often. */
  readonly progressMs: number;
};

export type WorkerDeps = {
  readonly services: Services;
  readonly store: JobStore;
  readonly log: JobLog;
  readonly programs: JobPrograms;
  readonly times: WorkerTimes;
};

/** `lost`: the run did not end, what it ran on did. */
type Ended = { readonly outcome: JobOutcome; readonly result: string; readonly lost?: boolean };

const ENTER_AGAIN_MS = 50;

export class Worker implements JobWorker {
  readonly #services: Services;
  readonly #store: JobStore;
  readonly #log: JobLog;
  readonly #times: WorkerTimes;
  readonly #running = new Map<ClaimedJob["id"], { readonly job: ClaimedJob; readonly cancel: Cancelling }>();
  readonly #programs: JobPrograms;
  readonly #stopping = new AbortController();
  readonly #closing = new AbortController();

  constructor({ services, store, log, programs, times }: WorkerDeps) {
    this.#services = services;
    this.#store = store;
    this.#log = log;
    this.#programs = programs;
    this.#times = times;
  }

  /** The jobs that run here, or did and are not settled. */
  get running(): readonly ClaimedJob[] {
    return [...this.#running.values()].map(({ job }) => job);
  }

  async enter(): Promise<RunSlot> {
    const { slots, clock } = this.#services;
    for (;;) {
      if (this.#stopping.signal.aborted) throw faults.draining();
      const slot = slots.tryEnter();
      if (slot !== null) return slot;
      await new Promise<void>((resolve) => clock.wait(ENTER_AGAIN_MS, resolve));
    }
  }

  async run(job: ClaimedJob, slot: RunSlot): Promise<void> {
    const cancel = new Cancelling();
    this.#running.set(job.id, { job, cancel });
    try {
      await this.#run(job, slot, cancel);
    } catch (thrown) {
      this.#log.defect(job, thrown);
    } finally {
      this.#running.delete(job.id);
    }
  }

  cancelled(job: Job): void {
    this.#log.ended(job);
  }

  /** Ends the run of a job that somebody wants cancelled. Nothing happens when it does not run here. */
  cancel(id: string): void {
    this.#running.get(id)?.cancel.abort("the job was cancelled");
  }

  /** No further run is begun. */
  stop(): void {
    this.#stopping.abort();
  }

  /** What cannot be told to the store now is not tried again. */
  close(): void {
    this.#closing.abort();
  }

  async #run(job: ClaimedJob, slot: RunSlot, cancelled: Cancellation): Promise<void> {
    const { clock } = this.#services;
    const signal = anyOf(slot.signal, cancelled);
    this.#log.started(job);
    const begun = clock.now();
    const events = new EventOutbox((some) => this.#store.addEvents(job, some), clock);
    const outcome = this.#outcome(job, signal, events, begun);
    const ended = await this.#withinHardStop(outcome, job, signal).finally(() => slot.leave());
    await events.close();
    const givenUp = ended.lost === true || (signal.aborted && !cancelled.aborted && ended.outcome === "cancelled");
    const settled = await untilDone(
      () => (givenUp ? this.#store.interrupt(job) : this.#store.settle(job, ended.outcome, ended.result)),
      (ms, then) => clock.wait(ms, then),
      this.#closing.signal,
    );
    if (settled === null) this.#log.stale(job, ended.outcome);
    else this.#log.ended(settled, thousandths(clock.now() - begun));
  }

  /** A cancelled run has its time to end; one that does not is left behind, and what it may still report is stale. */
  #withinHardStop(ended: Promise<Ended>, job: ClaimedJob, signal: Cancellation): Promise<Ended> {
    const { clock } = this.#services;
    return new Promise((resolve, reject) => {
      let stop = (): void => {};
      const watch = (): void => {
        stop = clock.wait(this.#times.hardStopMs, () =>
          resolve({ outcome: "cancelled", result: endedBody(job.traceId, "cancelled") }),
        );
      };
      if (signal.aborted) watch();
      else signal.addEventListener("abort", watch);
      ended.then(resolve, reject).finally(() => {
        signal.removeEventListener("abort", watch);
        stop();
      });
    });
  }

  async #outcome(job: ClaimedJob, signal: Cancellation, events: EventOutbox, startedAt: number): Promise<Ended> {
    const services = this.#services;
    const context = jobContext(job);
    const trace = jobTrace(job.traceId, job.traceparent);
    try {
      const { request, admission, kept } = readJobWork(job, services.gateway, this.#programs);
      const plan = await planRun(services, request, admission, null);
      const scope = {
        trace,
        context,
        signal,
        startedAt,
        onCall: (seq: number, call: CallEvent) => events.add("adapter_call", () => callData(seq, call)),
        onProgress: this.#progressTo(events),
      };
      const inputs: RunInputs = {
        frame: (request.frame ?? {}) as JsonObject,
        ...replayOf(request.replay_log ?? undefined, kept.resume),
        ...(request.replay_artifact_id === undefined || request.replay_artifact_id === null
          ? {}
          : { artifactId: request.replay_artifact_id }),
      };
      const told = { ...plan, sourceHash: kept.sourceHash, warnings: kept.warnings };
      const body = await executeRun(services, told, inputs, scope);
      return { outcome: body.ok ? "succeeded" : outcomeOf(body.error), result: JSON.stringify(body) };
    } catch (thrown) {
      const fault = thrown instanceof ServiceFault ? thrown : faults.internal();
      if (thrown === fault) this.#log.refused(job, startedAt, fault);
      else this.#log.defect(job, thrown);
      const outcome = fault.error === "policy_violation" ? "rejected" : "failed";
      return { outcome, result: JSON.stringify(faultBody(fault, job.traceId)), lost: fault instanceof ThreadLost };
    } finally {
      trace.ended(null);
    }
  }

  #progressTo(events: EventOutbox): (usage: Usage) => void {
    const { clock } = this.#services;
    let next = clock.now() + this.#times.progressMs;
    return (usage) => {
      const now = clock.now();
      if (now < next) return;
      next = now + this.#times.progressMs;
      events.add("progress", () => ({ usage }));
    };
  }
}

function outcomeOf(error: string): JobOutcome {
  if (error === "max_time_ms_exceeded") return "timed_out";
  return error === "cancelled" ? "cancelled" : "failed";
}

function replayOf(asked: unknown, resume: unknown): Pick<RunInputs, "replay" | "continues"> {
  if (resume !== undefined) return { replay: resume, continues: true };
  return asked === undefined ? {} : { replay: asked };
}

function callData(seq: number, { adapter, verb, label, node, status, duration_ms }: CallEvent) {
  return { seq, adapter, verb, label_id: label, node_id: node, status, duration_ms };
}
