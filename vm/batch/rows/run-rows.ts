/** Blocks of lines to blocks of rows. */
import type { FrameRunner } from "../frame-runner.ts";
import type { BatchItem, BatchResult } from "../result.ts";
import { type BatchPace, type FrameGroup, runGroups } from "../run-groups.ts";
import { itemGroup } from "../run-items.ts";
import type { FrameChunk, FrameRules } from "./frame-lines.ts";
import { linesGroup } from "./line-group.ts";
import { RowSink } from "./row-sink.ts";
import type { Rows, RowsPart, RowWatch } from "./rows-part.ts";

export type RowsPace = BatchPace & {
  readonly rows: Rows;
  readonly rules: Required<FrameRules>;
  readonly watch?: RowWatch;
};

/** The row of one result. */
export function partOf(rows: Rows, result: BatchResult): RowsPart {
  const sink = new RowSink(rows);
  sink.deliver(result);
  return sink.take(true) as RowsPart;
}

/** Runs whole lines, and items in their place, as rows. Without an index in each row, their order says which frame they belong to. */
export function runRows(
  runner: FrameRunner,
  chunks: AsyncIterable<FrameChunk | BatchItem | readonly BatchItem[]>,
  { rows, rules, watch, ...pace }: RowsPace,
): AsyncGenerator<RowsPart, void> {
  const sink = new RowSink(rows, watch);
  const deps = { runner, sink, rules, called: pace.called };
  async function* groups(): AsyncGenerator<FrameGroup, void> {
    for await (const chunk of chunks)
      if ("bytes" in chunk) yield linesGroup(chunk, deps);
      else yield itemGroup(runner, "index" in chunk ? [chunk] : chunk, pace.called);
  }
  return runGroups(runner, groups(), sink, { ...pace, ordered: pace.ordered === true || rows !== "full" });
}
