/**
 * A histogram without labels for the registry of metrics. The registry's own looks labels up for every value, which takes longer than all
 * else that is counted of a short run; here a value is three additions, and the rest is made when somebody reads.
 */
import type { Metric, Registry } from "prom-client";

export type PlainHistogramOptions = {
  readonly name: string;
  readonly help: string;
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[];
  readonly register: Registry;
};

export class PlainHistogram {
  readonly #bounds: readonly number[];
  /** Values up to each bound and above the one before; the last one: above all. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor({ name, help, buckets, register }: PlainHistogramOptions) {
    this.#bounds = buckets;
    this.#counts = new Float64Array(buckets.length + 1);
    const get = async () => ({ name, help, type: "histogram", values: this.#values(name), aggregator: "sum" });
    // What the registry needs of a metric to print it.
    register.registerMetric({ name, help, get } as unknown as Metric);
  }

  observe(value: number): void {
    let at = 0;
    while (at < this.#bounds.length && value > (this.#bounds[at] as number)) at += 1;
    this.#counts[at] = (this.#counts[at] as number) + 1;
    this.#sum += value;
  }

  #values(name: string) {
    let count = 0;
    const buckets = [...this.#bounds, "+Inf"].map((le, at) => {
      count += this.#counts[at] as number;
      return { metricName: `${name}_bucket`, labels: { le }, value: count };
    });
    const totals = [
      { metricName: `${name}_sum`, labels: {}, value: this.#sum },
      { metricName: `${name}_count`, labels: {}, value: count },
    ];
    return [...buckets, ...totals];
  }
}
