/** What is counted of events, for GET /metrics. */
import prometheus, { type Registry } from "prom-client";
import type { StartOutcome } from "./event.ts";

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export class EventFigures {
  readonly #taken;
  readonly #starts;
  readonly #delivery;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#taken = new prometheus.Counter({
      name: "wf_events_total",
      help: "Events that were taken in, or whose id was there",
      labelNames: ["from"] as const,
      registers,
    });
    this.#starts = new prometheus.Counter({
      name: "wf_event_starts_total",
      help: "What became of functions and runs that heard of an event",
      labelNames: ["outcome"] as const,
      registers,
    });
    this.#delivery = new prometheus.Histogram({
      name: "wf_event_delivery_seconds",
      help: "Time from when an event is due until all have it",
      buckets: SECONDS,
      registers,
    });
  }

  /** `from`: a request, a run, or a duplicate of one that is there. */
  taken(from: "request" | "run" | "duplicate"): void {
    this.#taken.inc({ from });
  }

  start(outcome: StartOutcome): void {
    this.#starts.inc({ outcome });
  }

  /** All have the event, `s` seconds after it was due. */
  delivered(s: number): void {
    this.#delivery.observe(s);
  }
}
