/** Lines, or blocks of them, between producers and the sender: producers wait while the reader is slow, and never once it is gone. */

/** Lines that are long wait for their reader when they are fewer. Characters, or bytes. */
const MAX_LENGTH = 1024 * 1024;

export class Outbox<Line extends { readonly length: number }> {
  readonly #most: number;
  #lines: Line[] = [];
  #length = 0;
  #closed = false;
  #roomFor: (() => void)[] = [];
  #arrived: () => void = () => {};

  constructor(most: number) {
    this.#most = most;
  }

  /** A promise of room for another line; undefined: there is some. */
  put(line: Line): Promise<void> | undefined {
    if (this.#closed) return undefined;
    this.#lines.push(line);
    this.#length += line.length;
    this.#arrived();
    if (this.#lines.length < this.#most && this.#length < MAX_LENGTH) return undefined;
    return new Promise<void>((resolve) => this.#roomFor.push(resolve));
  }

  /** No line will follow, or the reader is gone. */
  close(): void {
    this.#closed = true;
    this.#arrived();
    this.#makeRoom();
  }

  /** Whatever lines there are, each time the reader asks, until the box is closed and empty. */
  async *lines(): AsyncGenerator<readonly Line[], void> {
    for (;;) {
      const taken = this.#lines;
      this.#lines = [];
      this.#length = 0;
      this.#makeRoom();
      if (taken.length > 0) yield taken;
      if (this.#lines.length > 0) continue;
      if (this.#closed) return;
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
  }

  #makeRoom(): void {
    const waiting = this.#roomFor;
    this.#roomFor = [];
    for (const resolve of waiting) resolve();
  }
}
