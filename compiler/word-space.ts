/**
 * Room for short tables of numbers, side by side in one buffer. With a buffer each, they would cost its allocation, and the collector's
 * book-keeping, each: about a microsecond, and a program that was never seen needs some thirty.
 */
export class WordSpace {
  readonly #buffer: ArrayBuffer;
  #taken = 0;

  /** `words`: of all tables together. */
  constructor(words: number) {
    this.#buffer = new ArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT);
  }

  /** The next `length` words, all 0. Throws RangeError when there are fewer. */
  take(length: number): Int32Array {
    const table = new Int32Array(this.#buffer, this.#taken * Int32Array.BYTES_PER_ELEMENT, length);
    this.#taken += length;
    return table;
  }

  /** A table of these words. */
  of(words: readonly number[] | Int32Array): Int32Array {
    const table = this.take(words.length);
    for (let at = 0; at < words.length; at++) table[at] = words[at] as number;
    return table;
  }
}
