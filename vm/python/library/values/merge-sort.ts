/**
 * The sort of CPython 3.11 (Objects/listsort.txt describes it): natural runs, made longer by binary insertion, merged by galloping in the
 * order that powersort chooses. Which elements it compares and what it leaves when a comparison fails can be seen by programs.
 */
import type { Calling } from "../../object.ts";

/** A sort asks for turns, and for calls where comparing runs code of the program. */
type Sorting<T = void> = Calling<T>;

/** Whether one element belongs before another. */
export type Less<E> = (a: E, b: E) => boolean | Sorting<boolean>;

const SHORTEST_MERGED = 64;
const MIN_GALLOP = 7;
/** After this number of moved elements others get a turn. */
const TURN = 10_000;

type Run = { start: number; length: number; power: number };

/** Sorts in place. `null` is yielded now and then while much is merged. */
export function* mergeSort<E>(items: E[], less: Less<E>): Sorting {
  if (items.length < 2) return;
  yield* new Sorter(items, less).sort();
}

class Sorter<E> {
  readonly #items: E[];
  readonly #less: Less<E>;
  readonly #runs: Run[] = [];
  #minGallop = MIN_GALLOP;
  #moved = 0;

  constructor(items: E[], less: Less<E>) {
    this.#items = items;
    this.#less = less;
  }

  *sort(): Sorting {
    const total = this.#items.length;
    const shortest = shortestRun(total);
    for (let start = 0; start < total; ) {
      let length = yield* this.#run(start);
      if (length < shortest) {
        const forced = Math.min(shortest, total - start);
        yield* this.#insertInto(start, start + length, start + forced);
        length = forced;
      }
      yield* this.#found(start, length);
      this.#runs.push({ start, length, power: 0 });
      start += length;
      if (this.#isTurn(length)) yield null;
    }
    const runs = this.#runs;
    while (runs.length > 1) {
      const at = runs.length - 2;
      yield* this.#merge(at > 0 && (runs[at - 1] as Run).length < (runs[at + 1] as Run).length ? at - 1 : at);
    }
  }

  #isTurn(moved: number): boolean {
    this.#moved += moved;
    if (this.#moved < TURN) return false;
    this.#moved = 0;
    return true;
  }

  /** The length of the run at `start`; one that falls is turned round. */
  *#run(start: number): Sorting<number> {
    const items = this.#items;
    const end = items.length;
    let at = start + 1;
    if (at === end) return 1;
    let falls = this.#less(items[at] as E, items[start] as E);
    if (typeof falls !== "boolean") falls = yield* falls;
    for (at += 1; at < end; at += 1) {
      let isBefore = this.#less(items[at] as E, items[at - 1] as E);
      if (typeof isBefore !== "boolean") isBefore = yield* isBefore;
      if (isBefore !== falls) break;
    }
    if (falls) reverse(items, start, at);
    return at - start;
  }

  /** Puts the elements from `from` to `end` into the sorted ones before them. */
  *#insertInto(start: number, from: number, end: number): Sorting {
    const items = this.#items;
    for (let next = from === start ? start + 1 : from; next < end; next += 1) {
      const pivot = items[next] as E;
      let [low, high] = [start, next];
      while (low < high) {
        const middle = low + ((high - low) >> 1);
        let isBefore = this.#less(pivot, items[middle] as E);
        if (typeof isBefore !== "boolean") isBefore = yield* isBefore;
        if (isBefore) high = middle;
        else low = middle + 1;
      }
      items.copyWithin(low + 1, low, next);
      items[low] = pivot;
    }
  }

  /** Merges the runs that have to be merged before one of this length is added. */
  *#found(start: number, length: number): Sorting {
    const runs = this.#runs;
    const last = runs.at(-1);
    if (last === undefined) return;
    const power = powerOf(last.start, start - last.start, length, this.#items.length);
    while (runs.length > 1 && (runs.at(-2) as Run).power > power) yield* this.#merge(runs.length - 2);
    (runs.at(-1) as Run).power = power;
  }

  *#merge(at: number): Sorting {
    const items = this.#items;
    const [a, b] = [this.#runs[at] as Run, this.#runs[at + 1] as Run];
    const end = b.start + b.length;
    this.#runs.splice(at + 1, 1);
    const total = a.length + b.length;
    // Elements of a that are in place already, and those of b.
    const skipped = yield* gallopRight(this.#less, items[b.start] as E, items, a.start, a.length, 0);
    const start = a.start + skipped;
    const countA = a.length - skipped;
    a.length = total;
    if (countA === 0) return;
    const countB = yield* gallopLeft(
      this.#less,
      items[b.start - 1] as E,
      items,
      b.start,
      end - b.start,
      end - b.start - 1,
    );
    if (countB === 0) return;
    if (countA <= countB) yield* this.#mergeLow(start, countA, b.start, countB);
    else yield* this.#mergeHigh(start, countA, b.start, countB);
  }

  /** Merges from the left: a, the shorter one, is copied. */
  *#mergeLow(start: number, countA: number, startB: number, countB: number): Sorting {
    const items = this.#items;
    const less = this.#less;
    const copy = items.slice(start, start + countA);
    let [to, a, b, leftA, leftB] = [start, 0, startB, countA, countB];
    const takeA = (): void => {
      items[to++] = copy[a++] as E;
      leftA -= 1;
    };
    const takeB = (): void => {
      items[to++] = items[b++] as E;
      leftB -= 1;
    };
    try {
      takeB();
      while (leftB > 0 && leftA > 1) {
        let [wonA, wonB] = [0, 0];
        while (wonA < this.#minGallop && wonB < this.#minGallop) {
          let isBefore = less(items[b] as E, copy[a] as E);
          if (typeof isBefore !== "boolean") isBefore = yield* isBefore;
          if (isBefore) {
            takeB();
            wonB += 1;
            wonA = 0;
            if (leftB === 0) return;
          } else {
            takeA();
            wonA += 1;
            wonB = 0;
            if (leftA === 1) return;
          }
          if (this.#isTurn(1)) yield null;
        }
        this.#minGallop += 1;
        do {
          if (this.#minGallop > 1) this.#minGallop -= 1;
          wonA = yield* gallopRight(less, items[b] as E, copy, a, leftA, 0);
          for (let count = 0; count < wonA; count += 1) takeA();
          if (leftA <= 1) return;
          takeB();
          if (leftB === 0) return;
          wonB = yield* gallopLeft(less, copy[a] as E, items, b, leftB, 0);
          for (let count = 0; count < wonB; count += 1) takeB();
          if (leftB === 0) return;
          takeA();
          if (leftA === 1) return;
          if (this.#isTurn(wonA + wonB)) yield null;
        } while (wonA >= MIN_GALLOP || wonB >= MIN_GALLOP);
        this.#minGallop += 1;
      }
    } finally {
      // The last element of a belongs at the end; otherwise what is left of b stands in its place already.
      if (leftA === 1) while (leftB > 0) takeB();
      while (leftA > 0) takeA();
    }
  }

  /** Merges from the right: b, the shorter one, is copied. */
  *#mergeHigh(start: number, countA: number, startB: number, countB: number): Sorting {
    const items = this.#items;
    const less = this.#less;
    const copy = items.slice(startB, startB + countB);
    let [to, a, b, leftA, leftB] = [startB + countB - 1, start + countA - 1, countB - 1, countA, countB];
    const takeA = (): void => {
      items[to--] = items[a--] as E;
      leftA -= 1;
    };
    const takeB = (): void => {
      items[to--] = copy[b--] as E;
      leftB -= 1;
    };
    try {
      takeA();
      while (leftA > 0 && leftB > 1) {
        let [wonA, wonB] = [0, 0];
        while (wonA < this.#minGallop && wonB < this.#minGallop) {
          let isBefore = less(copy[b] as E, items[a] as E);
          if (typeof isBefore !== "boolean") isBefore = yield* isBefore;
          if (isBefore) {
            takeA();
            wonA += 1;
            wonB = 0;
            if (leftA === 0) return;
          } else {
            takeB();
            wonB += 1;
            wonA = 0;
            if (leftB === 1) return;
          }
          if (this.#isTurn(1)) yield null;
        }
        this.#minGallop += 1;
        do {
          if (this.#minGallop > 1) this.#minGallop -= 1;
          wonA = leftA - (yield* gallopRight(less, copy[b] as E, items, start, leftA, leftA - 1));
          for (let count = 0; count < wonA; count += 1) takeA();
          if (leftA === 0) return;
          takeB();
          if (leftB === 1) return;
          wonB = leftB - (yield* gallopLeft(less, items[a] as E, copy, 0, leftB, leftB - 1));
          for (let count = 0; count < wonB; count += 1) takeB();
          if (leftB <= 1) return;
          takeA();
          if (leftA === 0) return;
          if (this.#isTurn(wonA + wonB)) yield null;
        } while (wonA >= MIN_GALLOP || wonB >= MIN_GALLOP);
        this.#minGallop += 1;
      }
    } finally {
      if (leftB === 1) while (leftA > 0) takeA();
      while (leftB > 0) takeB();
    }
  }
}

/** Short inputs are one run; longer ones get runs of 32 to 64, so that their number is about a power of two. */
function shortestRun(total: number): number {
  let [rest, surplus] = [total, 0];
  while (rest >= SHORTEST_MERGED) {
    surplus |= rest & 1;
    rest >>= 1;
  }
  return rest + surplus;
}

/** How deep the border between two runs lies in the halving of the whole: the first digit in which their middles differ. */
function powerOf(start: number, length: number, next: number, total: number): number {
  let a = 2 * start + length;
  let b = a + length + next;
  for (let power = 1; ; power += 1) {
    if (a >= total) {
      a -= total;
      b -= total;
    } else if (b >= total) return power;
    a *= 2;
    b *= 2;
  }
}

function reverse<E>(items: E[], start: number, end: number): void {
  for (let low = start, high = end - 1; low < high; low += 1, high -= 1) {
    const kept = items[low] as E;
    items[low] = items[high] as E;
    items[high] = kept;
  }
}

/** How many of the `count` sorted elements from `start` on come before `key`. The search begins at `hint`. */
function gallopLeft<E>(
  less: Less<E>,
  key: E,
  items: readonly E[],
  start: number,
  count: number,
  hint: number,
): Sorting<number> {
  return gallop((at) => less(items[start + at] as E, key), true, count, hint);
}

/** The same, but elements that equal `key` count as well. */
function gallopRight<E>(
  less: Less<E>,
  key: E,
  items: readonly E[],
  start: number,
  count: number,
  hint: number,
): Sorting<number> {
  return gallop((at) => less(key, items[start + at] as E), false, count, hint);
}

/** How many elements come before, by steps that double and then by halves: those for which `compare` gives `before`. */
function* gallop(
  compare: (at: number) => boolean | Sorting<boolean>,
  before: boolean,
  count: number,
  hint: number,
): Sorting<number> {
  let [last, offset] = [0, 1];
  let [low, high]: [number, number] = [0, 0];
  let result = compare(hint);
  if (typeof result !== "boolean") result = yield* result;
  const isForward = result === before;
  const max = isForward ? count - hint : hint + 1;
  while (offset < max) {
    result = compare(isForward ? hint + offset : hint - offset);
    if (typeof result !== "boolean") result = yield* result;
    if ((result === before) !== isForward) break;
    last = offset;
    offset = 2 * offset + 1;
  }
  if (isForward) [low, high] = [hint + last + 1, hint + Math.min(offset, max)];
  else [low, high] = [hint - Math.min(offset, max) + 1, hint - last];
  while (low < high) {
    const middle = low + ((high - low) >> 1);
    result = compare(middle);
    if (typeof result !== "boolean") result = yield* result;
    if (result === before) low = middle + 1;
    else high = middle;
  }
  return high;
}
