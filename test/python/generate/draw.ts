/** Draws that a seed settles. */
import { randomOf } from "../../support/random.ts";

export class Draw {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomOf(seed);
  }

  /** A whole number from 0 up to and without `end`. */
  below(end: number): number {
    return Math.floor(this.#random() * end);
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("there is nothing to pick from");
    return item;
  }

  /** One of the entries, each as likely as its weight says. */
  weighted<Item>(entries: readonly (readonly [weight: number, item: Item])[]): Item {
    let left = this.#random() * entries.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, item] of entries) {
      left -= weight;
      if (left < 0) return item;
    }
    return this.pick(entries)[1];
  }

  /** From `min` to `max` results of `make`. */
  many<Item>(min: number, max: number, make: () => Item): Item[] {
    return Array.from({ length: min + this.below(max - min + 1) }, make);
  }
}
