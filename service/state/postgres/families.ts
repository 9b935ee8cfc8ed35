/** Jobs that start jobs in PostgreSQL, shared by all replicas. */
import type { Clock } from "../../../vm/run.ts";
import type { FamilyStore } from "../../jobs/families/families.ts";
import { type FamilyWatch, familyWatch } from "../../jobs/families/family-watch.ts";
import type { FlowQueued } from "../../jobs/flow/flow-watch.ts";
import type { ClaimedJob, Job } from "../../jobs/job.ts";
import type { Database } from "../../jobs/postgres/database.ts";
import { ALONE } from "../../jobs/postgres/enqueue.ts";
import type { StoreTime } from "../../jobs/steady-time.ts";
import { familyStore } from "../family-store.ts";
import type { Port } from "../port.ts";
import { familyChanges, familyReads } from "../rules/families/all.ts";
import { asking } from "./perform.ts";

type Deps = {
  readonly database: Database;
  readonly port: Port;
  readonly clock: Pick<Clock, "wait">;
  readonly time: Pick<StoreTime, "now" | "onJump">;
  /** Hears what rules did when a job was queued. */
  readonly flowed: (queued: FlowQueued) => void;
  /** Hears of a job that this process had claimed and whose round ended; null: another claim has it. */
  readonly tellAgain: (job: Job | null, claimed: ClaimedJob) => void;
};

/** What a replica that died left alone is found then. */
const LOOK_THROUGH_MS = 5000;

export type PostgresFamilies = {
  readonly store: FamilyStore;
  readonly watch: FamilyWatch;
  /** Forgets families of which no job is left. */
  readonly forget: () => Promise<void>;
};

export function postgresFamilies({ database, port, clock, time, flowed, tellAgain }: Deps): PostgresFamilies {
  const change = asking(database, familyChanges, port);
  // The lock of the queue comes first, as it does for every request that queues jobs.
  const alone = asking(database, familyChanges, port, ALONE.lock);
  return {
    store: familyStore({
      read: asking(database, familyReads, port),
      start: (request) => alone("startChild", request),
      queued({ queued }) {
        if (queued !== null) flowed(queued);
      },
      again: (request) => change("nextRound", request),
      tellAgain({ job, nextMs }, claimed) {
        tellAgain(job, claimed);
        flowed({ ended: [], nextMs });
      },
    }),
    watch: familyWatch({
      look: (request) => change("lookAtFamilies", request),
      // Other replicas hear of it with the commit.
      moved: () => {},
      ...{ clock, time, allEveryMs: LOOK_THROUGH_MS },
    }),
    forget: () => change("forgetFamilies", null),
  };
}
