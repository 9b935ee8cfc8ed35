/** One decision, wherever it comes from: checked against what was asked and who may answer, then given to the store. */
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { answerIssues, type DecidedVia } from "../../../vm/durable/approvals.ts";
import { exactJson, saysMore } from "../../../vm/inputs/exact-text.ts";
import type { Person } from "../../http/person.ts";
import type { Services } from "../../services.ts";
import { faults, ServiceFault } from "../../wire/errors.ts";
import type { Jobs } from "../jobs.ts";
import type { Approval, ApprovalStore } from "./approvals.ts";
import { checkDecider, notYours } from "./people.ts";

export type Decision = {
  readonly choice: string;
  readonly comment: string | null;
  readonly data: JsonObject | null;
  /** Hash of the link it came by. */
  readonly link: string | null;
};

export type DecidingDeps = { readonly services: Services; readonly jobs: Jobs; readonly approvals: ApprovalStore };

/** Who queued the job; null: not known. */
export async function askerOf({ store }: Pick<Jobs, "store">, { job }: Pick<Approval, "job">): Promise<string | null> {
  const work = await store.work(job.id);
  return (JSON.parse(work?.request || "{}") as { readonly submittedBy?: string }).submittedBy ?? null;
}

/** The approval as it is then. Throws ServiceFault. */
export async function decide(
  { services, jobs, approvals }: DecidingDeps,
  approval: Approval,
  person: Person,
  { choice, comment, data, link }: Decision,
): Promise<Approval> {
  const { config, events } = services;
  if (approval.state !== "open") throw notOpen(approval);
  checkDecider(config.approvals, approval, person, await askerOf(jobs, approval));
  const issues = answerIssues(approval.asked, { choice, data: data as Json });
  if (issues.length > 0) throw faults.invalidRequest(issues.map((issue) => ({ ...issue, code: "value" })));
  const text = exactJson(data);
  if (Buffer.byteLength(text) > config.approvals.maxBytes)
    throw new ServiceFault("payload_too_large", `the data of a decision may have ${config.approvals.maxBytes} bytes`);
  const { by, via } = person;
  const answer = {
    choice,
    by,
    via: via as DecidedVia,
    comment,
    data,
    ...(saysMore(data) ? { data_text: text } : {}),
    atMs: jobs.now(),
  };
  const decided = await approvals.decide(approval.id, answer, link);
  switch (decided.state) {
    case "unknown":
      throw unknownApproval();
    case "not_open":
      throw notOpen(decided.approval);
    case "same_person":
      throw notYours("somebody else has to agree: who asks has answered already");
    case "link_spent":
      throw new ServiceFault("link_expired", "the link was used");
    default: {
      const by_hash = by === null ? null : events.hash(by);
      const context = { trace_id: approval.job.traceId, job_id: approval.job.id };
      events.note("info", "approval_decided", { approval_id: approval.id, decision: choice, via, by_hash }, context);
      if (decided.woken !== null) jobs.log.woken(decided.woken, "decision");
      return decided.approval;
    }
  }
}

export function unknownApproval(): ServiceFault {
  return new ServiceFault("approval_not_found", "no question of this id is known");
}

function notOpen({ state }: Approval): ServiceFault {
  return new ServiceFault("approval_not_open", `the question is not open any more: it is ${state}`);
}
