/** Jobs that start jobs, in either database. */
import type { FamilyStore } from "../jobs/families/families.ts";
import type { ClaimedJob } from "../jobs/job.ts";
import { claimOf } from "../jobs/job.ts";
import type { Ask } from "./port.ts";
import type { familyReads } from "./rules/families/all.ts";
import type { RoundEnded, RoundRequest } from "./rules/families/rounds.ts";
import type { Started, StartRequest } from "./rules/families/start.ts";

type Asks = {
  readonly read: Ask<typeof familyReads>;
  readonly start: (request: StartRequest) => Promise<Started>;
  readonly again: (request: RoundRequest) => Promise<RoundEnded>;
  /** Hears what became of a job whose round ended. */
  readonly tellAgain: (ended: RoundEnded, job: ClaimedJob) => void;
  /** Hears of a child that was queued. */
  readonly queued: (started: Started, request: StartRequest) => void;
};

export function familyStore({ read, start, queued, again, tellAgain }: Asks): FamilyStore {
  return {
    known: (parent, key) => read("knownChild", { parent, key }),
    over: async (ids) => new Set(await read("overJobs", ids)),
    shareOf: (id) => read("sharedBudget", id),
    async start(parent, child) {
      const request = { ...child, writer: claimOf(parent) };
      const started = await start(request);
      if (started.queued !== null) queued(started, request);
      return started.answer;
    },
    async members(of, ids) {
      const found = await read("familyMembers", { of, ids });
      return new Map(found.map(([id, job, relation]) => [id, { job, relation }]));
    },
    tree: (id, most) => read("familyTree", { id, most }),
    async again(job, next) {
      const ended = await again({ writer: claimOf(job), next, flow: job.flow });
      tellAgain(ended, job);
      return ended.job;
    },
    rounds: (id) => read("jobRounds", id),
    isTooFast: (id) => read("isTooFast", id),
  };
}
