/** Lines of a body that is read while it is answered: bounded in length, and in time between bytes. */
import type { Readable } from "node:stream";
import type { Clock } from "../../../vm/run.ts";
import { ServiceFault } from "../../wire/errors.ts";
import type { BodyRoom, BodyShare } from "./room.ts";
import { brokenOff, countReceived, timedOut } from "./stream.ts";

const NEWLINE = 10;

export type LineBounds = {
  readonly maxBytes: number;
  readonly idleMs: number;
  readonly clock: Clock;
  readonly room: BodyRoom;
};

/** Lines that are not blank, those together that came together. Read only when asked for. Throws ServiceFault. */
export async function* readLines(stream: Readable, bounds: LineBounds): AsyncGenerator<readonly Buffer[], void> {
  const chunks = stream.iterator({ destroyOnReturn: false });
  const share = bounds.room.share();
  try {
    yield* linesOf(chunks, bounds, share, (bytes) => countReceived(stream, bytes));
  } finally {
    share.release();
    // The rest belongs to the next reader; do not wait for it here.
    chunks.return?.().catch(() => undefined);
  }
}

async function* linesOf(
  chunks: AsyncIterator<unknown>,
  bounds: LineBounds,
  share: BodyShare,
  count: (bytes: number) => void,
): AsyncGenerator<readonly Buffer[], void> {
  const { maxBytes } = bounds;
  let begun: Buffer[] = [];
  let size = 0;
  for (;;) {
    const { value, done } = await withinIdleTime(chunks.next(), bounds);
    if (done === true) break;
    const whole: Buffer[] = [];
    let rest = value as Buffer;
    count(rest.length);
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

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 13 || byte === 32 || byte === 9);
}

function tooLong(maxBytes: number): ServiceFault {
  return new ServiceFault("payload_too_large", `a line is longer than ${maxBytes} bytes`, {}, { connection: "close" });
}

function withinIdleTime<T>(next: Promise<T>, { clock, idleMs }: LineBounds): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = clock.wait(idleMs, () => reject(timedOut()));
    next.then(resolve, () => reject(brokenOff())).finally(stop);
  });
}
