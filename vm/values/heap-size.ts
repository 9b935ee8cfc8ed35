/**
 * Estimates how much of the engine's heap values take (docs/runtime.md, limits). JSON sizes say little about it: a list of
 * empty lists takes 27 times its JSON. The figures were measured on 64-bit V8 without pointer compression; `test/vm/heap-size.test.ts`
 * compares them with the real heap. Knows nothing of machines.
 */
import type { Json, JsonObject } from "../../compiler/json.ts";
import { SIZE, type Sized } from "./values.ts";

/** Bytes by container, size field included. */
export const enum Heap {
  /** A reference from a list, a member or a variable. */
  Slot = 8,
  EmptyList = 72,
  /** Short lists have room for up to 17 elements where they were filled one by one, and for just their own where they were parsed. */
  ShortList = 128,
  LongList = 88,
  /** With a quarter of room to grow. */
  LongListSlot = 10,
  Object = 56,
  /** A member of an object that the engine keeps as a hash table. */
  TableMember = 43,
  /** Texts of up to this many units are mostly shared by the places that hold them. */
  SharedText = 12,
  /** A join of two texts that has not been made one yet. */
  Join = 32,
}
/** Added to a list for each element while it is short. */
const SHORT_LIST_SLOT = 4;
/** A number that is not a 32-bit integer, outside of lists of numbers alone. */
const FRACTION = 16;
/** The same in a list of numbers alone, where the engine stores it in place or not. */
const LISTED_FRACTION = 4;
/** A text without its units. */
const TEXT = 16;
const SHORT_LIST = 16;
/** Objects with more members are hash tables, unless they were parsed. */
const FEW_MEMBERS = 16;
const SHARED_TEXT_UNITS = 8;
/** The engine joins shorter texts at once. */
const JOINED_UNITS = 13;
/** Up to here both halves of a text are looked at to tell whether its units take one byte or two. */
const MEASURED_UNITS = 65_536;
const SHORT_TEXT_UNITS = 64;
/**
 * Containers with at least as many bytes of JSON are looked for, because a large one may stand in thousands of places, and looking through it in
 * each took seconds. The bytes that a run may have bound how many there are.
 */
const LARGE_JSON = 1024;
const WIDE = /[^\0-\xff]/;

export function listHeap(length: number): number {
  if (length === 0) return Heap.EmptyList;
  if (length <= SHORT_LIST) return Heap.ShortList + length * SHORT_LIST_SLOT;
  return Heap.LongList + length * Heap.LongListSlot;
}

export function objectHeap(members: number): number {
  return Heap.Object + members * (members > FEW_MEMBERS ? Heap.TableMember : Heap.Slot);
}

/** Joined pieces become one string: as pieces they take 32 bytes each, which cannot be observed from outside. */
function textHeap(text: string): number {
  const { length } = text;
  if (length <= 1) return 0;
  if (length <= SHARED_TEXT_UNITS) return Heap.SharedText;
  if (length < SHORT_TEXT_UNITS) return TEXT + length + (length >= JOINED_UNITS ? isWideAt(text, length) : 0);
  const wide = WIDE.test(length <= MEASURED_UNITS ? text : text.slice(0, MEASURED_UNITS));
  return TEXT + (wide ? 2 * length : length);
}

/** Reading a unit makes one text of joined pieces. Texts in other scripts mostly begin in them. */
function isWideAt(text: string, length: number): number {
  return text.charCodeAt(0) > 0xff ? length : 0;
}

type Container = readonly Json[] | JsonObject;

/** Adds up the heap of values. */
export class HeapCount {
  /** Bytes so far. */
  bytes = 0;
  /** Members that were looked at. */
  visited = 0;
  readonly #maxBytes: number;
  readonly #maxVisited: number;
  readonly #seen = new Set<Container>();
  readonly #smallest: number;
  readonly #open: Container[] = [];

  /**
   * `once`: a container that stands in several places counts once; else only a large one does, and others count in each, unless they stand there
   * several times in a row. Looking for all takes ten times as long. The count ends early beyond `maxBytes`, or after
   * `maxVisited` members.
   */
  constructor(once = false, maxBytes = Number.POSITIVE_INFINITY, maxVisited = Number.POSITIVE_INFINITY) {
    this.#maxBytes = maxBytes;
    this.#maxVisited = maxVisited;
    this.#smallest = once ? 0 : LARGE_JSON;
  }

  add(value: Json | undefined): void {
    if (typeof value === "string") this.bytes += textHeap(value);
    else if (typeof value === "number") this.bytes += fractionHeap(value);
    else if (typeof value === "object" && value !== null) this.#addContainer(value);
  }

  #addContainer(value: Container): void {
    const open = this.#open;
    this.#push(value);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (this.bytes > this.#maxBytes || this.visited > this.#maxVisited) break;
      if (Array.isArray(next)) this.#list(next);
      else this.#object(next as JsonObject);
    }
    open.length = 0;
  }

  #push(value: Container): void {
    if (((value as Sized)[SIZE] ?? 0) >= this.#smallest) {
      if (this.#seen.has(value)) return;
      this.#seen.add(value);
    }
    this.#open.push(value);
  }

  #list(list: readonly Json[]): void {
    const { length } = list;
    let fractions = 0;
    let numbers = 0;
    let texts = 0;
    let before: Json = null;
    for (let i = 0; i < length; i++) {
      const item = list[i] as Json;
      if (typeof item === "number") {
        numbers += 1;
        if ((item | 0) !== item) fractions += 1;
      } else if (typeof item === "string") texts += textHeap(item);
      else if (typeof item === "object" && item !== null && item !== before) this.#push(item);
      before = item;
    }
    this.visited += length + 1;
    this.bytes += listHeap(length) + texts + fractions * (numbers < length ? FRACTION : LISTED_FRACTION);
  }

  #object(object: JsonObject): void {
    let members = 0;
    let held = 0;
    for (const key in object) {
      const member = object[key] as Json;
      members += 1;
      if (typeof member === "number") held += fractionHeap(member);
      else if (typeof member === "string") held += textHeap(member);
      else if (typeof member === "object" && member !== null) this.#push(member);
      if (members > FEW_MEMBERS) held += key.length;
    }
    this.visited += members + 1;
    this.bytes += objectHeap(members) + held;
  }
}

function fractionHeap(number: number): number {
  return (number | 0) === number ? 0 : FRACTION;
}
