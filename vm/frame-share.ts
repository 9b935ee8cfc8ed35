/**
 * How much the frames of all runs of a host may weigh together: each has a ceiling of its own, but many that stay below it could still
 * exhaust the process. A run may grow to a size that is not counted; beyond it, it draws on what all of them share, some megabytes at a
 * time, so that its writes still compare with one number.
 */
import { resolveSizes } from "./booking.ts";
import { allRunsFailure } from "./fatal-failures.ts";
import type { Machine } from "./machine.ts";

/** Of all runs of a host together, where it does not say: so many times what one may hold. */
const RUNS_AT_THE_CEILING = 4;
/** Frames up to this size are not counted: a service has a few hundred of them at once, and they come and go in a microsecond. */
export const UNCOUNTED_BYTES = 1024 * 1024;
/** A run draws so much more than it needs, or a quarter of it. */
const STEP_BYTES = 4 * 1024 * 1024;
/** What runs have drawn is compared with their exact sizes once they have drawn such a part of the whole since the last time. */
const REVIEW_PART = 1 / 16;

export function defaultTotal(ceiling: number): number {
  return RUNS_AT_THE_CEILING * ceiling;
}

export class FrameShare {
  readonly #most: number;
  readonly #holders = new Set<Machine>();
  #drawn = 0;
  #sinceReview = 0;

  /** `most`: bytes. */
  constructor(most: number) {
    this.#most = most;
    this.#sinceReview = most;
  }

  /**
   * Lets the frame of `m` grow to `size` and some more, within its own limit. False: there is not so much left. Either way its sizes may be
   * exact afterwards, and its total another.
   */
  grant(m: Machine, size: number): boolean {
    const ample = Math.min(m.frameCap, size + Math.max(STEP_BYTES, size / 4));
    if (this.#draw(m, ample)) return true;
    if (this.#sinceReview >= this.#most * REVIEW_PART) this.#review();
    return this.#draw(m, ample) || this.#draw(m, size);
  }

  /** The run is over, or goes on elsewhere. */
  giveBack(m: Machine): void {
    if (!this.#holders.delete(m)) return;
    this.#drawn -= m.frameLimit;
    m.frameLimit = Math.min(m.frameCap, UNCOUNTED_BYTES);
  }

  /** Of a run whose frame would be `size` bytes, if there were room. */
  failure(m: Machine, size: number, variable: string | null): Error {
    const others = this.#drawn - (this.#holders.has(m) ? m.frameLimit : 0);
    return allRunsFailure(this.#most, Math.ceil(others + size), variable);
  }

  #draw(m: Machine, limit: number): boolean {
    const held = this.#holders.has(m) ? m.frameLimit : 0;
    if (this.#drawn + limit - held > this.#most) return false;
    this.#holders.add(m);
    this.#drawn += limit - held;
    this.#sinceReview += limit - held;
    m.frameLimit = limit;
    return true;
  }

  /** Booked sizes of texts may be six times the exact ones. */
  #review(): void {
    this.#sinceReview = 0;
    for (const m of [...this.#holders]) {
      resolveSizes(m);
      if (m.frameBytes <= UNCOUNTED_BYTES) {
        this.giveBack(m);
        continue;
      }
      const exact = Math.min(m.frameLimit, m.frameBytes);
      this.#drawn -= m.frameLimit - exact;
      m.frameLimit = exact;
    }
  }
}
