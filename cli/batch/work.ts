/** A batch under way: parts of rows are written as they come, counted, and summed up at the end. */
import { MAX_ROW_WARNINGS, MAX_SHOWN_FAILURES, type RowFailure, type RowsPart } from "../../vm/batch/rows/rows-part.ts";
import { UsageTotals } from "../../vm/batch/usage-totals.ts";
import { thousandths } from "../../vm/values/durations.ts";
import { visible } from "../output/terminal/columns.ts";
import { Progress, summaryLine } from "../output/terminal/progress.ts";
import { canRedraw } from "../output/terminal/redrawn-line.ts";
import { counted } from "../output/terminal/table.ts";
import type { Session } from "../session/session.ts";
import { RecentCalls } from "./call-times.ts";
import type { FrameInput } from "./input.ts";
import type { DoneFrames, ResultOutput } from "./output.ts";
import type { CallTimes } from "./part.ts";
import type { BatchPlan } from "./plan.ts";

type WorkPlan = Pick<BatchPlan, "out" | "mostFrames" | "onError">;

export type Streams = {
  readonly input: FrameInput;
  readonly output: ResultOutput;
  readonly done: DoneFrames;
};

/** How rows are made of the input. `readsAll`: frames that are done are read, too. */
export type Making = {
  readonly parts: (signal: AbortSignal, called: (times: CallTimes) => void) => AsyncIterable<RowsPart>;
  readonly readsAll: boolean;
};

export class BatchWork {
  readonly #session: Session;
  readonly #plan: WorkPlan;
  readonly #streams: Streams;
  readonly #calls = new RecentCalls();
  readonly #started: number;
  #count = 0;
  #failed = 0;
  #failures: readonly RowFailure[] = [];
  /** Of the runs of this command. */
  readonly #usage = new UsageTotals();
  readonly #warnings = new Set<string>();

  constructor(session: Session, plan: WorkPlan, streams: Streams) {
    this.#session = session;
    this.#plan = plan;
    this.#streams = streams;
    this.#started = session.io.clock.now();
    this.#failures = streams.done.failures;
  }

  /** Some frame has failed, now or before the batch was resumed. */
  get failed(): boolean {
    return this.#failed + this.#streams.done.failed > 0;
  }

  /** Frames that were not run because of --max-frames or --on-error stop. */
  get leavesFrames(): boolean {
    const { mostFrames, onError } = this.#plan;
    return Number.isFinite(mostFrames) || (onError === "stop" && this.#failed > 0);
  }

  /** Every part is written before the next one is asked for. */
  async run(signal: AbortSignal, { parts, readsAll }: Making): Promise<true> {
    const { input, output, done } = this.#streams;
    const { io, screen, environment } = this.#session;
    const drawn = canRedraw(io.stderr, environment);
    const share = (): number | null => input.share(this.#count + (readsAll ? done.count : 0));
    const progress = screen.quiet || screen.json ? null : new Progress(io.clock, io.stderr, drawn, share);
    // Do not keep the process alive while waiting for input.
    signal.addEventListener("abort", () => input.close());
    try {
      const called = (times: CallTimes): void => this.#calls.add(times);
      for await (const part of parts(signal, called)) {
        await output.write(part.bytes);
        this.#add(part);
        progress?.update({ count: this.#count, failed: this.#failed });
      }
    } catch (cause) {
      if (!signal.aborted) throw cause;
    } finally {
      progress?.end();
    }
    return true;
  }

  #add({ count, failed, failures, usage, warnings }: RowsPart): void {
    this.#count += count;
    this.#failed += failed;
    if (failed > 0) this.#failures = firstOf([...this.#failures, ...failures]);
    this.#usage.add(usage);
    for (const warning of warnings) if (this.#warnings.size < MAX_ROW_WARNINGS) this.#warnings.add(warning);
  }

  conclude(interrupted: boolean): void {
    const { screen, io } = this.#session;
    const { done } = this.#streams;
    const duration_ms = thousandths(io.clock.now() - this.#started);
    const counts = { count: this.#count, failed: this.#failed };
    if (screen.json) {
      const count = counts.count + done.count;
      const failed = counts.failed + done.failed;
      screen.document({
        summary: true,
        ok: failed === 0 && !interrupted,
        trace_id: io.uuid(),
        count,
        succeeded: count - failed,
        failed,
        ...(failed === 0 ? {} : { failures: this.#failures }),
        usage: this.#usage.usage,
        ...(this.#warnings.size === 0 ? {} : { warnings: [...this.#warnings] }),
        duration_ms,
        adapter_p95_ms: this.#calls.p95(),
        ...(done.count === 0 ? {} : { done_before: done.count }),
        ...(interrupted ? { error: "cancelled", message: "interrupted" } : {}),
      });
    } else {
      for (const warning of this.#warnings) screen.warning(warning);
      const failed = failureLines(this.#failures, counts.failed + done.failed);
      if (!screen.quiet) screen.err(`${failed}${summaryLine(counts, done, duration_ms)}\n`);
    }
    if (interrupted && this.#plan.out !== undefined) screen.note("interrupted; --resume continues from here");
  }
}

/** Those with the lowest index; frames may end in any order. */
function firstOf(failures: readonly RowFailure[]): readonly RowFailure[] {
  return failures.toSorted((a, b) => a.index - b.index).slice(0, MAX_SHOWN_FAILURES);
}

/** `failed  index 1  runtime_error  division by zero at L1, line 3` */
function failureLines(failures: readonly RowFailure[], failed: number): string {
  const rows = failures.map(({ index, error, message }) => `failed  index ${index}  ${error}  ${message}`);
  const more = failed - failures.length;
  if (more > 0) rows.push(`${counted(more, "further frame")} failed: their results have "ok":false`);
  return rows.map((row) => `${visible(row)}\n`).join("");
}
