/** Sends progress notifications: at most twice a second, never decreasing, and also while nothing changes, so clients see the call is alive. */
import type { Clock } from "../../vm/run.ts";
import type { Progress } from "./sdk.ts";

const LEAST_PAUSE_MS = 500;
/** Clients may give up a call that is silent for long. */
const BEAT_MS = 2000;
/** After it a wait counts for half a step. */
const HALF_STEP_MS = 60_000;

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

export type Beating = {
  readonly tell: (progress: Progress) => void;
  readonly stop: () => void;
};

/** The same, and what `still` says at the time `now` whenever there was nothing to tell for a while: until `stop`, which must be called. */
export function beating(
  send: (progress: Progress) => void,
  clock: Pick<Clock, "now" | "wait">,
  still: (now: number) => Progress,
): Beating {
  let toldAt = clock.now();
  let stop = (): void => {};
  const tell = throttled((progress) => {
    toldAt = clock.now();
    send(progress);
  }, clock);
  const beat = (): void => {
    if (clock.now() - toldAt >= BEAT_MS) tell(still(clock.now()));
    stop = clock.wait(BEAT_MS, beat);
  };
  stop = clock.wait(BEAT_MS, beat);
  return { tell, stop: () => stop() };
}

/** Progress must grow with every message, and a wait makes no step: it counts for a part of one, which is never reached. */
export function partOfStep(waitedMs: number): number {
  return Math.round((waitedMs / (waitedMs + HALF_STEP_MS)) * 1e9) / 1e9;
}
