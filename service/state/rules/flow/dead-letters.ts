/** Dead letters: which there are, and that one is done with. */
import {
  type DeadLetterStore,
  type DeadLetters,
  DISCARDED,
  IS_DEAD,
  RETRIED,
} from "../../../jobs/answers/dead-letters.ts";
import type { Ask, Port } from "../../port.ts";
import { any, rows, run, type Step } from "../../step.ts";

export const deadLetterReads = {
  *deadLetters({ programOf }: Port, most: number): Step<readonly DeadLetters[]> {
    return yield* rows<DeadLetters>(
      `SELECT ${programOf} AS program, error, count(*) AS count, min(finished_ms) AS "firstMs", max(finished_ms) AS "lastMs",
         max(id) AS job
       FROM weft.jobs WHERE ${IS_DEAD} GROUP BY 1, 2 ORDER BY max(finished_ms) DESC, 1, 2 LIMIT $1`,
      most,
    );
  },
};

export const deadLetterChanges = {
  *discardJob(_: Port, id: string): Step<boolean> {
    return yield* any(`UPDATE weft.jobs SET handled = ${DISCARDED} WHERE id = $1 AND ${IS_DEAD} RETURNING id`, id);
  },
};

/** A new job was queued from this one, in the same transaction. */
export function markRetried(id: string): Step<void> {
  return run(`UPDATE weft.jobs SET handled = ${RETRIED} WHERE id = $1 AND ${IS_DEAD}`, id);
}

export function deadLetterStore(asks: {
  readonly read: Ask<typeof deadLetterReads>;
  readonly change: Ask<typeof deadLetterChanges>;
}): DeadLetterStore {
  return {
    list: (most) => asks.read("deadLetters", most),
    discard: (id) => asks.change("discardJob", id),
  };
}
