/**
 * Frames in groups, run a slice at a time: several are under way when they wait, results come as they are made or in order, and a bad
 * frame spoils nothing but its own result. Memory does not grow with the number of frames.
 */
import { inputWarnings, problemsText } from "../inputs/check-inputs.ts";
import { Cancelling } from "../runs/cancellation.ts";
import type { FrameEnd, FrameInputs, FrameRunner } from "./frame-runner.ts";
import { type BatchItem, type BatchResult, resultOf, wasCancelled } from "./result.ts";

/** How the frames of a batch follow each other. */
export type BatchPace = {
  /** Frames under way at a time, as far as they wait for something. Default 16. */
  readonly concurrency?: number;
  /** Results in the order of their frames. Default: as they come. */
  readonly ordered?: boolean;
  /** `stop`: no further frame is begun after one failed. Default `continue`. */
  readonly onError?: "continue" | "stop";
  /** Ends the batch: frames that are cut off have no result. */
  readonly signal?: AbortSignal;
  /** Called for each run that made adapter calls: durations in milliseconds, by adapter. */
  readonly called?: (times: FrameEnd["callTimes"]) => void;
};

const DEFAULT_CONCURRENCY = 16;
/** How far results may be ahead of the next one in order. */
const ORDER_WINDOW = 1024;
/** A slice of the batch, until other work of the process has its turn. */
const SLICE_MS = 1;
const SLICE_RUNS = 1024;

/** Runs items in groups, which need not be alike in size. Results come in groups too, as many as there are. */
export async function* runItems(
  runner: FrameRunner,
  groups: AsyncIterable<readonly BatchItem[]>,
  pace: BatchPace,
): AsyncGenerator<readonly BatchResult[], void> {
  const batch = new Batch(runner, groups, pace);
  try {
    for (;;) {
      batch.work();
      const results = batch.handOver();
      if (results.length > 0) yield results;
      else if (batch.over) return;
      await batch.nextWork();
    }
  } finally {
    await batch.end();
  }
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

class Batch {
  readonly #runner: FrameRunner;
  readonly #groups: AsyncIterator<readonly BatchItem[]>;
  readonly #concurrency: number;
  readonly #ordered: boolean;
  readonly #stopOnError: boolean;
  readonly #called: BatchPace["called"];
  readonly #cancel = new Cancelling();
  readonly #unlink: () => void;
  readonly #traceId: string;
  #group: readonly BatchItem[] = [];
  #at = 0;
  #asked = false;
  #ended = false;
  #taken = 0;
  #underWay = 0;
  #ready: BatchResult[] = [];
  /** In order: the next result to go out, and those that wait for it. */
  #next = 0;
  readonly #early = new Map<number, BatchResult | null>();
  #defect: { readonly cause: unknown } | null = null;
  #changed = false;
  #wake: () => void = () => {};

  constructor(runner: FrameRunner, groups: AsyncIterable<readonly BatchItem[]>, pace: BatchPace) {
    const { concurrency = DEFAULT_CONCURRENCY, ordered = false, onError = "continue", signal } = pace;
    this.#runner = runner;
    this.#groups = groups[Symbol.asyncIterator]();
    // With NaN, too, one frame starts after the other.
    this.#concurrency = concurrency >= 1 ? concurrency : 1;
    this.#ordered = ordered;
    this.#stopOnError = onError === "stop";
    this.#called = pace.called;
    this.#traceId = runner.traceId();
    const stop = (): void => this.#stop(signal?.reason);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop);
    this.#unlink = () => signal?.removeEventListener("abort", stop);
  }

  /** Nothing is under way and nothing more will be. */
  get over(): boolean {
    return this.#underWay === 0 && this.#ended && this.#ready.length === 0;
  }

  /** Runs frames until the slice is over, or none can be begun. */
  work(): void {
    this.#changed = false;
    if (this.#defect !== null) throw this.#defect.cause;
    let now: number | null = null;
    let since: number | null = null;
    for (let runs = 0; this.#canBegin() && runs < SLICE_RUNS; runs++) {
      const item = this.#group[this.#at] as BatchItem;
      this.#at += 1;
      now = this.#begin(item, now);
      since ??= now;
      if (now !== null && since !== null && now - since >= SLICE_MS) return;
    }
  }

  handOver(): readonly BatchResult[] {
    const results = this.#ready;
    this.#ready = [];
    return results;
  }

  /** Until there is something to do again; other work of the process has its turn in any case. */
  async nextWork(): Promise<void> {
    if (this.#canBegin()) return new Promise<void>((then) => this.#runner.turn(then));
    if (this.#at >= this.#group.length && !this.#ended && !this.#asked) this.#ask();
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

  #canBegin(): boolean {
    return (
      !this.#ended &&
      this.#at < this.#group.length &&
      this.#underWay < this.#concurrency &&
      (!this.#ordered || this.#taken - this.#next < ORDER_WINDOW)
    );
  }

  /** The time when it ended, if it did so at once. */
  #begin(given: BatchItem, now: number | null): number | null {
    const { inputs } = this.#runner;
    const item = inputs === null || "fault" in given ? given : checkedItem(given, inputs);
    const place = this.#taken;
    this.#taken += 1;
    const { index } = item;
    if ("fault" in item) {
      this.#settle(place, { index, ...item.fault });
      return now;
    }
    const end = this.#runner.run(item.frame, this.#traceId, index, now, this.#cancel);
    if (!(end instanceof Promise)) {
      this.#take(place, item, end);
      return end.endedAt;
    }
    this.#underWay += 1;
    end
      .then(
        (later) => this.#take(place, item, later),
        (cause: unknown) => {
          this.#defect ??= { cause };
        },
      )
      .finally(() => {
        this.#underWay -= 1;
        this.#notice();
      });
    return null;
  }

  #take(place: number, { index, warnings }: FrameItem, end: FrameEnd): void {
    if (end.callTimes.size > 0) this.#called?.(end.callTimes);
    const told = warnings === undefined ? end : { ...end, warnings: [...warnings, ...end.warnings] };
    this.#settle(place, wasCancelled(end) ? null : resultOf(index, told));
  }

  #settle(place: number, result: BatchResult | null): void {
    if (result?.ok === false && this.#stopOnError) this.#ended = true;
    if (!this.#ordered) {
      if (result !== null) this.#ready.push(result);
      return;
    }
    this.#early.set(place, result);
    for (let next = this.#early.get(this.#next); next !== undefined; next = this.#early.get(this.#next)) {
      this.#early.delete(this.#next);
      this.#next += 1;
      if (next !== null) this.#ready.push(next);
    }
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
            this.#at = 0;
          }
        },
        (cause: unknown) => {
          this.#ended = true;
          // A source that fails after the batch was cancelled is not a defect.
          if (!this.#cancel.aborted) this.#defect ??= { cause };
        },
      )
      .finally(() => {
        this.#asked = false;
        this.#notice();
      });
  }

  #stop(reason: unknown): void {
    this.#ended = true;
    this.#cancel.abort(reason);
    this.#notice();
  }

  #notice(): void {
    this.#changed = true;
    this.#wake();
  }
}
