/** Lines between those that make them and the one that sends them: a maker waits while the reader is behind, and nobody waits once it is gone. */

/** Lines that are long wait for their reader when they are fewer. */
const MOST_CHARACTERS = 1024 * 1024;

export class Outbox {
  readonly #most: number;
  #lines: string[] = [];
  #characters = 0;
  #closed = false;
  #roomFor: (() => void)[] = [];
  #arrived: () => void = () => {};

  constructor(most: number) {
    this.#most = most;
  }

  /** A promise of room for another line; undefined: there is some. */
  put(line: string): Promise<void> | undefined {
    if (this.#closed) return undefined;
    this.#lines.push(line);
    this.#characters += line.length;
    this.#arrived();
    if (this.#lines.length < this.#most && this.#characters < MOST_CHARACTERS) return undefined;
    return new Promise<void>((resolve) => this.#roomFor.push(resolve));
  }

  /** Nothing comes any more, or nobody reads any more. */
  close(): void {
    this.#closed = true;
    this.#arrived();
    this.#makeRoom();
  }

  /** Whatever lines there are, each time the reader asks, until the box is closed and empty. */
  async *lines(): AsyncGenerator<readonly string[], void> {
    for (;;) {
      const taken = this.#lines;
      this.#lines = [];
      this.#characters = 0;
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
