/**
 * A bounded number of things to work with, and the queue of those that wait for one: served in the order in which they
 * came, until their signal fires.
 */

export type LineOptions = {
  /** Maximum that wait at once. */
  readonly waiting: number;
  /** Why those fail that get nothing: too many wait, or the line is closed. */
  busy(): Error;
  /** Why those fail whose signal fires; default: `busy`. */
  aborted?(signal: AbortSignal): Error;
};

type Waiting<T> = { go(thing: T): void; stop(why: Error): void };

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
  async take(signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) throw this.#aborted(signal);
    const free = this.#closed ? undefined : this.#free.pop();
    if (free !== undefined) return free;
    if (this.#closed || this.#line.size >= this.#options.waiting) throw this.#options.busy();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#line.delete(waiting);
        signal?.removeEventListener("abort", onAbort);
      };
      const waiting: Waiting<T> = {
        go: (thing) => {
          leave();
          resolve(thing);
        },
        stop: (why) => {
          leave();
          reject(why);
        },
      };
      const onAbort = (): void => waiting.stop(this.#aborted(signal as AbortSignal));
      this.#line.add(waiting);
      signal?.addEventListener("abort", onAbort);
    });
  }

  give(thing: T): void {
    const [first] = this.#line;
    if (first === undefined) this.#free.push(thing);
    else first.go(thing);
  }

  /** Nothing is handed out any more. */
  close(): void {
    this.#closed = true;
    for (const waiting of this.#line) waiting.stop(this.#options.busy());
  }

  #aborted(signal: AbortSignal): Error {
    return this.#options.aborted?.(signal) ?? this.#options.busy();
  }
}
