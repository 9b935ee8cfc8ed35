/**
 * One program, many frames: frames are taken one by one by a few lanes, each of which runs one frame at a time; results leave in the
 * order they were made, or in that of the frames. Memory does not grow with the number of frames.
 */
import type { JsonObject } from "../compiler/json.ts";
import type { FrameEnd } from "../vm/batch/frame-runner.ts";
import type { CallEvent, Cancellation, Outcome, Usage } from "../vm/run.ts";
import { type ErrorCode, faults, ServiceFault } from "./errors.ts";
import { thousandths } from "./events.ts";
import { announce, observerOf, type RunScope, writtenLabel } from "./execute.ts";
import { Outbox } from "./outbox.ts";
import { Ring } from "./rings.ts";
import { outcomeOf, recordMembers, redactedTrace } from "./run-body.ts";
import type { RunPlan } from "./run-plan.ts";
import { NO_USAGE } from "./run-plan.ts";
import type { RunSlot } from "./run-slots.ts";
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

export type BatchLine = { readonly index: number; readonly ok: boolean; readonly [member: string]: unknown };

export type BatchRun = {
  readonly lines: AsyncGenerator<readonly BatchLine[], void>;
  /** When every frame that was begun is over. */
  readonly ended: Promise<BatchTotals>;
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

/** How far frames may be ahead of the next line in input order. */
const ORDER_WINDOW = 1024;
/** Frames are run for so long without letting other work in between. */
const SLICE_MS = 1;

type RunFrame = (index: number, frame: JsonObject, slot: RunSlot) => BatchLine | Promise<BatchLine>;

type BatchScope = Omit<RunScope, "signal" | "onCall">;

export class Batch {
  readonly #services: Services;
  readonly #plan: RunPlan;
  readonly #options: BatchOptions;
  readonly #scope: BatchScope;
  readonly #outbox: Outbox<BatchLine>;
  readonly #times = new Map<string, Ring>();
  /** Results that wait for earlier ones. */
  readonly #early = new Map<number, BatchLine>();
  #nextOut = 0;
  #whenEmitted: (() => void)[] = [];
  #taken = 0;
  #succeeded = 0;
  #failed = 0;
  #stopped = false;
  #usage: Usage = NO_USAGE;
  #firstFailure: { readonly error: string; readonly message: string } | null = null;
  #fault: ServiceFault | null = null;

  constructor(services: Services, plan: RunPlan, options: BatchOptions, scope: BatchScope) {
    this.#services = services;
    this.#plan = plan;
    this.#options = options;
    this.#scope = scope;
    this.#outbox = new Outbox(options.concurrency);
  }

  /** Runs the frames with the first slot and as many more as are free. The slots are given back whether or not anybody reads the lines. */
  run(items: BatchItems, first: RunSlot, caller: Cancellation): BatchRun {
    const { prepared, entry } = this.#plan;
    const label = writtenLabel(entry);
    const slots = [first];
    while (slots.length < this.#options.concurrency) {
      const more = this.#services.slots.tryEnter(caller);
      if (more === null) break;
      slots.push(more);
    }
    announce(this.#services, this.#plan, this.#scope.context, label, false, this.#options.frames);
    const stop = (): void => this.#stop();
    if (caller.aborted) stop();
    else caller.addEventListener("abort", stop);
    const ended = this.#scope.trace
      .run({ label, checksum: prepared.ir.checksum }, (span) => this.#work(items, slots, span))
      .then(() => this.#totals(label))
      .finally(() => {
        caller.removeEventListener("abort", stop);
        for (const slot of slots) slot.leave();
      });
    return { lines: this.#outbox.lines(), ended };
  }

  /** No further frame is taken, and nobody waits for a reader that is gone. */
  #stop(): void {
    this.#stopped = true;
    this.#outbox.close();
    this.#release();
  }

  async #work(items: BatchItems, slots: readonly RunSlot[], span: RunTrace): Promise<void> {
    const observer = observerOf(this.#services, this.#scope, (call) => {
      this.#timed(call);
      span.adapterCall(call, this.#services.clock.wall());
    });
    const runFrame = this.#frames(observer);
    const outcomes = await Promise.allSettled(slots.map((slot) => this.#lane(items, slot, runFrame)));
    const broken = outcomes.find((outcome) => outcome.status === "rejected");
    if (broken !== undefined) this.#fault ??= this.#faultOf(broken.reason);
    else if (slots.some(({ signal }) => signal.aborted)) this.#fault ??= cancelled();
    span.ended(this.#failed === 0 && this.#fault === null ? "ok" : "failed", this.#usage.steps);
    this.#outbox.close();
  }

  /** Waits only for what makes it wait: a promise for each frame would take longer than a short run. */
  async #lane(items: BatchItems, slot: RunSlot, runFrame: RunFrame): Promise<void> {
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
      const room = this.#emit(made instanceof Promise ? await made : made);
      if (room !== undefined) await room;
      if (clock.now() < sliceEnds) continue;
      await new Promise((resolve) => setImmediate(resolve));
      sliceEnds = clock.now() + SLICE_MS;
    }
  }

  /** Frames whose runs are neither traced nor recorded, and stay on this thread, share what can be shared between runs. */
  #frames(observer: (call: CallEvent) => void): RunFrame {
    const { gateway, dryRun, config, clock } = this.#services;
    const { prepared, entry, trace, record } = this.#plan;
    // Calls of different frames must not share call ids.
    const traceId = (index: number): string => `${this.#scope.context.trace_id}-${index}`;
    if (trace !== false || record || config.workers.isolated) {
      return async (index, frame, { signal }) => {
        const began = clock.now();
        const answer = await gateway.run(prepared, {
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
    const lineOf = (index: number, { outcome, startedAt, endedAt, warnings }: FrameEnd): BatchLine =>
      this.#frameLine(index, outcome, endedAt - startedAt, warnings);
    return (index, frame, { signal }) => {
      const ended = runner.run(frame, traceId(index), null, signal);
      return ended instanceof Promise ? ended.then((end) => lineOf(index, end)) : lineOf(index, ended);
    };
  }

  #frameLine(index: number, answer: Outcome, durationMs: number, warnings: readonly string[]): BatchLine {
    const { metrics, redaction, maxResultBytes } = this.#services;
    const plan = this.#plan;
    const outcome = outcomeOf({ answer, plan, redaction, maxResultBytes });
    const { usage, trace, record } = answer;
    const isOk = "out" in outcome;
    this.#count(isOk ? null : outcome, usage);
    metrics.runEnded(isOk ? "ok" : outcome.error, durationMs);
    const news = warnings.filter((warning) => !plan.prepared.warnings.includes(warning));
    const duration_ms = thousandths(durationMs);
    if (isOk && news.length === 0 && trace === undefined && record === undefined)
      return { index, ok: true, out: outcome.out, usage, duration_ms };
    return {
      index,
      ok: isOk,
      ...outcome,
      usage,
      duration_ms,
      ...(news.length === 0 ? {} : { warnings: news }),
      ...(trace === undefined ? {} : { trace: redactedTrace(trace, redaction) }),
      ...(record === undefined ? {} : recordMembers(record)),
    };
  }

  #brokenLine(index: number, { error, message }: ServiceFault): BatchLine {
    this.#count({ error, message }, NO_USAGE);
    return { index, ok: false, error, message };
  }

  #count(failure: { readonly error: ErrorCode; readonly message: string } | null, usage: Usage): void {
    const sum = this.#usage;
    this.#usage = {
      steps: sum.steps + usage.steps,
      depth: Math.max(sum.depth, usage.depth),
      adapter_calls: sum.adapter_calls + usage.adapter_calls,
      time_ms: sum.time_ms + usage.time_ms,
      frame_bytes: usage.frame_bytes === null ? sum.frame_bytes : Math.max(sum.frame_bytes ?? 0, usage.frame_bytes),
      loop_iters: Math.max(sum.loop_iters, usage.loop_iters),
    };
    if (failure === null) {
      this.#succeeded += 1;
      return;
    }
    this.#failed += 1;
    this.#firstFailure ??= failure;
    if (this.#options.stopOnError) this.#stopped = true;
  }

  /** A promise of room for more; undefined: there is some. */
  #emit(line: BatchLine): Promise<void> | undefined {
    if (!this.#options.inInputOrder) return this.#outbox.put(line);
    this.#early.set(line.index, line);
    let room: Promise<void> | undefined;
    for (let next = this.#early.get(this.#nextOut); next !== undefined; next = this.#early.get(this.#nextOut)) {
      this.#early.delete(this.#nextOut);
      this.#nextOut += 1;
      room = this.#outbox.put(next);
    }
    this.#release();
    return room;
  }

  /** In input order a frame waits while too many results behind it wait for an earlier one. */
  #isAhead(index: number): boolean {
    return this.#options.inInputOrder && !this.#stopped && index - this.#nextOut >= ORDER_WINDOW;
  }

  async #untilEmitted(index: number): Promise<void> {
    while (this.#isAhead(index)) await new Promise<void>((resolve) => this.#whenEmitted.push(resolve));
  }

  #release(): void {
    const waiting = this.#whenEmitted;
    this.#whenEmitted = [];
    for (const resolve of waiting) resolve();
  }

  #timed({ adapter, duration_ms }: CallEvent): void {
    let ring = this.#times.get(adapter);
    if (ring === undefined) {
      ring = new Ring();
      this.#times.set(adapter, ring);
    }
    ring.add(duration_ms);
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
    const duration_ms = thousandths(clock.now() - startedAt);
    const ok = this.#failed === 0 && this.#fault === null;
    const failure = this.#fault ?? this.#firstFailure;
    if (failure === null) events.runComplete(context, { label, duration_ms, usage: this.#usage });
    else events.runFailed(context, { error: failure.error, message: failure.message, duration_ms, usage: this.#usage });
    return {
      ok,
      count: this.#succeeded + this.#failed,
      succeeded: this.#succeeded,
      failed: this.#failed,
      duration_ms,
      adapter_p95_ms: Object.fromEntries([...this.#times].map(([name, ring]) => [name, ring.p95()])),
      fault: this.#fault,
    };
  }
}

function cancelled(): ServiceFault {
  return new ServiceFault("cancelled", "the batch was cancelled before its last frame");
}
