/**
 * JSON that others wrote, parsed within a bound of heap. A megabyte of `[{},{},…]` takes twenty megabytes as values, and a second of the
 * thread for sixty; so what a document will take is counted before it is parsed, in slices between which the thread does other work.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Json } from "../../compiler/json.ts";
import { OperationFailure } from "../../vm/errors/failures.ts";
import { readJson } from "../../vm/functions/json/reader.ts";
import { exactly, readExactly } from "../../vm/inputs/exact-text.ts";
import { Pace } from "../../vm/tasks/task.ts";
import { unmetered } from "../../vm/tasks/work-meter.ts";
import { adapterError } from "../errors.ts";

/** Heap of one document unless its reader says otherwise. As many values are parsed and taken over in less than 100 ms each. */
export const MAX_DOCUMENT_HEAP = 24 * 1024 * 1024;

/** Units between two looks at what else there is to do: about a millisecond. */
const SLICE = 1_000_000;
/** Keys that are remembered: those of any document but one whose keys are data. */
const MAX_KEYS = 1000;
const MAX_KEY = 100;
/** Smaller documents are counted and parsed at once. */
const SMALL = 64 * 1024;

/** Bytes of heap, as measured of V8 within a factor of two: an object or list, one of its places, a string besides its units. */
const CONTAINER = 48;
const PLACE = 12;
const STRING = 20;
/** A key that no other object has, in the table of its object; such a table is also slow to build and to walk. */
const OWN_KEY = 160;
/** A digit after the eighth: such numbers have a place of their own, and measuring their text takes long. */
const FURTHER_DIGIT = 6;
const MAX_SMALL_DIGITS = 8;
/** Documents that take more are parsed in pieces. */
const PARSED_AT_ONCE = MAX_DOCUMENT_HEAP / 2;
/** Pieces between two looks at what else there is to do: some milliseconds. */
const PIECES = 20;

/** Estimates the heap of a document in steps. The text need not be JSON; the parser refuses other text. */
class HeapCount {
  bytes = 0;
  readonly #text: string;
  #at = 0;
  #openedAt = -1;
  /** Units of the number up to here. */
  #digits = 0;
  /** Of the last string, for the case that it is a key. */
  #stringAt = 0;
  #stringEnd = 0;
  /** The engine keeps a key once, however many objects have it. */
  readonly #keys = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Counts `units` more; whether that was all. */
  count(units: number): boolean {
    const text = this.#text;
    const end = Math.min(text.length, this.#at + units);
    for (; this.#at < end; this.#at++) {
      const unit = text.charCodeAt(this.#at);
      if (this.#openedAt >= 0) {
        if (unit === 0x5c) this.#at++;
        else if (unit === 0x22) {
          this.bytes += STRING + this.#at - this.#openedAt;
          this.#stringAt = this.#openedAt;
          this.#stringEnd = this.#at;
          this.#openedAt = -1;
        }
      } else if (unit > 0x2c && unit < 0x3a) {
        if (++this.#digits > MAX_SMALL_DIGITS) this.bytes += FURTHER_DIGIT;
      } else if (unit === 0x22) this.#openedAt = this.#at;
      else if (unit === 0x7b || unit === 0x5b) this.bytes += CONTAINER;
      else if (unit === 0x2c) {
        this.bytes += PLACE;
        this.#digits = 0;
      } else if (unit === 0x3a) {
        this.bytes += PLACE;
        this.#digits = 0;
        this.#key();
      }
    }
    return this.#at >= text.length;
  }

  #key(): void {
    const length = this.#stringEnd - this.#stringAt;
    if (length > MAX_KEY) return;
    const key = this.#text.slice(this.#stringAt, this.#stringEnd);
    this.#stringEnd = this.#stringAt;
    if (length === 0) return;
    if (this.#keys.has(key)) this.bytes -= STRING + length;
    else if (this.#keys.size < MAX_KEYS) this.#keys.add(key);
    else this.bytes += OWN_KEY;
  }
}

/**
 * The value of a document, with its text where that says more (`exact-text.ts`). Rejects with ADAPTER_TOO_LARGE when its values would take more than `maxHeap` bytes, and with SyntaxError
 * for what is not JSON.
 */
export async function parsedDocument(text: string, maxHeap = MAX_DOCUMENT_HEAP): Promise<Json> {
  if (text.length <= SMALL) return readExactly(text);
  const heap = new HeapCount(text);
  for (;;) {
    const counted = heap.count(SLICE);
    refuseAbove(heap.bytes, maxHeap);
    await nextTurn();
    if (counted) break;
  }
  const value = heap.bytes > PARSED_AT_ONCE ? await parsedInTurns(text) : (JSON.parse(text) as Json);
  // What is done with the value takes its own turn.
  await nextTurn();
  return exactly(value, text);
}

async function parsedInTurns(text: string): Promise<Json> {
  try {
    const task = readJson(text, new Pace(unmetered));
    for (let pieces = 1; ; pieces++) {
      const step = task.next();
      if (step.done === true) return step.value;
      if (pieces % PIECES === 0) await nextTurn();
    }
  } catch (cause) {
    // The words of its failures are for programs.
    if (cause instanceof OperationFailure) throw new SyntaxError(cause.message, { cause });
    throw cause;
  }
}

/** As `parsedDocument`, for documents of a few megabytes that are needed at once. Throws the same. */
export function parsedNow(text: string, maxHeap = MAX_DOCUMENT_HEAP): Json {
  if (text.length > SMALL) {
    const heap = new HeapCount(text);
    heap.count(text.length);
    refuseAbove(heap.bytes, maxHeap);
  }
  return readExactly(text);
}

function refuseAbove(heap: number, maxHeap: number): void {
  if (heap <= maxHeap) return;
  const data = { max_heap_bytes: maxHeap };
  throw adapterError("ADAPTER_TOO_LARGE", `the JSON document takes more than ${maxHeap} bytes of memory as values`, {
    data,
  });
}
