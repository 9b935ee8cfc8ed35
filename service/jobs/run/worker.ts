/**
 * Running one job: it is admitted and checked anew, run like any request, and settled with what came of it. A job that is cancelled,
 * or caught by the end of the service, is given up in good order; one that does not end after that is given up all the same.
 */

import type { JournalRecord } from "../../../vm/durable/records.ts";
import { type Cancellation, type Clock, NO_USAGE, type Usage } from "../../../vm/run.ts";
import { anyOf, Cancelling } from "../../../vm/runs/cancellation.ts";
import { waitLong } from "../../../vm/runs/driver.ts";
import { thousandths } from "../../../vm/values/durations.ts";
import { checkJobSigned, isRejection } from "../../programs/signing/check-job.ts";
import { executeRun, type RunScope } from "../../run/execute.ts";
import type { RunSlot } from "../../run/run-slots.ts";
import type { Services } from "../../services.ts";
import type { JobStore, JobWorker } from "../../state/store.ts";
import { jobTrace } from "../../telemetry/tracing.ts";
import { faultBody, faults, ServiceFault, ThreadLost } from "../../wire/errors.ts";
import { bodyInTurns } from "../../wire/long-answers.ts";
import type { RunBody } from "../../wire/run-body.ts";
import { endedBody, lifetimeResult, type RunSoFar, soFarOf } from "../answers/bodies.ts";
import type { DeskDeps } from "../approvals/run-desk.ts";
import { CANCELLED_BY_REQUEST, LIFETIME_OVER, TIMEOUT_OVER } from "../durable/cleanup-rows.ts";
import type { DurableJobs } from "../durable/durable-store.ts";
import type { NextRound } from "../families/families.ts";
import type { ClaimedJob, Job, JobOutcome } from "../job.ts";
import { EventOutbox, progressTo } from "./event-outbox.ts";
import { type JobLog, jobContext } from "./job-log.ts";
import type { JobPlan, JobPlans } from "./job-plans.ts";
import { inputsOf } from "./job-request.ts";
import { type DurableScope, type EventsOf, type FamilyOf, outcomeOf, runDurable } from "./run-durable.ts";
import { StateOutbox } from "./state-outbox.ts";
import { untilDone } from "./until-done.ts";

export type WorkerTimes = {
  /** From the cancelling of a run to giving it up. */
  readonly hardStopMs: number;
  /** How often the usage of a running job is written. */
  readonly progressMs: number;
};

export type WorkerDeps = {
  readonly services: Services;
  readonly store: JobStore;
  readonly log: JobLog;
  readonly plans: JobPlans;
  /** Sends notices of new questions; absent: none are sent. */
  readonly notices?: DeskDeps["notices"];
  /** What jobs may do with those that they start; absent: nothing. */
  readonly family?: FamilyOf;
  readonly events?: EventsOf;
  readonly times: WorkerTimes;
};

/** `known`: of its run; null before it begins. */
type Running = {
  readonly job: ClaimedJob;
  readonly cancel: Cancelling;
  /** Ends it without its cleanup. */
  readonly halt: Cancelling;
  /** It was cancelled in another process, or while it waited, and cleans up here. */
  cleansUp: boolean;
  known: RunSoFar | null;
  /** Of a durable run: it leaves when its call under way has ended. */
  leave: (() => void) | null;
};
/** `lost`: the run did not end, what it ran on did, or it left. `records`: of a durable run, to be kept with its end. */
type Ran = {
  readonly outcome: JobOutcome;
  readonly result: string;
  readonly lost: boolean;
  /** The job waits, and its store has moved it. */
  readonly parked?: boolean;
  readonly records?: readonly JournalRecord[];
  /** The next round of the job; absent: none follows. */
  readonly next?: NextRound | undefined;
  /** Of a durable run that came to its end. */
  readonly usage?: Usage | undefined;
};
/** Where a run is reported while it runs. */
type Around = { readonly cleaning: Cleaning; readonly events: EventOutbox; readonly states: StateOutbox };
/** `givenUp`: as if the process had died. */
type Ended = Omit<Ran, "lost"> & { readonly givenUp: boolean };

const ENTER_AGAIN_MS = 50;

export class Worker implements JobWorker {
  readonly #services: Services;
  readonly #store: JobStore;
  readonly #log: JobLog;
  readonly #times: WorkerTimes;
  /** One job may be there twice: a run that another attempt has taken the place of, and that one. */
  readonly #running = new Set<Running>();
  readonly #plans: JobPlans;
  readonly #notices: DeskDeps["notices"];
  readonly #family: FamilyOf | undefined;
  readonly #events: EventsOf | undefined;
  readonly #wait: Clock["wait"];
  readonly #stopping = new AbortController();
  readonly #closing = new AbortController();

  constructor({ services, store, log, plans, times, notices, family, events }: WorkerDeps) {
    this.#events = events;
    this.#notices = notices ?? null;
    this.#family = family;
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

  async enter(): Promise<RunSlot> {
    const { slots, clock } = this.#services;
    for (;;) {
      if (this.#stopping.signal.aborted) throw faults.draining();
      const slot = slots.tryEnter(undefined, "job");
      if (slot !== null) return slot;
      await new Promise<void>((resolve) => clock.wait(ENTER_AGAIN_MS, resolve));
    }
  }

  async run(job: ClaimedJob, slot: RunSlot): Promise<void> {
    const { clock } = this.#services;
    const running: Running = {
      job,
      ...{ cancel: new Cancelling(), halt: new Cancelling() },
      ...{ cleansUp: false, known: null, leave: null },
    };
    if (job.why === "cancel") this.#resumes(running);
    this.#running.add(running);
    try {
      this.#log.started(job);
      const begun = clock.now();
      const { outcome, result, givenUp, parked = false, records = [], next } = await this.#ended(running, slot, begun);
      if (parked) return this.#log.parked(job);
      if (next !== undefined) return await this.#beginsAgain(job, next);
      // In one turn, and so in one commit.
      if (!givenUp) this.#store.durable?.last(job, records);
      const settled = await untilDone(
        () => (givenUp ? this.#store.interrupt(job, running.known) : this.#store.settle(job, outcome, result)),
        this.#wait,
        this.#closing.signal,
      );
      if (settled === null) this.#log.stale(job, outcome);
      else this.#log.ended(settled, thousandths(clock.now() - begun));
      if (job.durable && settled !== null && !givenUp) this.#store.durable?.ended(job);
    } catch (thrown) {
      this.#log.defect(job, thrown);
    } finally {
      this.#running.delete(running);
    }
  }

  async #beginsAgain(job: ClaimedJob, next: NextRound): Promise<void> {
    const { families } = this.#store;
    const went = await untilDone(() => families.again(job, next), this.#wait, this.#closing.signal);
    if (went === null) this.#log.stale(job, "again");
    else if (went.status === "queued") this.#log.again(job, went);
    else this.#log.ended(went);
  }

  cancelled(job: Job): void {
    this.#log.ended(job);
  }

  /** Ends the run of a job that somebody wants cancelled. Nothing happens when it does not run here. */
  cancel(id: string): void {
    for (const { job, cancel, halt, cleansUp } of this.#running) {
      if (job.id !== id) continue;
      // The second time, for this run.
      if (cleansUp) halt.abort(CANCELLED_BY_REQUEST);
      else cancel.abort(CANCELLED_BY_REQUEST);
    }
  }

  /** Ends a run that is being cancelled at once. */
  insist(id: string): void {
    for (const { job, halt } of this.#running) if (job.id === id) halt.abort(CANCELLED_BY_REQUEST);
  }

  #resumes(running: Running): void {
    running.cleansUp = true;
    running.cancel.abort(CANCELLED_BY_REQUEST);
  }

  /** No further run is begun, and durable ones leave. */
  stop(): void {
    this.#stopping.abort();
    for (const { leave } of this.#running) leave?.();
  }

  /** Failed writes are no longer repeated, and runs that still run are abandoned. */
  async close(): Promise<void> {
    this.#closing.abort();
    const left = [...this.#running];
    await Promise.all(left.map(({ job, known }) => this.#store.interrupt(job, known).catch(() => null)));
  }

  /** Releases the slot when the run has ended; its events are written before its end. */
  async #ended(running: Running, slot: RunSlot, begun: number): Promise<Ended> {
    const { job, cancel: cancelled } = running;
    const signal = anyOf(slot.signal, cancelled);
    const cleaning = new Cleaning();
    const states = new StateOutbox((text) => this.#store.states.write(job, text), this.#services.clock);
    const events = new EventOutbox((some) => this.#store.addEvents(job, some), this.#services.clock);
    let ran: Ran;
    try {
      ran = await this.#withinHardStop(
        this.#outcome(running, slot, { cleaning, events, states }, begun),
        running,
        signal,
        cleaning,
      );
    } finally {
      slot.leave();
    }
    const { outcome, result, lost, parked = false, records = [], next } = ran;
    if (!events.isEmpty) await events.close();
    if (!parked) await states.flush();
    // The end of the service cuts a cleanup off, which another process continues.
    const isCut = slot.signal.aborted && (!cancelled.aborted || (job.durable && cleaning.ms > 0));
    const givenUp = lost || (isCut && outcome === "cancelled");
    return { outcome, result, givenUp, parked, records, next };
  }

  /** A cancelled run has a limited time to stop, and more where it cleans up; then it is abandoned, and what it reports later is ignored. */
  #withinHardStop(ended: Promise<Ran>, running: Running, signal: Cancellation, cleaning: Cleaning): Promise<Ran> {
    const { clock } = this.#services;
    return new Promise((resolve, reject) => {
      let stop = (): void => {};
      const watchFor = (ms: number): void => {
        stop();
        stop = clock.wait(ms + this.#times.hardStopMs, () => resolve(leftBehind(running)));
      };
      const watch = (): void => watchFor(cleaning.ms);
      if (signal.aborted) watch();
      else signal.addEventListener("abort", watch);
      cleaning.onBegin = watch;
      running.halt.addEventListener("abort", () => watchFor(0));
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

  async #outcome(
    running: Running,
    slot: RunSlot,
    { cleaning, events, states }: Around,
    startedAt: number,
  ): Promise<Ran> {
    const { job, cancel, halt } = running;
    const progress = progressTo(events, this.#services.clock, this.#times.progressMs);
    const trace = jobTrace(job.traceId, job);
    const scope: RunScope = {
      trace,
      context: jobContext(job),
      signal: cancel,
      // The end of the service does not undo what the run did: it continues elsewhere, or begins again.
      halt: anyOf(slot.signal, halt),
      cleans: (ms) => {
        if (!cancel.aborted) running.cleansUp = true;
        cleaning.begins(ms);
      },
      startedAt,
      onCall: (seq, call) => events.called(seq, call),
      onProgress: (usage) => {
        running.known = { limits: running.known?.limits, usage };
        progress(usage);
      },
      shown: states.shown,
    };
    try {
      if (job.resumes === 0) await checkJobSigned(this.#services, job);
      const { read, plan } = await this.#plans.of(job);
      running.known = { limits: plan.prepared.admission.limits, usage: NO_USAGE };
      events.ir = plan.prepared.ir;
      const run = async (): Promise<Ran> => {
        if (job.durable && this.#store.durable !== null)
          return this.#durable(this.#store.durable, running, { read, plan }, scope, { events, states });
        const body = await executeRun(this.#services, plan, inputsOf(job, read), scope);
        running.known = { limits: body.limits, usage: body.usage };
        return ranOf(body, this.#services.clock);
      };
      return await this.#withinTimeout(running, read.kept.flow?.timeout_s ?? null, run);
    } catch (thrown) {
      return this.#failed(job, startedAt, thrown);
    } finally {
      trace.ended(null);
    }
  }

  /** Ends a run that takes too long. Of a durable job all that ran before counts, and no time that it waited. */
  async #withinTimeout(running: Running, timeoutS: number | null, run: () => Promise<Ran>): Promise<Ran> {
    if (timeoutS === null) return run();
    const { job, cancel } = running;
    const ran = job.durable && job.startedMs !== null ? this.#store.now() - job.startedMs - job.parkedMs : 0;
    let isOver = false;
    const stop = waitLong(this.#services.clock, Math.max(0, timeoutS * 1000 - ran), () => {
      isOver = !cancel.aborted;
      cancel.abort(TIMEOUT_OVER);
    });
    try {
      const ended = await run();
      if (!isOver || ended.outcome !== "cancelled") return ended;
      const known = soFarOf(job.request, running.known, ended.usage);
      return { ...ended, outcome: "timed_out", result: endedBody(job.traceId, "timeout_exceeded", known) };
    } finally {
      stop();
    }
  }

  /** A job whose lifetime is over meanwhile ends with it. */
  async #durable(
    durable: DurableJobs,
    running: Running,
    planned: JobPlan,
    scope: RunScope,
    { events, states }: Pick<Around, "events" | "states">,
  ): Promise<Ran> {
    const { job, cancel } = running;
    const { clock } = this.#services;
    let isOver = false;
    const stopTimer =
      job.endsMs === null
        ? () => {}
        : waitLong(clock, Math.max(0, job.endsMs - this.#store.now()), () => {
            isOver = true;
            cancel.abort(LIFETIME_OVER);
          });
    const onEvent: DurableScope["onEvent"] = (kind, data) => events.add(kind, () => data);
    const woken = (other: Job): void => this.#log.woken(other, "signal");
    const desk = { now: this.#store.now, notices: this.#notices, woken };
    const deps = { services: this.#services, durable, desk, family: this.#family, events: this.#events };
    const run = runDurable(
      deps,
      job,
      planned,
      { ...scope, onEvent, beforePark: () => states.flush() },
      () => running.known,
    );
    running.leave = run.stop;
    if (this.#stopping.signal.aborted) run.stop();
    try {
      const { left, ...ran } = await run.ran;
      if ((isOver || ran.cancelledBy === LIFETIME_OVER) && ran.outcome === "cancelled")
        return { outcome: "timed_out", result: lifetimeResult(job.traceId, job.request, ran.usage), lost: false };
      return { ...ran, lost: left };
    } finally {
      running.leave = null;
      stopTimer();
    }
  }

  #failed(job: ClaimedJob, startedAt: number, thrown: unknown): Ran {
    const fault = thrown instanceof ServiceFault ? thrown : faults.internal();
    if (thrown === fault) this.#log.refused(job, startedAt, fault);
    else this.#log.defect(job, thrown);
    const hasRun = job.resumes > 0;
    const outcome = !hasRun && isRejection(fault) ? "rejected" : "failed";
    const body = { ...faultBody(fault, job.traceId), ...(hasRun ? { ran: true } : {}) };
    return { outcome, result: JSON.stringify(body), lost: fault instanceof ThreadLost };
  }
}

/** What a run says of its cleanup. */
class Cleaning {
  /** Milliseconds that it may take; 0: it has not begun. */
  ms = 0;
  onBegin: () => void = () => {};

  begins(ms: number): void {
    this.ms = ms;
    this.onBegin();
  }
}

async function ranOf(body: RunBody, clock: Pick<Clock, "now">): Promise<Ran> {
  const result = await bodyInTurns(body, body.ok ? body.out : undefined, clock);
  return { outcome: body.ok ? "succeeded" : outcomeOf(body.error), result, lost: false };
}

/** What becomes of a cancelled run that does not end. */
function leftBehind({ job, known }: Running): Ran {
  const result = endedBody(job.traceId, "cancelled", soFarOf(job.request, known));
  return { outcome: "cancelled", result, lost: false };
}
