/** Figures over the recent past, in fixed memory: percentiles of the last values, and a rate over the last minute. */

/** The last `size` values. */
export class Ring {
  readonly #values: Float64Array;
  #count = 0;

  constructor(size = 4096) {
    this.#values = new Float64Array(size);
  }

  add(value: number): void {
    this.#values[this.#count % this.#values.length] = value;
    this.#count += 1;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** 0 without values. */
  p95(): number {
    const kept = this.#values.slice(0, Math.min(this.#count, this.#values.length)).sort();
    return Math.round((kept[Math.floor(0.95 * (kept.length - 1))] ?? 0) * 1000) / 1000;
  }
}

const SECONDS = 60;

/** Events of the last 60 seconds, one bucket a second. */
export class MinuteRate {
  readonly #counts = new Uint32Array(SECONDS);
  readonly #seconds = new Float64Array(SECONDS).fill(-1);

  /** `now` in milliseconds of a monotonic clock. */
  add(now: number): void {
    const second = Math.floor(now / 1000);
    const at = second % SECONDS;
    if (this.#seconds[at] !== second) {
      this.#seconds[at] = second;
      this.#counts[at] = 0;
    }
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
  }

  perSecond(now: number): number {
    const oldest = Math.floor(now / 1000) - SECONDS;
    let sum = 0;
    for (let at = 0; at < SECONDS; at++) if ((this.#seconds[at] ?? -1) > oldest) sum += this.#counts[at] ?? 0;
    return Math.round((sum / SECONDS) * 1000) / 1000;
  }
}
