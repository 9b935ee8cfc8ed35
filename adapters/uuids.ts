/**
 * Random UUIDs (RFC 9562, version 4) for runs, written many at a time: making each alone took a tenth of a short run, and so it takes
 * little more than half of that.
 */
import { randomFillSync } from "node:crypto";

/** Written together. An id that is kept keeps their text, 4.6 kB. */
const MANY = 128;
const LENGTH = 36;
/** Where the two digits of each of its bytes stand. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const BYTES = PLACES.length;
const DIGITS = Buffer.from("0123456789abcdef", "latin1");

/** Each call gives a fresh id. */
export function createUuids(): () => string {
  const random = Buffer.alloc(MANY * BYTES);
  const written = Buffer.alloc(MANY * LENGTH, "-");
  let text = "";
  let at = 0;
  return () => {
    if (at === text.length) {
      randomFillSync(random);
      for (let id = 0; id < MANY; id++) write(random, id * BYTES, written, id * LENGTH);
      text = written.toString("latin1");
      at = 0;
    }
    at += LENGTH;
    return text.slice(at - LENGTH, at);
  };
}

function write(random: Buffer, from: number, to: Buffer, at: number): void {
  // Version and variant.
  random[from + 6] = ((random[from + 6] as number) & 0x0f) | 0x40;
  random[from + 8] = ((random[from + 8] as number) & 0x3f) | 0x80;
  for (let i = 0; i < BYTES; i++) {
    const byte = random[from + i] as number;
    const place = at + (PLACES[i] as number);
    to[place] = DIGITS[byte >> 4] as number;
    to[place + 1] = DIGITS[byte & 15] as number;
  }
}
