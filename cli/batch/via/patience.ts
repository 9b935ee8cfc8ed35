/** What passes is waited for: a service that restarts, is busy, or has a full queue. Everything else is the end of a batch. */

import type { Clock } from "../../../vm/run.ts";
import { duration } from "../../output/terminal/table.ts";
import { CliFault } from "../../session/faults.ts";

/** Words of refusals that say nothing about the request. */
const PASSING: ReadonlySet<string> = new Set([
  "server_unreachable",
  "store_unavailable",
  "draining",
  "server_busy",
  "rate_limited",
  "queue_full",
  "idempotency_in_progress",
]);

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;
/** A service that is away for longer ends the batch. A full queue is waited for without an end: others have the places. */
const PATIENCE_MS = 10 * 60_000;

type Waiting = {
  readonly clock: Pick<Clock, "now" | "wait">;
  readonly signal: AbortSignal;
  /** Told once for each outage. */
  readonly note: (text: string) => void;
};

export type Patience = {
  /** Repeats what was refused for a reason that passes, with pauses that grow. */
  readonly until: <T>(act: () => Promise<T>) => Promise<T>;
  /** Before something is asked again. */
  readonly pause: () => Promise<void>;
};

export function patience({ clock, signal, note }: Waiting): Patience {
  const until: Patience["until"] = async (act) => {
    const began = clock.now();
    let isTold = false;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        return await act();
      } catch (cause) {
        if (signal.aborted || !(cause instanceof CliFault) || !mayPass(cause)) throw cause;
        const isFull = cause.error === "queue_full";
        if (!isFull && clock.now() - began >= PATIENCE_MS) throw cause;
        if (!isFull && !isTold) note(`${cause.message}; waiting for it for up to ${duration(PATIENCE_MS)}`);
        isTold ||= !isFull;
      }
      await pauseOf(pause, clock, signal);
    }
  };
  return { until, pause: () => pauseOf(FIRST_PAUSE_MS, clock, signal) };
}

/** A queue that could never take the request names its bound. */
function mayPass({ error, members }: CliFault): boolean {
  return PASSING.has(error) && !(error === "queue_full" && "issues" in members);
}

function pauseOf(ms: number, clock: Pick<Clock, "wait">, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      stop();
      reject(signal.reason);
    };
    const stop = clock.wait(ms, () => {
      signal.removeEventListener("abort", abort);
      resolve();
    });
    signal.addEventListener("abort", abort, { once: true });
  });
}
