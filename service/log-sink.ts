/**
 * Where log lines go: one file descriptor, written asynchronously one chunk after the other, so that a reader that blocks never blocks
 * a run. When much is waiting, lines that may be lost are dropped and counted. When the reader is gone, the service goes on.
 */
import { write } from "node:fs";

/** Takes whole lines. */
export interface LogSink {
  /** `droppable`: may be lost when the reader is slow. */
  write(line: string, droppable: boolean): void;
  /** Lines dropped since the last call. */
  takeDropped(): number;
  /** Resolves when what was written so far is out, or nobody reads it any more. */
  flush(): Promise<void>;
}

export type WriteChunk = (chunk: Buffer, done: (fault: NodeJS.ErrnoException | null, written: number) => void) => void;

const MOST_WAITING = 1024 * 1024;
const RETRY_MS = 20;

/** `broken` is told once when nobody reads any more. */
export function createLogSink(writeChunk: WriteChunk, broken: (code: string) => void): LogSink {
  let waiting: string[] = [];
  let waitingUnits = 0;
  let chunk: Buffer | null = null;
  let dropped = 0;
  let closed = false;
  let whenEmpty: (() => void)[] = [];

  const settle = (): void => {
    for (const resolve of whenEmpty) resolve();
    whenEmpty = [];
  };
  const next = (): void => {
    if (chunk === null) {
      if (waiting.length === 0) {
        settle();
        return;
      }
      chunk = Buffer.from(waiting.join(""), "utf8");
      waiting = [];
      waitingUnits = 0;
    }
    writeChunk(chunk, (fault, written) => {
      if (fault?.code === "EAGAIN") {
        setTimeout(next, RETRY_MS);
      } else if (fault !== null) {
        closed = true;
        chunk = null;
        waiting = [];
        broken(fault.code ?? "error");
        settle();
      } else {
        const rest = chunk?.subarray(written);
        chunk = rest === undefined || rest.length === 0 ? null : rest;
        next();
      }
    });
  };
  return {
    write(line, droppable) {
      if (closed) return;
      if (droppable && waitingUnits > MOST_WAITING) {
        dropped += 1;
        return;
      }
      const idle = chunk === null && waiting.length === 0;
      waiting.push(line);
      waitingUnits += line.length;
      // Lines of one turn go out together.
      if (idle) setImmediate(next);
    },
    takeDropped() {
      const count = dropped;
      dropped = 0;
      return count;
    },
    flush: () =>
      closed || (chunk === null && waiting.length === 0)
        ? Promise.resolve()
        : new Promise((resolve) => whenEmpty.push(resolve)),
  };
}

/** Chunks to a file descriptor. */
export function descriptorWriter(descriptor: number): WriteChunk {
  return (chunk, done) => write(descriptor, chunk, 0, chunk.length, null, done);
}

const NAMED: readonly string[] = ["level", "event", "ts", "trace_id", "schema_version"];

/** A line for people: time, level, event, then the rest as `name=value`. */
export function prettyLine(line: string): string {
  const given: { readonly [name: string]: unknown } = JSON.parse(line);
  const rest = Object.entries(given)
    .filter(([name]) => !NAMED.includes(name))
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  const time = String(given["ts"]).slice(11, 23);
  const trace = typeof given["trace_id"] === "string" ? [given["trace_id"].slice(0, 8)] : [];
  return `${[time, String(given["level"]).padEnd(5), given["event"], ...trace, ...rest].join(" ")}\n`;
}
