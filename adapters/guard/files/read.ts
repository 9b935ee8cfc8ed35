/**
 * Reading regular files below a root: sizes are tested before memory is taken, and bytes move in chunks, so that an ended call stops
 * soon. Shared by every adapter that reads files.
 */
import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { adapterError } from "../../errors.ts";
import { notAFile } from "./errors.ts";
import { type FileRoot, parsePath } from "./path.ts";
import { atPlace, openRegular, type Place } from "./walk.ts";

const CHUNK_BYTES = 65_536;

/** A regular file, open for reading. */
export type OpenFile = { readonly handle: FileHandle; readonly facts: Stats };

/** Which bytes of a file. */
export type Range = { readonly offset: number; readonly length: number };

/** Opens the file at `place` for the time of `use`. */
export async function withFile<T>(place: Place, use: (file: OpenFile) => Promise<T>): Promise<T> {
  if (place.facts === undefined) throw adapterError("ADAPTER_NOT_FOUND", "no such file or folder");
  if (!place.facts.isFile()) throw notAFile();
  const handle = await openRegular(place, constants.O_RDONLY);
  try {
    return await use({ handle, facts: await handle.stat() });
  } finally {
    await handle.close();
  }
}

/** The bytes of a range, in chunks; fewer when the file ends before. Rejects when `signal` fires in between. */
export async function* chunksOf(file: OpenFile, range: Range, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let left = Math.max(0, Math.min(range.length, file.facts.size - range.offset));
  let position = range.offset;
  while (left > 0) {
    signal.throwIfAborted();
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, left));
    const { bytesRead } = await file.handle.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    left -= bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}

/** The bytes of a range. Throws ADAPTER_TOO_LARGE before reading when they are more than `maxBytes`. */
export async function readRange(file: OpenFile, range: Range, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  if (Math.min(range.length, file.facts.size - range.offset) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  for await (const chunk of chunksOf(file, range, signal)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const WHOLE: Range = { offset: 0, length: Number.POSITIVE_INFINITY };

/** All bytes of the file at `path` below `root`, at most `maxBytes`. */
export function readFile(root: FileRoot, path: string, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  return atPlace(root, parsePath(path), { purpose: "read" }, (place) =>
    withFile(place, (file) => readRange(file, WHOLE, maxBytes, signal)),
  );
}

/** Lower-case hex digits of the sha256 of a file. */
export async function sha256Of(file: OpenFile, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of chunksOf(file, WHOLE, signal)) hash.update(chunk);
  return hash.digest("hex");
}

export function tooLarge(maxBytes: number) {
  return adapterError("ADAPTER_TOO_LARGE", `the file is larger than ${maxBytes} bytes`, {
    data: { max_bytes: maxBytes },
  });
}
