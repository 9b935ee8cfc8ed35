/** Time zones of schedules, and by how much a schedule fires later than it is due. */
import { createHash } from "node:crypto";
import { BoundedMap } from "../../compiler/bounded-map.ts";

/** Asking the machine takes as long as computing ten times. */
const known = new BoundedMap<boolean>({ max: 1000 });

/** Whether the machine knows the time zone. */
export function isTimeZone(tz: string): boolean {
  // Some machines take offsets such as +01:00 as well.
  if (!/^[a-z]/i.test(tz)) return false;
  const found = known.get(tz);
  if (found !== undefined) return found;
  let is = true;
  try {
    new Intl.DateTimeFormat("en", { timeZone: tz });
  } catch {
    is = false;
  }
  known.set(tz, is);
  return is;
}

/** How much later than due a schedule fires, in milliseconds: the same on every replica. */
export function jitterMs(schedule: string, dueMs: number, jitterS: number): number {
  if (jitterS === 0) return 0;
  const hash = createHash("sha256").update(`${schedule} ${dueMs}`).digest().readUInt32BE(0);
  return Math.floor((hash / 2 ** 32) * jitterS * 1000);
}
