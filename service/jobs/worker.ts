/**
 * Running one job: it is admitted and checked anew, run like any request, and settled with what came of it. A job that is cancelled,
 * or caught by the end of the service, is given up in good order; one that does not end after that is given up all the same.
 */

import { anyOf, Cancelling } from "../../vm/cancelling.ts";
import { type CallEvent, type Cancellation, type Clock, NO_USAGE, type Usage } from "../../vm/run.ts";
import { type AtOnce, lastly, whenThere } from "../at-once.ts";
import { faultBody, faults, ServiceFault, ThreadLost } from "../errors.ts";
import { thousandths } from "../events.ts";
import { executeRun, type RunScope } from "../execute.ts";
import type { RunBody } from "../run-body.ts";
import type { RunInputs } from "../run-plan.ts";
import type { RunSlot } from "../run-slots.ts";
import { successText } from "../run-text.ts";
import type { Services } from "../services.ts";
import { jobTrace } from "../tracing.ts";
import { endedBody, type RunSoFar, toldSoFar } from "./bodies.ts";
import { EventOutbox } from "./event-outbox.ts";
import type { ClaimedJob, Job, JobOutcome } from "./job.ts";
import { type JobLog, jobContext } from "./job-log.ts";
import type { JobPlans } from "./job-plans.ts";
import { jobFrame, type ReadJob } from "./job-request.ts";
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
  readonly plans: JobPlans;
  readonly times: WorkerTimes;
};

/** `known`: of its run; null before it begins. */
type Running = { readonly job: ClaimedJob; readonly cancel: Cancelling; known: RunSoFar | null };
/** `lost`: the run did not end, what it ran on did. */
type Ran = { readonly outcome: JobOutcome; readonly result: string; readonly lost: boolean };
/** `givenUp`: as if the process had died. */
type Ended = { readonly outcome: JobOutcome; readonly result: string; readonly givenUp: boolean };

const ENTER_AGAIN_MS = 50;

export class Worker implements JobWorker {
  readonly #services: Services;
  readonly #store: JobStore;
  readonly #log: JobLog;
  readonly #times: WorkerTimes;
  /** One job may be there twice: a run that another attempt has taken the place of, and that one. */
  readonly #running = new Set<Running>();
  readonly #plans: JobPlans;
  readonly #wait: Clock["wait"];
  readonly #stopping = new AbortController();
  readonly #closing = new AbortController();

  constructor({ services, store, log, plans, times }: WorkerDeps) {
    this.#services = services;
    this.#store = store;
    this.#log = log;
    this.#plans = plans;
    this.#wait = (ms, then) => services.clock.wait(ms, then);
    this.#times = times;
  }

  /** The jobs that run here, or did and are not settled. */
  get running(): readonly ClaimedJob[] {
    return [...this.#running].map(({ job }) => job);
  }

  enter(): RunSlot | Promise<RunSlot> {
    const slot = this.#stopping.signal.aborted ? null : this.#services.slots.tryEnter();
    return slot ?? this.#enterLater();
  }

  async #enterLater(): Promise<RunSlot> {
    const { slots, clock } = this.#services;
    for (;;) {
      if (this.#stopping.signal.aborted) throw faults.draining();
      const slot = slots.tryEnter();
      if (slot !== null) return slot;
      await new Promise<void>((resolve) => clock.wait(ENTER_AGAIN_MS, resolve));
    }
  }

  /** What is there already is not waited for: promises take longer than a short run. */
  async run(job: ClaimedJob, slot: RunSlot): Promise<void> {
    const { clock } = this.#services;
    const running: Running = { job, cancel: new Cancelling(), known: null };
    this.#running.add(running);
    try {
      this.#log.started(job);
      const begun = clock.now();
      const ending = this.#ended(running, slot, begun);
      const { outcome, result, givenUp } = ending instanceof Promise ? await ending : ending;
      const settled = await untilDone(
        () => (givenUp ? this.#store.interrupt(job, running.known) : this.#store.settle(job, outcome, result)),
        this.#wait,
        this.#closing.signal,
      );
      if (settled === null) this.#log.stale(job, outcome);
      else this.#log.ended(settled, thousandths(clock.now() - begun));
    } catch (thrown) {
      this.#log.defect(job, thrown);
    } finally {
      this.#running.delete(running);
    }
  }

  cancelled(job: Job): void {
    this.#log.ended(job);
  }

  /** Ends the run of a job that somebody wants cancelled. Nothing happens when it does not run here. */
  cancel(id: string): void {
    for (const { job, cancel } of this.#running) if (job.id === id) cancel.abort("the job was cancelled");
  }

  /** No further run is begun. */
  stop(): void {
    this.#stopping.abort();
  }

  /** What cannot be told to the store now is not tried again, and what still runs is given up. */
  async close(): Promise<void> {
    this.#closing.abort();
    const left = [...this.#running];
    await Promise.all(left.map(({ job, known }) => this.#store.interrupt(job, known).catch(() => null)));
  }

  /** The slot is left when the run is over; its events are told before its end. */
  #ended(running: Running, slot: RunSlot, begun: number): AtOnce<Ended> {
    const { job, cancel: cancelled } = running;
    const signal = anyOf(slot.signal, cancelled);
    const events = new EventOutbox((some) => this.#store.addEvents(job, some), this.#services.clock);
    const ran = lastly(
      () => {
        const outcome = this.#outcome(running, signal, events, begun);
        return outcome instanceof Promise ? this.#withinHardStop(outcome, running, signal) : outcome;
      },
      () => slot.leave(),
    );
    return whenThere(ran, ({ outcome, result, lost }) => {
      const givenUp = lost || (signal.aborted && !cancelled.aborted && outcome === "cancelled");
      const ended: Ended = { outcome, result, givenUp };
      return events.isEmpty ? ended : events.close().then(() => ended);
    });
  }

  /** A cancelled run has its time to end; one that does not is left behind, and what it may still report is stale. */
  #withinHardStop(ended: Promise<Ran>, running: Running, signal: Cancellation): Promise<Ran> {
    const { clock } = this.#services;
    return new Promise((resolve, reject) => {
      let stop = (): void => {};
      const watch = (): void => {
        stop = clock.wait(this.#times.hardStopMs, () => resolve(leftBehind(running)));
      };
      if (signal.aborted) watch();
      else signal.addEventListener("abort", watch);
      const over = <T>(tell: (value: T) => void, value: T): void => {
        signal.removeEventListener("abort", watch);
        stop();
        tell(value);
      };
      ended.then(
        (end) => over(resolve, end),
        (cause) => over(reject, cause),
      );
    });
  }

  #outcome(running: Running, signal: Cancellation, events: EventOutbox, startedAt: number): AtOnce<Ran> {
    const { job } = running;
    const progress = this.#progressTo(events);
    const trace = jobTrace(job.traceId, job);
    const scope: RunScope = {
      trace,
      context: jobContext(job),
      signal,
      startedAt,
      onCall: (seq, call) => events.add("adapter_call", () => callData(seq, call)),
      onProgress: (usage) => {
        running.known = { limits: running.known?.limits, usage };
        progress(usage);
      },
    };
    const failed = (thrown: unknown): Ran => this.#failed(job, startedAt, thrown);
    return lastly(
      () => {
        try {
          const body = whenThere(this.#plans.of(job), ({ read, plan }) => {
            running.known = { limits: plan.prepared.admission.limits, usage: NO_USAGE };
            return executeRun(this.#services, plan, inputsOf(job, read), scope);
          });
          const ran = (over: RunBody): Ran => {
            running.known = { limits: over.limits, usage: over.usage };
            return ranOf(over);
          };
          return body instanceof Promise ? body.then(ran).catch(failed) : ran(body);
        } catch (thrown) {
          return failed(thrown);
        }
      },
      () => trace.ended(null),
    );
  }

  #failed(job: ClaimedJob, startedAt: number, thrown: unknown): Ran {
    const fault = thrown instanceof ServiceFault ? thrown : faults.internal();
    if (thrown === fault) this.#log.refused(job, startedAt, fault);
    else this.#log.defect(job, thrown);
    const outcome = fault.error === "policy_violation" ? "rejected" : "failed";
    return { outcome, result: JSON.stringify(faultBody(fault, job.traceId)), lost: fault instanceof ThreadLost };
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

function ranOf(body: RunBody): Ran {
  return body.ok
    ? { outcome: "succeeded", result: successText(body), lost: false }
    : { outcome: outcomeOf(body.error), result: JSON.stringify(body), lost: false };
}

/** What becomes of a cancelled run that does not end. */
function leftBehind({ job, known }: Running): Ran {
  const result = endedBody(job.traceId, "cancelled", known ?? toldSoFar(job.request, null));
  return { outcome: "cancelled", result, lost: false };
}

function outcomeOf(error: string): JobOutcome {
  if (error === "max_time_ms_exceeded") return "timed_out";
  return error === "cancelled" ? "cancelled" : "failed";
}

function inputsOf(job: ClaimedJob, read: ReadJob): RunInputs {
  const frame = jobFrame(job, read);
  const { resume } = read.kept;
  const { replay_log, replay_artifact_id } = read.request;
  if (resume !== undefined) return { frame, replay: resume, continues: true };
  return { frame, replay: replay_log ?? undefined, artifactId: replay_artifact_id ?? undefined };
}

function callData(seq: number, { adapter, verb, label, node, status, duration_ms }: CallEvent) {
  return { seq, adapter, verb, label_id: label, node_id: node, status, duration_ms: thousandths(duration_ms) };
}
