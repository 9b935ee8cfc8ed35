/**
 * Sends notices of new questions as the operator has set up: by mail, by a signed request, or in a queue. The commit that opens a question notes
 * that its notice is due, so it is sent at least once.
 */
import type { Json } from "../../../compiler/json.ts";
import { standardSignature } from "../../programs/endpoints/verify/signatures.ts";
import { operatorCall } from "../../run/operator-call.ts";
import type { Services } from "../../services.ts";
import type { Jobs } from "../jobs.ts";
import type { Approval, DueNotice } from "./approvals.ts";
import { type NotifyRule, ruleFor } from "./notify-rules.ts";
import { approvalLink } from "./routes.ts";
import { time } from "./shown.ts";

type Deps = {
  readonly services: Pick<Services, "config" | "events" | "gateway" | "secrets" | "clock">;
  readonly jobs: Pick<Jobs, "store" | "now">;
};
type Notice = ReturnType<typeof noticeOf>;

/** Of others, and of those that failed. */
const LOOK_MS = 15_000;
const A_ROUND = 20;
const HOUR_MS = 3_600_000;
const MOST_AN_HOUR = 200;
const MOST_TRIES = 10;
const HTTP_MS = 10_000;
const LINK_MS = 7 * 24 * HOUR_MS;

export class Notices {
  readonly #deps: Deps;
  #told: number[] = [];
  #stopTimer = (): void => {};
  #isStopped = true;
  #looking: Promise<void> | null = null;
  #again = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get hasRules(): boolean {
    return this.#deps.services.config.approvals.notify.length > 0;
  }

  start(): void {
    if (!this.hasRules) return;
    this.#isStopped = false;
    this.look();
  }

  /** Resolves when nothing is being told. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopTimer();
    await this.#looking;
  }

  /** A question was opened. */
  look(): void {
    this.#again = true;
    if (this.#isStopped || this.#looking !== null) return;
    this.#stopTimer();
    this.#looking = this.#round().finally(() => {
      this.#looking = null;
      if (this.#isStopped) return;
      if (this.#again) return this.look();
      this.#stopTimer = this.#deps.services.clock.wait(LOOK_MS, () => this.look());
    });
  }

  async #round(): Promise<void> {
    const approvals = this.#deps.jobs.store.durable?.approvals;
    while (this.#again && !this.#isStopped && approvals !== undefined) {
      this.#again = false;
      // A store that does not answer is asked again later.
      const due = await approvals.dueNotices(A_ROUND).catch(() => []);
      for (const one of due) await approvals.noticed(one.approval.id, await this.#tell(one)).catch(() => {});
      if (due.length === A_ROUND) this.#again = true;
    }
  }

  /** When to try again; null: it is done. */
  async #tell({ approval, tries }: DueNotice): Promise<number | null> {
    const { services, jobs } = this.#deps;
    const now = jobs.now();
    this.#told = this.#told.filter((at) => now - at < HOUR_MS);
    if (this.#told.length >= MOST_AN_HOUR) return (this.#told[0] ?? now) + HOUR_MS;
    const rule = ruleFor(services.config.approvals.notify, approval);
    if (rule === null) return null;
    this.#told.push(now);
    const context = { trace_id: approval.job.traceId, job_id: approval.job.id };
    const by = "email" in rule ? "email" : "http" in rule ? "http" : "queue";
    try {
      await this.#deliver(rule, noticeOf(approval, await this.#links(approval)));
      services.events.note("info", "approval_notified", { approval_id: approval.id, by }, context);
      return null;
    } catch (thrown) {
      const error = thrown instanceof NoticeFailed ? thrown.message : "unknown";
      services.events.note("warn", "approval_notice_failed", { approval_id: approval.id, by, error, tries }, context);
      return tries + 1 >= MOST_TRIES ? null : now + Math.min(2 ** tries, 60) * 60_000;
    }
  }

  /** One for each person who is named: a group has no single person to be. */
  async #links(approval: Approval): Promise<Notice["links"]> {
    const { services, jobs } = this.#deps;
    if (services.config.publicUrl === null) return [];
    const people = approval.asked.to.filter((one) => one.startsWith("user:"));
    return Promise.all(
      people.map(async (person) => ({
        for: person,
        url: (await approvalLink(services, jobs, approval, person, LINK_MS)).url,
      })),
    );
  }

  async #deliver(rule: NotifyRule, notice: Notice): Promise<void> {
    if ("http" in rule) return this.#post(rule.http, notice);
    if ("queue" in rule) return this.#call("queue", "Put", [rule.queue, notice as unknown as Json]);
    const { account, to } = rule.email;
    return this.#call("email", "send", [
      [to],
      `Please decide: ${oneLine(notice.title)}`,
      mailText(notice),
      { account },
    ]);
  }

  /** Signed as Standard Webhooks are, when there is a secret. */
  async #post({ url, auth_secret }: Extract<NotifyRule, { http: object }>["http"], notice: Notice): Promise<void> {
    const { secrets, clock } = this.#deps.services;
    const body = JSON.stringify(notice);
    const headers: Record<string, string> = { "content-type": "application/json" };
    if (auth_secret !== undefined) {
      const secret = await secrets.get(auth_secret);
      if (secret === undefined) throw new NoticeFailed("secret_missing");
      const stamp = String(Math.floor(clock.wall() / 1000));
      const id = `approval-${notice.approval_id}`;
      Object.assign(headers, {
        "webhook-id": id,
        "webhook-timestamp": stamp,
        "webhook-signature": standardSignature(secret, `${id}.${stamp}.${body}`),
      });
    }
    const signal = AbortSignal.timeout(HTTP_MS);
    const answer = await fetch(url, { method: "POST", headers, body, signal, redirect: "error" }).catch(() => null);
    if (answer === null) throw new NoticeFailed("unreachable");
    await answer.body?.cancel();
    if (!answer.ok) throw new NoticeFailed(`status_${answer.status}`);
  }

  async #call(adapter: string, verb: string, args: readonly Json[]): Promise<void> {
    const called = await operatorCall(this.#deps.services, adapter, verb, args);
    if (!called.ok) throw new NoticeFailed(called.word);
  }
}

/** The message is a word for the log. */
class NoticeFailed extends Error {}

function noticeOf(
  { id, job, openedMs, asked }: Approval,
  links: readonly { readonly for: string; readonly url: string }[],
) {
  const { title, to, choices, expiresMs } = asked;
  return {
    kind: "approval",
    approval_id: id,
    job_id: job.id,
    program: job.deployment,
    name: job.about.name,
    title,
    to,
    choices,
    opened_at: time(openedMs),
    expires_at: expiresMs === null ? null : time(expiresMs),
    links,
  };
}

function mailText({ title, program, name, job_id, approval_id, choices, expires_at, links }: Notice): string {
  const lines = [
    oneLine(title),
    "",
    `Program: ${program ?? name ?? "without a name"}`,
    `Job: ${job_id}`,
    `Choices: ${choices.map(oneLine).join(", ")}`,
    ...(expires_at === null ? [] : [`Open until: ${expires_at}`]),
    "",
    ...links.map(({ for: person, url }) => `For ${person}: ${url}`),
    `On the command line: wf approve ${approval_id}`,
  ];
  return `${lines.join("\n")}\n`;
}

function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ");
}
