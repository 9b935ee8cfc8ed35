/**
 * One program, many frames: frames are taken one by one by a few lanes, each of which runs one frame at a time; results leave in the
 * order they were made, or in that of the frames. Memory does not grow with the number of frames.
 */
import type { JsonObject } from "../compiler/json.ts";
import { writtenLabel } from "../grammar/written-label.ts";
import type { FrameEnd } from "../vm/batch/frame-runner.ts";
import type { CallEvent, Cancellation, Outcome, Usage } from "../vm/run.ts";
import { BatchTally, type FrameFailure } from "./batch-tally.ts";
import { faults, ServiceFault } from "./errors.ts";
import { thousandths } from "./events.ts";
import { announce, observerOf, type RunScope } from "./execute.ts";
import { runWithLabels, tellsLabels } from "./label-spans.ts";
import { outcomeOf, recordMembers, redactedTrace } from "./run-body.ts";
import type { RunPlan } from "./run-plan.ts";
import { NO_USAGE } from "./run-plan.ts";
import type { RunSlot } from "./run-slots.ts";
import { frameText } from "./run-text.ts";
import type { Services } from "./services.ts";
import type { RunTrace } from "./tracing.ts";

/** Frames as they are asked for; null: there are no more. */
export type BatchItems = { next(): BatchItem | null | Promise<BatchItem | null> };
/** A frame, or a line that is none. */
export type BatchItem = { readonly frame: JsonObject } | { readonly broken: ServiceFault };

export type BatchOptions = {
  readonly concurrency: number;
  readonly stopOnError: boolean;
  readonly inInputOrder: boolean;
  /** null: not known yet. */
  readonly frames: number | null;
};

/** Where results go: each as the JSON of its line, as it is made. */
export interface BatchOut {
  /** A promise of room for more; undefined: there is some. `index`: of the frame. */
  put(line: string, index: number): Promise<void> | undefined;
  /** Nothing comes any more, or nobody reads any more. */
  close(): void;
}

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

/** How far frames may be ahead of the next line in input order. */
const ORDER_WINDOW = 1024;
/** How much of their results may wait for an earlier one, in characters. */
const ORDER_CHARACTERS = 16 * 1024 * 1024;
/** Frames are run for so long without letting other work in between. */
const SLICE_MS = 1;

type RunFrame = (index: number, frame: JsonObject, slot: RunSlot) => string | Promise<string>;

type BatchScope = Omit<RunScope, "signal" | "onCall">;

export class Batch {
  readonly #services: Services;
  readonly #plan: RunPlan;
  readonly #options: BatchOptions;
  readonly #scope: BatchScope;
  readonly #out: BatchOut;
  readonly #tally = new BatchTally();
  readonly #slots: RunSlot[] = [];
  /** Results that wait for earlier ones. */
  readonly #early = new Map<number, string>();
  #earlyCharacters = 0;
  #nextOut = 0;
  #whenEmitted: (() => void)[] = [];
  #taken = 0;
  #stopped = false;
  #fault: ServiceFault | null = null;

  constructor(services: Services, plan: RunPlan, options: BatchOptions, scope: BatchScope, out: BatchOut) {
    this.#services = services;
    this.#plan = plan;
    this.#options = options;
    this.#scope = scope;
    this.#out = out;
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
    this.#release();
  }

  async #work(items: BatchItems, first: RunSlot, caller: Cancellation, span: RunTrace): Promise<void> {
    const observer = observerOf(this.#services, this.#scope, (call) => {
      this.#tally.called(call);
      span.adapterCall(call, this.#services.clock.wall());
    });
    const runFrame = this.#frames(observer, span);
    const lanes: Promise<void>[] = [];
    const open = (slot: RunSlot): void => {
      const lane = this.#lane(items, slot, runFrame, widen).catch((cause: unknown) => {
        this.#fault ??= this.#faultOf(cause);
        this.#stopped = true;
      });
      lanes.push(lane);
    };
    /** Another lane for the next frames, while the frame of one waits. */
    const widen = (): void => {
      if (this.#slots.length >= this.#options.concurrency) return;
      const slot = this.#services.slots.tryEnter(caller);
      if (slot === null) return;
      this.#slots.push(slot);
      open(slot);
    };
    open(first);
    // Those that are opened meanwhile are waited for too.
    for (const lane of lanes) await lane;
    if (this.#slots.some(({ signal }) => signal.aborted)) this.#fault ??= cancelled();
    const { failed, usage } = this.#tally;
    span.ended(failed === 0 && this.#fault === null ? "ok" : "failed", usage.steps);
    this.#out.close();
  }

  /** Waits only for what makes it wait: a promise for each frame would take longer than a short run. */
  async #lane(items: BatchItems, slot: RunSlot, runFrame: RunFrame, widen: () => void): Promise<void> {
    const { clock } = this.#services;
    let sliceEnds = clock.now() + SLICE_MS;
    while (!this.#stopped && !slot.signal.aborted) {
      if (this.#isAhead(this.#taken)) await this.#untilEmitted(this.#taken);
      const next = items.next();
      const item = next instanceof Promise ? await next : next;
      // The end of one lane is that of all; a frame taken after the stop is not run.
      if (item === null || this.#stopped) return;
      const index = this.#taken;
      this.#taken += 1;
      const made = "broken" in item ? this.#brokenLine(index, item.broken) : runFrame(index, item.frame, slot);
      if (made instanceof Promise) widen();
      const room = this.#emit(made instanceof Promise ? await made : made, index);
      if (room !== undefined) await room;
      if (clock.now() < sliceEnds) continue;
      await new Promise((resolve) => setImmediate(resolve));
      sliceEnds = clock.now() + SLICE_MS;
    }
  }

  /** Frames whose runs are neither traced nor recorded, tell no labels, and stay on this thread, share what can be shared between runs. */
  #frames(observer: (call: CallEvent) => void, span: RunTrace): RunFrame {
    const { gateway, dryRun, config, clock } = this.#services;
    const { prepared, entry, trace, record } = this.#plan;
    // Calls of different frames must not share call ids.
    const traceId = (index: number): string => `${this.#scope.context.trace_id}-${index}`;
    if (trace !== false || record || config.workers.isolated || tellsLabels(this.#services, span)) {
      return async (index, frame, { signal }) => {
        const began = clock.now();
        const answer = await runWithLabels(this.#services, span, prepared, {
          label: entry,
          frame,
          trace,
          record,
          dryRun,
          signal,
          observer,
          traceId: traceId(index),
        });
        return this.#frameLine(index, answer, clock.now() - began, answer.warnings);
      };
    }
    const runner = gateway.batch(prepared, { label: entry, dryRun, observer });
    const lineOf = (index: number, { outcome, startedAt, endedAt, warnings }: FrameEnd): string =>
      this.#frameLine(index, outcome, endedAt - startedAt, warnings);
    return (index, frame, { signal }) => {
      const ended = runner.run(frame, traceId(index), null, signal);
      return ended instanceof Promise ? ended.then((end) => lineOf(index, end)) : lineOf(index, ended);
    };
  }

  #frameLine(index: number, answer: Outcome, durationMs: number, warnings: readonly string[]): string {
    const { metrics, redaction, maxResultBytes } = this.#services;
    const plan = this.#plan;
    const outcome = outcomeOf({ answer, plan, redaction, maxResultBytes });
    const { usage, trace, record } = answer;
    const failure = "out" in outcome ? null : outcome;
    this.#count(failure, usage);
    metrics.runEnded(failure === null ? "ok" : failure.error, durationMs);
    const known = plan.prepared.warnings;
    const news = warnings.length === 0 ? warnings : warnings.filter((warning) => !known.includes(warning));
    const duration_ms = thousandths(durationMs);
    if ("out" in outcome && news.length === 0 && trace === undefined && record === undefined)
      return frameText(index, outcome.out, usage, duration_ms);
    return JSON.stringify({
      index,
      ok: failure === null,
      ...outcome,
      usage,
      duration_ms,
      ...(news.length === 0 ? {} : { warnings: news }),
      ...(trace === undefined ? {} : { trace: redactedTrace(trace, redaction) }),
      ...(record === undefined ? {} : recordMembers(record)),
    });
  }

  #brokenLine(index: number, { error, message }: ServiceFault): string {
    this.#count({ error, message }, NO_USAGE);
    return JSON.stringify({ index, ok: false, error, message });
  }

  #count(failure: FrameFailure | null, usage: Usage): void {
    this.#tally.frameEnded(failure, usage);
    if (failure !== null && this.#options.stopOnError) this.#stopped = true;
  }

  /** A promise of room for more; undefined: there is some. */
  #emit(line: string, index: number): Promise<void> | undefined {
    if (!this.#options.inInputOrder) return this.#out.put(line, index);
    this.#early.set(index, line);
    this.#earlyCharacters += line.length;
    let room: Promise<void> | undefined;
    for (let next = this.#early.get(this.#nextOut); next !== undefined; next = this.#early.get(this.#nextOut)) {
      this.#early.delete(this.#nextOut);
      this.#earlyCharacters -= next.length;
      room = this.#out.put(next, this.#nextOut);
      this.#nextOut += 1;
    }
    this.#release();
    return room;
  }

  /** In input order a frame waits while too many results behind it wait for an earlier one. */
  #isAhead(index: number): boolean {
    if (!this.#options.inInputOrder || this.#stopped) return false;
    return index - this.#nextOut >= ORDER_WINDOW || this.#earlyCharacters >= ORDER_CHARACTERS;
  }

  async #untilEmitted(index: number): Promise<void> {
    while (this.#isAhead(index)) await new Promise<void>((resolve) => this.#whenEmitted.push(resolve));
  }

  #release(): void {
    const waiting = this.#whenEmitted;
    this.#whenEmitted = [];
    for (const resolve of waiting) resolve();
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

function cancelled(): ServiceFault {
  return new ServiceFault("cancelled", "the batch was cancelled before its last frame");
}
