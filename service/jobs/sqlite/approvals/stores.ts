/** Questions to people, and links, in SQLite. */
import type { ApprovalStore, LinkStore } from "../../approvals/approvals.ts";
import type { ClaimedJob, Job } from "../../job.ts";
import type { SqliteLine } from "../call-batching.ts";
import type { Writing } from "../tables/journal-tables.ts";

type Deps = {
  readonly line: SqliteLine;
  /** Milliseconds since 1970, steady. */
  readonly now: () => number;
  /** Tells those who wait for the job. */
  readonly told: (job: Job) => Job;
};

export function sqliteApprovals({
  line,
  writing,
  now,
  told,
}: Deps & { readonly writing: (job: ClaimedJob) => Writing }): ApprovalStore {
  return {
    open: (job, approval) => line.call("openApproval", { ...writing(job), ...approval, now: now() }),
    isOf: (job, approval) => line.call("isApprovalOf", { approval, number: writing(job).number }),
    cancel: (job, approval) => line.call("cancelApproval", { ...writing(job), approval, now: now() }),
    list: (filter) => line.call("approvals", { ...filter, now: now() }),
    find: (id) => line.call("approval", { id, now: now() }),
    async decide(id, answer, link) {
      const decided = await line.call("decideApproval", { id, answer, link, now: now() });
      if (decided.state === "answered" && decided.woken !== null) told(decided.woken);
      return decided;
    },
    dueNotices: (most) => line.call("dueNotices", { most, now: now() }),
    noticed: (id, again) => line.call("noticed", { id, again }),
    countOpen: () => line.call("countOpenApprovals", { now: now() }),
  };
}

export function sqliteLinks({ line, now, told }: Deps): LinkStore {
  return {
    add: (job, link) => line.call("addLink", { job, ...link }),
    find: (hash) => line.call("link", { hash }),
    async send(hash, signal) {
      const sent = await line.call("sendByLink", { hash, ...signal, now: now() });
      if (sent?.state === "kept") for (const job of sent.woken) told(job);
      return sent;
    },
  };
}
