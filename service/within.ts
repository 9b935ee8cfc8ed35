/** Waiting for something that may take too long, at the end of a service. */
import type { Clock } from "../vm/run.ts";

/** Resolves when `done` does, or after `ms`. `done` does not reject. */
export function within(clock: Pick<Clock, "wait">, ms: number, done: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const stop = clock.wait(ms, resolve);
    void done.then(() => {
      stop();
      resolve();
    });
  });
}
