/** Lines of a body that is read while it is answered: bounded in length, and in time between bytes. */
import type { Readable } from "node:stream";
import type { Clock } from "../../../vm/run.ts";
import { ServiceFault } from "../../wire/errors.ts";
import type { BodyRoom, BodyShare } from "./room.ts";
import { brokenOff, countReceived, timedOut } from "./stream.ts";

const NEWLINE = 10;

export type LineBounds = {
  /** Of one line. */
  readonly maxBytes: number;
  /** Of all lines together, once they are decoded. */
  readonly maxTotalBytes: number;
  /** The stream decodes the body. */
  readonly isDecoded: boolean;
  readonly idleMs: number;
  readonly clock: Clock;
  readonly room: BodyRoom;
};

/** The bytes of a body as they come, in the blocks in which they come. Read only when asked for. Throws ServiceFault. */
export async function* readBlocks(stream: Readable, bounds: LineBounds): AsyncGenerator<Buffer, void> {
  // What decodes a body ends with its reader. A connection does not: it has an answer to carry.
  const chunks = stream.iterator({ destroyOnReturn: bounds.isDecoded });
  let total = 0;
  try {
    for (;;) {
      const { value, done } = await withinIdleTime(chunks.next(), bounds);
      if (done === true) return;
      const block = value as Buffer;
      countReceived(stream, block.length);
      total += block.length;
      if (total > bounds.maxTotalBytes) throw tooMuch(bounds.maxTotalBytes);
      yield block;
    }
  } finally {
    // The rest belongs to the next reader; do not wait for it here.
    chunks.return?.().catch(() => undefined);
  }
}

/** Lines that are not blank, those together that came together. Read only when asked for. Throws ServiceFault. */
export async function* readLines(stream: Readable, bounds: LineBounds): AsyncGenerator<readonly Buffer[], void> {
  const share = bounds.room.share();
  try {
    yield* linesOf(readBlocks(stream, bounds), bounds, share);
  } finally {
    share.release();
  }
}

async function* linesOf(
  blocks: AsyncIterable<Buffer>,
  { maxBytes }: LineBounds,
  share: BodyShare,
): AsyncGenerator<readonly Buffer[], void> {
  let begun: Buffer[] = [];
  let size = 0;
  for await (const block of blocks) {
    const whole: Buffer[] = [];
    let rest = block;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      const line = size === 0 ? rest.subarray(0, end) : Buffer.concat([...begun, rest.subarray(0, end)]);
      size = line.length;
      if (size > maxBytes) break;
      rest = rest.subarray(end + 1);
      begun = [];
      size = 0;
      if (!isBlank(line)) whole.push(line);
    }
    if (size <= maxBytes && rest.length > 0) {
      begun.push(rest);
      size += rest.length;
    }
    share.hold(size);
    if (whole.length > 0) yield whole;
    if (size > maxBytes) throw tooLong(maxBytes);
  }
  const last = Buffer.concat(begun);
  if (!isBlank(last)) yield [last];
}

/** The first line that is not blank, without its end, and what follows it; null: all are blank. Throws ServiceFault. */
export async function firstLine(
  blocks: AsyncGenerator<Buffer, void>,
  maxBytes: number,
  share: BodyShare,
): Promise<FirstLine | null> {
  let begun = Buffer.alloc(0);
  let number = 1;
  for (;;) {
    const { value, done } = await blocks.next();
    if (done === true) return isBlank(begun) ? null : { line: begun, rest: blocks, next: number + 1 };
    begun = Buffer.concat([begun, value]);
    for (let end = begun.indexOf(NEWLINE); end >= 0; end = begun.indexOf(NEWLINE)) {
      const line = begun.subarray(0, end);
      begun = begun.subarray(end + 1);
      number += 1;
      if (isBlank(line)) continue;
      share.hold(0);
      return { line, rest: following(begun, blocks), next: number };
    }
    if (begun.length > maxBytes) throw tooLong(maxBytes);
    share.hold(begun.length);
  }
}

/** `next`: number of the line after it. */
export type FirstLine = { readonly line: Buffer; readonly rest: AsyncGenerator<Buffer, void>; readonly next: number };

async function* following(first: Buffer, rest: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  try {
    if (first.length > 0) yield first;
    yield* rest;
  } finally {
    await rest.return();
  }
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 13 || byte === 32 || byte === 9);
}

function tooLong(maxBytes: number): ServiceFault {
  return new ServiceFault("payload_too_large", `a line is longer than ${maxBytes} bytes`, {}, { connection: "close" });
}

function tooMuch(maxBytes: number): ServiceFault {
  const message = `the body is larger than ${maxBytes} bytes (WF_BATCH_MAX_BYTES)`;
  return new ServiceFault("payload_too_large", message, {}, { connection: "close" });
}

function withinIdleTime<T>(next: Promise<T>, { clock, idleMs }: LineBounds): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = clock.wait(idleMs, () => reject(timedOut()));
    next.then(resolve, (cause: unknown) => reject(brokenOff(cause))).finally(stop);
  });
}
