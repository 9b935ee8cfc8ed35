/**
 * A bounded number of things to work with, and the line of those who wait for one: served in the order in which they
 * came, until their signal fires.
 */

export type LineOptions = {
  /** Most that wait at once. */
  readonly waiting: number;
  /** What those are told who get nothing. */
  busy(): Error;
};

type Waiting<T> = { go(thing: T): void; stop(): void };

export class WaitingLine<T> {
  readonly #free: T[];
  readonly #line = new Set<Waiting<T>>();
  readonly #options: LineOptions;
  #closed = false;

  constructor(things: readonly T[], options: LineOptions) {
    this.#free = [...things];
    this.#options = options;
  }

  /** One of the things; it must be given back. */
  take(signal: AbortSignal): Promise<T> {
    if (this.#closed || signal.aborted || this.#line.size >= this.#options.waiting) {
      return Promise.reject(this.#options.busy());
    }
    const free = this.#free.pop();
    if (free !== undefined) return Promise.resolve(free);
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#line.delete(waiting);
        signal.removeEventListener("abort", waiting.stop);
      };
      const waiting: Waiting<T> = {
        go: (thing) => {
          leave();
          resolve(thing);
        },
        stop: () => {
          leave();
          reject(this.#options.busy());
        },
      };
      this.#line.add(waiting);
      signal.addEventListener("abort", waiting.stop, { once: true });
    });
  }

  give(thing: T): void {
    const [first] = this.#line;
    if (first === undefined) this.#free.push(thing);
    else first.go(thing);
  }

  /** Nobody gets anything any more. */
  close(): void {
    this.#closed = true;
    for (const waiting of this.#line) waiting.stop();
  }
}
