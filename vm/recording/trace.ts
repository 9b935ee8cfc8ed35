/**
 * The trace sink: collects the events of one run, keeps the first and the last of them, and cuts large values. Executors only
 * push; the sink never keeps a reference to a value of the run and never fails (docs/runtime.md, trace).
 */
import type { Json } from "../../compiler/json.ts";
import type { Extras } from "../memory/shared-budget.ts";
import type { TraceEvent, TraceOptions } from "../run.ts";
import { jsonBytes } from "../values/json-size.ts";
import { shownValue } from "./shown-value.ts";

export const DEFAULT_EVENTS = 10_000;
const DEFAULT_VALUE_BYTES = 8192;

type TraceMembers = { readonly [member: string]: Json };

export type TraceSink = {
  /** Executors add `frame_keys` to step events only when this is set. */
  readonly wantsFrameKeys: boolean;
  /** The same for `variables`. */
  readonly wantsVariables: boolean;
  /** `out`, where given, is cut and copied. */
  push(kind: "step" | "retry" | "error", members: TraceMembers): void;
  /** A sink for the events of a branch that has this name: they go where this one's go, at once. */
  within(branch: string): TraceSink;
  /** A sink for the events of a branch, which `join` hands over later. */
  apart(branch: string): BranchSink;
  /** Adds the `end` event and hands the kept events over, in order. */
  finish(): readonly TraceEvent[];
};

/** The events of a branch that runs next to others. */
export type BranchSink = TraceSink & {
  /** Once, when all branches before it were joined. */
  join(): void;
};

/** What bounds a trace besides its options. `maxBytes`: of its events as JSON. `extras`: where they count while the run is under way. */
export type TraceBounds = { readonly maxBytes?: number | undefined; readonly extras?: Extras | null };

/** As objects, events take about twice their JSON. */
const HEAP_OF_JSON = 2;

export function createTrace(options: TraceOptions = {}, bounds: TraceBounds = {}): TraceSink {
  return new Sink(options, bounds, new Kept(options, bounds), "");
}

class Sink implements TraceSink {
  readonly wantsFrameKeys: boolean;
  readonly wantsVariables: boolean;
  readonly #options: TraceOptions;
  readonly #bounds: TraceBounds;
  readonly #kept: Kept;
  readonly #branch: string;

  constructor(options: TraceOptions, bounds: TraceBounds, kept: Kept, branch: string) {
    this.wantsFrameKeys = options.frame_keys ?? false;
    this.wantsVariables = options.variables ?? false;
    this.#options = options;
    this.#bounds = bounds;
    this.#kept = kept;
    this.#branch = branch;
  }

  push(kind: "step" | "retry" | "error", members: TraceMembers): void {
    if (this.#kept.isFull) {
      this.#kept.skip(1);
      return;
    }
    const event: Event = { seq: 0, kind };
    for (const name in members) {
      const member = members[name] as Json;
      event[name] = name === "out" ? shownValue(member, this.#options.max_value_bytes ?? DEFAULT_VALUE_BYTES) : member;
    }
    if (this.#branch !== "") event["in_branch"] = this.#branch;
    this.#kept.add(event, false);
  }

  within(branch: string): TraceSink {
    return new Sink(this.#options, this.#bounds, this.#kept, branch);
  }

  apart(branch: string): BranchSink {
    const own = new Kept(this.#options, this.#bounds);
    const sink = new Sink(this.#options, this.#bounds, own, branch);
    return Object.assign(sink, { join: () => this.#kept.take(own) });
  }

  finish(): readonly TraceEvent[] {
    return this.#kept.finish();
  }
}

type Event = TraceEvent & { seq: number; [member: string]: Json };

/** The first and the last events of a run or of a branch. */
class Kept {
  readonly #headSize: number;
  readonly #tailSize: number;
  readonly #maxBytes: number;
  readonly #extras: Extras | null;
  readonly #head: Event[] = [];
  readonly #tail: Tail;
  #headBytes = 0;
  #headEnded = false;
  #total = 0;

  constructor({ max_events = DEFAULT_EVENTS }: TraceOptions, bounds: TraceBounds) {
    const { maxBytes = Number.POSITIVE_INFINITY, extras = null } = bounds;
    const most = Math.max(1, Math.trunc(max_events));
    this.#headSize = Math.ceil(most / 2);
    this.#tailSize = most - this.#headSize;
    this.#maxBytes = maxBytes;
    this.#extras = extras;
    this.#tail = new Tail(maxBytes / 2);
  }

  /** No further event is kept. */
  get isFull(): boolean {
    this.#headEnded ||= this.#head.length >= this.#headSize;
    return this.#headEnded && this.#tailSize === 0;
  }

  /** Counts events that are not kept. */
  skip(count: number): void {
    this.#total += count;
    this.#headEnded = true;
  }

  /** `counted`: its bytes are in the account already. */
  add(event: Event, counted: boolean): void {
    event.seq = this.#total;
    this.#total += 1;
    if (this.isFull) return;
    const isMeasured = this.#maxBytes !== Number.POSITIVE_INFINITY || this.#extras !== null;
    const bytes = isMeasured ? jsonBytes(event) : 0;
    const fits = (more: number): boolean => counted || this.#extras?.add(more * HEAP_OF_JSON) !== false;
    if (!this.#headEnded && this.#headBytes + bytes <= this.#maxBytes / 2 && fits(bytes)) {
      this.#headBytes += bytes;
      this.#head.push(event);
      return;
    }
    this.#headEnded = true;
    if (this.#tail.length >= this.#tailSize) this.#tail.drop();
    // What the last ones gave up is counted still: the account is closed with the run.
    if (bytes <= this.#tail.freed || fits(bytes - this.#tail.freed)) this.#tail.push(event, bytes);
  }

  /** Adds the events of a branch. Its first and last ones are all that can be among the first and last ones here. */
  take(branch: Kept): void {
    const last = branch.#tail.events();
    for (const event of branch.#head) this.add(event, true);
    const dropped = branch.#total - branch.#head.length - last.length;
    if (dropped > 0) this.skip(dropped);
    for (const event of last) this.add(event, true);
  }

  finish(): readonly TraceEvent[] {
    const kept: TraceEvent[] = [...this.#head, ...this.#tail.events()];
    kept.push({ seq: this.#total, kind: "end", events: this.#total, dropped: this.#total - kept.length });
    return kept;
  }
}

/** The last events, within bytes. */
class Tail {
  readonly #maxBytes: number;
  #events: Event[] = [];
  #sizes: number[] = [];
  #start = 0;
  #bytes = 0;
  /** Bytes of events that were dropped and whose room was not used again. */
  freed = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get length(): number {
    return this.#events.length - this.#start;
  }

  push(event: Event, bytes: number): void {
    this.freed = Math.max(0, this.freed - bytes);
    this.#events.push(event);
    this.#sizes.push(bytes);
    this.#bytes += bytes;
    while (this.#bytes > this.#maxBytes && this.length > 0) this.drop();
  }

  /** Lets the first one go. */
  drop(): void {
    const bytes = this.#sizes[this.#start] ?? 0;
    this.#bytes -= bytes;
    this.freed += bytes;
    this.#start += 1;
    if (this.#start < 16 || this.#start < this.length) return;
    this.#events = this.events();
    this.#sizes = this.#sizes.slice(this.#start);
    this.#start = 0;
  }

  events(): Event[] {
    return this.#events.slice(this.#start);
  }
}
