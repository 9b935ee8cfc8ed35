/**
 * Where the results of a batch go: a file or standard output, in whole lines, one write for each part. For `--resume`: what an earlier
 * batch has written there already; a line that was cut off is taken away.
 */
import { createReadStream, fstatSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { resolve } from "node:path";
import type { Writable } from "node:stream";
import { CliFault, EXIT, usageFault } from "../faults.ts";
import { writeFault } from "../files.ts";
import type { CliIo } from "../io.ts";
import { escapeControls } from "../output/json.ts";

export interface ResultOutput {
  write(lines: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** Frames that have a result. */
export type DoneFrames = {
  readonly has: (index: number) => boolean;
  readonly count: number;
  readonly failed: number;
  /** The length of their lines. */
  readonly bytes: number;
};

export const NOTHING_DONE: DoneFrames = { has: () => false, count: 0, failed: 0, bytes: 0 };

/** A terminal must not obey what a program returns; a pipe gets it as it is. */
export function openStandardOutput(io: CliIo): ResultOutput {
  const { output } = io.streams();
  const shown = (lines: Uint8Array) => (io.stdout.terminal ? escapeControls(new TextDecoder().decode(lines)) : lines);
  return { write: (lines) => written(output, shown(lines)), close: async () => {} };
}

/** Waits while the reader is behind. */
function written(output: Writable, lines: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) => output.write(lines, (cause) => (cause ? reject(cause) : resolve())));
}

/**
 * A fresh file, or with `goesOn` one that goes on after `bytes`. Throws CliFault when it cannot be written, and when somebody else writes
 * to it: two batches would run the same frames and write over each other's lines.
 */
export async function openOutputFile(cwd: string, name: string, goesOn: boolean, bytes: number): Promise<ResultOutput> {
  const file = await opened(resolve(cwd, name), name, goesOn ? "a" : "w");
  const facts = fstatSync(file.fd);
  let expected = bytes;
  return {
    write: async (lines) => {
      if (facts.isFile()) {
        const { size } = fstatSync(file.fd);
        // A file that goes on may be emptied by whoever collects the results.
        if (size > expected || (size < expected && !goesOn)) throw writtenByAnother(name);
        expected = size + lines.length;
      }
      try {
        await file.writeFile(lines);
      } catch (cause) {
        throw writeFault(cause, name);
      }
    },
    close: () => file.close(),
  };
}

export function writtenByAnother(name: string): CliFault {
  return new CliFault(`${name} is being written by another process`, {
    error: "output_error",
    exitCode: EXIT.usage,
    notes: ["wait until it has ended, then give --resume, or name another file"],
  });
}

/** Reads what is there and cuts off what follows the last whole line. */
export async function readDone(cwd: string, name: string): Promise<DoneFrames> {
  const path = resolve(cwd, name);
  const file = await opened(path, name, "r+");
  try {
    const done = new Done(name);
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
    if (!LINE_START.startsWith(begun.slice(0, LINE_START.length))) throw otherLines(name);
    if (begun !== "") await file.truncate(whole);
    done.bytes = whole;
    return done;
  } finally {
    await file.close();
  }
}

/** How every line of a batch begins. */
const LINE_START = '{"index":';

function otherLines(name: string): CliFault {
  return usageFault(`--resume: ${name} holds other lines than results of a batch; name another file`);
}

/** Results come about in the order of their frames, so only those ahead of a gap are held one by one. */
class Done implements DoneFrames {
  count = 0;
  failed = 0;
  bytes = 0;
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
    if (!result.ok) this.failed += 1;
    this.#ahead.add(result.index);
    while (this.#ahead.delete(this.#below)) this.#below += 1;
  }
}

function resultIn(line: string): { readonly index: number; readonly ok: boolean } | null {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || !("index" in value) || !("ok" in value)) return null;
    const { index, ok } = value;
    return typeof index === "number" && Number.isSafeInteger(index) && typeof ok === "boolean" ? { index, ok } : null;
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
