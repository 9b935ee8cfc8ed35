/** Lines between those that make them and the one that sends them: a maker waits while the reader is behind, and nobody waits once it is gone. */

export class Outbox<T> {
  readonly #most: number;
  #lines: T[] = [];
  #closed = false;
  #roomFor: (() => void)[] = [];
  #arrived: () => void = () => {};

  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves when there is room for another line. */
  async put(line: T): Promise<void> {
    if (this.#closed) return;
    this.#lines.push(line);
    this.#arrived();
    if (this.#lines.length < this.#most) return;
    await new Promise<void>((resolve) => this.#roomFor.push(resolve));
  }

  /** Nothing comes any more, or nobody reads any more. */
  close(): void {
    this.#closed = true;
    this.#arrived();
    this.#makeRoom();
  }

  /** Lines until the box is closed and empty. */
  async *lines(): AsyncGenerator<T, void> {
    for (;;) {
      const taken = this.#lines;
      this.#lines = [];
      this.#makeRoom();
      yield* taken;
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
