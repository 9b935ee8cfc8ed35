/**
 * Paths that name a stream this process has open: `/dev/stdout`, `/dev/fd/3`, `/proc/self/fd/1`, and links to them. Opening such a path
 * anew would write from the start of a redirected file, and renaming over it would replace the file: results are written to the stream.
 */
import { fstatSync, readlinkSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";

const MAX_LINKS = 40;
const RETRY_MS = 5;
const DESCRIPTOR = new RegExp(`^/(?:dev|proc/(?:self|thread-self|${process.pid}))/fd/(\\d{1,9})$`);

/** The number of the open stream, or null where the path names anything else. */
export function descriptorOf(path: string): number | null {
  let next = path;
  for (let links = 0; links < MAX_LINKS; links++) {
    const number = DESCRIPTOR.exec(next)?.[1];
    if (number !== undefined) return Number(number);
    try {
      next = resolve(dirname(next), readlinkSync(next));
    } catch {
      return null;
    }
  }
  return null;
}

/** False for what is closed, and for what the runtime has open for itself. */
export function isStream(descriptor: number): boolean {
  try {
    const facts = fstatSync(descriptor);
    return facts.isFile() || facts.isFIFO() || facts.isCharacterDevice() || facts.isSocket();
  } catch {
    return false;
  }
}

/** Writes everything; waits while a pipe is full. Throws the system's error. */
export function writeAll(descriptor: number, content: string | Uint8Array): void {
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (cause) {
      if (!(cause instanceof Error && "code" in cause && cause.code === "EAGAIN")) throw cause;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}
