/**
 * When a cron line is due. Croner computes the times; this wraps it, so that there are five fields and no others, and its messages are never
 * shown. A line whose hours are numbers has fixed times: those that the clock skips in spring fire at the end of the gap, those that come
 * twice in autumn fire once. A line with a `*` as its hour fires by the hours that pass.
 */
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

/** null: the text is not a cron line, or the machine does not know the time zone. */
export function cronTimes(cron: string, tz: string): CronTimes | null {
  if (cron.length > MAX_LENGTH || !(FIELDS.test(cron) || WORD.test(cron))) return null;
  let times: Cron;
  try {
    // Croner looks for the zone when it is asked for a time.
    new Intl.DateTimeFormat("en", { timeZone: tz });
    times = new Cron(withFixedTimes(cron.trim()), {
      timezone: tz,
      paused: true,
      mode: "5-part",
      fixedTimeRule: "no-wildcard",
    });
  } catch {
    return null;
  }
  return {
    next: (ms) => times.nextRun(new Date(ms))?.getTime() ?? null,
    previous: (count, ms) => times.previousRuns(count, new Date(ms + 1)).map((date) => date.getTime()),
  };
}

/** Croner takes times for fixed where neither minutes nor hours are written as `*` or with a step: so they are written as numbers. */
function withFixedTimes(cron: string): string {
  const [minute = "", hour = "", ...days] = cron.split(/\s+/);
  if (days.length !== 3 || /[*?]/.test(hour)) return cron;
  return [asNumbers(minute, 59), asNumbers(hour, 23), ...days].join(" ");
}

/** The values of a field instead of its steps and wildcards; what is not one of them stays as it is. */
function asNumbers(field: string, last: number): string {
  return field
    .split(",")
    .map((item) => {
      const [, any, low, high, step = "1"] = /^(?:([*?])|(\d{1,2})-(\d{1,2}))(?:\/(\d{1,2}))?$/.exec(item) ?? [];
      const [from, to, by] = any === undefined ? [Number(low), Number(high), Number(step)] : [0, last, Number(step)];
      // Croner refuses a range that runs backwards or has no step.
      if (!(from <= to && to <= last && by >= 1 && by <= last + 1)) return item;
      return Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, at) => from + at * by).join();
    })
    .join();
}
