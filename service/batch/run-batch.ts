/**
 * One program, many frames: frames are taken one by one by a few lanes, each of which runs one frame at a time; results leave in the
 * order they were made, or in that of the frames. Memory does not grow with the number of frames.
 */

import type { RunCallLog } from "../../adapters/run-log/fields.ts";
import { labelName } from "../../compiler/ir/references.ts";
import type { FrameRunner } from "../../vm/batch/frame-runner.ts";
import type { CallObserver, Cancellation } from "../../vm/run.ts";
import { Cancelling } from "../../vm/runs/cancellation.ts";
import { announce, callsOf } from "../run/execute.ts";
import type { RunPlan } from "../run/plan.ts";
import type { RunSlot } from "../run/run-slots.ts";
import type { Services } from "../services.ts";
import type { RunTrace } from "../telemetry/tracing.ts";
import type { ServiceFault } from "../wire/errors.ts";
import { frameRuns } from "./frame-runs.ts";
import type { BatchItems } from "./frames.ts";
import { awaited, type Lane, laneIn, type RunFrame, unlessOver } from "./lanes.ts";
import { FrameLines } from "./result-lines.ts";
import { type BatchOut, InputOrder } from "./result-order.ts";
import { type BatchScope, BatchTally, type BatchTotals, batchFault, cancelledBatch, concludedBatch } from "./totals.ts";
import { BatchParts, type BatchPartsDeps } from "./worker-parts.ts";

export type BatchOptions = {
  readonly concurrency: number;
  readonly stopOnError: boolean;
  readonly inInputOrder: boolean;
  /** null: not known yet. */
  readonly frames: number | null;
};

/** Frames are run for so long without letting other work in between. */
const SLICE_MS = 1;

/** What the lanes of a batch share. */
type Work = {
  readonly items: BatchItems;
  readonly runFrame: RunFrame;
  /** Opens another lane for the next frames, while the frame of one waits. */
  readonly widen: () => void;
  /** Those in worker threads; null: no frame of this batch goes there. */
  readonly parts: BatchParts | null;
};

export class Batch {
  readonly #services: Services;
  readonly #plan: RunPlan;
  readonly #options: BatchOptions;
  readonly #scope: BatchScope;
  readonly #out: BatchOut;
  readonly #tally = new BatchTally();
  readonly #lines: FrameLines;
  readonly #slots: RunSlot[] = [];
  /** null: results go out as they are made. */
  readonly #order: InputOrder | null;
  /** Lanes, and parts in worker threads. */
  readonly #underWay = new Set<Promise<void>>();
  #stopped = false;
  /** For lanes that wait for a further frame, which will not be run. */
  readonly #noMore = new Cancelling();
  #fault: ServiceFault | null = null;
  /** null: no frame has been run. */
  #calls: RunCallLog | null = null;

  constructor(services: Services, plan: RunPlan, options: BatchOptions, scope: BatchScope, out: BatchOut) {
    this.#services = services;
    this.#plan = plan;
    this.#options = options;
    this.#scope = scope;
    this.#lines = new FrameLines(services, plan, this.#tally);
    this.#order = options.inInputOrder ? new InputOrder(out) : null;
    this.#out = this.#order ?? out;
  }

  /** Runs the frames in the first slot, and in as many more as are free while runs wait. Resolves when every frame that was begun is over. */
  async run(items: BatchItems, first: RunSlot, caller: Cancellation): Promise<BatchTotals> {
    const { prepared, entry } = this.#plan;
    const label = labelName(prepared.ir, entry);
    this.#slots.push(first);
    const stop = (): void => this.#stop();
    try {
      announce(this.#services, this.#plan, this.#scope.context, label, false, this.#options.frames);
      if (caller.aborted) stop();
      else caller.addEventListener("abort", stop);
      const facts = { label, checksum: prepared.ir.checksum };
      await this.#scope.trace.run(facts, (span) => this.#work(items, first, caller, span));
      return concludedBatch(this.#services, this.#scope, {
        label,
        tally: this.#tally,
        calls: this.#calls,
        fault: this.#fault,
      });
    } finally {
      caller.removeEventListener("abort", stop);
      for (const slot of this.#slots) slot.leave();
    }
  }

  /** Takes no further frame and stops waiting for a reader that is gone. */
  #stop(): void {
    this.#stopped = true;
    this.#noMore.abort("the batch was stopped");
    this.#out.close();
  }

  async #work(items: BatchItems, first: RunSlot, caller: Cancellation, span: RunTrace): Promise<void> {
    const { calls, observer } = callsOf(this.#services, this.#scope, (call) => {
      this.#tally.called(call);
      span.adapterCall(call, this.#services.clock.wall());
    });
    this.#calls = calls;
    const { runFrame, runner } = frameRuns({
      services: this.#services,
      plan: this.#plan,
      lines: this.#lines,
      observer,
      span,
      traceId: this.#scope.context.trace_id,
    });
    const open = (slot: RunSlot): void => {
      if (slot !== first) this.#slots.push(slot);
      this.#follow(this.#drive(laneIn(slot), work));
    };
    const work: Work = {
      items,
      runFrame,
      widen: () => {
        if (this.#slots.length >= this.#options.concurrency) return;
        const slot = this.#services.slots.tryEnter(caller);
        if (slot !== null) open(slot);
      },
      parts:
        runner === null || !this.#sharesFrames(span)
          ? null
          : this.#parts(runner, observer, (lane, rest) => this.#drive(lane, { ...work, items: rest })),
    };
    first.signal.addEventListener("abort", () => this.#order?.giveUp());
    open(first);
    // Those that are begun meanwhile are waited for too.
    for (const part of this.#underWay) await part;
    if (this.#slots.some(({ signal }) => signal.aborted)) this.#fault ??= cancelledBatch();
    const { failed, usage } = this.#tally;
    span.ended(failed === 0 && this.#fault === null ? "ok" : "failed", usage.steps);
    this.#out.close();
  }

  /** The batch is not over before this is. */
  #follow(part: Promise<void>): void {
    const over = part
      .catch((cause: unknown) => {
        this.#fault ??= batchFault(cause, this.#services, this.#scope);
        this.#stopped = true;
        this.#noMore.abort("the batch failed");
        this.#order?.giveUp();
      })
      .finally(() => this.#underWay.delete(over));
    this.#underWay.add(over);
  }

  /** A frame after one that failed may not even be begun, and spans have their times: neither is for threads. */
  #sharesFrames({ isKept }: RunTrace): boolean {
    return !this.#options.stopOnError && !isKept;
  }

  #parts(runner: FrameRunner, observer: CallObserver, drive: BatchPartsDeps["drive"]): BatchParts {
    // Spelled out: an object put together from others takes longer than several frames.
    return new BatchParts({
      services: this.#services,
      plan: this.#plan,
      most: this.#options.concurrency - 1,
      runner,
      observer,
      lines: this.#lines,
      tally: this.#tally,
      out: this.#out,
      order: this.#order,
      isOver: (lane) => this.#isOver(lane),
      drive,
      follow: (part) => this.#follow(part),
    });
  }

  /** Waits only for what makes it wait: a promise for each frame would take longer than a short run. */
  async #drive(lane: Lane, work: Work): Promise<void> {
    const { clock } = this.#services;
    const { items, runFrame, widen, parts } = work;
    let sliceEnds = clock.now() + SLICE_MS;
    while (!this.#isOver(lane)) {
      if (this.#order?.isAhead(items.upcoming)) await awaited(this.#order.reached(items.upcoming), lane);
      const next = items.next();
      const item =
        next instanceof Promise ? await awaited(unlessOver(next, [lane.slot.signal, this.#noMore]), lane) : next;
      // The end of one lane is that of all; a frame taken after the stop is not run.
      if (item === null || this.#takesNoMore) return;
      const { index } = item;
      const made = "broken" in item ? this.#lines.broken(index, item.broken) : runFrame(index, item.frame, lane);
      if (made instanceof Promise) widen();
      const room = this.#out.put(made instanceof Promise ? await awaited(made, lane) : made, index);
      if (this.#takesNoMore) this.#noMore.abort("the batch takes no more");
      if (room !== undefined) await awaited(room, lane);
      lane.now ??= clock.now();
      if (lane.now < sliceEnds) continue;
      parts?.share(lane, items);
      await new Promise((resolve) => setImmediate(resolve));
      lane.now = clock.now();
      sliceEnds = lane.now + SLICE_MS;
    }
  }

  get #takesNoMore(): boolean {
    return this.#stopped || (this.#options.stopOnError && this.#tally.failed > 0);
  }

  #isOver({ slot: { signal } }: Lane): boolean {
    return this.#takesNoMore || signal.aborted;
  }
}
