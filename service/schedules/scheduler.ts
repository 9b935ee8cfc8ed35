/**
 * Fires schedules: looks for due times when the next one comes, and now and then in any case. Where processes share a store, its alarm
 * wakes one of them; the store sees to it that a due time fires once.
 */
import type { Clock } from "../../vm/run.ts";
import { Turns } from "../../vm/tasks/turns.ts";
import type { Submission } from "../jobs/job.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Services } from "../services.ts";
import { ServiceFault } from "../wire/errors.ts";
import { isCaughtUp } from "./catch-up.ts";
import { nextTime, recentTimes } from "./next-times.ts";
import { LATE_MS, MAX_CAUGHT_UP, type Schedule } from "./schedule.ts";
import { ALARM_LEAD_MS, type Fired, type FireRequest, type ScheduleStore } from "./store.ts";
import { jitterMs } from "./zones-and-jitter.ts";

/** Without an alarm, between two looks: a clock may have been set. */
const POLL_MS = 1000;
/** With an alarm, for one that got lost with its process. Times are not late until later than that. */
const ALARMED_POLL_MS = 10_000;
/** Schedules that are taken up at once. */
const MAX_TAKEN = 500;
const AT_ONCE = 50;
/** Due times of one schedule until others have their turn. */
const MAX_TIMES = 100;

export type SchedulerDeps = {
  readonly services: Pick<Services, "events" | "metrics" | "readiness" | "config">;
  readonly jobs: { readonly log: Pick<Jobs["log"], "queued">; readonly store: Pick<Jobs["store"], "cancel"> };
  readonly store: ScheduleStore;
  /** The job of a due time. Rejects with ServiceFault for what an enqueue would refuse. */
  readonly submission: (schedule: Schedule, dueMs: number) => Promise<Submission>;
  readonly clock: Pick<Clock, "wall" | "wait" | "now">;
};

/** What a round did with a schedule: nothing, some of its times, or as many as it may while more are due. */
type Took = "none" | "some" | "more";

type FirePart = Pick<FireRequest, "kind" | "outcome" | "atMs"> &
  Partial<Pick<FireRequest, "error" | "submission" | "next">>;

export class Scheduler {
  readonly #deps: SchedulerDeps;
  /** Computing a time may take a millisecond, and hundreds may be due at once. */
  readonly #turns: Turns;
  #stopTimer: () => void = () => {};
  #endWait: () => void = () => {};
  #listening: { stop(): Promise<void> } | null = null;
  #stopped = false;
  #working: Promise<void> = Promise.resolve();

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
    this.#turns = new Turns(deps.clock, setImmediate);
  }

  start(): void {
    this.#stopped = false;
    this.#listening = this.#deps.store.alarm?.listen(() => this.#woken()) ?? null;
    this.#wait(0);
  }

  /** No further time is fired. Resolves when those under way are. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopTimer();
    this.#endWait();
    await Promise.all([this.#working, this.#listening?.stop()]);
  }

  /** Everything that is due now. Rejects when the store does not answer. */
  async tick(): Promise<void> {
    const { store, clock } = this.#deps;
    for (;;) {
      const now = clock.wall();
      const due = await store.due(now, MAX_TAKEN);
      const took: Took[] = [];
      for (let at = 0; at < due.length; at += AT_ONCE) {
        const group = due.slice(at, at + AT_ONCE).map((schedule) => this.#take(schedule, now));
        took.push(...(await Promise.all(group)));
      }
      await this.#warn();
      // Others are due as well where as many as were asked for are.
      const isOpen = took.includes("more") || (due.length === MAX_TAKEN && took.includes("some"));
      if (!isOpen || this.#stopped) return;
    }
  }

  /** Fires a schedule now, or for a past time, in addition to its due times. Rejects with ServiceFault for what cannot be queued. */
  async fireExtra(schedule: Schedule, dueMs: number): Promise<string | null> {
    const submission = await this.#deps.submission(schedule, dueMs);
    const fired = await this.#deps.store.fire(
      this.#request(schedule, dueMs, { kind: "extra", outcome: "fired", submission, atMs: this.#deps.clock.wall() }),
    );
    if (fired.state === "lost") return null;
    if (fired.error !== null)
      throw new ServiceFault(
        fired.error === "queue_full" ? "queue_full" : "internal_error",
        "the job could not be queued",
      );
    this.#deps.jobs.log.queued(submission);
    return submission.jobs[0]?.id ?? null;
  }

  #wait(ms: number): void {
    if (this.#stopped) return;
    this.#stopTimer = this.#deps.clock.wait(ms, () => {
      this.#working = this.#round().then((next) => this.#wait(next));
    });
  }

  /** Milliseconds until the next round. */
  async #round(): Promise<number> {
    const { store, clock, services } = this.#deps;
    const { alarm } = store;
    try {
      await this.tick();
      if (alarm !== null) {
        await alarm.set(clock.wall());
        return ALARMED_POLL_MS;
      }
      const earliest = await store.earliest();
      return earliest === null ? POLL_MS : Math.min(POLL_MS, Math.max(1, earliest - clock.wall()));
    } catch (cause) {
      // A store that went away is tried again; the times that come meanwhile are caught up.
      if (!(cause instanceof ServiceFault))
        services.events.note("error", "defect", { error: cause instanceof Error ? cause.name : "unknown" });
      return POLL_MS;
    }
  }

  /** Fires what is due now and until the next time is some way off. Rejects when the store does not answer. */
  async #woken(): Promise<void> {
    const { store, clock } = this.#deps;
    for (;;) {
      await this.tick();
      const earliest = await store.earliest();
      const ms = earliest === null ? Number.POSITIVE_INFINITY : earliest - clock.wall();
      // One that stops leaves the next time to the others.
      if (this.#stopped || ms > ALARM_LEAD_MS) return store.alarm?.set(clock.wall());
      await this.#waited(Math.max(1, ms));
    }
  }

  #waited(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#deps.clock.wait(ms, resolve);
      this.#endWait = () => {
        stop();
        resolve();
      };
    });
  }

  async #take(schedule: Schedule, now: number): Promise<Took> {
    const { store } = this.#deps;
    await this.#turns.next();
    const rests = schedule.paused || !schedule.enabled;
    // One that rests keeps the job that waits.
    if (schedule.waitingMs !== null && !rests) await this.#takeWaiting(schedule, schedule.waitingMs);
    if (!schedule.isPromised && schedule.nextDueMs === null) {
      // Of a new spec; one without a further time is not asked for again.
      await store.promise(schedule.id, schedule.revision, nextTime(schedule.spec, schedule.baseMs));
      return "more";
    }
    let { nextDueMs, nextAtMs } = schedule as { nextDueMs: number | null; nextAtMs: number | null };
    const recent = this.#recent(schedule, now);
    let took: Took = "none";
    for (let count = 0; nextDueMs !== null && nextAtMs !== null && nextAtMs <= now; count++) {
      if (count === MAX_TIMES || this.#stopped) return "more";
      const next = nextTime(schedule.spec, nextDueMs);
      const fired = await this.#fire(schedule, nextDueMs, nextAtMs, next, { now, recent });
      if (fired.state === "lost" || fired.pausedNow) return "some";
      nextDueMs = next?.dueMs ?? null;
      nextAtMs = next?.atMs ?? null;
      took = "some";
    }
    return took;
  }

  /** The latest times up to now, if one of them is late: only then somebody asks. */
  #recent({ id, spec, nextAtMs }: Schedule, now: number): readonly number[] {
    if (nextAtMs === null || now - nextAtMs <= LATE_MS) return [];
    const { jitterS, from, until, catchUpWindowS } = spec;
    const ms = until === null ? now : Math.min(now, until - 1);
    const count = MAX_CAUGHT_UP + Math.ceil(jitterS / 60);
    return recentTimes(spec, { count, ms, oldest: now - catchUpWindowS * 1000 })
      .filter((dueMs) => (from === null || dueMs >= from) && dueMs + jitterMs(id, dueMs, jitterS) <= now)
      .slice(0, MAX_CAUGHT_UP);
  }

  async #fire(
    schedule: Schedule,
    dueMs: number,
    atMs: number,
    next: FireRequest["next"],
    past: { readonly now: number; readonly recent: readonly number[] },
  ): Promise<Fired> {
    const { store } = this.#deps;
    const request = (part: FirePart) => this.#request(schedule, dueMs, { ...part, next });
    if (schedule.paused || !schedule.enabled)
      return store.fire(request({ kind: "due", outcome: "paused", atMs: past.now }));
    if (!isCaughtUp(schedule.spec, dueMs, atMs, past)) {
      const fired = await store.fire(request({ kind: "due", outcome: "missed", atMs: past.now }));
      if (fired.state === "done") this.#missedOne(schedule, dueMs, "late");
      return fired;
    }
    let submission: FireRequest["submission"] = null;
    let error: string | null = null;
    try {
      submission = await this.#deps.submission(schedule, dueMs);
    } catch (cause) {
      if (!(cause instanceof ServiceFault) || cause.error === "store_unavailable") throw cause;
      error = cause.error;
    }
    const outcome = submission === null ? "refused" : "fired";
    const fired = await store.fire(request({ kind: "due", outcome, error, submission, atMs: past.now }));
    await this.#told(schedule, dueMs, atMs, fired, submission);
    return fired;
  }

  async #takeWaiting(schedule: Schedule, dueMs: number): Promise<void> {
    const { store, clock } = this.#deps;
    const submission = await this.#deps.submission(schedule, dueMs).catch((cause: unknown) => {
      if (cause instanceof ServiceFault && cause.error !== "store_unavailable") return null;
      throw cause;
    });
    if (submission === null) return;
    const atMs = clock.wall();
    const fired = await store.fire(
      this.#request(schedule, dueMs, { kind: "waiting", outcome: "fired", submission, atMs }),
    );
    await this.#told(schedule, dueMs, atMs, fired, submission);
  }

  async #told(
    { id, program }: Schedule,
    dueMs: number,
    atMs: number,
    fired: Fired,
    submission: FireRequest["submission"],
  ): Promise<void> {
    if (fired.state === "lost") return;
    const { services, jobs, clock } = this.#deps;
    const due_at = new Date(dueMs).toISOString();
    const context = { schedule: id, program, due_at };
    if (fired.pausedNow)
      services.events.note("warn", "schedule_paused", { ...context, reason: "refused five times in a row" });
    if (fired.outcome === "fired" && submission !== null) {
      jobs.log.queued(submission);
      services.metrics.schedules.fired(Math.max(0, clock.wall() - atMs) / 1000);
      for (const job of fired.replaced) await jobs.store.cancel(job);
    } else if (fired.outcome === "missed") this.#missedOne({ id, program }, dueMs, fired.error ?? "late");
    else {
      if (fired.outcome === "refused") services.metrics.schedules.refused();
      services.events.note("info", "schedule_not_fired", {
        ...context,
        outcome: fired.outcome,
        ...(fired.error === null ? {} : { error: fired.error }),
      });
    }
  }

  #missedOne({ id, program }: Pick<Schedule, "id" | "program">, dueMs: number, reason: string): void {
    const { services } = this.#deps;
    services.metrics.schedules.missed();
    services.events.note("warn", "schedule_missed", {
      schedule: id,
      program,
      due_at: new Date(dueMs).toISOString(),
      reason,
    });
  }

  #request({ id, revision }: Schedule, dueMs: number, part: FirePart): FireRequest {
    const maxQueued = this.#deps.services.config.jobs.queueMax;
    return { id, revision, dueMs, error: null, submission: null, next: null, maxQueued, ...part };
  }

  /** `/ready` names the schedules that paused themselves. */
  async #warn(): Promise<void> {
    const paused = await this.#deps.store.pausedThemselves();
    const warning = paused.length === 0 ? null : `schedules_paused: ${paused.join("; ")}`;
    this.#deps.services.readiness.warn("schedules", warning);
  }
}
