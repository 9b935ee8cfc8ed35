/** What is counted of schedules, for GET /metrics. */
import prometheus, { type Registry } from "prom-client";

export class ScheduleFigures {
  /** Due times whose job was refused. */
  refusedTotal = 0;
  readonly #lag;
  readonly #missed;
  readonly #refused;

  /** `buckets`: seconds. */
  constructor(registry: Registry, buckets: number[]) {
    const registers = [registry];
    this.#lag = new prometheus.Histogram({
      name: "wf_schedule_lag_seconds",
      help: "Time from when a schedule should fire until its job is queued",
      buckets,
      registers,
    });
    this.#missed = new prometheus.Counter({
      name: "wf_schedule_missed_total",
      help: "Due times of schedules that passed without a job",
      registers,
    });
    this.#refused = new prometheus.Counter({
      name: "wf_schedule_refused_total",
      help: "Due times of schedules whose job was refused",
      registers,
    });
  }

  /** A schedule fired `lagS` seconds after it should have. */
  fired(lagS: number): void {
    this.#lag.observe(lagS);
  }

  /** A due time passed without a job. */
  missed(): void {
    this.#missed.inc();
  }

  /** A schedule fired, and the request for its job was refused. */
  refused(): void {
    this.refusedTotal += 1;
    this.#refused.inc();
  }
}
