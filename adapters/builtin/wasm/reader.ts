/**
 * Reads the binary format of WebAssembly byte by byte: whole numbers in LEB128, names, and parts with a stated length.
 * Every step is checked against the end, so a damaged file is refused and never read beyond.
 */
import type { AdapterError } from "../../../vm/errors/failures.ts";
import { adapterError } from "../../errors.ts";

export type RefusalReason =
  | "too_large"
  | "too_complex"
  | "malformed"
  | "hash_mismatch"
  | "imports"
  | "memory_limit"
  | "table_limit"
  | "shared_memory"
  | "threads"
  | "relaxed_simd"
  | "unsupported";

export function refused(reason: RefusalReason, cause?: unknown): AdapterError {
  return adapterError("ADAPTER_WASM_MODULE", "the module cannot be admitted", { data: { reason }, cause });
}

/** Of anything that a module lists; real ones of the accepted size stay far below. */
const MAX_ITEMS = 200_000;
const text = new TextDecoder("utf-8", { fatal: true });

export class WasmReader {
  readonly bytes: Uint8Array;
  readonly end: number;
  at: number;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  get done(): boolean {
    return this.at >= this.end;
  }

  byte(): number {
    const value = this.at < this.end ? this.bytes[this.at] : undefined;
    if (value === undefined) throw refused("malformed");
    this.at += 1;
    return value;
  }

  /** An unsigned number of 32 bits. */
  u32(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        if (value > 0xffff_ffff) throw refused("malformed");
        return value;
      }
    }
    throw refused("malformed");
  }

  /** Passes over a number of up to 64 bits. */
  skipNumber(): void {
    for (let count = 0; count < 10; count++) {
      if (this.byte() < 0x80) return;
    }
    throw refused("malformed");
  }

  skip(count: number): void {
    if (count > this.end - this.at) throw refused("malformed");
    this.at += count;
  }

  name(): string {
    const length = this.u32();
    const from = this.at;
    this.skip(length);
    try {
      return text.decode(this.bytes.subarray(from, this.at));
    } catch (cause) {
      throw refused("malformed", cause);
    }
  }

  /** A reader of the next `length` bytes; this one continues after them. */
  part(length: number): WasmReader {
    const from = this.at;
    this.skip(length);
    return new WasmReader(this.bytes, from, this.at);
  }

  /** What `read` makes of each of the counted items that follow. */
  list<T>(read: (index: number) => T): readonly T[] {
    const items: T[] = [];
    this.each((index) => items.push(read(index)));
    return items;
  }

  /** Calls `read` for each of the counted items that follow; how many there are. */
  each(read: (index: number) => void): number {
    const count = this.u32();
    // Every item has at least a byte, so a count beyond the end is refused at once.
    if (count > this.end - this.at) throw refused("malformed");
    if (count > MAX_ITEMS) throw refused("too_large");
    for (let index = 0; index < count; index++) read(index);
    return count;
  }
}

/** An unsigned number in LEB128. */
export function encodedU32(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? low + 128 : low);
  } while (rest > 0);
  return bytes;
}
