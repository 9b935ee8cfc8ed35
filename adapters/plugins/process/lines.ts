/** A stream of bytes as lines of JSON. A line that is too long, nested too deeply, no UTF-8 or no JSON object is a fault of the other side. */
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { MAX_NESTING } from "../../../vm/values/values.ts";
import { parsedNow } from "../../content/json-document.ts";

/** Of one message in either direction. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** A value slightly deeper than the limit fails only its call; far deeper ones would exhaust the stack of the code that walks them. */
const MAX_NESTED = 2 * MAX_NESTING;

export type LineFault = "a line is longer than 8 MiB" | "a line is nested too deeply" | "a line is not a JSON object";

export class LineReader {
  readonly #heard: (message: JsonObject) => void;
  readonly #failed: (fault: LineFault) => void;
  readonly #utf8 = new TextDecoder("utf-8", { fatal: true });
  /** Holds the beginning of a line whose end has not come; of few bytes at a time, a list of them would take many times their size. */
  #kept: Buffer = Buffer.alloc(0);
  #bytes = 0;
  #over = false;

  /** After a fault nothing more is heard. */
  constructor(heard: (message: JsonObject) => void, failed: (fault: LineFault) => void) {
    this.#heard = heard;
    this.#failed = failed;
  }

  take(chunk: Uint8Array): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0 && !this.#over; end = chunk.indexOf(NEWLINE, from)) {
      if (this.#bytes > 0 || end > from) this.#end(chunk.subarray(from, end));
      from = end + 1;
    }
    if (!this.#over) this.#keep(chunk.subarray(from));
  }

  /** A line is complete with `rest`. */
  #end(rest: Uint8Array): void {
    this.#keep(rest);
    if (this.#over) return;
    const line = this.#kept.subarray(0, this.#bytes);
    this.#kept = Buffer.alloc(0);
    this.#bytes = 0;
    this.#line(line);
  }

  #keep(part: Uint8Array): void {
    const bytes = this.#bytes + part.length;
    if (bytes > MAX_LINE_BYTES) {
      this.#fail("a line is longer than 8 MiB");
      return;
    }
    if (bytes > this.#kept.length) {
      const larger = Buffer.alloc(this.#bytes === 0 ? bytes : Math.min(2 * bytes, MAX_LINE_BYTES));
      larger.set(this.#kept.subarray(0, this.#bytes));
      this.#kept = larger;
    }
    this.#kept.set(part, this.#bytes);
    this.#bytes = bytes;
  }

  #line(bytes: Uint8Array): void {
    const message = this.#parsed(bytes);
    if (message === undefined) this.#fail("a line is not a JSON object");
    else if (nestsDeeper(message, MAX_NESTED)) this.#fail("a line is nested too deeply");
    else if (message !== null) this.#heard(message);
  }

  /** null: an empty line. */
  #parsed(bytes: Uint8Array): JsonObject | null | undefined {
    try {
      const text = this.#utf8.decode(bytes).trim();
      if (text === "") return null;
      const value: unknown = parsedNow(text);
      return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
    } catch {
      return undefined;
    }
  }

  #fail(fault: LineFault): void {
    this.#over = true;
    this.#kept = Buffer.alloc(0);
    this.#failed(fault);
  }
}

const NEWLINE = 0x0a;

function nestsDeeper(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => nestsDeeper(one, levels - 1));
}
