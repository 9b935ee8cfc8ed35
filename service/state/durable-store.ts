/** Questions to people and links in either database. */
import type { ApprovalStore, LinkStore } from "../jobs/approvals/approvals.ts";
import { claimOf, type Job } from "../jobs/job.ts";
import type { Ask } from "./port.ts";
import type { durableChanges, durableReads } from "./rules/durable.ts";

export type DurableAsks = {
  readonly read: Ask<typeof durableReads>;
  readonly change: Ask<typeof durableChanges>;
  /** Tells those who wait for the job. */
  readonly told: (job: Job) => Job;
};

export function approvalStore({ read, change, told }: DurableAsks): ApprovalStore {
  return {
    open: (job, approval) => change("openApproval", { ...approval, writer: claimOf(job) }),
    isOf: (job, id) => read("isApprovalOf", { id, job: job.id }),
    cancel: (job, id) => change("cancelApproval", { id, writer: claimOf(job) }),
    list: (filter) => read("approvals", filter),
    find: (id) => read("approval", id),
    async decide(id, answer, link) {
      const decided = await change("decideApproval", { id, answer, link });
      if (decided.state === "answered" && decided.woken !== null) told(decided.woken);
      return decided;
    },
    dueNotices: (most) => change("dueNotices", most),
    noticed: (id, again) => change("noticed", { id, again }),
    countOpen: () => read("countOpenApprovals", null),
  };
}

export function linkStore({ read, change, told }: DurableAsks): LinkStore {
  return {
    add: (job, link) => change("addLink", { job, link }),
    find: (hash) => read("link", hash),
    async send(hash, signal) {
      const sent = await change("sendByLink", { hash, signal });
      if (sent?.state === "kept") for (const job of sent.woken) told(job);
      return sent;
    },
  };
}
