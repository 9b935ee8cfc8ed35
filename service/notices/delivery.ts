/** Sends one notice to its target: a signed request, a mail, or a job of a program. It answers with a code for what went wrong. */
import { createHttpService } from "../../adapters/guard/http/service.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import { jsonOf } from "../../vm/inputs/exact-text.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { queueJob } from "../jobs/run/queue-job.ts";
import { sharedSubmission } from "../jobs/run/submission.ts";
import { standardSignature } from "../programs/endpoints/verify/signatures.ts";
import type { NoticeSettings, NoticeTarget } from "../programs/notice-settings.ts";
import { deployedPlan, withDefaults } from "../programs/run-program.ts";
import { checkedFrame } from "../run/frame-check.ts";
import { operatorCall } from "../run/operator-call.ts";
import { planRun } from "../run/plan.ts";
import { readAdmitted } from "../run/read-request.ts";
import type { Services } from "../services.ts";
import { asText } from "../wire/answers.ts";
import { ServiceFault } from "../wire/errors.ts";
import { causeWords } from "./cause.ts";
import type { Cause, Notice } from "./notice.ts";

export type Delivery = {
  /** Null: it arrived. A word for the log and for people otherwise. */
  send(notice: Notice, settings: NoticeSettings): Promise<string | null>;
  close(): Promise<void>;
};

const NO_TRACE = { traceparent: () => "", tracestate: () => null };
const HTTP_MS = 10_000;
/** Keys under which targets that are programs are asked once for each notice. */
const SCOPE = "notice ";

export function createDelivery(services: Services, jobs: Jobs, timeoutMs = HTTP_MS): Delivery {
  const http = createHttpService();
  return {
    async send(notice, settings) {
      const target = Object.hasOwn(settings.targets, notice.target) ? settings.targets[notice.target] : undefined;
      if (target === undefined) return "notice_target_missing";
      const document = documentOf(notice, settings);
      try {
        if ("http" in target) return await post(target.http, notice.id, document);
        if ("email" in target) return await mail(target.email, document);
        return await start(target.program, notice.id, document);
      } catch (cause) {
        if (cause instanceof ServiceFault) return cause.error;
        throw cause;
      }
    },
    close: () => http.close(),
  };

  /** Signed as Standard Webhooks are. The id stays the same over all tries, so that a receiver knows a repetition. */
  async function post(
    { url, auth_secret }: Extract<NoticeTarget, { http: object }>["http"],
    id: string,
    document: JsonObject,
  ): Promise<string | null> {
    const body = JSON.stringify(document);
    const headers: Record<string, string> = { "content-type": "application/json", "webhook-id": id };
    if (auth_secret !== undefined) {
      const secret = await services.secrets.get(auth_secret);
      if (secret === undefined || secret === "") return "secret_missing";
      const stamp = String(Math.floor(services.clock.wall() / 1000));
      headers["webhook-timestamp"] = stamp;
      headers["webhook-signature"] = standardSignature(secret, `${id}.${stamp}.${body}`);
    }
    // The operator named the host, so it may be a private one.
    const allowHosts = [new URL(url).hostname];
    const scope = http.scope({ allowHosts, operatorHosts: allowHosts, maxRedirects: 0 });
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const sent = { method: "POST", url, headers, body: Buffer.from(body), signal, redirect: "manual" as const };
      const { status } = await scope.request({ ...sent, ignoreBody: true });
      if (status >= 300 && status < 400) return "notice_redirected";
      return status >= 200 && status < 300 ? null : `status_${status}`;
    } catch (cause) {
      if (signal.aborted) return "notice_timeout";
      if (!(cause instanceof AdapterError)) throw cause;
      return CODES[cause.code] ?? "notice_unreachable";
    } finally {
      await scope.close();
    }
  }

  async function mail(
    { account, to }: Extract<NoticeTarget, { email: object }>["email"],
    document: JsonObject,
  ): Promise<string | null> {
    const called = await operatorCall(services, "email", "send", [
      [to],
      String(document["subject"]),
      mailText(document),
      { account },
    ]);
    return called.ok ? null : called.word;
  }

  async function start(program: string, id: string, document: JsonObject): Promise<string | null> {
    if (services.programs === null) return "program_not_found";
    const of = { scope: `${SCOPE}${program}`, key: id };
    const claim = await services.idempotency.claim(of, "notice", id);
    if (claim.state === "finished") return null;
    if (claim.state !== "first") return "idempotency_in_progress";
    try {
      const { program: loaded, enabled } = await services.programs.current(program);
      if (!enabled) throw new ServiceFault("program_disabled", `the deployment '${program}' is disabled`);
      const frame = withDefaults(loaded.settings.frame ?? {}, { notice: document });
      const asked = { ir: loaded.ir as unknown as JsonObject, label: loaded.settings.label };
      const { request, admission } = readAdmitted({ body: asked, fault: undefined }, services.gateway, loaded.within);
      const planned = deployedPlan(await planRun(services, request, admission, Object.keys(frame)), loaded);
      const plan = checkedFrame(planned, { strict: loaded.settings.strict }, frame);
      const caller = { context: { trace_id: id }, trace: NO_TRACE, user: null } as never;
      const shared = sharedSubmission(services, caller, { name: "notice" }, plan, loaded);
      const job = { frame: jsonOf(frame), traceId: services.freshId() };
      const answer = await queueJob(services, jobs, { ...shared, traceparent: null }, job, { ...of, traceId: id });
      await claim.finish(asText(answer));
      return null;
    } catch (cause) {
      await claim.release();
      throw cause;
    }
  }
}

const CODES: Readonly<Record<string, string>> = {
  TIMEOUT: "notice_timeout",
  ADDRESS_BLOCKED: "notice_address_blocked",
  HOST_BLOCKED: "notice_address_blocked",
  TOO_MANY_REDIRECTS: "notice_redirected",
};

const WHAT = {
  failure: "failed",
  unknown: "waits for a word on a call of unknown outcome",
  waiting_long: "has waited for long",
  dead_letter: "failed, and was neither retried nor discarded",
} as const;

/** Names, codes and places only. */
function documentOf(notice: Notice, { console_url }: Pick<NoticeSettings, "console_url">): JsonObject {
  const { id, kind, program, version, count, jobId, firstMs, lastMs } = notice;
  const cause = JSON.parse(notice.cause) as Cause;
  const name = program === "" ? "a job" : version === null ? program : `${program}@${version}`;
  const times = count === 1 ? "" : ` (${count} times)`;
  return {
    id,
    type: `job.${kind}`,
    subject: oneLine(`${name} ${WHAT[kind]}${times}: ${causeWords(cause)}`),
    program: program === "" ? null : program,
    version,
    count,
    first_at: new Date(firstMs).toISOString(),
    last_at: new Date(lastMs).toISOString(),
    cause: cause as unknown as Json,
    job_id: jobId,
    url: console_url === undefined ? null : `${console_url}/jobs/${jobId}`,
  };
}

function mailText(document: JsonObject): string {
  const { subject, job_id, first_at, last_at, url } = document;
  const lines = [subject, "", `Job: ${job_id}`, `From ${first_at} to ${last_at}`, ...(url === null ? [] : [url])];
  return `${lines.map(String).join("\n")}\nWhy: wf jobs why ${job_id}\n`;
}

function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ").slice(0, 200);
}
