/** Where the frames of a batch come from: a file or standard input, as NDJSON, CSV or Arrow, and how much of it is done. */
import { createReadStream, fstatSync, openSync } from "node:fs";
import { resolve } from "node:path";
import { cutLines, type Piece } from "../../vm/batch/rows/cut-lines.ts";
import { openFault } from "../input/input.ts";
import type { CliIo } from "../session/io.ts";
import { arrowFrames } from "./arrow/reader.ts";
import { csvFrames, type Selection } from "./csv/reader.ts";

export type FrameSource = {
  /** `-`: standard input. */
  readonly file: string;
  readonly format: "ndjson" | "csv" | "arrow";
};

export type FrameInput = {
  pieces(selection: Selection): AsyncGenerator<Piece, void>;
  /** Bytes of the file; null: not known. */
  readonly bytes: number | null;
  /** About what part of the file is done when `count` frames are, from 0 to 1; null: not known. */
  readonly share: (count: number) => number | null;
  close(): void;
};

const BLOCK_BYTES = 256 * 1024;
/** Chunk size (bytes) above which progress is reported per line. */
const SAMPLE_BYTES = 4096;
const NEWLINE = 10;

/** Throws CliFault when the file cannot be read. */
export function openInput(io: CliIo, cwd: string, { file, format }: FrameSource): FrameInput {
  const { stream, bytes } =
    file === "-" ? { stream: io.streams().input, bytes: null } : openFile(resolve(cwd, file), file);
  let read = 0;
  let frames = 0;
  async function* blocks(): AsyncGenerator<Uint8Array, void> {
    for await (const block of stream) {
      const given = block as Uint8Array;
      read += given.length;
      yield given;
    }
  }
  async function* counted(pieces: AsyncGenerator<Piece, void>): AsyncGenerator<Piece, void> {
    for await (const piece of pieces) {
      frames += "fault" in piece ? 1 : linesOfAbout(piece.bytes);
      yield piece;
    }
  }
  return {
    pieces: (selection) => counted(framesOf(format, blocks(), selection, bytes)),
    bytes,
    share: (count) => {
      if (bytes === null) return null;
      // What is read is not done yet: a small file is read at once, however long its frames take.
      return frames === 0 ? 0 : Math.min(1, read / bytes) * Math.min(1, count / frames);
    },
    close: () => stream.destroy(),
  };
}

function framesOf(
  format: FrameSource["format"],
  blocks: AsyncIterable<Uint8Array>,
  selection: Selection,
  bytes: number | null,
): AsyncGenerator<Piece, void> {
  if (format === "arrow") return arrowFrames(blocks, selection, bytes);
  return (format === "csv" ? csvFrames : cutLines)(blocks, selection);
}

/** About the number of its lines, if all are as long as the first ones. */
function linesOfAbout(bytes: Uint8Array): number {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const lines = sample.reduce((sum, byte) => sum + (byte === NEWLINE ? 1 : 0), 0);
  return Math.max(1, (lines * bytes.length) / (sample.lastIndexOf(NEWLINE) + 1 || 1));
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
