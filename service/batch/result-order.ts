/** Results of a batch in the order of its frames: those that are early wait for earlier ones, in bounded memory. */

/** Where results go: each as the JSON of its line, as it is made. */
export interface BatchOut {
  /** A promise of room for more; undefined: there is some. `index`: of the frame. */
  put(line: string, index: number): Promise<void> | undefined;
  /** No result will follow, or the reader is gone. */
  close(): void;
}

/** How far frames may be ahead of the next line. */
const ORDER_WINDOW = 1024;
/** How much of their results may wait for an earlier one, in characters. */
const ORDER_CHARACTERS = 16 * 1024 * 1024;

export class InputOrder implements BatchOut {
  readonly #out: BatchOut;
  readonly #early = new Map<number, string>();
  #earlyCharacters = 0;
  #next = 0;
  #givenUp = false;
  #whenEmitted: (() => void)[] = [];

  constructor(out: BatchOut) {
    this.#out = out;
  }

  put(line: string, index: number): Promise<void> | undefined {
    this.#early.set(index, line);
    this.#earlyCharacters += line.length;
    let room: Promise<void> | undefined;
    for (let next = this.#early.get(this.#next); next !== undefined; next = this.#early.get(this.#next)) {
      this.#early.delete(this.#next);
      this.#earlyCharacters -= next.length;
      room = this.#out.put(next, this.#next);
      this.#next += 1;
    }
    this.#release();
    return room;
  }

  /** Some results will never come: stop waiting for them. */
  giveUp(): void {
    this.#givenUp = true;
    this.#release();
  }

  /** What waited for results that did not come goes out without them. */
  close(): void {
    for (const [index, line] of [...this.#early].sort(([one], [other]) => one - other)) this.#out.put(line, index);
    this.#early.clear();
    this.#out.close();
    this.giveUp();
  }

  /** A frame waits while too many later results wait for an earlier one. The frame that they wait for never waits. */
  isAhead(index: number): boolean {
    if (this.#givenUp || index === this.#next) return false;
    return index - this.#next >= ORDER_WINDOW || this.#earlyCharacters >= ORDER_CHARACTERS;
  }

  /** Until the frame is no longer ahead. */
  async reached(index: number): Promise<void> {
    while (this.isAhead(index)) await new Promise<void>((resolve) => this.#whenEmitted.push(resolve));
  }

  #release(): void {
    const waiting = this.#whenEmitted;
    this.#whenEmitted = [];
    for (const resolve of waiting) resolve();
  }
}
