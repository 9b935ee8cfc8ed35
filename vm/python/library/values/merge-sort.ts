/**
 * The sort of CPython 3.11 (Objects/listsort.txt describes it): natural runs, made longer by binary insertion, merged by galloping in the
 * order that powersort chooses. Which elements it compares and what it leaves when a comparison fails can be seen by programs.
 */

/** Whether one element belongs before another. */
export type Less<E> = (a: E, b: E) => boolean;

const SHORTEST_MERGED = 64;
const MIN_GALLOP = 7;
/** After this number of moved elements others get a turn. */
const TURN = 10_000;

type Run = { start: number; length: number; power: number };

/** Sorts in place. `null` is yielded now and then while much is merged. */
export function* mergeSort<E>(items: E[], less: Less<E>): Generator<null, void, unknown> {
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

  *sort(): Generator<null, void, unknown> {
    const total = this.#items.length;
    const shortest = shortestRun(total);
    for (let start = 0; start < total; ) {
      let length = this.#run(start);
      if (length < shortest) {
        const forced = Math.min(shortest, total - start);
        this.#insertInto(start, start + length, start + forced);
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
  #run(start: number): number {
    const items = this.#items;
    const end = items.length;
    let at = start + 1;
    if (at === end) return 1;
    const falls = this.#less(items[at] as E, items[start] as E);
    at += 1;
    while (at < end && this.#less(items[at] as E, items[at - 1] as E) === falls) at += 1;
    if (falls) reverse(items, start, at);
    return at - start;
  }

  /** Puts the elements from `from` to `end` into the sorted ones before them. */
  #insertInto(start: number, from: number, end: number): void {
    const items = this.#items;
    for (let next = from === start ? start + 1 : from; next < end; next += 1) {
      const pivot = items[next] as E;
      let [low, high] = [start, next];
      while (low < high) {
        const middle = low + ((high - low) >> 1);
        if (this.#less(pivot, items[middle] as E)) high = middle;
        else low = middle + 1;
      }
      items.copyWithin(low + 1, low, next);
      items[low] = pivot;
    }
  }

  /** Merges the runs that have to be merged before one of this length is added. */
  *#found(start: number, length: number): Generator<null, void, unknown> {
    const runs = this.#runs;
    const last = runs.at(-1);
    if (last === undefined) return;
    const power = powerOf(last.start, start - last.start, length, this.#items.length);
    while (runs.length > 1 && (runs.at(-2) as Run).power > power) yield* this.#merge(runs.length - 2);
    (runs.at(-1) as Run).power = power;
  }

  *#merge(at: number): Generator<null, void, unknown> {
    const items = this.#items;
    const [a, b] = [this.#runs[at] as Run, this.#runs[at + 1] as Run];
    const end = b.start + b.length;
    this.#runs.splice(at + 1, 1);
    const total = a.length + b.length;
    // Elements of a that are in place already, and those of b.
    const skipped = gallopRight(this.#less, items[b.start] as E, items, a.start, a.length, 0);
    const start = a.start + skipped;
    const countA = a.length - skipped;
    a.length = total;
    if (countA === 0) return;
    const countB = gallopLeft(this.#less, items[b.start - 1] as E, items, b.start, end - b.start, end - b.start - 1);
    if (countB === 0) return;
    if (countA <= countB) yield* this.#mergeLow(start, countA, b.start, countB);
    else yield* this.#mergeHigh(start, countA, b.start, countB);
  }

  /** Merges from the left: a, the shorter one, is copied. */
  *#mergeLow(start: number, countA: number, startB: number, countB: number): Generator<null, void, unknown> {
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
          if (less(items[b] as E, copy[a] as E)) {
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
          wonA = gallopRight(less, items[b] as E, copy, a, leftA, 0);
          for (let count = 0; count < wonA; count += 1) takeA();
          if (leftA <= 1) return;
          takeB();
          if (leftB === 0) return;
          wonB = gallopLeft(less, copy[a] as E, items, b, leftB, 0);
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
  *#mergeHigh(start: number, countA: number, startB: number, countB: number): Generator<null, void, unknown> {
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
          if (less(copy[b] as E, items[a] as E)) {
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
          wonA = leftA - gallopRight(less, copy[b] as E, items, start, leftA, leftA - 1);
          for (let count = 0; count < wonA; count += 1) takeA();
          if (leftA === 0) return;
          takeB();
          if (leftB === 1) return;
          wonB = leftB - gallopLeft(less, items[a] as E, copy, 0, leftB, leftB - 1);
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
function gallopLeft<E>(less: Less<E>, key: E, items: readonly E[], start: number, count: number, hint: number): number {
  return gallop((at) => less(items[start + at] as E, key), count, hint);
}

/** The same, but elements that equal `key` count as well. */
function gallopRight<E>(
  less: Less<E>,
  key: E,
  items: readonly E[],
  start: number,
  count: number,
  hint: number,
): number {
  return gallop((at) => !less(key, items[start + at] as E), count, hint);
}

/** How many of the elements come before, by steps that double and then by halves. */
function gallop(isBefore: (at: number) => boolean, count: number, hint: number): number {
  let [last, offset] = [0, 1];
  let [low, high]: [number, number] = [0, 0];
  if (isBefore(hint)) {
    const max = count - hint;
    while (offset < max && isBefore(hint + offset)) {
      last = offset;
      offset = 2 * offset + 1;
    }
    [low, high] = [hint + last + 1, hint + Math.min(offset, max)];
  } else {
    const max = hint + 1;
    while (offset < max && !isBefore(hint - offset)) {
      last = offset;
      offset = 2 * offset + 1;
    }
    [low, high] = [hint - Math.min(offset, max) + 1, hint - last];
  }
  while (low < high) {
    const middle = low + ((high - low) >> 1);
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return high;
}
