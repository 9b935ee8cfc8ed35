/** The usage of many runs together: sums; of depth, frame size and iterations the maximum. */
import { NO_USAGE, type Usage } from "../run.ts";
import { addedModelUsage } from "../usage.ts";

type OpenUsage = { -readonly [Name in keyof Usage]: Usage[Name] };

export class UsageTotals {
  readonly usage: OpenUsage = { ...NO_USAGE };

  add({ steps, depth, adapter_calls, time_ms, frame_bytes, loop_iters, llm }: Usage): void {
    const { usage } = this;
    usage.steps += steps;
    if (depth > usage.depth) usage.depth = depth;
    usage.adapter_calls += adapter_calls;
    usage.time_ms += time_ms;
    if (frame_bytes !== null && frame_bytes > (usage.frame_bytes ?? -1)) usage.frame_bytes = frame_bytes;
    if (loop_iters > usage.loop_iters) usage.loop_iters = loop_iters;
    if (llm !== undefined) usage.llm = addedModelUsage(usage.llm, llm);
  }
}
