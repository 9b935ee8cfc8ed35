/**
 * Parts of a large batch in worker threads: frames that have arrived go to free threads, and their results are reported as if they
 * had been run here. Frames that a thread had not answered when it died are run here.
 */
import type { FrameRunner } from "../../vm/batch/frame-runner.ts";
import type { CallObserver } from "../../vm/run.ts";
import type { RunPlan } from "../run/plan.ts";
import type { Services } from "../services.ts";
import type { FrameFailed, FramesRan } from "../workers/frame-messages.ts";
import { type FramePlace, FramesAway, runsAnywhere } from "../workers/frames-away.ts";
import { type BatchItems, type FrameItem, TakenFrames } from "./frames.ts";
import { type Lane, laneIn } from "./lanes.ts";
import type { FrameLines } from "./result-lines.ts";
import type { BatchOut, InputOrder } from "./result-order.ts";
import type { BatchTally } from "./totals.ts";

/** A batch whose frames have taken so long is a large one. */
const AWAY_AFTER_MS = 5;
/** Frames for so long stay here: handing over fewer takes longer than running them. */
const KEPT_MS = 2;
/** Target time of the frames given to a thread at once, and their maximum number. */
const PART_AWAY_MS = 10;
const MAX_AWAY = 4096;

export type BatchPartsDeps = {
  readonly services: Services;
  readonly plan: RunPlan;
  /** Parts that may be away at once. */
  readonly most: number;
  /** Which the frames share. */
  readonly runner: FrameRunner;
  readonly observer: CallObserver;
  readonly lines: FrameLines;
  readonly tally: BatchTally;
  readonly out: BatchOut;
  /** null: results go out as they are made. */
  readonly order: InputOrder | null;
  /** No further frame is run. */
  readonly isOver: (lane: Lane) => boolean;
  /** Runs frames on this thread. */
  readonly drive: (lane: Lane, items: BatchItems) => Promise<void>;
  /** The batch is not over before this is. */
  readonly follow: (part: Promise<void>) => void;
};

export class BatchParts {
  readonly #deps: BatchPartsDeps;
  /** Null: the frames of this batch run here; undefined: not decided yet. */
  #away: FramesAway | null | undefined;
  #running = 0;

  constructor(deps: BatchPartsDeps) {
    this.#deps = deps;
  }

  /** Hands frames that are there already to worker threads that are free, once the frames of a lane have taken long enough. */
  share(lane: Lane, items: BatchItems): void {
    if (lane.ranMs < AWAY_AFTER_MS) return;
    const { most, follow } = this.#deps;
    /** Frames that run here in a millisecond. */
    const rate = lane.ran / lane.ranMs;
    while (items.atHand > KEPT_MS * rate && this.#running < most) {
      const away = this.#threads();
      const place = away?.take() ?? null;
      if (away === null || place === null) return;
      const frames = this.#framesAtHand(items, Math.ceil(Math.min(items.atHand / 2, PART_AWAY_MS * rate, MAX_AWAY)));
      if (frames.length === 0) {
        place.release();
        return;
      }
      follow(this.#run(lane, away, place, frames));
    }
  }

  #threads(): FramesAway | null {
    if (this.#away !== undefined) return this.#away;
    const { services, plan, runner, observer } = this.#deps;
    const { gateway, workers, maxResultBytes } = services;
    const { prepared, entry } = plan;
    this.#away = runsAnywhere(prepared, gateway.host.catalog)
      ? new FramesAway({ runner, observer, maxResultBytes, entry, ir: prepared.ir, take: () => workers.take() })
      : null;
    return this.#away;
  }

  /** Takes frames up to a line that is not a frame, which is answered immediately. */
  #framesAtHand(items: BatchItems, most: number): FrameItem[] {
    const { order, out, lines } = this.#deps;
    const frames: FrameItem[] = [];
    while (frames.length < most && items.atHand > 0 && order?.isAhead(items.upcoming) !== true) {
      const item = items.next();
      if (item === null || item instanceof Promise) break;
      if ("frame" in item) frames.push(item);
      else {
        out.put(lines.broken(item.index, item.broken), item.index);
        break;
      }
    }
    return frames;
  }

  /** Runs frames in worker threads as long as one is free; what is left, or was lost, is run here. */
  async #run(lane: Lane, away: FramesAway, first: FramePlace, frames: readonly FrameItem[]): Promise<void> {
    const { isOver, drive } = this.#deps;
    let rest = frames;
    this.#running += 1;
    for (let place: FramePlace | null = first; place !== null; ) {
      const ran = await away.run(place, rest, lane.slot.signal);
      if (ran !== null) await this.#told(ran, rest);
      rest = rest.slice(ran?.durations.length ?? 0);
      place = rest.length === 0 || isOver(lane) ? null : away.take();
    }
    this.#running -= 1;
    if (rest.length > 0) await drive(laneIn(lane.slot), new TakenFrames(rest));
  }

  /** What frames came to in a worker thread. */
  async #told(
    { durations, lines: text, failures, usage, calls }: FramesRan,
    frames: readonly FrameItem[],
  ): Promise<void> {
    const { services, runner, observer, lines, tally, out } = this.#deps;
    const { clock, metrics } = services;
    const now = clock.now();
    const texts = text.split("\n");
    const failed = new Map(failures.map((failure) => [failure.at, failure]));
    for (const call of calls) observer(call);
    tally.frameEnded(null, usage, durations.length - failures.length);
    for (const [at, duration] of durations.entries()) {
      const { index } = frames[at] as FrameItem;
      let line = texts[at] as string;
      const failure = failed.get(at);
      if (failure === undefined) metrics.runEnded("ok", duration, now);
      else {
        const outcome = outcomeHere(failure, runner);
        line = lines.ended(index, { outcome, startedAt: now - duration, endedAt: now, warnings: [] });
      }
      const room = out.put(line, index);
      if (room !== undefined) await room;
    }
  }
}

/** A run that failed in a worker thread, as it would have ended here. */
function outcomeHere({ outcome, ran }: FrameFailed, { explain }: FrameRunner): FrameFailed["outcome"] {
  return outcome.ok || ran ? outcome : { ...outcome, error: explain(outcome.error) };
}
