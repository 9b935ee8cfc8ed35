/**
 * Where log lines go: one file descriptor, written asynchronously one chunk after the other, so that a reader that blocks never blocks
 * a run. What waits for it is bounded: lines that may be lost go first, then every other; all are counted. When the reader is gone,
 * the service goes on.
 */
import { write } from "node:fs";
import { shownText } from "../compiler/hidden-characters.ts";

/** Takes whole lines. */
export interface LogSink {
  /** `droppable`: may be lost when the reader is slow. */
  write(line: string, droppable: boolean): void;
  /** Lines dropped since the last call; none while there is no place for a line that tells of them. */
  takeDropped(): number;
  /** Lines dropped since the start. */
  readonly dropped: number;
  /** `told`: called when lines were dropped and the reader reads again. */
  onRelief(told: () => void): void;
  /** Resolves when what was written so far is out, or nobody reads it any more. */
  flush(): Promise<void>;
}

export type WriteChunk = (chunk: Buffer, done: (fault: NodeJS.ErrnoException | null, written: number) => void) => void;

/** Bytes that may wait: beyond the first, droppable lines are lost; beyond the second, every line is. */
const MOST_WAITING = 1024 * 1024;
const MOST_KEPT = 16 * 1024 * 1024;
/** Lines of a few milliseconds go out together, or as many as fill a block: each block wakes a thread that writes it. */
const TOGETHER_MS = 10;
const BLOCK_BYTES = 256 * 1024;
/** So many characters of lines are turned into bytes in one go: for each line by itself it takes longer than making the line. */
const GATHERED = 16 * 1024;
/** A full pipe is tried again after 1 ms, then ever later. */
const LONGEST_RETRY_MS = 20;

/** `broken` is told once when nobody reads any more. */
export function createLogSink(writeChunk: WriteChunk, broken: (code: string) => void): LogSink {
  return new BoundedSink(writeChunk, broken);
}

class BoundedSink implements LogSink {
  readonly #writeChunk: WriteChunk;
  readonly #broken: (code: string) => void;
  /** Full blocks. Lines are kept as bytes, which the collector of garbage need not look at. */
  #full: Buffer[] = [];
  #fullBytes = 0;
  #block = Buffer.allocUnsafe(BLOCK_BYTES);
  #filled = 0;
  #gathered = "";
  #writing = false;
  #timer: NodeJS.Timeout | null = null;
  #untold = 0;
  #dropped = 0;
  #closed = false;
  #relieved = (): void => {};
  #whenEmpty: (() => void)[] = [];

  constructor(writeChunk: WriteChunk, broken: (code: string) => void) {
    this.#writeChunk = writeChunk;
    this.#broken = broken;
  }

  get dropped(): number {
    return this.#dropped;
  }

  write(line: string, droppable: boolean): void {
    if (this.#closed) return;
    if (this.#bytes > (droppable ? MOST_WAITING : MOST_KEPT)) {
      this.#untold += 1;
      this.#dropped += 1;
      return;
    }
    this.#gathered += line;
    if (this.#gathered.length >= GATHERED) this.#fillBlock();
    if (!this.#writing) this.#beginSoon();
  }

  takeDropped(): number {
    // A line that tells of them now would be lost as well.
    if (this.#bytes > MOST_KEPT) return 0;
    const count = this.#untold;
    this.#untold = 0;
    return count;
  }

  onRelief(told: () => void): void {
    this.#relieved = told;
  }

  flush(): Promise<void> {
    if (this.#closed || (!this.#writing && this.#isEmpty)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenEmpty.push(resolve);
      if (!this.#writing) this.#begin();
    });
  }

  get #bytes(): number {
    return this.#fullBytes + this.#filled + this.#gathered.length;
  }

  get #isEmpty(): boolean {
    return this.#full.length === 0 && this.#filled === 0 && this.#gathered === "";
  }

  #keep(bytes: Buffer): void {
    this.#full.push(bytes);
    this.#fullBytes += bytes.length;
  }

  #fillBlock(): void {
    const lines = this.#gathered;
    this.#gathered = "";
    // A character takes three bytes at most.
    const most = lines.length * 3;
    if (most > BLOCK_BYTES - this.#filled) this.#closeBlock();
    if (most > BLOCK_BYTES) this.#keep(Buffer.from(lines, "utf8"));
    else this.#filled += this.#block.write(lines, this.#filled, "utf8");
  }

  #closeBlock(): void {
    if (this.#filled === 0) return;
    this.#keep(this.#block.subarray(0, this.#filled));
    this.#block = Buffer.allocUnsafe(BLOCK_BYTES);
    this.#filled = 0;
  }

  #beginSoon(): void {
    if (this.#full.length > 0 || this.#whenEmpty.length > 0) this.#begin();
    else this.#timer ??= setTimeout(() => this.#begin(), TOGETHER_MS);
  }

  #begin(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#gathered !== "") this.#fillBlock();
    if (this.#full.length === 0) this.#closeBlock();
    const next = this.#full.shift();
    if (next === undefined) return;
    this.#fullBytes -= next.length;
    this.#writing = true;
    this.#put(next);
  }

  #put(chunk: Buffer, retryMs = 1): void {
    this.#writeChunk(chunk, (fault, written) => {
      if (fault?.code === "EAGAIN")
        setTimeout(() => this.#put(chunk, Math.min(2 * retryMs, LONGEST_RETRY_MS)), retryMs);
      else if (fault !== null) this.#close(fault.code ?? "error");
      else if (written < chunk.length) this.#put(chunk.subarray(written));
      else this.#written();
    });
  }

  #written(): void {
    this.#writing = false;
    // The line about the loss waits with the others.
    if (this.#untold > 0 && this.#full.length === 0) this.#relieved();
    if (this.#writing) return;
    if (this.#isEmpty) this.#settle();
    else this.#beginSoon();
  }

  #close(code: string): void {
    this.#closed = true;
    this.#full = [];
    this.#fullBytes = 0;
    this.#filled = 0;
    this.#gathered = "";
    this.#broken(code);
    this.#settle();
  }

  #settle(): void {
    const settled = this.#whenEmpty;
    this.#whenEmpty = [];
    for (const resolve of settled) resolve();
  }
}

/** Chunks to a file descriptor. A pipe that is full says so (EAGAIN) where the process uses it without blocking, as the command does. */
export function descriptorWriter(descriptor: number): WriteChunk {
  return (chunk, done) => write(descriptor, chunk, 0, chunk.length, null, done);
}

const NAMED: readonly string[] = ["level", "event", "ts", "trace_id", "schema_version"];

/** A line for people: time, level, event, then the rest as `name=value`. What a terminal would obey is shown. */
export function prettyLine(line: string): string {
  const given: { readonly [name: string]: unknown } = JSON.parse(line);
  const rest = Object.entries(given)
    .filter(([name]) => !NAMED.includes(name))
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  const time = String(given["ts"]).slice(11, 23);
  const trace = typeof given["trace_id"] === "string" ? [given["trace_id"].slice(0, 8)] : [];
  return `${shownText([time, String(given["level"]).padEnd(5), given["event"], ...trace, ...rest].join(" "))}\n`;
}
