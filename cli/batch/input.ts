/** Where the frames of a batch come from: a file or standard input, as NDJSON or CSV, and how much of it has been read. */
import { createReadStream, fstatSync, openSync } from "node:fs";
import { resolve } from "node:path";
import { openFault } from "../input.ts";
import type { CliIo } from "../io.ts";
import { cutLines, type Piece, type Selection } from "./chunks.ts";
import { csvFrames } from "./csv.ts";

export type FrameSource = {
  /** `-`: standard input. */
  readonly file: string;
  readonly format: "ndjson" | "csv";
};

export type FrameInput = {
  pieces(selection: Selection): AsyncGenerator<Piece, void>;
  /** Bytes of the file; null: not known. */
  readonly bytes: number | null;
  /** Bytes read so far. */
  readonly read: () => number;
  close(): void;
};

const BLOCK_BYTES = 256 * 1024;

/** Throws CliFault when the file cannot be read. */
export function openInput(io: CliIo, cwd: string, { file, format }: FrameSource): FrameInput {
  const { stream, bytes } =
    file === "-" ? { stream: io.streams().input, bytes: null } : openFile(resolve(cwd, file), file);
  let read = 0;
  async function* blocks(): AsyncGenerator<Uint8Array, void> {
    for await (const block of stream) {
      const given = block as Uint8Array;
      read += given.length;
      yield given;
    }
  }
  return {
    pieces: (selection) => (format === "csv" ? csvFrames : cutLines)(blocks(), selection),
    bytes,
    read: () => read,
    close: () => stream.destroy(),
  };
}

function openFile(path: string, name: string) {
  try {
    const descriptor = openSync(path, "r");
    const status = fstatSync(descriptor);
    if (status.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
    const stream = createReadStream(path, { fd: descriptor, highWaterMark: BLOCK_BYTES });
    return { stream, bytes: status.isFile() ? status.size : null };
  } catch (cause) {
    throw openFault(cause, path, name);
  }
}
