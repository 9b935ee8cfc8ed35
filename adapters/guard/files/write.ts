/**
 * Writes files below a root so that a crash never leaves half of one: bytes go to a hidden temporary file next to the target, which takes
 * the target's name when they are on disk. Files left by a crash are hidden from listings and removed after a day.
 */
import { constants, type Dirent } from "node:fs";
import { type FileHandle, link, lstat, open, opendir, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { CallContext } from "../../../vm/adapter.ts";
import type { AdapterError } from "../../../vm/errors/failures.ts";
import { adapterError } from "../../errors.ts";
import { ifPresent, notAFile } from "./errors.ts";
import { tooLarge } from "./read.ts";
import { confirmInside, type Folder, openRegular, type Place } from "./walk.ts";

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
const CHUNK_BYTES = 65_536;
const MAX_NAME_BYTES = 255;
const LEFTOVER = /^\..*\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/s;
const LEFTOVER_KEPT_MS = 86_400_000;
/** Entries looked at before a write: sweeping must not become the work. */
const MAX_SWEPT = 10_000;

/** What writing needs of a call. */
export type WriteCall = Pick<CallContext, "signal" | "uuid" | "now">;

export type Replacement = {
  /** The target must not exist: ADAPTER_CONFLICT otherwise, decided by the file system itself. */
  readonly create: boolean;
  /** Runs when the bytes are on disk but not visible yet; throws to keep the target as it is. */
  beforeSwap?(): Promise<void>;
};

/** Of each path the last change that was begun. */
const turns = new Map<string, Promise<void>>();

/**
 * Calls `act` when nothing else in this process changes the file at `place`: what was compared with its content must still hold when it is
 * changed. Other processes do not wait.
 */
export async function inTurn<T>({ folder, name }: Place, act: () => Promise<T>): Promise<T> {
  const path = join(folder.real, name);
  const work = (turns.get(path) ?? Promise.resolve()).then(act);
  const over = work.then(
    () => {},
    () => {},
  );
  turns.set(path, over);
  try {
    return await work;
  } finally {
    if (turns.get(path) === over) turns.delete(path);
  }
}

type Source = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Puts a file with these bytes at `place`, in the place of one that is there. Returns the number of bytes. */
export async function replaceFile(place: Place, source: Source, call: WriteCall, how: Replacement): Promise<number> {
  const { folder, name, facts } = place;
  if (facts !== undefined && how.create) throw targetExists();
  if (facts !== undefined && !facts.isFile()) throw notAFile();
  await sweep(place, call.now());
  const temporary = temporaryName(name, call.uuid());
  const bytes = await writeTemporary(place, temporary, source, call.signal);
  try {
    await inTurn(place, async () => {
      await how.beforeSwap?.();
      call.signal.throwIfAborted();
      if (how.create) await link(folder.at(temporary), folder.at(name));
      else await rename(folder.at(temporary), folder.at(name));
    });
  } finally {
    // Gone already when it took the target's name.
    await ifPresent(unlink(folder.at(temporary)));
  }
  await folder.handle.sync();
  return bytes;
}

async function writeTemporary(place: Place, temporary: string, source: Source, signal: AbortSignal): Promise<number> {
  const { root, folder, facts } = place;
  const handle = await open(folder.at(temporary), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    await confirmInside(root, handle, join(folder.real, temporary));
    let bytes = 0;
    for await (const chunk of source) bytes += await writeChunk(handle, chunk, signal);
    if (facts !== undefined) await handle.chmod(facts.mode & 0o777);
    await handle.sync();
    return bytes;
  } catch (thrown) {
    await ifPresent(unlink(folder.at(temporary)));
    throw thrown;
  } finally {
    await handle.close();
  }
}

async function writeChunk(handle: FileHandle, chunk: Uint8Array, signal: AbortSignal): Promise<number> {
  for (let done = 0; done < chunk.length; ) {
    signal.throwIfAborted();
    const { bytesWritten } = await handle.write(chunk, done, chunk.length - done);
    done += bytesWritten;
  }
  return chunk.length;
}

/** Bytes in the portions in which they are written. */
export function* portionsOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

/** Adds bytes to the end of the file at `place`, which is made when missing, with a single write. It grows to `maxBytes` at most. */
export async function appendFile(place: Place, bytes: Uint8Array, maxBytes: number): Promise<void> {
  const handle = await openRegular(place, O_WRONLY | O_APPEND | O_CREAT, 0o600);
  try {
    const { size } = await handle.stat();
    if (bytes.length > 0 && size + bytes.length > maxBytes) throw tooLarge(maxBytes);
    const { bytesWritten } = await handle.write(bytes);
    if (bytesWritten < bytes.length) {
      throw adapterError("ADAPTER_QUOTA", "the disk is full", { data: { bytes_written: bytesWritten } });
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (place.facts === undefined) await place.folder.handle.sync();
}

/** `.<name>.<uuid>.tmp`; of a name that leaves no room for that, the first part. */
function temporaryName(name: string, uuid: string): string {
  const room = MAX_NAME_BYTES - uuid.length - ".".length * 2 - ".tmp".length;
  const shortened = Buffer.from(name)
    .subarray(0, room)
    .toString()
    .replace(/\ufffd$/, "");
  return `.${shortened}.${uuid}.tmp`;
}

/** Whether a name is that of a temporary file, which no listing shows. */
export function isTemporary(name: string): boolean {
  return LEFTOVER.test(name);
}

/** Removes a temporary file that is a day old; a younger one may still be written. */
export async function removeLeftover(folder: Folder, name: string, now: number): Promise<void> {
  const facts = await ifPresent(lstat(folder.at(name)));
  if (facts?.isFile() === true && now - facts.mtimeMs > LEFTOVER_KEPT_MS) await ifPresent(unlink(folder.at(name)));
}

async function sweep({ root, folder }: Place, now: number): Promise<void> {
  if (root.swept.has(folder.real)) return;
  root.swept.add(folder.real);
  let seen = 0;
  for await (const entry of entriesOf(folder)) {
    if (isTemporary(entry.name)) await removeLeftover(folder, entry.name, now);
    seen += 1;
    if (seen === MAX_SWEPT) return;
  }
}

/** The entries of a folder, in no order. */
export async function* entriesOf(folder: Folder): AsyncGenerator<Dirent> {
  for await (const entry of await opendir(folder.at("."), { bufferSize: 256 })) yield entry;
}

function targetExists(): AdapterError {
  return adapterError("ADAPTER_CONFLICT", "the target exists");
}
