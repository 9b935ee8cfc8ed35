/** Time and chance of a simulated world: nothing happens but what is due next, and everything that chance decides is drawn from one seed. */
import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../../../../vm/run.ts";

const EPOCH_MS = Date.UTC(2030, 0, 1);

type Due = { readonly at: number; readonly order: number; readonly act: () => unknown; isOff: boolean };

/** A number from 0 up to 1, the same ones for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export class Timeline {
  /** A binary heap: the next one first. */
  readonly #due: Due[] = [];
  #now = 0;
  #order = 0;

  get now(): number {
    return this.#now;
  }

  /** Milliseconds since 1970. */
  wall(): number {
    return EPOCH_MS + Math.floor(this.#now);
  }

  /** Returns the way to call it off. What `act` returns is waited for. */
  after(ms: number, act: () => unknown): () => void {
    this.#order += 1;
    const due: Due = { at: this.#now + Math.max(0, ms), order: this.#order, act, isOff: false };
    this.#push(due);
    return () => {
      due.isOff = true;
    };
  }

  /** The next thing happens, and all that follows from it at the same moment. False: nothing is left, or nothing until `until`. */
  async step(until: number): Promise<boolean> {
    let next = this.#due[0];
    while (next?.isOff === true) {
      this.#pop();
      next = this.#due[0];
    }
    if (next === undefined || next.at > until) return false;
    this.#pop();
    this.#now = next.at;
    await next.act();
    await setImmediate();
    return true;
  }

  #isBefore(a: number, b: number): boolean {
    const [one, other] = [this.#due[a] as Due, this.#due[b] as Due];
    return one.at < other.at || (one.at === other.at && one.order < other.order);
  }

  #swap(a: number, b: number): void {
    [this.#due[a], this.#due[b]] = [this.#due[b] as Due, this.#due[a] as Due];
  }

  #push(due: Due): void {
    this.#due.push(due);
    for (let at = this.#due.length - 1; at > 0 && this.#isBefore(at, (at - 1) >> 1); at = (at - 1) >> 1)
      this.#swap(at, (at - 1) >> 1);
  }

  #pop(): void {
    this.#swap(0, this.#due.length - 1);
    this.#due.pop();
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < this.#due.length && this.#isBefore(left, least)) least = left;
      if (right < this.#due.length && this.#isBefore(right, least)) least = right;
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }
}

/** A process: when it dies nothing of it happens any more, and while it is stopped everything waits for its continuing. */
export class Process {
  readonly #timeline: Timeline;
  readonly name: string;
  isAlive = true;
  #continuesAt = 0;

  constructor(timeline: Timeline, name: string) {
    this.#timeline = timeline;
    this.name = name;
  }

  get isStopped(): boolean {
    return this.#continuesAt > this.#timeline.now;
  }

  stopFor(ms: number): void {
    this.#continuesAt = Math.max(this.#continuesAt, this.#timeline.now + ms);
  }

  /** Something comes to the process after so long, or when it continues. */
  after(ms: number, act: () => unknown): () => void {
    let stop = (): void => {};
    const come = (): unknown => {
      if (!this.isAlive) return undefined;
      if (!this.isStopped) return act();
      stop = this.#timeline.after(this.#continuesAt - this.#timeline.now, come);
      return undefined;
    };
    stop = this.#timeline.after(ms, come);
    return () => stop();
  }

  get clock(): Clock {
    return {
      now: () => this.#timeline.now,
      wall: () => this.#timeline.wall(),
      wait: (ms, then) => this.after(ms, then),
    };
  }
}
