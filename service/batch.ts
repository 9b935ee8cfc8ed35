/**
 * One program, many frames: frames are taken one by one by a few lanes, each of which runs one frame at a time; results leave in the
 * order they were made, or in that of the frames. Memory does not grow with the number of frames.
 */
import type { JsonObject } from "../compiler/json.ts";
import { writtenLabel } from "../grammar/written-label.ts";
import type { FrameEnd, FrameRunner } from "../vm/batch/frame-runner.ts";
import type { CallObserver, Cancellation } from "../vm/run.ts";
import { type BatchItems, type FrameItem, TakenFrames } from "./batch-items.ts";
import { FrameLines } from "./batch-lines.ts";
import { type BatchOut, InputOrder } from "./batch-order.ts";
import { BatchTally } from "./batch-tally.ts";
import { faults, ServiceFault } from "./errors.ts";
import { thousandths } from "./events.ts";
import { announce, observerOf, type RunScope } from "./execute.ts";
import { runWithLabels, tellsLabels } from "./label-spans.ts";
import type { RunPlan } from "./run-plan.ts";
import type { RunSlot } from "./run-slots.ts";
import type { Services } from "./services.ts";
import type { RunTrace } from "./tracing.ts";
import { type FrameFailed, type FramesRan, QUICK_LINE } from "./workers/frame-messages.ts";
import { type FramePlace, FramesAway, runsAnywhere } from "./workers/frames-away.ts";

export type BatchOptions = {
  readonly concurrency: number;
  readonly stopOnError: boolean;
  readonly inInputOrder: boolean;
  /** null: not known yet. */
  readonly frames: number | null;
};

export type BatchTotals = {
  readonly ok: boolean;
  readonly count: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly duration_ms: number;
  readonly adapter_p95_ms: Readonly<Record<string, number>>;
  /** What ended the input early. */
  readonly fault: ServiceFault | null;
};

/** Frames are run for so long without letting other work in between. */
const SLICE_MS = 1;
/** A batch whose frames have taken so long is a large one. */
const AWAY_AFTER_MS = 5;
/** Frames for so long stay here: handing over fewer takes longer than running them. */
const KEPT_MS = 2;
/** A worker thread is given frames for about so long, and no more than so many. */
const PART_AWAY_MS = 10;
const MOST_AWAY = 4096;

/** Runs one frame at a time. */
type Lane = {
  readonly slot: RunSlot;
  /** The time, in milliseconds of the clock; null: nobody has read it since something took long, or was waited for. */
  now: number | null;
  /** Frames that it ran, and how long they took together in milliseconds. */
  ran: number;
  ranMs: number;
};

type RunFrame = (index: number, frame: JsonObject, lane: Lane) => string | Promise<string>;

/** What the lanes of a batch share. */
type Work = {
  readonly items: BatchItems;
  readonly runFrame: RunFrame;
  /** Opens another lane for the next frames, while the frame of one waits. */
  readonly widen: () => void;
  /** The batch is not over before this is. */
  readonly follow: (part: Promise<void>) => void;
  /** Frames may be run in worker threads; null: not these. Asked for when there is a reason to. */
  readonly away: () => FramesAway | null;
};

type BatchScope = Omit<RunScope, "signal" | "onCall">;

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
  /** Parts of the batch that are in worker threads. */
  #parts = 0;
  #stopped = false;
  #fault: ServiceFault | null = null;

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
    const label = writtenLabel(entry);
    this.#slots.push(first);
    const stop = (): void => this.#stop();
    try {
      announce(this.#services, this.#plan, this.#scope.context, label, false, this.#options.frames);
      if (caller.aborted) stop();
      else caller.addEventListener("abort", stop);
      const facts = { label, checksum: prepared.ir.checksum };
      await this.#scope.trace.run(facts, (span) => this.#work(items, first, caller, span));
      return this.#totals(label);
    } finally {
      caller.removeEventListener("abort", stop);
      for (const slot of this.#slots) slot.leave();
    }
  }

  /** No further frame is taken, and nobody waits for a reader that is gone. */
  #stop(): void {
    this.#stopped = true;
    this.#out.close();
  }

  async #work(items: BatchItems, first: RunSlot, caller: Cancellation, span: RunTrace): Promise<void> {
    const observer = observerOf(this.#services, this.#scope, (call) => {
      this.#tally.called(call);
      span.adapterCall(call, this.#services.clock.wall());
    });
    const parts = new Set<Promise<void>>();
    const work: Work = {
      items,
      ...this.#frames(observer, span),
      widen: () => {
        if (this.#slots.length >= this.#options.concurrency) return;
        const slot = this.#services.slots.tryEnter(caller);
        if (slot !== null) open(slot);
      },
      follow: (part) => {
        const over = part
          .catch((cause: unknown) => {
            this.#fault ??= this.#faultOf(cause);
            this.#stopped = true;
            this.#order?.giveUp();
          })
          .finally(() => parts.delete(over));
        parts.add(over);
      },
    };
    const open = (slot: RunSlot): void => {
      if (slot !== first) this.#slots.push(slot);
      work.follow(this.#drive(laneIn(slot), work));
    };
    first.signal.addEventListener("abort", () => this.#order?.giveUp());
    open(first);
    // Those that are begun meanwhile are waited for too.
    for (const part of parts) await part;
    if (this.#slots.some(({ signal }) => signal.aborted)) this.#fault ??= cancelled();
    const { failed, usage } = this.#tally;
    span.ended(failed === 0 && this.#fault === null ? "ok" : "failed", usage.steps);
    this.#out.close();
  }

  /** Waits only for what makes it wait: a promise for each frame would take longer than a short run. */
  async #drive(lane: Lane, work: Work): Promise<void> {
    const { clock } = this.#services;
    const { items, runFrame, widen } = work;
    let sliceEnds = clock.now() + SLICE_MS;
    while (!this.#isOver(lane)) {
      if (this.#order?.isAhead(items.upcoming)) await awaited(this.#order.reached(items.upcoming), lane);
      const next = items.next();
      const item = next instanceof Promise ? await awaited(next, lane) : next;
      // The end of one lane is that of all; a frame taken after the stop is not run.
      if (item === null || this.#takesNoMore) return;
      const { index } = item;
      const made = "broken" in item ? this.#lines.broken(index, item.broken) : runFrame(index, item.frame, lane);
      if (made instanceof Promise) widen();
      const room = this.#out.put(made instanceof Promise ? await awaited(made, lane) : made, index);
      if (room !== undefined) await awaited(room, lane);
      lane.now ??= clock.now();
      if (lane.now < sliceEnds) continue;
      if (lane.ranMs >= AWAY_AFTER_MS) this.#share(lane, work);
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

  /** Hands frames that are there already to worker threads that are free. */
  #share(lane: Lane, work: Work): void {
    const { items, follow } = work;
    /** Frames that run here in a millisecond. */
    const rate = lane.ran / lane.ranMs;
    while (items.atHand > KEPT_MS * rate && this.#parts < this.#options.concurrency - 1) {
      const away = work.away();
      const place = away?.take() ?? null;
      if (away === null || place === null) return;
      const most = Math.min(items.atHand / 2, PART_AWAY_MS * rate, MOST_AWAY);
      const frames = this.#framesAtHand(items, Math.ceil(most));
      if (frames.length === 0) {
        place.release();
        return;
      }
      follow(this.#runAway(lane, work, away, place, frames));
    }
  }

  /** Up to a line that is none, which is answered at once. */
  #framesAtHand(items: BatchItems, most: number): FrameItem[] {
    const frames: FrameItem[] = [];
    while (frames.length < most && items.atHand > 0 && this.#order?.isAhead(items.upcoming) !== true) {
      const item = items.next();
      if (item === null || item instanceof Promise) break;
      if ("frame" in item) frames.push(item);
      else {
        this.#out.put(this.#lines.broken(item.index, item.broken), item.index);
        break;
      }
    }
    return frames;
  }

  /** Runs frames in worker threads as long as one is free; what is left, or was lost, is run here. */
  async #runAway(
    lane: Lane,
    work: Work,
    away: FramesAway,
    first: FramePlace,
    frames: readonly FrameItem[],
  ): Promise<void> {
    let rest = frames;
    this.#parts += 1;
    for (let place: FramePlace | null = first; place !== null; ) {
      const ran = await away.run(place, rest, lane.slot.signal);
      if (ran !== null) await this.#told(ran, rest, away);
      rest = rest.slice(ran?.durations.length ?? 0);
      place = rest.length === 0 || this.#isOver(lane) ? null : away.take();
    }
    this.#parts -= 1;
    if (rest.length > 0) await this.#drive(laneIn(lane.slot), { ...work, items: new TakenFrames(rest) });
  }

  /** What frames came to in a worker thread. */
  async #told(
    { durations, lines, failures, usage, calls }: FramesRan,
    frames: readonly FrameItem[],
    { runner, observer }: FramesAway,
  ): Promise<void> {
    const { clock, metrics } = this.#services;
    const now = clock.now();
    const texts = lines.split("\n");
    const failed = new Map(failures.map((failure) => [failure.at, failure]));
    for (const call of calls) observer(call);
    this.#tally.frameEnded(null, usage, durations.length - failures.length);
    for (const [at, duration] of durations.entries()) {
      const { index } = frames[at] as FrameItem;
      let line = texts[at] as string;
      const failure = failed.get(at);
      if (failure === undefined) metrics.runEnded("ok", duration, now);
      else line = this.#lines.ended(index, endThere(failure, runner, now - duration, now));
      const room = this.#out.put(line, index);
      if (room !== undefined) await room;
    }
  }

  /** Frames whose runs are neither traced nor recorded, tell no labels, and stay on this thread, share what can be shared between runs. */
  #frames(observer: CallObserver, span: RunTrace): Pick<Work, "runFrame" | "away"> {
    const { gateway, dryRun, config, clock } = this.#services;
    const { prepared, entry, trace, record } = this.#plan;
    const { trace_id } = this.#scope.context;
    if (trace !== false || record || config.workers.isolated || tellsLabels(this.#services, span)) {
      const runFrame: RunFrame = async (index, frame, { slot: { signal } }) => {
        const startedAt = clock.now();
        const answer = await runWithLabels(this.#services, span, prepared, {
          label: entry,
          frame,
          trace,
          record,
          dryRun,
          signal,
          observer,
          // Calls of different frames must not share call ids.
          traceId: `${trace_id}-${index}`,
        });
        const { warnings } = answer;
        return this.#lines.ended(index, { outcome: answer, startedAt, endedAt: clock.now(), warnings });
      };
      return { runFrame, away: () => null };
    }
    const runner = gateway.batch(prepared, { label: entry, dryRun, observer });
    const lineOf = (index: number, end: FrameEnd, lane: Lane): string => {
      lane.ran += 1;
      lane.ranMs += end.endedAt - end.startedAt;
      return this.#lines.ended(index, end);
    };
    const runFrame: RunFrame = (index, frame, lane) => {
      const ended = runner.run(frame, trace_id, index, lane.now, lane.slot.signal);
      if (ended instanceof Promise) return ended.then((end) => lineOf(index, end, lane));
      const line = lineOf(index, ended, lane);
      lane.now = line.length <= QUICK_LINE ? ended.endedAt : null;
      return line;
    };
    let away: FramesAway | null | undefined;
    return {
      runFrame,
      away: () => {
        if (away === undefined) away = this.#awayFor(runner, observer, span);
        return away;
      },
    };
  }

  /** A frame after one that failed may not even be begun, and spans have their times: neither is for threads. */
  #awayFor(runner: FrameRunner, observer: CallObserver, { isKept }: RunTrace): FramesAway | null {
    const { gateway, workers, maxResultBytes } = this.#services;
    const { prepared, entry } = this.#plan;
    if (this.#options.stopOnError || isKept || !runsAnywhere(prepared, gateway.host.catalog)) return null;
    return new FramesAway({
      ...{ runner, observer, maxResultBytes, entry },
      ir: prepared.ir,
      take: () => workers.take(),
    });
  }

  #faultOf(cause: unknown): ServiceFault {
    if (cause instanceof ServiceFault) return cause;
    const error = cause instanceof Error ? cause.name : "unknown";
    this.#services.events.note("error", "defect", { error }, this.#scope.context);
    return faults.internal();
  }

  #totals(label: string): BatchTotals {
    const { clock, events } = this.#services;
    const { context, startedAt } = this.#scope;
    const { succeeded, failed, usage, firstFailure } = this.#tally;
    const duration_ms = thousandths(clock.now() - startedAt);
    const failure = this.#fault ?? firstFailure;
    if (failure === null) events.runComplete(context, { label, duration_ms, usage });
    else events.runFailed(context, { error: failure.error, message: failure.message, duration_ms, usage });
    return {
      ok: failure === null,
      count: succeeded + failed,
      succeeded,
      failed,
      duration_ms,
      adapter_p95_ms: this.#tally.callTimes(),
      fault: this.#fault,
    };
  }
}

/** Whatever a lane waits for, it does not know the time afterwards. */
function awaited<T>(coming: Promise<T>, lane: Lane): Promise<T> {
  lane.now = null;
  return coming;
}

function laneIn(slot: RunSlot): Lane {
  return { slot, now: null, ran: 0, ranMs: 0 };
}

/** A run that failed in a worker thread, as it would have ended here. */
function endThere(
  { outcome, ran }: FrameFailed,
  { explain }: FrameRunner,
  startedAt: number,
  endedAt: number,
): Omit<FrameEnd, "callTimes"> {
  const explained = outcome.ok || ran ? outcome : { ...outcome, error: explain(outcome.error) };
  return { outcome: explained, startedAt, endedAt, warnings: [] };
}

function cancelled(): ServiceFault {
  return new ServiceFault("cancelled", "the batch was cancelled before its last frame");
}
