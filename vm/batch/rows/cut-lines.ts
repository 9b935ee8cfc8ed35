/**
 * Frames from a stream, cut into chunks of whole lines (`frame-lines.ts`). Memory is bounded by the longest line that may be: what is longer
 * is passed over and becomes a fault of its own.
 */
import type { FrameFault } from "../result.ts";
import type { FrameChunk } from "./frame-lines.ts";

export type Piece = FrameChunk | { readonly index: number; readonly fault: FrameFault };

export type LineSelection = {
  /** Frames that are left out: an earlier batch has done them. */
  readonly isDone: (index: number) => boolean;
  /** Frames from the start of the input, done ones included. */
  readonly most: number;
  /** Longest line in bytes. */
  readonly maxLineBytes: number;
  /** Number of the first line; default 1. */
  readonly firstLine?: number;
  /** Called with the bytes of a line that has begun, each time there are more. What it throws ends the input. */
  readonly held?: (bytes: number) => void;
};

/** All frames, with lines as large as a frame of `wf run` may be. */
export const EVERY_LINE: LineSelection = {
  isDone: () => false,
  most: Number.POSITIVE_INFINITY,
  maxLineBytes: 16 * 1024 * 1024,
};

const NEWLINE = 10;

/** Whole lines of the input, one piece for each block that comes in, or a few where frames are left out. */
export async function* cutLines(
  input: AsyncIterable<Uint8Array>,
  selection: LineSelection,
): AsyncGenerator<Piece, void> {
  const cutter = new Cutter(selection);
  for await (const block of input) {
    yield* cutter.take(block);
    if (cutter.full) return;
  }
  yield* cutter.rest();
}

class Cutter {
  readonly #selection: LineSelection;
  /** A line whose end has not come yet. */
  #begun: Uint8Array[] = [];
  #size = 0;
  /** The line is too long already: the rest of it is passed over. */
  #passing = false;
  #index = 0;
  #line: number;

  constructor(selection: LineSelection) {
    this.#selection = selection;
    this.#line = selection.firstLine ?? 1;
  }

  /** No further frame is wanted. */
  get full(): boolean {
    return this.#index >= this.#selection.most;
  }

  *take(block: Uint8Array): Generator<Piece, void> {
    let rest = block;
    if (this.#size > 0 || this.#passing) {
      const end = rest.indexOf(NEWLINE);
      if (end < 0) return this.#keep(rest);
      yield* this.#endBegun(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
    }
    const end = rest.lastIndexOf(NEWLINE) + 1;
    if (end > 0) yield* this.#pieces(rest.subarray(0, end));
    this.#keep(rest.subarray(end));
  }

  *rest(): Generator<Piece, void> {
    if (this.#size > 0 || this.#passing) yield* this.#endBegun(new Uint8Array(0));
  }

  #keep(part: Uint8Array): void {
    if (part.length === 0 || this.#passing) return;
    this.#begun.push(part);
    this.#size += part.length;
    this.#selection.held?.(this.#size);
    if (this.#size <= this.#selection.maxLineBytes) return;
    this.#passing = true;
    this.#begun = [];
    this.#size = 0;
  }

  *#endBegun(last: Uint8Array): Generator<Piece, void> {
    const passing = this.#passing;
    const line = passing ? null : Buffer.concat([...this.#begun, last, Buffer.from("\n")]);
    this.#passing = false;
    this.#begun = [];
    this.#size = 0;
    this.#selection.held?.(0);
    if (line !== null) yield* this.#pieces(line);
    else yield* this.#tooLong();
  }

  /** Consecutive frames that are wanted stay together. */
  *#pieces(lines: Uint8Array): Generator<Piece, void> {
    const { isDone, maxLineBytes } = this.#selection;
    let from = { at: 0, index: this.#index, line: this.#line };
    let at = 0;
    const cut = (): FrameChunk | null => {
      const { at: start, index, line } = from;
      // A copy of its own: it may be handed to another thread.
      return start === at ? null : { bytes: new Uint8Array(lines.subarray(start, at)), index, line };
    };
    while (at < lines.length && !this.full) {
      // Most lines are short: asking for their ends one by one takes longer than looking at their bytes.
      let end = at;
      let isBlank = true;
      for (let byte = lines[end]; byte !== NEWLINE; byte = lines[++end])
        if (isBlank && byte !== 13 && byte !== 32 && byte !== 9) isBlank = false;
      const long = end - at > maxLineBytes;
      if (isBlank) this.#line += 1;
      else if (long || isDone(this.#index)) {
        const before = cut();
        if (before !== null) yield before;
        if (long) yield* this.#tooLong();
        else {
          this.#index += 1;
          this.#line += 1;
        }
        from = { at: end + 1, index: this.#index, line: this.#line };
      } else {
        this.#index += 1;
        this.#line += 1;
      }
      at = end + 1;
    }
    const last = cut();
    if (last !== null) yield last;
  }

  *#tooLong(): Generator<Piece, void> {
    const { isDone, maxLineBytes } = this.#selection;
    const [index, line] = [this.#index, this.#line];
    this.#index += 1;
    this.#line += 1;
    if (isDone(index)) return;
    const message = `line ${line} is longer than ${maxLineBytes} bytes`;
    yield { index, fault: { ok: false, error: "payload_too_large", message, line } };
  }
}
