/** A map of bounded size: what was written longest ago goes first. */

export type MapBounds<V> = {
  /** Weight of all entries together; their number, unless `weigh` says otherwise. */
  readonly max: number;
  readonly weigh?: (value: V, key: string) => number;
};

export class BoundedMap<V> {
  readonly #bounds: MapBounds<V>;
  readonly #entries = new Map<string, V>();
  #weight = 0;

  constructor(bounds: MapBounds<V>) {
    this.#bounds = bounds;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  /** `get`, and the entry is the last to go: the map then drops what was used longest ago. */
  use(key: string): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** A value that is too heavy by itself is not kept. */
  set(key: string, value: V): void {
    this.delete(key);
    const weight = this.#weigh(value, key);
    if (weight > this.#bounds.max) return;
    this.#weight += weight;
    this.#entries.set(key, value);
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#bounds.max) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#weight -= this.#weigh(value, key);
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  #weigh(value: V, key: string): number {
    return this.#bounds.weigh?.(value, key) ?? 1;
  }
}
