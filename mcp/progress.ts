/** Progress as clients are told of it: at most twice a second, and never backwards. */
import type { Clock } from "../vm/run.ts";
import type { Progress } from "./sdk.ts";

const LEAST_PAUSE_MS = 500;

export function throttled(send: (progress: Progress) => void, clock: Pick<Clock, "now">): (progress: Progress) => void {
  let last = clock.now();
  let reached = -1;
  return (progress) => {
    const now = clock.now();
    if (now - last < LEAST_PAUSE_MS || progress.progress <= reached) return;
    last = now;
    reached = progress.progress;
    send(progress);
  };
}
