/** What the frames of a batch come to together: how many ended how, what they used, and how long their calls took. */
import { UsageTotals } from "../../vm/batch/usage-totals.ts";
import type { CallEvent, Usage } from "../../vm/run.ts";
import { Ring } from "../telemetry/rolling-figures.ts";

export type FrameFailure = { readonly error: string; readonly message: string };

export class BatchTally {
  readonly #usage = new UsageTotals();
  succeeded = 0;
  failed = 0;
  firstFailure: FrameFailure | null = null;
  readonly #callTimes = new Map<string, Ring>();

  get usage(): Usage {
    return this.#usage.usage;
  }

  /** `failure`: null for a success. `frames`: number of frames whose usage is added together. */
  frameEnded(failure: FrameFailure | null, usage: Usage, frames = 1): void {
    this.#usage.add(usage);
    if (failure === null) this.succeeded += frames;
    else this.failed += frames;
    this.firstFailure ??= failure;
  }

  called({ adapter, duration_ms }: CallEvent): void {
    let times = this.#callTimes.get(adapter);
    if (times === undefined) {
      times = new Ring();
      this.#callTimes.set(adapter, times);
    }
    times.add(duration_ms);
  }

  /** 95th percentile of the calls of each adapter, in milliseconds. */
  callTimes(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#callTimes].map(([name, times]) => [name, times.p95()]));
  }
}
