/**
 * One batch from plan to summary and exit code. The program is loaded and prepared as for one run; then frames stream in and results
 * out, and every part is written before the next one is asked for.
 */

import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Prepared } from "../../vm/admission/prepare.ts";
import { EVERY_LINE } from "../../vm/batch/rows/cut-lines.ts";
import { MAX_ROW_WARNINGS, MAX_SHOWN_FAILURES, type RowFailure, type RowsPart } from "../../vm/batch/rows/rows-part.ts";
import { UsageTotals } from "../../vm/batch/usage-totals.ts";
import { textReaderOf } from "../../vm/inputs/from-text.ts";
import { thousandths } from "../../vm/values/durations.ts";
import { descriptorOf } from "../input/descriptor.ts";
import { checkOutputs } from "../input/files.ts";
import { isSameFile } from "../input/path-kind.ts";
import { visible } from "../output/terminal/columns.ts";
import { Progress, summaryLine } from "../output/terminal/progress.ts";
import { canRedraw } from "../output/terminal/redrawn-line.ts";
import { counted } from "../output/terminal/table.ts";
import { loadPlanned, planned, showDiagnostics } from "../run/prepare-program.ts";
import { sharedPlaceNotes } from "../run/shared-places.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Session } from "../session/session.ts";
import { type Beginning, compareBeginning, forgetBeginning, recordBeginning, requireNoOther } from "./beginning.ts";
import { RecentCalls } from "./call-times.ts";
import { type FrameInput, openInput } from "./input.ts";
import {
  type DoneFrames,
  NOTHING_DONE,
  openOutputFile,
  openStandardOutput,
  type ResultOutput,
  readDone,
} from "./output.ts";
import type { CallTimes } from "./part.ts";
import { partsOf } from "./parts.ts";
import type { BatchPlan } from "./plan.ts";

export async function runBatchFile(session: Session, plan: BatchPlan): Promise<number> {
  const { io, cwd, screen } = session;
  const { grant } = plan;
  const program = await loadPlanned(session, plan);
  const { prepared, entry: label } = await planned(session, plan, program);
  if (plan.resume && plan.out === undefined) throw usageFault("--resume needs --out FILE with the earlier results");
  if (plan.resume && plan.out !== undefined && descriptorOf(resolve(cwd, plan.out)) !== null)
    throw usageFault(`--resume needs a file; ${plan.out} is a stream that is open already`);
  if (plan.out !== undefined && isSameFile(resolve(cwd, plan.out), resolve(cwd, plan.source.file)))
    throw usageFault("--out and the frames are the same file");
  checkOutputs(cwd, program.input, plan.out);
  const input = openInput(io, cwd, plan.source);
  const beginning: Beginning = {
    program: prepared.ir.checksum,
    label,
    dryRun: plan.dryRun,
    limits: prepared.admission.limits,
    prepared,
    source: plan.source,
    rows: plan.rows,
  };
  if (plan.out !== undefined) requireNoOther(cwd, plan.out);
  const { done, differences } = await doneBefore(cwd, plan, beginning);
  const output =
    plan.out === undefined ? openStandardOutput(io) : await openOutputFile(cwd, plan.out, plan.resume, done.bytes);
  if (plan.out !== undefined) recordBeginning(cwd, plan.out, beginning);
  for (const note of [...grant.notes, ...sharedPlaceNotes(session, prepared)]) screen.note(note);
  showDiagnostics(session, program);
  for (const warning of new Set([...differences, ...grant.warnings, ...program.warnings, ...prepared.warnings]))
    screen.warning(warning);
  const work = new BatchWork(session, plan, { prepared, input, output, done });
  try {
    const { result, by } = await interruptible(io, (signal) => work.run(signal));
    work.conclude(by !== null);
    if (plan.out !== undefined && by === null && !work.leavesFrames) forgetBeginning(cwd, plan.out);
    if (by !== null) return exitOf(by);
    if (result === null) throw new Error("only an interrupt leaves no result");
    return work.failed ? EXIT.failed : EXIT.success;
  } finally {
    input.close();
    await output.close();
    await grant.close();
  }
}

/** What `--resume` finds. Compared before anything of it is changed. */
async function doneBefore(cwd: string, { out, resume, rows }: BatchPlan, beginning: Beginning) {
  const nothing = { done: NOTHING_DONE, differences: [] };
  if (out === undefined || !resume) return nothing;
  if (sizeOf(resolve(cwd, out)) === 0) return nothing;
  const differences = compareBeginning(cwd, out, beginning);
  return { done: await readDone(cwd, out, rows), differences };
}

/** 0 for a file that does not exist or cannot be read; opening it reports the error. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

type Streams = {
  readonly prepared: Prepared;
  readonly input: FrameInput;
  readonly output: ResultOutput;
  readonly done: DoneFrames;
};

class BatchWork {
  readonly #session: Session;
  readonly #plan: BatchPlan;
  readonly #streams: Streams;
  readonly #calls = new RecentCalls();
  readonly #started: number;
  #count = 0;
  #failed = 0;
  #failures: readonly RowFailure[] = [];
  /** Of the runs of this command. */
  readonly #usage = new UsageTotals();
  readonly #warnings = new Set<string>();

  constructor(session: Session, plan: BatchPlan, streams: Streams) {
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
  async run(signal: AbortSignal): Promise<true> {
    const { prepared, input, output, done } = this.#streams;
    const { io, screen, environment } = this.#session;
    const drawn = canRedraw(io.stderr, environment);
    const selection = {
      ...EVERY_LINE,
      isDone: done.has,
      most: this.#plan.mostFrames,
      readCell: textReaderOf(prepared.ir),
    };
    const pieces = input.pieces(selection);
    const share = (): number | null => input.share(this.#count);
    const progress = screen.quiet || screen.json ? null : new Progress(io.clock, io.stderr, drawn, share);
    // Do not keep the process alive while waiting for input.
    signal.addEventListener("abort", () => input.close());
    try {
      const called = (times: CallTimes): void => this.#calls.add(times);
      const execution = { session: this.#session, plan: this.#plan, prepared, bytes: input.bytes, signal, called };
      for await (const part of partsOf(pieces, execution)) {
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
