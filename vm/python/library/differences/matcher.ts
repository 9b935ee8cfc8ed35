/**
 * The algorithm of `difflib.SequenceMatcher`, as CPython has it: the longest block that two sequences share, then the longest ones on both sides of it. Elements are
 * compared by their keys.
 */
import { Bytes, type Calling, type Context, type Key } from "../../object.ts";

/** Steps after which others get a turn. */
const TURN = 20_000;

/** Lengths of blocks that end at a place of the second sequence, and the number of the row that a length is of. */
type Row = { readonly lengths: Int32Array; readonly holds: Int32Array };

function rowOf(length: number): Row {
  return { lengths: new Int32Array(length + 1), holds: new Int32Array(length + 1) };
}

/** The second sequence, looked up by its elements. */
export class Chain {
  readonly keys: readonly Key[];
  /** Where each element stands, but for junk and popular ones. */
  readonly places: Map<Key, number[]>;
  readonly junk = new Set<Key>();
  #counts: Map<Key, number> | null = null;
  /** For an element of the first sequence and the one before it. */
  #rows: readonly [Row, Row] | null = null;
  #row = 0;

  constructor(keys: readonly Key[], ctx: Context) {
    this.keys = keys;
    ctx.charge(keys.length);
    ctx.room(keys.length * 2 * Bytes.Entry);
    this.places = new Map();
    for (const [at, key] of keys.entries()) {
      const known = this.places.get(key);
      if (known === undefined) this.places.set(key, [at]);
      else known.push(at);
    }
  }

  /** Takes an element out that no block begins with. */
  drop(key: Key): void {
    this.junk.add(key);
    this.places.delete(key);
  }

  /** Takes out what a long sequence has too often to say anything. */
  dropPopular(): void {
    const { length } = this.keys;
    if (length < LONG) return;
    const most = Math.floor(length / 100) + 1;
    for (const [key, places] of this.places) if (places.length > most) this.places.delete(key);
  }

  /** How often each element occurs. */
  get counts(): ReadonlyMap<Key, number> {
    if (this.#counts === null) {
      this.#counts = new Map();
      for (const key of this.keys) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    }
    return this.#counts;
  }

  /** `find_longest_match` */
  *longest(a: readonly Key[], [alo, ahi, blo, bhi]: Range, ctx: Context): Calling<Block> {
    let [bestA, bestB, size] = [alo, blo, 0];
    let steps = 0;
    // No row continues one of an earlier search.
    this.#row += 1;
    this.#rows ??= [rowOf(this.keys.length), rowOf(this.keys.length)];
    for (let at = alo; at < ahi; at += 1) {
      steps += 1;
      this.#row += 1;
      const row = this.#rows[this.#row % 2] as Row;
      const before = this.#rows[(this.#row + 1) % 2] as Row;
      const places = this.places.get(a[at] as Key) ?? NOWHERE;
      for (let next = firstFrom(places, blo); next < places.length; next += 1) {
        const place = places[next] as number;
        if (place >= bhi) break;
        steps += 1;
        const length = before.holds[place] === this.#row - 1 ? (before.lengths[place] as number) + 1 : 1;
        // A place of the next row asks for the one in front of it.
        row.lengths[place + 1] = length;
        row.holds[place + 1] = this.#row;
        if (length > size) [bestA, bestB, size] = [at - length + 1, place - length + 1, length];
      }
      if (steps < TURN) continue;
      ctx.charge(steps);
      steps = 0;
      yield null;
    }
    const { keys, junk } = this;
    for (const isJunk of [false, true]) {
      const isSame = (one: number, other: number): boolean =>
        a[one] === keys[other] && junk.has(keys[other] as Key) === isJunk;
      for (; bestA > alo && bestB > blo && isSame(bestA - 1, bestB - 1); steps += 1)
        [bestA, bestB, size] = [bestA - 1, bestB - 1, size + 1];
      for (; bestA + size < ahi && bestB + size < bhi && isSame(bestA + size, bestB + size); steps += 1) size += 1;
    }
    ctx.charge(steps);
    return [bestA, bestB, size];
  }

  /** `get_matching_blocks` */
  *blocks(a: readonly Key[], ctx: Context): Calling<readonly Block[]> {
    const open: Range[] = [[0, a.length, 0, this.keys.length]];
    const found: Block[] = [];
    for (let range = open.pop(); range !== undefined; range = open.pop()) {
      const [alo, ahi, blo, bhi] = range;
      const block = yield* this.longest(a, range, ctx);
      const [i, j, size] = block;
      if (size === 0) continue;
      found.push(block);
      if (alo < i && blo < j) open.push([alo, i, blo, j]);
      if (i + size < ahi && j + size < bhi) open.push([i + size, ahi, j + size, bhi]);
    }
    found.sort((one, other) => one[0] - other[0]);
    const joined: Block[] = [];
    for (const [i, j, size] of found) {
      const last = joined.at(-1);
      if (last !== undefined && last[0] + last[2] === i && last[1] + last[2] === j)
        joined[joined.length - 1] = [last[0], last[1], last[2] + size];
      else joined.push([i, j, size]);
    }
    ctx.charge(joined.length);
    return [...joined, [a.length, this.keys.length, 0]];
  }

  *ratio(a: readonly Key[], ctx: Context): Calling<number> {
    const blocks = yield* this.blocks(a, ctx);
    return this.ratioOf(
      blocks.reduce((sum, [, , size]) => sum + size, 0),
      a.length,
    );
  }

  /** An upper bound, from how often each element occurs. */
  quickRatio(a: readonly Key[], ctx: Context): number {
    ctx.charge(a.length);
    const left = new Map<Key, number>();
    let matches = 0;
    for (const key of a) {
      const count = left.get(key) ?? this.counts.get(key) ?? 0;
      left.set(key, count - 1);
      if (count > 0) matches += 1;
    }
    return this.ratioOf(matches, a.length);
  }

  /** An upper bound, from the lengths alone. */
  realQuickRatio(length: number): number {
    return this.ratioOf(Math.min(length, this.keys.length), length);
  }

  ratioOf(matches: number, length: number): number {
    const all = length + this.keys.length;
    return all === 0 ? 1 : (2 * matches) / all;
  }
}

/** Sequences from this length on have popular elements. */
const LONG = 200;
const NOWHERE: readonly number[] = [];

/** Where they begin, and their length. */
export type Block = readonly [a: number, b: number, size: number];
export type Range = readonly [alo: number, ahi: number, blo: number, bhi: number];

/** The index of the first place from `lowest` on. */
function firstFrom(places: readonly number[], lowest: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] as number) < lowest) low = middle + 1;
    else high = middle;
  }
  return low;
}

export type Tag = "equal" | "replace" | "delete" | "insert";
export type Opcode = readonly [tag: Tag, i1: number, i2: number, j1: number, j2: number];

/** `get_opcodes` */
export function opcodesOf(blocks: readonly Block[]): Opcode[] {
  const codes: Opcode[] = [];
  let [i, j] = [0, 0];
  for (const [a, b, size] of blocks) {
    const tag = i < a && j < b ? "replace" : i < a ? "delete" : "insert";
    if (i < a || j < b) codes.push([tag, i, a, j, b]);
    [i, j] = [a + size, b + size];
    if (size > 0) codes.push(["equal", a, i, b, j]);
  }
  return codes;
}

/** The first part of `get_grouped_opcodes`: cuts equal lines at both ends of a list down to `n`. */
export function cutEnds(codes: Opcode[], n: number): void {
  const [first, end] = [codes[0] as Opcode, codes.length - 1];
  if (first[0] === "equal") {
    const [tag, i1, i2, j1, j2] = first;
    codes[0] = [tag, Math.max(i1, i2 - n), i2, Math.max(j1, j2 - n), j2];
  }
  const last = codes[end] as Opcode;
  if (last[0] === "equal") {
    const [tag, i1, i2, j1, j2] = last;
    codes[end] = [tag, i1, Math.min(i2, i1 + n), j1, Math.min(j2, j1 + n)];
  }
}

/** The second part: changes with `n` equal lines around them. */
export function* groupsOf(codes: readonly Opcode[], n: number): Generator<readonly Opcode[]> {
  let group: Opcode[] = [];
  for (const [tag, i1, i2, j1, j2] of codes) {
    if (tag !== "equal" || i2 - i1 <= 2 * n) {
      group.push([tag, i1, i2, j1, j2]);
      continue;
    }
    group.push([tag, i1, Math.min(i2, i1 + n), j1, Math.min(j2, j1 + n)]);
    yield group;
    group = [[tag, Math.max(i1, i2 - n), i2, Math.max(j1, j2 - n), j2]];
  }
  if (group.length > 1 || (group.length === 1 && group[0]?.[0] !== "equal")) yield group;
}

/** What is grouped where nothing is compared. */
export const NO_CODES: readonly Opcode[] = [["equal", 0, 1, 0, 1]];
