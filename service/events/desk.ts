/**
 * Delivers events: gives each program that hears of one its job, some programs in one transaction, and wakes the runs that wait for it. The store says how
 * far an event is, so what a process that dies leaves is delivered by the next one that looks.
 */

import { readExactly } from "../../vm/inputs/exact-text.ts";
import type { Clock } from "../../vm/run.ts";
import { Turns } from "../../vm/tasks/turns.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Services } from "../services.ts";
import { ServiceFault } from "../wire/errors.ts";
import type { Conditions } from "./conditions.ts";
import {
  type DueEvent,
  type EventStore,
  MAX_FAN_OUT,
  PROGRAMS_AT_ONCE,
  type Starting,
  type Subscriber,
} from "./event.ts";
import { eventJob } from "./event-job.ts";
import { type Subscription, subscriptionsOf } from "./subscriptions.ts";

type Deps = {
  readonly services: Services;
  readonly jobs: Pick<Jobs, "log" | "now">;
  readonly store: EventStore;
  readonly conditions: Conditions;
  readonly clock: Pick<Clock, "wait" | "now">;
};

/** What another process left, and what a clock that was set brings, is found then. */
const LOOK_MS = 2000;
const A_ROUND = 50;

export class EventDeliveries {
  readonly #deps: Deps;
  readonly #turns: Turns;
  #stopTimer = (): void => {};
  #isStopped = true;
  #round: Promise<void> | null = null;
  #isAgain = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#turns = new Turns(deps.clock, setImmediate);
  }

  start(): void {
    this.#isStopped = false;
    this.soon();
  }

  /** Resolves when nothing is being delivered. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopTimer();
    await this.#round;
  }

  /** There may be an event to deliver. */
  soon(): void {
    if (this.#isStopped) return;
    if (this.#round !== null) {
      this.#isAgain = true;
      return;
    }
    this.#stopTimer();
    this.#round = this.#look().then((ms) => {
      this.#round = null;
      if (this.#isAgain) this.soon();
      else if (!this.#isStopped) this.#stopTimer = this.#deps.clock.wait(ms, () => this.soon());
    });
  }

  /** Milliseconds until the next look. */
  async #look(): Promise<number> {
    const { services, store } = this.#deps;
    this.#isAgain = false;
    try {
      await this.deliverDue();
      return Math.min(LOOK_MS, Math.max(1, (await store.next()) ?? LOOK_MS));
    } catch (cause) {
      // A store that went away is asked again.
      if (!(cause instanceof ServiceFault))
        services.events.note("error", "defect", { error: cause instanceof Error ? cause.name : "unknown" });
      return LOOK_MS;
    }
  }

  /** Everything that is due now. Rejects when the store does not answer. */
  async deliverDue(): Promise<void> {
    const { store } = this.#deps;
    for (;;) {
      const due = await store.due(A_ROUND);
      let isHeldUp = false;
      for (const event of due) {
        if (this.#isStopped) return;
        if (!(await this.#deliver(event))) isHeldUp = true;
      }
      if (due.length < A_ROUND || isHeldUp) return;
    }
  }

  /** False: the queue has no room for its jobs, so it is tried again later. */
  async #deliver(event: DueEvent): Promise<boolean> {
    const { store, jobs, services } = this.#deps;
    let { after, started, state } = event;
    while (state === "due") {
      if (this.#isStopped) return true;
      const left = MAX_FAN_OUT - started;
      const subscribers = await store.subscribers(event.name, after, PROGRAMS_AT_ONCE + 1);
      const { starts, isCut, next } = await this.#starts(event, subscribers.slice(0, PROGRAMS_AT_ONCE), left);
      const isLast = isCut || subscribers.length <= PROGRAMS_AT_ONCE;
      const maxQueued = services.config.jobs.queueMax;
      const reached = next ?? after;
      const done = await store.deliver({
        number: event.number,
        after,
        starts,
        next: reached,
        isLast,
        isCut,
        maxQueued,
      });
      if (done.state === "lost") return true;
      for (const [at, outcome] of done.outcomes.entries()) {
        const start = starts[at];
        services.metrics.programEvents.start(outcome);
        if (outcome === "started") {
          started += 1;
          if (start?.submission != null) jobs.log.queued(start.submission);
        } else this.#noteUnstarted(event, start, outcome);
      }
      if (done.state === "full") return false;
      after = reached;
      if (isLast) state = "waking";
    }
    while (state === "waking") {
      const { woken, more } = await store.wake(event);
      for (const job of woken) {
        services.metrics.programEvents.start("woken");
        jobs.log.woken(job, "signal");
      }
      if (!more) state = "done";
    }
    services.metrics.programEvents.delivered(Math.max(0, jobs.now() - event.atMs) / 1000);
    return true;
  }

  /** `next`: the last of the programs that was looked at; null: none was. */
  async #starts(event: DueEvent, subscribers: readonly Subscriber[], left: number) {
    const starts: Starting[] = [];
    let wanted = 0;
    let next: string | null = null;
    for (const { program, version } of subscribers) {
      const own = await this.#startsOf(event, program, version);
      wanted += own.filter(({ outcome }) => outcome === "start").length;
      if (wanted > left) return { starts, isCut: true, next };
      starts.push(...own);
      next = program;
    }
    return { starts, isCut: false, next };
  }

  async #startsOf(event: DueEvent, name: string, version: number): Promise<readonly Starting[]> {
    const { services } = this.#deps;
    const program = await services.programs?.version(name, version).catch((cause: unknown) => {
      if (!(cause instanceof ServiceFault) || cause.error === "store_unavailable") throw cause;
      return cause.error;
    });
    // It was removed meanwhile.
    if (program === undefined || program === "program_not_found") return [];
    if (typeof program === "string")
      return [{ program: name, version, label: "", submission: null, outcome: "refused", error: program }];
    const own = subscriptionsOf(program.ir).filter((one) => one.name === event.name);
    const starts: Starting[] = [];
    for (const one of own) {
      await this.#turns.next();
      const start = await this.#startOf(event, program, one).catch((cause: unknown): Starting => {
        // A fault of one function must not keep the event, and those after it, from the others.
        if (cause instanceof ServiceFault) throw cause;
        services.events.note("error", "defect", { error: cause instanceof Error ? cause.name : "unknown" });
        const place = { program: name, version, label: one.label, submission: null };
        return { ...place, outcome: "refused", error: "internal_error" };
      });
      if (start !== null) starts.push(start);
    }
    return starts;
  }

  /** Null: the event is not what the function is about. */
  async #startOf(
    event: DueEvent,
    program: Parameters<typeof eventJob>[1],
    subscription: Subscription,
  ): Promise<Starting | null> {
    const { services, conditions, jobs } = this.#deps;
    const { when, label } = subscription;
    const data = readExactly(event.data);
    const own = { program: program.name, version: program.version, label, submission: null };
    const held = when === null ? null : conditions.holds(when, data);
    if (held !== null && held.error !== null) return { ...own, outcome: "when_failed", error: held.error };
    if (held?.value === false) return null;
    const said = subscription.key === null ? null : conditions.key(subscription.key, data);
    if (said !== null && said.error !== null) return { ...own, outcome: "key_failed", error: said.error };
    const key = said === null ? event.key : (said.value as string | null);
    try {
      const submission = await eventJob(services, program, subscription, event, { key, now: jobs.now() });
      return { ...own, outcome: "start", error: null, submission };
    } catch (cause) {
      if (!(cause instanceof ServiceFault) || cause.error === "store_unavailable") throw cause;
      return { ...own, outcome: "refused", error: cause.error };
    }
  }

  #noteUnstarted({ id }: DueEvent, start: Starting | undefined, outcome: string): void {
    const error = start?.error ?? null;
    this.#deps.services.events.note(outcome === "dropped" ? "info" : "warn", "event_not_started", {
      event_id: id,
      ...{ program: start?.program ?? "", outcome },
      ...(error === null ? {} : { error }),
    });
  }
}
