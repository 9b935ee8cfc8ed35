/**
 * Where the log of the service goes: a file descriptor that pino's destination writes without blocking. What waits for a slow reader is
 * bounded; lines beyond it are dropped and counted, and the count is reported once the reader reads again. Without a reader the service
 * continues.
 */
import { pino } from "pino";

export interface LogOutput {
  /** Takes one whole line. */
  write(line: string): void;
  /** Lines dropped since the start. */
  readonly dropped: number;
  /** `report` is called with the number of lines dropped since the last report, once the reader reads again. */
  onRelief(report: (lines: number) => void): void;
  /** Resolves when everything written so far is out, or cannot be written. */
  flush(): Promise<void>;
}

export type LogOutputOptions = {
  readonly descriptor: number;
  /** Called once, with the code of the first fault that keeps lines from being written. */
  readonly broken: (code: string) => void;
  /** Bytes that may wait for the reader. */
  readonly maxBytes?: number;
};

const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** How many characters are encoded at once; the bytes are outside the garbage-collected heap. */
const GATHERED_CHARACTERS = 16 * 1024;
/** Bytes are handed on together, because each write wakes a thread; and dropped together, so they are a small part of what may wait. */
const BLOCK_BYTES = 512 * 1024;
const FLUSH_MS = 50;
/** A pipe that is full is tried again after this time. The destination itself would wait 100 ms. */
const RETRY_MS = 2;
const NEWLINE = 10;

export function openLogOutput({ descriptor, broken, maxBytes = MAX_WAITING_BYTES }: LogOutputOptions): LogOutput {
  const destination = pino.destination({
    dest: descriptor,
    sync: false,
    contentMode: "buffer",
    minLength: 1,
    maxLength: maxBytes,
    retryEAGAIN: () => false,
  });
  const maxBlock = Math.min(BLOCK_BYTES, maxBytes / 16);
  let lines = "";
  let block: Buffer[] = [];
  let blockBytes = 0;
  let dropped = 0;
  let unreported = 0;
  let isBroken = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let report = (_lines: number): void => {};

  const gather = (): void => {
    const chunk = Buffer.from(lines, "utf8");
    lines = "";
    block.push(chunk);
    blockBytes += chunk.length;
  };
  const handOn = (): void => {
    gather();
    const bytes = Buffer.concat(block, blockBytes);
    block = [];
    blockBytes = 0;
    // The types know the destination's other mode, which takes strings.
    if (bytes.length > 0) (destination as unknown as { write(bytes: Buffer): void }).write(bytes);
  };
  const after = (ms: number): void => {
    if (timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      // The descriptor may be another file's by now.
      if (isClosed) return;
      handOn();
      destination.flush();
    }, ms);
  };
  destination.on("drop", (chunk: Buffer) => {
    let count = 0;
    for (const byte of chunk) if (byte === NEWLINE) count += 1;
    dropped += count;
    unreported += count;
  });
  destination.on("drain", () => {
    if (unreported === 0) return;
    const count = unreported;
    unreported = 0;
    report(count);
  });
  destination.on("error", (fault: NodeJS.ErrnoException) => {
    if (isBusy(fault)) return after(RETRY_MS);
    const { code = "error" } = fault;
    if (!isBroken) broken(code);
    isBroken = true;
    isClosed = code === "EPIPE";
  });
  // Called when the process exits: a reader that does not read must not change how.
  const flushSync = destination.flushSync.bind(destination);
  destination.flushSync = () => {
    try {
      flushSync();
    } catch {
      // The rest cannot be written now, and the process is about to end.
    }
  };
  return {
    write(line) {
      if (isClosed) return;
      lines += line;
      if (lines.length >= GATHERED_CHARACTERS) gather();
      if (blockBytes >= maxBlock) handOn();
      else after(FLUSH_MS);
    },
    get dropped() {
      return dropped;
    },
    onRelief(told) {
      report = told;
    },
    flush() {
      handOn();
      return new Promise((resolve) => {
        const attempt = (): void =>
          destination.flush((fault) => {
            if (isBusy(fault)) setTimeout(attempt, RETRY_MS);
            else resolve();
          });
        attempt();
      });
    },
  };
}

function isBusy(fault: NodeJS.ErrnoException | undefined): boolean {
  return fault?.code === "EAGAIN" || fault?.code === "EBUSY";
}
