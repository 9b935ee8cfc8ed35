/** What the frames of a batch come to together: how many ended how, what they used, and how long their calls took. */
import { addedModelUsage, type CallEvent, NO_USAGE, type Usage } from "../../vm/run.ts";
import { Ring } from "../telemetry/rolling-figures.ts";

export type FrameFailure = { readonly error: string; readonly message: string };

export class BatchTally {
  /** Sums; for depth, frame size and iterations the maximum. */
  readonly usage: { -readonly [Name in keyof Usage]: Usage[Name] } = { ...NO_USAGE };
  succeeded = 0;
  failed = 0;
  firstFailure: FrameFailure | null = null;
  readonly #callTimes = new Map<string, Ring>();

  /** `failure`: null for a success. `frames`: number of frames whose usage is added together. */
  frameEnded(
    failure: FrameFailure | null,
    { steps, depth, adapter_calls, time_ms, frame_bytes, loop_iters, llm }: Usage,
    frames = 1,
  ): void {
    const { usage } = this;
    usage.steps += steps;
    usage.depth = Math.max(usage.depth, depth);
    usage.adapter_calls += adapter_calls;
    usage.time_ms += time_ms;
    if (frame_bytes !== null) usage.frame_bytes = Math.max(usage.frame_bytes ?? 0, frame_bytes);
    usage.loop_iters = Math.max(usage.loop_iters, loop_iters);
    if (llm !== undefined) usage.llm = addedModelUsage(usage.llm, llm);
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
