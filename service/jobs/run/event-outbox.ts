/**
 * Events of a running job on their way to the store: gathered for a moment, then written together, so that a program of many calls does
 * not write for each. Delivery is best effort: events that the store does not take are dropped, and the run continues.
 */
import { functionName } from "../../../compiler/diagram/label-names.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { CallEvent, Clock, Usage } from "../../../vm/run.ts";
import { thousandths } from "../../../vm/values/durations.ts";
import { type JobEvent, type JobEventKind, MAX_EVENTS } from "../job.ts";

const GATHER_MS = 50;

export class EventOutbox {
  readonly #write: (events: readonly JobEvent[]) => Promise<void>;
  readonly #clock: Pick<Clock, "wait">;
  #events: { readonly kind: JobEventKind; readonly data: () => object }[] = [];
  /** Of the program that runs; null: it is not known yet. */
  ir: Ir | null = null;
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

  /** A call of the run ended. */
  called(seq: number, call: CallEvent): void {
    this.add("adapter_call", () => callData(seq, call, this.ir));
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

/** Of the event `adapter_call`. `ir`: of the program; null: it is not known. */
function callData(seq: number, call: CallEvent, ir: Ir | null) {
  const { adapter, verb, label, node, branch, status, duration_ms } = call;
  const line = ir === null ? undefined : linesOf(ir).get(`${label}\n${node}`);
  const within = { ...(line === undefined ? {} : { line }), ...(branch === "" ? {} : { branch }) };
  return {
    ...{ seq, adapter, verb, label_id: label, node_id: node },
    ...within,
    ...{ status, duration_ms: thousandths(duration_ms) },
  };
}

const lines = new WeakMap<Ir, ReadonlyMap<string, number>>();

/** Of the steps of functions in Python: where a call stands in its source. */
function linesOf(ir: Ir): ReadonlyMap<string, number> {
  const known = lines.get(ir);
  if (known !== undefined) return known;
  const found = new Map(
    ir.nodes.flatMap(({ label, id, line }) =>
      line === undefined || functionName(ir, label) === null ? [] : [[`${label}\n${id}`, line] as const],
    ),
  );
  lines.set(ir, found);
  return found;
}
