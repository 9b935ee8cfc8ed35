/** Frames that were made already, in groups; their results come in groups too. */
import { inputWarnings, problemsText } from "../inputs/check-inputs.ts";
import type { FrameEnd } from "./frame-options.ts";
import type { FrameInputs, FrameRunner } from "./frame-runner.ts";
import { type BatchItem, type BatchResult, resultOf, wasCancelled } from "./result.ts";
import { type BatchPace, type Beginning, type FrameGroup, type ResultSink, runGroups } from "./run-groups.ts";

/** Runs items in groups, which need not be alike in size. Results come in groups too, as many as there are. */
export async function* runItems(
  runner: FrameRunner,
  groups: AsyncIterable<readonly BatchItem[]>,
  pace: BatchPace,
): AsyncGenerator<readonly BatchResult[], void> {
  async function* begun(): AsyncGenerator<FrameGroup, void> {
    for await (const group of groups) yield itemGroup(runner, group, pace.called);
  }
  yield* runGroups(runner, begun(), new Gathered(), pace);
}

/** Items as a group. */
export function itemGroup(runner: FrameRunner, items: readonly BatchItem[], called: BatchPace["called"]): FrameGroup {
  return new ItemGroup(runner, items, called);
}

class ItemGroup implements FrameGroup {
  readonly #runner: FrameRunner;
  readonly #items: readonly BatchItem[];
  readonly #called: BatchPace["called"];
  #at = 0;

  constructor(runner: FrameRunner, items: readonly BatchItem[], called: BatchPace["called"]) {
    this.#runner = runner;
    this.#items = items;
    this.#called = called;
  }

  get more(): boolean {
    return this.#at < this.#items.length;
  }

  begin(about: Beginning): BatchResult | null | Promise<BatchResult | null> {
    const item = this.#items[this.#at] as BatchItem;
    this.#at += 1;
    return beginItem(this.#runner, item, about, this.#called);
  }
}

class Gathered implements ResultSink<readonly BatchResult[]> {
  readonly isFull = false;
  #ready: BatchResult[] = [];

  deliver(result: BatchResult): void {
    this.#ready.push(result);
  }

  gap(): void {}

  take(): readonly BatchResult[] | null {
    if (this.#ready.length === 0) return null;
    const results = this.#ready;
    this.#ready = [];
    return results;
  }
}

/** The result of a frame; null: it was cancelled. */
export function beginItem(
  runner: FrameRunner,
  given: BatchItem,
  about: Beginning,
  called: BatchPace["called"],
): BatchResult | null | Promise<BatchResult | null> {
  const { inputs } = runner;
  const item = inputs === null || "fault" in given ? given : checkedItem(given, inputs);
  const { index } = item;
  if ("fault" in item) return { index, ...item.fault };
  const end = runner.run(item.frame, about.traceId, index, about.now, about.signal);
  const { warnings } = item;
  if (end instanceof Promise) return end.then((later) => resultAt(index, later, warnings, called));
  about.now = end.endedAt;
  return resultAt(index, end, warnings, called);
}

/** The result of a frame that has ended; null: it was cancelled. `warnings`: about the frame. */
export function resultAt(
  index: number,
  end: FrameEnd,
  warnings: readonly string[] | undefined,
  called: BatchPace["called"],
): BatchResult | null {
  if (end.callTimes.size > 0) called?.(end.callTimes);
  if (wasCancelled(end)) return null;
  return resultOf(index, warnings === undefined ? end : { ...end, warnings: [...warnings, ...end.warnings] });
}

/** The frame, with warnings where it is not what the program declares, or the fault in its place. */
function checkedItem(item: FrameItem, { check, strict }: FrameInputs): BatchItem {
  const found = check(item.frame);
  if (found === null) return item;
  if (strict && found.problems.length > 0)
    return { index: item.index, fault: { ok: false, error: "input_invalid", message: problemsText(found.problems) } };
  return { ...item, warnings: [...(item.warnings ?? []), ...inputWarnings(found, "")] };
}

type FrameItem = Exclude<BatchItem, { readonly fault: unknown }>;
