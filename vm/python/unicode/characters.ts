/** Categories and combining classes of characters as CPython 3.11 has them, and the forms of Unicode. */
import { CATEGORIES, RUNS } from "./tables.ts";
import { Numbers } from "./vlq.ts";

/** A value for each code point, read from its runs when it is first asked. */
class Values {
  readonly #written: string;
  #starts: number[] | null = null;
  readonly #values: number[] = [];

  constructor(written: string) {
    this.#written = written;
  }

  of(code: number): number {
    this.#starts ??= this.#read();
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] as number) <= code) low = middle;
      else high = middle;
    }
    return this.#values[low] as number;
  }

  #read(): number[] {
    const numbers = new Numbers(this.#written);
    const starts: number[] = [];
    for (let at = 0; numbers.isOpen; ) {
      starts.push(at);
      at += numbers.next();
      this.#values.push(numbers.next());
    }
    return starts;
  }
}

const CATEGORY = new Values(RUNS.CATEGORY);
const COMBINING = new Values(RUNS.COMBINING);
const NAMES = CATEGORIES.split(" ");

export function categoryOf(code: number): string {
  return NAMES[CATEGORY.of(code)] as string;
}

export function combiningOf(code: number): number {
  return COMBINING.of(code);
}

/** Whether no character was there in CPython's version of Unicode, so that the engine may know one that CPython does not. */
export function isUnassigned(code: number): boolean {
  return categoryOf(code) === "Cn";
}
