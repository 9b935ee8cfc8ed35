/**
 * When a cron line is due. Croner computes the times; this wraps it, so that there are five fields and no others, and its messages are never
 * shown. A time that the clock skips in spring fires at the end of the gap, one that comes twice in autumn fires once.
 */
import { createHash } from "node:crypto";
import { Cron } from "croner";

/** Times are milliseconds since 1970. */
export interface CronTimes {
  /** The first due time after `ms`; null: it never is. */
  next(ms: number): number | null;
  /** Up to `count` due times up to and including `ms`, latest first. */
  previous(count: number, ms: number): readonly number[];
}

const FIELDS = /^\s*\S+(?:\s+\S+){4}\s*$/;
const WORD = /^\s*@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)\s*$/i;
const MAX_LENGTH = 200;

/** null: the text is not a cron line. */
export function cronTimes(cron: string, tz: string): CronTimes | null {
  if (cron.length > MAX_LENGTH || !(FIELDS.test(cron) || WORD.test(cron))) return null;
  let times: Cron;
  try {
    times = new Cron(cron.trim(), { timezone: tz, paused: true, mode: "5-part" });
  } catch {
    return null;
  }
  return {
    next: (ms) => times.nextRun(new Date(ms))?.getTime() ?? null,
    previous: (count, ms) => times.previousRuns(count, new Date(ms + 1)).map((date) => date.getTime()),
  };
}

/** Whether the machine knows the time zone. */
export function isTimeZone(tz: string): boolean {
  // Some machines take offsets such as +01:00 as well.
  if (!/^[a-z]/i.test(tz)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: tz });
    return true;
  } catch {
    return false;
  }
}

/** How much later than due a schedule fires, in milliseconds: the same on every replica. */
export function jitterMs(schedule: string, dueMs: number, jitterS: number): number {
  if (jitterS === 0) return 0;
  const hash = createHash("sha256").update(`${schedule} ${dueMs}`).digest().readUInt32BE(0);
  return Math.floor((hash / 2 ** 32) * jitterS * 1000);
}
