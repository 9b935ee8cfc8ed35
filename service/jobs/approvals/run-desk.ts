/** What the verbs of a durable job may do in its store: ask people, send signals, and make addresses that take one. */
import type { Ir } from "../../../compiler/ir/graph.ts";
import { writtenTimes } from "../../../compiler/policy/waits.ts";
import { type ApprovalResult, approvalResult, noChoice, type RunDesk } from "../../../vm/durable/approvals.ts";
import { exactJson } from "../../../vm/inputs/exact-text.ts";
import type { Services } from "../../services.ts";
import { failed, stored } from "../durable/desk-answers.ts";
import type { DurableJobs } from "../durable/durable-store.ts";
import type { ClaimedJob, Job } from "../job.ts";
import type { Approval } from "./approvals.ts";
import { hashOfToken, newToken } from "./tokens.ts";

export type DeskDeps = {
  readonly services: Pick<Services, "config" | "events" | "clock">;
  readonly durable: DurableJobs;
  /** Milliseconds since 1970, as the store has it. */
  readonly now: () => number;
  /** Sends notices of new questions. */
  readonly notices: { readonly hasRules: boolean; look(): void } | null;
  readonly woken: (job: Job) => void;
};

export function runDesk(
  { services, durable, now, notices, woken }: DeskDeps,
  job: ClaimedJob,
  program: Pick<Ir, "nodes">,
): RunDesk {
  const { config, events, clock } = services;
  const { approvals, links } = durable;
  const context = { trace_id: job.traceId, job_id: job.id };
  return {
    ...lifeOf(job, program),
    async openApproval(id, asked, most) {
      const { maxBytes } = config.approvals;
      if (Buffer.byteLength(asked.details_text ?? JSON.stringify(asked.details)) > maxBytes)
        throw failed("ADAPTER_TOO_LARGE", `the details of a question may have ${maxBytes} bytes`);
      const tell = notices?.hasRules === true;
      const opened = await stored(approvals.open(job, { approval: id, asked, most, tell }));
      if (opened === "full") throw failed("ADAPTER_QUOTA", `the job has ${most} open questions (approval.max_open)`);
      events.note("info", "approval_opened", { approval_id: id }, context);
      if (tell) notices?.look();
    },
    hasApproval: (id) => stored(approvals.isOf(job, id)),
    cancelApproval: (id) => stored(approvals.cancel(job, id)),
    async awaitDecision(id, signal) {
      for (;;) {
        signal.throwIfAborted();
        const result = resultOf(id, await stored(approvals.find(id)));
        if (result !== null) return result;
        await new Promise<void>((resolve) => clock.wait(LOOK_MS, resolve));
      }
    },
    async sendSignal({ id, name, target, data }) {
      const { signalMaxBytes, signalKeepS } = config.jobs;
      const text = exactJson(data);
      if (Buffer.byteLength(text) > signalMaxBytes)
        throw failed("ADAPTER_TOO_LARGE", `the data of a signal may have ${signalMaxBytes} bytes`);
      const expiresMs = "key" in target ? now() + signalKeepS * 1000 : Number.MAX_SAFE_INTEGER;
      const sent = await stored(durable.send({ id, name, target, data: text, expiresMs }));
      if (sent.state === "no_job") throw failed("ADAPTER_NOT_FOUND", "the job does not exist");
      if (sent.state === "ended") throw failed("ADAPTER_CONFLICT", "the job is over: it takes no signals");
      if (sent.state === "full") throw failed("ADAPTER_QUOTA", "too many signals are kept that are unread");
      events.note("info", "signal_received", { name, jobs: sent.woken.length }, context);
      for (const one of sent.woken) woken(one);
      return sent.woken.length > 0 ? "now" : "kept";
    },
    async signalLink(name, expiresMs) {
      if (config.publicUrl === null)
        throw failed(
          "ADAPTER_NOT_CONFIGURED",
          "links need the address of the service: the operator sets WF_PUBLIC_URL",
        );
      const token = newToken();
      await stored(links.add(job.id, { hash: hashOfToken(token) ?? "", target: { kind: "signal", name }, expiresMs }));
      return `${config.publicUrl}/s/${token}`;
    },
  };
}

function lifeOf({ endsMs, queuedMs }: ClaimedJob, program: Pick<Ir, "nodes">): Pick<RunDesk, "life"> {
  if (endsMs === null) return {};
  let written: ReadonlySet<string> | null = null;
  const isWritten = ({ label, node }: { readonly label: string; readonly node: string }): boolean => {
    written ??= new Set(writtenTimes(program).map((one) => `${one.label} ${one.node}`));
    return written.has(`${label} ${node}`);
  };
  return { life: { endsMs, lengthMs: endsMs - queuedMs, isWritten } };
}

/** A call that waits for a decision looks for it this often: its replica may not be the one that takes it. */
const LOOK_MS = 500;

/** Null: it is open. */
function resultOf(id: string, approval: Approval | null): ApprovalResult | null {
  if (approval?.state === "open") return null;
  const last = approval?.answers.at(-1);
  if (approval?.state === "decided" && last !== undefined) return approvalResult(id, approval.asked, last);
  return noChoice(id, approval?.state === "expired" ? "expired" : "cancelled", approval?.endedMs ?? null);
}
