/**
 * How much memory the runs of a host may hold together: each has a ceiling of its own, but many that stay below it could still exhaust the
 * process. What counts here is an estimate of heap (`vm/values/heap-size.ts`), not JSON: a run draws on the share for what its values take and for
 * some room to grow, so that its writes compare with one number (`frameLimit`, in bytes of JSON) and what it creates with another (`made`,
 * in bytes of heap). A run that passes one of them draws more: by an upper bound while there is plenty, which costs nothing, and else by
 * what it is measured to take. Records and traces draw on the same share, up to half of it.
 */
import type { Json } from "../../compiler/json.ts";
import { allRunsFailure } from "../errors/fatal-failures.ts";
import { HeapCount } from "../values/heap-size.ts";
import { resolveSizes } from "./accounting.ts";
import type { FrameState } from "./frame-state.ts";

/** Default of the share: this many times what one run may hold. */
const RUNS_AT_THE_CEILING = 4;
/** The smallest default: where runs may hold little, their records and traces still need room. */
const MIN_TOTAL = 64 * 1024 * 1024;
/** Runs that take no more heap are not counted: a service has a few hundred of them at once, and they come and go in a microsecond. */
const UNCOUNTED_HEAP = 1024 * 1024;
/** JSON that surely takes no more than that: the worst is 27 bytes for one. */
export const UNCOUNTED_BYTES = 40 * 1024;
/** Bytes of heap that a byte of JSON written by single steps takes at most. What is created in bulk counts as `made`. */
const HEAP_OF_A_BYTE = 16;
/** The same of what a run begins with. */
const HEAP_OF_A_FIRST_BYTE = 27;
/** While all runs together stay below this part of the whole by their upper bounds, no run is measured. */
const UNMEASURED_PART = 1 / 2;
/** Room to grow in addition to what was measured: this much, or the same amount again while there is plenty. */
const ROOM_BYTES = 4 * 1024 * 1024;
/** The least room: less would measure a run too often. */
const LEAST_ROOM_BYTES = 64 * 1024;
const LEAST_ROOM_PART = 1 / 16;
/** Runs are looked at again once this part of the whole was drawn since the last time. */
const REVIEW_PART = 1 / 16;
/** Parts that stand in several places are looked for up to this many members. */
const MAX_LOOKED_FOR = 1_000_000;
const EXTRAS_PART = 1 / 2;

export function defaultTotal(ceiling: number): number {
  return Math.max(MIN_TOTAL, RUNS_AT_THE_CEILING * ceiling);
}

/** `heap`: when the frame had `at` bytes of JSON; an upper bound unless it is `exact`. `drawn`: with the room to grow. `reserved`: for an operation under way. */
type Holding = { heap: number; at: number; drawn: number; exact: boolean; reserved: number };

/** What is kept of a run besides its variables: records and traces. */
export type Extras = {
  /** Returns false when it does not fit; then nothing was added. */
  add(bytes: number): boolean;
  /** Gives everything back. */
  close(): void;
};

export class FrameShare {
  readonly #max: number;
  readonly #holdings = new Map<FrameState, Holding>();
  #drawn = 0;
  #extras = 0;
  #sinceReview = 0;
  /** What the run that was refused last would take. */
  #refused = 0;

  /** `max`: bytes. */
  constructor(max: number) {
    this.#max = max;
    this.#sinceReview = max;
  }

  /**
   * Lets the frame of `m` grow to `size` bytes of JSON and some more, within its own limit. `incoming` becomes part of it. False: the runs
   * together would hold too much. Either way its sizes may be exact afterwards, and its total another.
   */
  grant(m: FrameState, size: number, incoming?: Json): boolean {
    return this.#grant(m, size, incoming, LEAST_ROOM_PART);
  }

  /** `part`: the least room to grow, as a part of what the run takes. */
  #grant(m: FrameState, size: number, incoming: Json | undefined, part: number): boolean {
    this.#release(m);
    if (this.#drawUnmeasured(m, size)) return true;
    const heap = measured(m, this.#max, incoming);
    const least = part === 0 ? 0 : Math.max(LEAST_ROOM_BYTES, heap * part);
    if (heap + least <= UNCOUNTED_HEAP) {
      this.giveBack(m);
      allow(m, size, UNCOUNTED_HEAP);
      m.madeLimit = ROOM_BYTES;
      return true;
    }
    if (this.#draw(m, size, heap, Math.max(ROOM_BYTES, heap))) return true;
    if (this.#sinceReview >= this.#max * REVIEW_PART) this.#review();
    if (this.#draw(m, size, heap, Math.max(4 * LEAST_ROOM_BYTES, heap / 4)) || this.#draw(m, size, heap, least))
      return true;
    const less = measuredOnce(m, heap, this.#max, incoming);
    if (less < heap && this.#draw(m, size, less, Math.min(least, less))) return true;
    this.#refused = less;
    return false;
  }

  /** Whether what `m` has created still fits, at the end of a slice and before a wait. It need not grow. */
  settle(m: FrameState): boolean {
    if (m.made <= m.madeLimit) return true;
    if (!this.#grant(m, m.frameBytes, undefined, 0)) return false;
    m.madeLimit = Math.max(m.madeLimit, LEAST_ROOM_BYTES);
    return true;
  }

  /**
   * Whether `m` may create values of this many bytes of heap in one operation. They count from now on: the operation works in pieces, and
   * other runs may begin theirs before its result is stored.
   */
  reserve(m: FrameState, bytes: number): boolean {
    if (bytes <= ROOM_BYTES) return true;
    const draws = (): boolean => {
      const heap = (this.#holdings.get(m)?.heap ?? 0) + m.made + bytes;
      this.#refused = heap;
      return this.#draw(m, m.frameBytes, heap, LEAST_ROOM_BYTES, false, bytes);
    };
    if (draws()) return true;
    if (this.#sinceReview >= this.#max * REVIEW_PART) this.#review();
    return draws();
  }

  /** What was reserved is part of the run by now, and counted as such. */
  #release(m: FrameState): void {
    const holding = this.#holdings.get(m);
    if (holding === undefined) return;
    holding.heap -= holding.reserved;
    holding.reserved = 0;
  }

  /** The run is over, or continues elsewhere. */
  giveBack(m: FrameState): void {
    const holding = this.#holdings.get(m);
    if (holding !== undefined) {
      this.#holdings.delete(m);
      this.#drawn -= holding.drawn;
    }
    unallow(m);
  }

  /** After a refusal. `variable`: what was written; null: nothing in particular. */
  failure(m: FrameState, variable: string | null): Error {
    return allRunsFailure(this.#max, Math.ceil(Math.max(this.#max + 1, this.#others(m) + this.#refused)), variable);
  }

  /** An account for the record and the trace of one run. */
  extras(): Extras {
    let own = 0;
    return {
      add: (bytes) => {
        const extras = this.#extras + bytes;
        if (extras > this.#max * EXTRAS_PART) return false;
        if (this.#drawn + extras > this.#max && this.#sinceReview >= this.#max * REVIEW_PART) this.#review();
        if (this.#drawn + extras > this.#max) return false;
        this.#extras = extras;
        own += bytes;
        return true;
      },
      close: () => {
        this.#extras -= own;
        own = 0;
      },
    };
  }

  #others(m: FrameState): number {
    return this.#drawn + this.#extras - (this.#holdings.get(m)?.drawn ?? 0);
  }

  /** Draws for an upper bound of what `m` takes: looking at large values again and again made runs twice as slow. */
  #drawUnmeasured(m: FrameState, size: number): boolean {
    const holding = this.#holdings.get(m);
    const growth = Math.max(0, size - (holding?.at ?? 0));
    const heap = (holding?.heap ?? 0) + growth * (holding ? HEAP_OF_A_BYTE : HEAP_OF_A_FIRST_BYTE) + m.made;
    const room = Math.max(ROOM_BYTES, Math.ceil(heap / 4));
    return this.#others(m) + heap + room <= this.#max * UNMEASURED_PART && this.#draw(m, size, heap, room, false);
  }

  #draw(m: FrameState, size: number, heap: number, room: number, exact = true, reserved = 0): boolean {
    const drawn = heap + room;
    if (this.#others(m) + drawn > this.#max) return false;
    const change = drawn - (this.#holdings.get(m)?.drawn ?? 0);
    this.#drawn += change;
    this.#sinceReview += Math.max(0, change);
    this.#holdings.set(m, { heap, at: size, drawn, exact, reserved });
    allow(m, size, room);
    return true;
  }

  /** Takes back room to grow that was not used, and measures those that used much of it. */
  #review(): void {
    this.#sinceReview = 0;
    for (const [m, holding] of this.#holdings) {
      resolveSizes(m);
      let used = m.made + Math.max(0, m.frameBytes - holding.at) * HEAP_OF_A_BYTE;
      if (!holding.exact || used > Math.max(4 * LEAST_ROOM_BYTES, holding.heap / 4)) {
        holding.heap = measured(m, this.#max) + holding.reserved;
        holding.at = m.frameBytes;
        holding.exact = true;
        used = 0;
        m.made = 0;
      }
      if (holding.heap + used <= UNCOUNTED_HEAP / 2) {
        this.giveBack(m);
        continue;
      }
      const drawn = Math.min(holding.drawn, holding.heap + used);
      this.#drawn -= holding.drawn - drawn;
      holding.drawn = drawn;
      allow(m, holding.at, drawn - holding.heap, m.made);
    }
  }
}

/** Lets the run take `room` bytes of heap more than it had at `size` bytes of JSON. */
function allow(m: FrameState, size: number, room: number, made = 0): void {
  m.frameLimit = Math.min(m.frameCap, size + Math.floor(room / HEAP_OF_A_BYTE));
  m.made = made;
  m.madeLimit = room;
}

/** Fails when the values of this run and those of other runs together exceed the budget. */
export function checkMade(m: FrameState): void {
  const { frames } = m.options.deps;
  if (m.made > m.madeLimit && frames?.settle(m) === false) throw frames.failure(m, null);
}

/** Fails when the run may not create values of this many heap bytes in one operation. */
export function checkRoom(m: FrameState, bytes: number): void {
  const { frames } = m.options.deps;
  if (frames?.reserve(m, bytes) === false) throw frames.failure(m, null);
}

/** As far as a run may go at its beginning; alone in its host, as far as its own limit lets it. */
export function allowAtStart(m: FrameState): void {
  unallow(m);
  if (m.options.deps.frames !== undefined) return;
  m.frameLimit = m.frameCap;
  m.madeLimit = Number.MAX_SAFE_INTEGER;
}

/** As far as a run may go that was not measured. */
function unallow(m: FrameState): void {
  m.frameLimit = Math.min(m.frameCap, UNCOUNTED_BYTES);
  m.made = 0;
  // More than it may hold: most of what short runs create is garbage soon, and their JSON is bounded.
  m.madeLimit = ROOM_BYTES;
}

/** Estimated heap of everything a run holds. Looking takes work like everything else. */
function measured(m: FrameState, max: number, incoming?: Json): number {
  const count = new HeapCount(false, max);
  addRun(count, m, incoming);
  // Not charged by way of the meter, which may ask for this in turn.
  m.debt += count.visited / 64;
  if (m.debt >= m.quantum) m.spent = true;
  return count.bytes;
}

/** The same with every part counted once, where that is not too much to look for. */
function measuredOnce(m: FrameState, heap: number, max: number, incoming?: Json): number {
  const count = new HeapCount(true, max, MAX_LOOKED_FOR);
  addRun(count, m, incoming);
  m.debt += count.visited / 16;
  if (m.debt >= m.quantum) m.spent = true;
  return count.visited > MAX_LOOKED_FOR ? heap : count.bytes;
}

/** Variables and temporaries, the lists that loops walk over, and what they put back afterwards. Constants belong to the program. */
function addRun(count: HeapCount, m: FrameState, incoming?: Json): void {
  const { V, variables, lists, kept, tables } = m;
  const firstTemporary = V.length - tables.temporaries;
  let isHeld = false;
  for (let slot = 0; slot < V.length; slot++) {
    if (slot === variables) slot = firstTemporary;
    const value = V[slot];
    if (value === undefined) continue;
    if (value === incoming) isHeld = true;
    count.add(value);
  }
  count.add(m.extra);
  for (const { values } of m.frames) for (const value of values) count.add(value);
  for (const list of lists) count.add(list);
  for (const value of kept) count.add(value);
  if (m.branchValues !== null) count.add(m.branchValues);
  if (!isHeld && incoming !== undefined) count.add(incoming);
}
