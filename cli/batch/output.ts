/**
 * Where the results of a batch go: a file or standard output, in whole lines, one write for each part. For `--resume`: what an earlier
 * batch has written there already; a line that was cut off is taken away.
 */
import { createReadStream, fstatSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { resolve } from "node:path";
import type { Writable } from "node:stream";
import { type RowFailure as FrameFailure, MAX_SHOWN_FAILURES, type Rows } from "../../vm/batch/rows/rows-part.ts";
import { descriptorOf, writeAll } from "../input/descriptor.ts";
import { writeFault } from "../input/files.ts";
import { escapeControls } from "../output/terminal/json.ts";
import { CliFault, EXIT, usageFault } from "../session/faults.ts";
import type { CliIo } from "../session/io.ts";

export interface ResultOutput {
  write(lines: Uint8Array): Promise<void>;
  /** What was written is on the disk, where there is one. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Frames that have a result. */
export type DoneFrames = {
  readonly has: (index: number) => boolean;
  readonly count: number;
  readonly failed: number;
  /** The first of those that failed. */
  readonly failures: readonly FrameFailure[];
  /** The length of their lines. */
  readonly bytes: number;
};

export const NOTHING_DONE: DoneFrames = { has: () => false, count: 0, failed: 0, failures: [], bytes: 0 };

/** A terminal must not obey what a program returns; a pipe gets it as it is. */
export function openStandardOutput(io: CliIo): ResultOutput {
  const { output } = io.streams();
  const shown = (lines: Uint8Array) => (io.stdout.terminal ? escapeControls(new TextDecoder().decode(lines)) : lines);
  return { write: (lines) => written(output, shown(lines)), sync: async () => {}, close: async () => {} };
}

/** Waits while the reader is slower than the writer. */
function written(output: Writable, lines: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) => output.write(lines, (cause) => (cause ? reject(cause) : resolve())));
}

/**
 * Opens a new file or, with `goesOn`, one that continues after `bytes`. Throws CliFault when it cannot be written, or another process writes
 * to it: two batches would run the same frames and write over each other's lines.
 */
export async function openOutputFile(cwd: string, name: string, goesOn: boolean, bytes: number): Promise<ResultOutput> {
  const stream = descriptorOf(resolve(cwd, name));
  if (stream !== null) return openStream(stream, name);
  const file = await opened(resolve(cwd, name), name, goesOn ? "a" : "w");
  const facts = fstatSync(file.fd);
  let expected = bytes;
  return {
    write: async (lines) => {
      if (facts.isFile()) {
        const { size } = fstatSync(file.fd);
        // Another process that collects the results may truncate a file that is continued.
        if (size > expected || (size < expected && !goesOn)) throw writtenByAnother(name);
        expected = size + lines.length;
      }
      try {
        await file.writeFile(lines);
      } catch (cause) {
        throw writeFault(cause, name);
      }
    },
    sync: () => (facts.isFile() ? file.sync() : Promise.resolve()),
    close: () => file.close(),
  };
}

function openStream(descriptor: number, name: string): ResultOutput {
  return {
    write: async (lines) => {
      try {
        writeAll(descriptor, lines);
      } catch (cause) {
        throw writeFault(cause, name);
      }
    },
    sync: async () => {},
    close: async () => {},
  };
}

export function writtenByAnother(name: string): CliFault {
  return new CliFault(`${name} is being written by another process`, {
    error: "output_error",
    exitCode: EXIT.usage,
    notes: ["wait until it has ended and use --resume, or name another file"],
  });
}

/** Reads what is there and cuts off what follows the last whole line. */
export async function readDone(cwd: string, name: string, rows: Rows): Promise<DoneFrames> {
  const path = resolve(cwd, name);
  const file = await opened(path, name, "r+");
  try {
    const done = rows === "full" ? new Done(name) : new DoneRows(name, rows);
    let whole = 0;
    let begun = "";
    for await (const block of createReadStream(path, { encoding: "utf8" })) {
      const lines = (begun + String(block)).split("\n");
      begun = lines.pop() ?? "";
      for (const line of lines) {
        whole += Buffer.byteLength(line) + 1;
        done.add(line);
      }
    }
    // Only what a batch may have begun to write is taken away.
    if (!mayBegin(begun, rows)) throw otherLines(name);
    if (begun !== "") await file.truncate(whole);
    done.bytes = whole;
    return done;
  } finally {
    await file.close();
  }
}

/** How full rows begin, and lean ones of frames that did not fail. */
const FULL_START = '{"index":';
const LEAN_START = '{"ok":true,"out":';

function mayBegin(begun: string, rows: Rows): boolean {
  const starts = rows === "full" ? [FULL_START] : [FULL_START, LEAN_START];
  return rows === "out" || starts.some((start) => start.startsWith(begun.slice(0, start.length)));
}

function otherLines(name: string): CliFault {
  return usageFault(`--resume: ${name} contains lines that are not results of a batch; name another file`);
}

/** Rows without an index are those of the first frames, in their order. */
class DoneRows implements DoneFrames {
  count = 0;
  failed = 0;
  bytes = 0;
  readonly failures: FrameFailure[] = [];

  readonly #name: string;
  readonly #rows: Rows;

  constructor(name: string, rows: Rows) {
    this.#name = name;
    this.#rows = rows;
  }

  readonly has = (index: number): boolean => index < this.count;

  add(line: string): void {
    const result = line.startsWith(FULL_START) ? resultIn(line) : null;
    if (this.#rows === "lean" && result === null && !line.startsWith(LEAN_START)) throw otherLines(this.#name);
    // A result may itself look like a failure, though hardly of this very frame.
    if (result?.ok === false && result.index === this.count) {
      this.failed += 1;
      const { index, error, message } = result;
      if (this.failures.length < MAX_SHOWN_FAILURES) this.failures.push({ index, error, message });
    }
    this.count += 1;
  }
}

/** Results are written in the order of their frames; those after a missing result are held until it arrives. */
class Done implements DoneFrames {
  count = 0;
  failed = 0;
  bytes = 0;
  readonly failures: FrameFailure[] = [];
  readonly #name: string;
  #below = 0;
  readonly #ahead = new Set<number>();

  constructor(name: string) {
    this.#name = name;
  }

  readonly has = (index: number): boolean => index < this.#below || this.#ahead.has(index);

  add(line: string): void {
    const result = resultIn(line);
    if (result === null) throw otherLines(this.#name);
    if (this.has(result.index)) return;
    this.count += 1;
    if (!result.ok) {
      this.failed += 1;
      const { index, error, message } = result;
      if (this.failures.length < MAX_SHOWN_FAILURES) this.failures.push({ index, error, message });
    }
    this.#ahead.add(result.index);
    while (this.#ahead.delete(this.#below)) this.#below += 1;
  }
}

function resultIn(line: string): (FrameFailure & { readonly ok: boolean }) | null {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || !("index" in value) || !("ok" in value)) return null;
    const { index, ok } = value;
    if (typeof index !== "number" || !Number.isSafeInteger(index) || typeof ok !== "boolean") return null;
    const text = (member: unknown): string => (typeof member === "string" ? member : "");
    const error = "error" in value ? text(value.error) : "";
    return { index, ok, error, message: "message" in value ? text(value.message) : "" };
  } catch {
    return null;
  }
}

async function opened(path: string, name: string, flags: "a" | "w" | "r+"): Promise<FileHandle> {
  try {
    return await open(path, flags, 0o644);
  } catch (cause) {
    throw writeFault(cause, name);
  }
}
