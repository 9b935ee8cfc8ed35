/**
 * Frames in groups, run a slice at a time: several are under way when they wait, results come as they are made or in order, and a bad
 * frame spoils nothing but its own result. Memory does not grow with the number of frames.
 */
import type { Cancellation } from "../run.ts";
import { Cancelling } from "../runs/cancellation.ts";
import type { FrameEnd } from "./frame-options.ts";
import type { FrameRunner } from "./frame-runner.ts";
import type { BatchResult } from "./result.ts";

/** How the frames of a batch follow each other. */
export type BatchPace = {
  /** Frames under way at a time, as far as they wait for something. Default 16. */
  readonly concurrency?: number;
  /** Results in the order of their frames. Default: as they come. */
  readonly ordered?: boolean;
  /** `stop`: no further frame is begun after one failed. Default `continue`. */
  readonly onError?: "continue" | "stop";
  /** Ends the batch: frames that are cut off have no result. */
  readonly signal?: Cancellation;
  /** Asked before a further frame is begun while others wait, the first time for each: false, and it is not begun now. Default: it may. */
  readonly widens?: () => boolean;
  /** Called for each run that made adapter calls: durations in milliseconds, by adapter. */
  readonly called?: (times: FrameEnd["callTimes"]) => void;
};

const DEFAULT_CONCURRENCY = 16;
/** How far results may be ahead of the next one in order. */
const ORDER_WINDOW = 1024;
/** A slice of the batch, until other work of the process has its turn. */
const SLICE_MS = 1;
const SLICE_RUNS = 1024;
/** Results do not wait longer than this for others to leave with. */
const LINGER_MS = 20;

/** A group of frames, each of which is begun by itself. */
export interface FrameGroup {
  /** There is a frame that was not begun. */
  readonly more: boolean;
  /** The result, or null where there is nothing to be delivered: the frame was cancelled, or its result is where it belongs already. */
  begin(about: Beginning): BatchResult | null | Promise<BatchResult | null>;
}

/** What a frame is begun with. */
export interface Beginning {
  readonly traceId: string;
  readonly signal: Cancellation;
  /** The time, as far as it is known: when the frame before ended. Set by the one that begins, and null after a wait. */
  now: number | null;
  /** The result may be delivered where it is made, because none before it is missing. */
  readonly isNext: boolean;
}

/** Takes results. */
export interface ResultSink<T> {
  deliver(result: BatchResult): void;
  /** A frame in order has no result: the batch was cancelled. */
  gap(): void;
  /** What there is should be handed out before more is made. */
  readonly isFull: boolean;
  /** What is to be handed out; null: nothing yet. `isIdle`: nothing more can be done just now, or something has waited for long. */
  take(isIdle: boolean): T | null;
}

/** Runs frames in groups, which need not be alike in size. */
export async function* runGroups<T>(
  runner: Pick<FrameRunner, "turn" | "traceId">,
  groups: AsyncIterable<FrameGroup>,
  sink: ResultSink<T>,
  pace: BatchPace,
): AsyncGenerator<T, void> {
  const batch = new Batch(runner, groups, sink, pace);
  try {
    for (;;) {
      batch.work();
      const made = sink.take(batch.isIdle);
      if (made !== null) {
        batch.gave();
        yield made;
      } else if (batch.over) return;
      await batch.nextWork();
    }
  } finally {
    await batch.end();
  }
}

class Batch implements Beginning {
  readonly traceId: string;
  readonly signal: Cancelling = new Cancelling();
  now: number | null = null;
  readonly #runner: Pick<FrameRunner, "turn" | "traceId">;
  readonly #groups: AsyncIterator<FrameGroup>;
  readonly #sink: Omit<ResultSink<unknown>, "take">;
  readonly #concurrency: number;
  readonly #ordered: boolean;
  readonly #stopOnError: boolean;
  readonly #unlink: () => void;
  #group: FrameGroup | null = null;
  #asked = false;
  #ended = false;
  #taken = 0;
  #underWay = 0;
  /** Frames that may be under way, as far as others were asked. */
  #places = 1;
  readonly #widens: () => boolean;
  /** When the last results left, or the first were made after that. */
  #gaveAt: number | null = null;
  /** In order: the next result to go out, and those that wait for it. */
  #next = 0;
  readonly #early = new Map<number, BatchResult | null>();
  #defect: { readonly cause: unknown } | null = null;
  #changed = false;
  #wake: () => void = () => {};

  constructor(
    runner: Pick<FrameRunner, "turn" | "traceId">,
    groups: AsyncIterable<FrameGroup>,
    sink: Omit<ResultSink<unknown>, "take">,
    pace: BatchPace,
  ) {
    const { concurrency = DEFAULT_CONCURRENCY, ordered = false, onError = "continue", signal, widens } = pace;
    this.#runner = runner;
    this.#sink = sink;
    this.#groups = groups[Symbol.asyncIterator]();
    // With NaN, too, one frame starts after the other.
    this.#concurrency = concurrency >= 1 ? concurrency : 1;
    this.#ordered = ordered;
    this.#stopOnError = onError === "stop";
    this.#widens = widens ?? (() => true);
    this.traceId = runner.traceId();
    const stop = (): void => this.#stop(signal?.reason);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop);
    this.#unlink = () => signal?.removeEventListener("abort", stop);
  }

  /** Nothing is under way and nothing more will be. */
  get over(): boolean {
    return this.#underWay === 0 && this.#ended;
  }

  /** Runs frames until the slice is over, or none can be begun. */
  work(): void {
    this.#changed = false;
    if (this.#defect !== null) throw this.#defect.cause;
    this.now = null;
    let since: number | null = null;
    for (let runs = 0; this.canBegin() && !this.#sink.isFull && runs < SLICE_RUNS; runs++) {
      this.#begin(this.#group as FrameGroup);
      const { now } = this;
      since ??= now;
      this.#gaveAt ??= now;
      if (now !== null && since !== null && now - since >= SLICE_MS) return;
    }
  }

  get isIdle(): boolean {
    const isLong = this.now !== null && this.#gaveAt !== null && this.now - this.#gaveAt >= LINGER_MS;
    return isLong || !this.canBegin();
  }

  /** Results have left. */
  gave(): void {
    this.#gaveAt = this.now;
  }

  /** Until there is something to do again; other work of the process has its turn in any case. */
  async nextWork(): Promise<void> {
    if (this.canBegin()) return new Promise<void>((then) => this.#runner.turn(then));
    if (this.#group?.more !== true && !this.#ended && !this.#asked) this.#ask();
    if (this.#changed || this.over) return;
    await new Promise<void>((then) => {
      this.#wake = then;
    });
  }

  /** Cancels what is under way and waits for its end. */
  async end(): Promise<void> {
    this.#stop("the batch ended");
    this.#unlink();
    while (this.#underWay > 0) {
      await new Promise<void>((then) => {
        this.#wake = then;
      });
    }
    const ended = this.#groups.return?.();
    // A source that is being waited for ends when it comes back, which may be never.
    if (this.#asked) ended?.catch(() => {});
    else await ended;
  }

  get isNext(): boolean {
    return !this.#ordered || (this.#taken - 1 === this.#next && this.#early.size === 0);
  }

  canBegin(): boolean {
    return (
      !this.#ended &&
      this.#group?.more === true &&
      this.#underWay < this.#concurrency &&
      (!this.#ordered || this.#taken - this.#next < ORDER_WINDOW) &&
      this.#hasPlace()
    );
  }

  #hasPlace(): boolean {
    if (this.#underWay < this.#places) return true;
    if (!this.#widens()) return false;
    this.#places += 1;
    return true;
  }

  #begin(group: FrameGroup): void {
    const place = this.#taken;
    this.#taken += 1;
    const made = group.begin(this);
    if (!(made instanceof Promise)) {
      this.#settle(place, made);
      return;
    }
    this.now = null;
    this.#underWay += 1;
    made
      .then(
        (later) => this.#settle(place, later),
        (cause: unknown) => {
          this.#defect ??= { cause };
        },
      )
      .finally(() => {
        this.#underWay -= 1;
        this.#notice();
      });
  }

  #settle(place: number, result: BatchResult | null): void {
    if (result?.ok === false && this.#stopOnError) this.#ended = true;
    if (!this.#ordered) this.#deliver(result);
    else if (place === this.#next && this.#early.size === 0) {
      this.#next += 1;
      this.#deliver(result);
    } else {
      this.#early.set(place, result);
      for (let next = this.#early.get(this.#next); next !== undefined; next = this.#early.get(this.#next)) {
        this.#early.delete(this.#next);
        this.#next += 1;
        this.#deliver(next);
      }
    }
  }

  #deliver(result: BatchResult | null): void {
    if (result !== null) this.#sink.deliver(result);
    else if (this.#ordered && this.signal.aborted) this.#sink.gap();
  }

  #ask(): void {
    this.#asked = true;
    this.#groups
      .next()
      .then(
        ({ value, done }) => {
          if (done === true) this.#ended = true;
          else {
            this.#group = value;
          }
        },
        (cause: unknown) => {
          this.#ended = true;
          // A source that fails after the batch was cancelled is not a defect.
          if (!this.signal.aborted) this.#defect ??= { cause };
        },
      )
      .finally(() => {
        this.#asked = false;
        this.#notice();
      });
  }

  #stop(reason: unknown): void {
    this.#ended = true;
    this.signal.abort(reason);
    this.#notice();
  }

  #notice(): void {
    this.#changed = true;
    this.#wake();
  }
}
