/** Trace ids: 32 lower-case hexadecimal digits from the platform's random source, fetched for many ids at once. */
import { randomFillSync } from "node:crypto";

const ID_BYTES = 16;
const IDS_AT_ONCE = 256;

export function createTraceIds(): () => string {
  const pool = Buffer.alloc(ID_BYTES * IDS_AT_ONCE);
  let next = pool.length;
  return () => {
    if (next === pool.length) {
      randomFillSync(pool);
      next = 0;
    }
    next += ID_BYTES;
    return pool.toString("hex", next - ID_BYTES, next);
  };
}
