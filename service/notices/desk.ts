/**
 * Notifies people of what goes wrong: looks at failed jobs and at open waits without a notice, notes what their deployment wants said,
 * and sends what is due. The store notes each of them once, so that none is lost or told twice over a crash.
 */
import type { Job, JobStatus } from "../jobs/job.ts";
import type { Jobs } from "../jobs/jobs.ts";
import {
  afterMs,
  type NoticeKind,
  type NoticeRules,
  type NoticeSettings,
  targetOf,
} from "../programs/notice-settings.ts";
import type { Services } from "../services.ts";
import { causeOf } from "./cause.ts";
import { createDelivery, type Delivery } from "./delivery.ts";
import type { Candidate, Cause, Considered, Notice, NoticeStore } from "./notice.ts";

type Deps = { readonly services: Services; readonly jobs: Jobs; readonly store: NoticeStore };

const LOOK_MS = 2000;
const A_ROUND = 200;
/** A target that is down for a weekend is tried until it is back. */
const GIVEN_UP_MS = 3 * 24 * 3_600_000;
const LONGEST_PAUSE_MS = 3_600_000;
const FIRST_PAUSE_MS = 15_000;
const FAILED: readonly JobStatus[] = ["failed", "timed_out", "interrupted", "rejected", "expired"];

export class NoticeDesk {
  readonly #deps: Deps;
  readonly #settings: NoticeSettings | null;
  readonly #delivery: Delivery;
  #sinceMs: number | null = null;
  #stopTimer = (): void => {};
  #isStopped = true;
  #round: Promise<void> | null = null;

  constructor(deps: Deps, delivery?: Delivery) {
    this.#deps = deps;
    this.#settings = deps.services.config.notices;
    this.#delivery = delivery ?? createDelivery(deps.services, deps.jobs);
  }

  start(): void {
    this.#isStopped = false;
    this.#next(0);
  }

  /** Resolves when nothing is being sent. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopTimer();
    await this.#round;
    await this.#delivery.close();
  }

  #next(ms: number): void {
    if (this.#isStopped) return;
    this.#stopTimer = this.#deps.services.clock.wait(ms, () => {
      // A store that does not answer is asked again.
      this.#round = this.look()
        .catch(() => {})
        .finally(() => {
          this.#round = null;
          if (this.#settings !== null || this.#sinceMs === null) this.#next(LOOK_MS);
        });
    });
  }

  /** One look at everything. Rejects when the store does not answer. */
  async look(): Promise<void> {
    const { store } = this.#deps;
    const settings = this.#settings;
    if (settings === null) {
      await store.since(false);
      this.#isStopped = true;
      return;
    }
    this.#sinceMs ??= await store.since(true);
    for (;;) {
      const found = await store.candidates(this.#sinceMs ?? 0, A_ROUND);
      const considered = await Promise.all(found.map((one) => this.#considered(one, settings)));
      if (considered.length > 0) await store.note(considered, settings.window_s * 1000);
      if (found.length < A_ROUND || this.#isStopped) break;
    }
    const due = await store.take({ most: A_ROUND, perHour: settings.notices_per_hour });
    const byTarget = new Map<string, Notice[]>();
    for (const notice of due) byTarget.set(notice.target, [...(byTarget.get(notice.target) ?? []), notice]);
    // One target that answers slowly keeps only its own waiting.
    await Promise.all(
      [...byTarget.values()].map(async (notices) => {
        for (const notice of notices) await this.#send(notice, settings);
      }),
    );
  }

  async #considered({ key, job, wait, isDead }: Candidate, settings: NoticeSettings): Promise<Considered> {
    const { services, jobs } = this.#deps;
    const seen = { key, wait: wait?.id ?? null, laterMs: null, isAgain: isDead !== null, notice: null };
    // What a notice itself starts causes no notice, which might never end.
    if (isTarget(job.deployment, settings)) return seen;
    const rules = await this.#rulesOf(job);
    const made = (kind: NoticeKind, cause: Cause): Considered => {
      const target = targetOf(kind, rules, settings);
      if (target === null) return seen;
      const { deployment: program, version, id: jobId } = job;
      const id = services.freshId();
      return {
        ...seen,
        notice: { id, target, kind, program: program ?? "", version, cause: JSON.stringify(cause), jobId },
      };
    };
    if (wait === null) {
      if (!FAILED.includes(job.status) || isDead === false) return seen;
      const cause = causeOf(await jobs.store.result(job.id), job.error ?? job.status);
      if (isDead !== null) return made("dead_letter", cause);
      const after = afterMs("on_dead_letter", rules, settings);
      const laterMs = after === null ? null : (job.finishedMs ?? jobs.now()) + after;
      return { ...made("failure", cause), laterMs };
    }
    if (wait.kind === "outcome") return made("unknown", { code: "outcome_unknown" });
    const after = afterMs("on_waiting_long", rules, settings);
    if (after === null) return seen;
    const laterMs = wait.beganMs + after;
    if (laterMs > jobs.now()) return { ...seen, laterMs };
    return made("waiting_long", { code: `waits_for_${wait.kind === "date" ? "timer" : wait.kind}` });
  }

  async #rulesOf({ deployment, version }: Job): Promise<NoticeRules> {
    const { programs } = this.#deps.services;
    if (deployment === null || version === null || programs === null) return {};
    const loaded = await programs.kept(deployment, version).catch(() => null);
    return loaded?.settings.notices ?? {};
  }

  async #send(notice: Notice, settings: NoticeSettings): Promise<void> {
    const { services, jobs, store } = this.#deps;
    const { events, metrics, readiness } = services;
    const { id, kind, target, tries, firstMs } = notice;
    const code = await this.#delivery.send(notice, settings);
    const told = { notice_id: id, kind, target };
    const context = { trace_id: id, job_id: notice.jobId };
    const warning = `notices to ${target}`;
    if (code === null) {
      await store.sent(id);
      metrics.notice("sent");
      readiness.warn(warning, null);
      events.note("info", "notice_sent", told, context);
      return;
    }
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(tries - 1, 20));
    const now = jobs.now();
    const isOver = now - firstMs > GIVEN_UP_MS;
    await store.failed(id, code, isOver ? null : now + pause);
    metrics.notice(isOver ? "failed" : "retried");
    readiness.warn(warning, `notice_target_failing: notices to '${target}' do not arrive: ${code}`);
    events.note("warn", "notice_failed", { ...told, error: code, tries }, context);
  }
}

function isTarget(program: string | null, { targets }: NoticeSettings): boolean {
  return Object.values(targets).some((target) => "program" in target && target.program === program);
}
