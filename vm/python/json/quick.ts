/**
 * Values as they leave a run, written as JSON into a buffer: those that nearly all results are made of. What is written is the text that the exact
 * writer (`write.ts`), or JSON.stringify of the value that leaves, would make; everything else is left to them.
 */
import type { TextBytes } from "../../memory/text-bytes.ts";
import { PyDict } from "../kinds/dict.ts";
import { PyFloat } from "../kinds/float.ts";
import { PyList, PyTuple } from "../kinds/list.ts";
import { Bytes, type Context, type Value } from "../object.ts";

/** Deeper values, and those that contain themselves, are left to the writer. */
const MOST_LEVELS = 64;
/** Whole floats from here on have an exponent. */
const FIRST_WITH_EXPONENT = 1e15;
/** Bytes after which the room for them is asked for. */
const STEP = 65_536;

/** False: it is one for the writer; then nothing was written. */
export function writeQuickly(value: Value, out: TextBytes, ctx: Context): boolean {
  const start = out.at;
  const quick = new Quick(out, ctx, start);
  if (quick.write(value, 0)) {
    ctx.charge((out.at - start) >> 3);
    return true;
  }
  out.at = start;
  return false;
}

class Quick {
  readonly #out: TextBytes;
  readonly #ctx: Context;
  readonly #start: number;

  constructor(out: TextBytes, ctx: Context, start: number) {
    this.#out = out;
    this.#ctx = ctx;
    this.#start = start;
  }

  write(value: Value, level: number): boolean {
    const out = this.#out;
    switch (typeof value) {
      case "string":
        return out.string(value);
      case "number":
        return out.number(value);
      case "boolean":
        out.ascii(value ? "true" : "false");
        return true;
      case "bigint":
        return false;
    }
    if (value === null) {
      out.ascii("null");
      return true;
    }
    if (value instanceof PyDict) return this.#members(value, level);
    if (value instanceof PyList || value instanceof PyTuple) return this.#items(value.items, level);
    return value instanceof PyFloat && this.#float(value.value);
  }

  #float(value: number): boolean {
    if (!(Math.abs(value) < FIRST_WITH_EXPONENT) || !Number.isInteger(value)) return false;
    if (Object.is(value, -0)) this.#out.byte(45);
    this.#out.number(value);
    this.#out.ascii(".0");
    return true;
  }

  #members({ plain, size }: PyDict, level: number): boolean {
    if (plain === null || level === MOST_LEVELS) return false;
    const out = this.#out;
    this.#ctx.charge(size);
    out.byte(123);
    let isFirst = true;
    for (const key in plain) {
      if (!isFirst) out.byte(44);
      isFirst = false;
      if (!out.string(key)) return false;
      out.byte(58);
      if (!this.write(plain[key] as Value, level + 1)) return false;
      if (out.at - this.#start > STEP) this.#ask();
    }
    out.byte(125);
    return true;
  }

  #items(items: readonly Value[], level: number): boolean {
    if (level === MOST_LEVELS) return false;
    const out = this.#out;
    this.#ctx.charge(items.length);
    out.byte(91);
    for (let at = 0; at < items.length; at++) {
      if (at > 0) out.byte(44);
      if (!this.write(items[at] as Value, level + 1)) return false;
      if (out.at - this.#start > STEP) this.#ask();
    }
    out.byte(93);
    return true;
  }

  #ask(): void {
    this.#ctx.room((this.#out.at - this.#start) * Bytes.Unit);
  }
}
