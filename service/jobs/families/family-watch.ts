/** Has the rules about families looked at whenever a job ends that others may wait for, or was to look after others (`service/state/rules/families/look.ts`). */
import type { Clock } from "../../../vm/run.ts";
import { type FlowLook, FlowWatch } from "../flow/flow-watch.ts";
import { isTerminal, type Job } from "../job.ts";
import type { StoreTime } from "../steady-time.ts";

export type FamilyLooked = {
  /** Jobs that wait no longer. */
  readonly woken: readonly Job[];
  /** Jobs that are cancelled, or are about to be, with the one that started them. */
  readonly cancelled: readonly Job[];
  /** More is to be done at once. */
  readonly more: boolean;
};

type Deps = {
  readonly look: (request: FlowLook) => Promise<FamilyLooked>;
  /** Hears of each job that moved. */
  readonly moved: (job: Job) => void;
  readonly clock: Pick<Clock, "wait">;
  readonly time: Pick<StoreTime, "now" | "onJump">;
  readonly allEveryMs: number;
};

export function familyWatch({ look, moved, ...deps }: Deps) {
  return new FlowWatch({
    ...deps,
    async look(request) {
      const { woken, cancelled, more } = await look(request);
      const ended = cancelled.filter(({ status }) => isTerminal(status));
      return { ended, woken, cancelled, more, nextMs: null };
    },
    told({ woken, cancelled }) {
      for (const job of [...woken, ...cancelled]) moved(job);
    },
    concerns: ({ about, durable, status }) =>
      isTerminal(status) && (about.parent !== null || (durable && (status === "cancelled" || status === "timed_out"))),
  });
}

export type FamilyWatch = ReturnType<typeof familyWatch>;
