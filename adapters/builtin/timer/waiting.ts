/** Waiting for a time inside one run that is not stored: it counts for the run's own time. */
import { AdapterError } from "../../../vm/errors/failures.ts";
import type { VerbContext } from "../../definition/define.ts";
import { systemTimers } from "../../engine/timers.ts";

/** Resolves at `until`, in milliseconds since 1970. Throws ADAPTER_NOT_CONFIGURED for a time that the run has not got. */
export function waitHere(until: number, ctx: VerbContext): Promise<{ at: string }> {
  const left = Math.max(0, until - ctx.now());
  if (left >= ctx.remainingMs()) throw cannotWait("the run would end before: queue the program as a job");
  return new Promise((resolve, reject) => {
    const cancelled = (): void => {
      stop();
      reject(new AdapterError("ADAPTER_CANCELLED", "the wait was given up", { retryable: false }));
    };
    const stop = systemTimers.after(left, () => {
      ctx.signal.removeEventListener("abort", cancelled);
      resolve({ at: new Date(until).toISOString() });
    });
    ctx.signal.addEventListener("abort", cancelled, { once: true });
  });
}

export function cannotWait(why: string): AdapterError {
  return new AdapterError("ADAPTER_NOT_CONFIGURED", `this run cannot wait: ${why}`, { retryable: false });
}
