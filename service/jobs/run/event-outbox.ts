/**
 * Events of a running job on their way to the store: gathered for a moment, then written together, so that a program of many calls does
 * not write for each. Delivery is best effort: events that the store does not take are dropped, and the run continues.
 */
import type { CallEvent, Clock, Usage } from "../../../vm/run.ts";
import { thousandths } from "../../../vm/values/durations.ts";
import { type JobEvent, type JobEventKind, MAX_EVENTS } from "../job.ts";

const GATHER_MS = 50;

export class EventOutbox {
  readonly #write: (events: readonly JobEvent[]) => Promise<void>;
  readonly #clock: Pick<Clock, "wait">;
  #events: { readonly kind: JobEventKind; readonly data: () => object }[] = [];
  #stop: (() => void) | null = null;
  #writing: Promise<void> | null = null;

  constructor(write: (events: readonly JobEvent[]) => Promise<void>, clock: Pick<Clock, "wait">) {
    this.#write = write;
    this.#clock = clock;
  }

  add(kind: JobEventKind, data: () => object): void {
    this.#events.push({ kind, data });
    // Older ones would be dropped by the store; two bounds' worth, so that dropping is rare.
    if (this.#events.length > 2 * MAX_EVENTS) this.#events = this.#events.slice(-MAX_EVENTS);
    this.#stop ??= this.#clock.wait(GATHER_MS, () => void this.#flush());
  }

  /** There never was any event. */
  get isEmpty(): boolean {
    return this.#writing === null && this.#events.length === 0;
  }

  /** Writes what is left. */
  close(): Promise<void> {
    return this.#flush();
  }

  #flush(): Promise<void> {
    this.#stop?.();
    this.#stop = null;
    const events = this.#events.slice(-MAX_EVENTS);
    this.#events = [];
    const before = this.#writing ?? Promise.resolve();
    if (events.length === 0) return before;
    const texts = events.map(({ kind, data }) => ({ kind, data: JSON.stringify(data()) }));
    this.#writing = before.then(() => this.#write(texts)).catch(() => {});
    return this.#writing;
  }
}

/** Adds the usage of a run, as often as `everyMs`. */
export function progressTo(
  events: Pick<EventOutbox, "add">,
  clock: Pick<Clock, "now">,
  everyMs: number,
): (usage: Usage) => void {
  let next = clock.now() + everyMs;
  return (usage) => {
    const now = clock.now();
    if (now < next) return;
    next = now + everyMs;
    events.add("progress", () => ({ usage }));
  };
}

/** Of the event `adapter_call`. */
export function callData(seq: number, { adapter, verb, label, node, branch, status, duration_ms }: CallEvent) {
  const place = { label_id: label, node_id: node, ...(branch === "" ? {} : { branch }) };
  return { seq, adapter, verb, ...place, status, duration_ms: thousandths(duration_ms) };
}
