/** Lines of a body that is read while it is answered: bounded in length, and in time between bytes. */
import type { Readable } from "node:stream";
import type { Clock } from "../vm/run.ts";
import { brokenOff, timedOut } from "./body-stream.ts";
import { ServiceFault } from "./errors.ts";

const NEWLINE = 10;

export type LineBounds = { readonly maxBytes: number; readonly idleMs: number; readonly clock: Clock };

/** Lines that are not blank. Read only when asked for. Throws ServiceFault. */
export async function* readLines(stream: Readable, bounds: LineBounds): AsyncGenerator<Buffer, void> {
  const chunks = stream.iterator({ destroyOnReturn: false });
  let begun: Buffer[] = [];
  let size = 0;
  for (;;) {
    const { value, done } = await withinIdleTime(chunks.next(), bounds);
    if (done === true) break;
    let rest = value as Buffer;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      const line = size === 0 ? rest.subarray(0, end) : Buffer.concat([...begun, rest.subarray(0, end)]);
      rest = rest.subarray(end + 1);
      begun = [];
      size = 0;
      if (line.length > bounds.maxBytes) throw tooLong(bounds.maxBytes);
      if (!isBlank(line)) yield line;
    }
    if (rest.length === 0) continue;
    begun.push(rest);
    size += rest.length;
    if (size > bounds.maxBytes) throw tooLong(bounds.maxBytes);
  }
  const last = Buffer.concat(begun);
  if (!isBlank(last)) yield last;
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
