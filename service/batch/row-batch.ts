/**
 * A batch whose rows say little: lines of text go through the machine as they are, and blocks of rows come out, in the order of the frames.
 * Nothing of a row is kept once it has left, so memory does not grow with the number of frames.
 */
import type { RunCallLog } from "../../adapters/run-log/fields.ts";
import { labelName } from "../../compiler/ir/references.ts";
import type { FrameRunner } from "../../vm/batch/frame-runner.ts";
import type { BatchItem, BatchResult } from "../../vm/batch/result.ts";
import type { FrameChunk, FrameRules } from "../../vm/batch/rows/frame-lines.ts";
import { MAX_ROW_WARNINGS, type Rows, type RowWatch } from "../../vm/batch/rows/rows-part.ts";
import { runRows } from "../../vm/batch/rows/run-rows.ts";
import type { CallObserver, Cancellation } from "../../vm/run.ts";
import { announce, callsOf } from "../run/execute.ts";
import type { RunPlan } from "../run/plan.ts";
import type { RunSlot } from "../run/run-slots.ts";
import type { Services } from "../services.ts";
import type { RunTrace } from "../telemetry/tracing.ts";
import type { ServiceFault } from "../wire/errors.ts";
import { isOwnRun, ownRun } from "./frame-runs.ts";
import { shownResult } from "./result-lines.ts";
import { type BatchScope, BatchTally, type BatchTotals, batchFault, cancelledBatch, concludedBatch } from "./totals.ts";

/** Lines, frames that were read already, and what stands in their place. */
export type RowChunks = AsyncIterable<FrameChunk | BatchItem | readonly BatchItem[]>;

export type RowBatchOptions = {
  readonly rows: Rows;
  readonly rules: Required<FrameRules>;
  readonly concurrency: number;
  readonly stopOnError: boolean;
  /** A frame that is not what the program declares fails; else there is a warning. */
  readonly strict: boolean;
  /** null: not known yet. */
  readonly frames: number | null;
};

/** Where rows go. */
export interface RowOut {
  /** A promise of room for more; undefined: there is some. */
  put(rows: Uint8Array): Promise<void> | undefined;
  /** No row will follow, or the reader is gone. */
  close(): void;
}

export class RowBatch {
  readonly #services: Services;
  readonly #plan: RunPlan;
  readonly #options: RowBatchOptions;
  readonly #scope: BatchScope;
  readonly #out: RowOut;
  readonly #tally = new BatchTally();
  readonly #slots: RunSlot[] = [];
  readonly #warnings = new Set<string>();
  #fault: ServiceFault | null = null;
  #calls: RunCallLog | null = null;

  constructor(services: Services, plan: RunPlan, options: RowBatchOptions, scope: BatchScope, out: RowOut) {
    this.#services = services;
    this.#plan = plan;
    this.#options = options;
    this.#scope = scope;
    this.#out = out;
  }

  /** Runs the frames in the first slot, and in as many more as are free while runs wait. Resolves when every frame that was begun is over. */
  async run(chunks: RowChunks, first: RunSlot, caller: Cancellation): Promise<BatchTotals> {
    const { prepared, entry } = this.#plan;
    const label = labelName(prepared.ir, entry);
    this.#slots.push(first);
    const gone = (): void => this.#out.close();
    try {
      announce(this.#services, this.#plan, this.#scope.context, label, false, this.#options.frames);
      if (caller.aborted) gone();
      else caller.addEventListener("abort", gone);
      const facts = { label, checksum: prepared.ir.checksum };
      await this.#scope.trace.run(facts, (span) => this.#work(chunks, first, caller, span));
      const ended = {
        label,
        tally: this.#tally,
        calls: this.#calls,
        fault: this.#fault,
        warnings: [...this.#warnings],
      };
      return concludedBatch(this.#services, this.#scope, ended);
    } finally {
      caller.removeEventListener("abort", gone);
      for (const slot of this.#slots) slot.leave();
      this.#out.close();
    }
  }

  async #work(chunks: RowChunks, first: RunSlot, caller: Cancellation, span: RunTrace): Promise<void> {
    const { rows, rules, concurrency, stopOnError } = this.#options;
    const { calls, observer } = callsOf(this.#services, this.#scope, (call) => {
      this.#tally.called(call);
      span.adapterCall(call, this.#services.clock.wall());
    });
    this.#calls = calls;
    const pace = {
      rows,
      rules,
      concurrency,
      onError: stopOnError ? ("stop" as const) : ("continue" as const),
      signal: first.signal,
      widens: () => this.#widens(caller),
      watch: this.#watch(),
    };
    try {
      for await (const part of runRows(this.#runner(observer, span), this.#untilFault(chunks), pace)) {
        this.#tally.rowsEnded(part);
        for (const warning of part.warnings) if (this.#warnings.size < MAX_ROW_WARNINGS) this.#warnings.add(warning);
        const room = this.#out.put(part.bytes);
        if (room !== undefined) await room;
      }
    } catch (cause) {
      this.#fault ??= batchFault(cause, this.#services, this.#scope);
    }
    if (first.signal.aborted) this.#fault ??= cancelledBatch();
    const { failed, usage } = this.#tally;
    span.ended(failed === 0 && this.#fault === null ? "ok" : "failed", usage.steps);
  }

  /** Frames that came before the input broke off have their rows. */
  async *#untilFault(chunks: RowChunks): AsyncGenerator<FrameChunk | BatchItem | readonly BatchItem[], void> {
    try {
      yield* chunks;
    } catch (cause) {
      this.#fault ??= batchFault(cause, this.#services, this.#scope);
    }
  }

  #widens(caller: Cancellation): boolean {
    if (this.#slots.length >= this.#options.concurrency) return false;
    const slot = this.#services.slots.tryEnter(caller);
    if (slot === null) return false;
    this.#slots.push(slot);
    return true;
  }

  #runner(observer: CallObserver, span: RunTrace): FrameRunner {
    const services = this.#services;
    const plan = this.#plan;
    const traceId = this.#scope.context.trace_id;
    const { gateway, dryRun } = services;
    const runner = gateway.batch(plan.prepared, {
      label: plan.entry,
      inputs: this.#options.strict ? "strict" : "loose",
      dryRun,
      observer,
      outText: true,
    });
    if (!isOwnRun({ services, plan, span })) return { ...runner, traceId: () => traceId };
    const own = ownRun({ services, plan, observer, span }, traceId);
    const run: FrameRunner["run"] = (frame, _batch, index, _since, signal) => own(frame, index, signal);
    return { ...runner, traceId: () => traceId, rows: null, run };
  }

  #watch(): RowWatch {
    const { metrics, clock, maxResultBytes } = this.#services;
    const known = this.#plan.prepared.warnings;
    return {
      maxBytes: maxResultBytes,
      ran: (startedAt, endedAt) => metrics.runEnded("ok", endedAt - startedAt, endedAt),
      shown: (given) => {
        const result = shownResult(given, this.#plan, this.#services);
        if ("usage" in result) metrics.runEnded(result.ok ? "ok" : result.error, result.duration_ms, clock.now());
        return withoutKnown(result, known);
      },
    };
  }
}

/** Warnings about the program are said once, with the batch. */
function withoutKnown(result: BatchResult, known: readonly string[]): BatchResult {
  if (!("usage" in result) || result.warnings === undefined) return result;
  const { warnings: given, ...rest } = result;
  const warnings = given.filter((warning) => !known.includes(warning));
  return warnings.length === 0 ? (rest as BatchResult) : { ...result, warnings };
}
