/**
 * Schedules in words as cron expressions: `7am, 6pm`, `every 15 minutes`, `weekdays at 8:30` (docs/import.md has the table). Never
 * guesses: a text that is not wholly understood gives null.
 */
import { runsAsWritten } from "./cron-meaning.ts";

export type Schedule = {
  readonly cron: string;
  /** Times of the text that one expression cannot hold next to the others, as `HH:MM`. */
  readonly left_out: readonly string[];
};

/** Longer texts are prose. */
const LONGEST = 1000;

const WORDS: ReadonlyMap<string, string> = new Map([
  ["@hourly", "0 * * * *"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@weekly", "0 0 * * 0"],
  ["@monthly", "0 0 1 * *"],
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
  ["every minute", "* * * * *"],
  ["every hour", "0 * * * *"],
  ["hourly", "0 * * * *"],
]);

/** Day of month, month and day of week of words that stand for days. */
const DAY_WORDS: ReadonlyMap<string, string> = new Map([
  ["daily", "* * *"],
  ["every day", "* * *"],
  ["weekdays", "* * 1-5"],
  ["every weekday", "* * 1-5"],
  ["weekends", "* * 0,6"],
  ["every weekend", "* * 0,6"],
  ["weekly", "* * 1"],
  ["every week", "* * 1"],
  ["monthly", "1 * *"],
  ["every month", "1 * *"],
]);

const DAY_NAMES = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const SHORT_DAY_NAMES: ReadonlyMap<string, number> = new Map([
  ...DAY_NAMES.flatMap((name, index) => [name, `${name}s`, name.slice(0, 3)].map((word) => [word, index] as const)),
  ["tues", 2],
  ["thur", 4],
  ["thurs", 4],
]);

type Time = { readonly hour: number; readonly minute: number };
const DEFAULT_TIME: Time = { hour: 9, minute: 0 };

export function scheduleOf(written: string): Schedule | null {
  if (written.length > LONGEST) return null;
  const text = written.trim().replace(/\s+/g, " ");
  const expression = cronExpression(text);
  if (expression !== null) return { cron: expression, left_out: [] };
  const phrase = text
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/(\d) ?([ap])\.?m\b\.?/g, "$1$2m");
  const fixed = WORDS.get(phrase) ?? interval(phrase);
  return fixed === null ? daysAndTimes(phrase) : { cron: fixed, left_out: [] };
}

/** Five fields as they are, when their values are in range and the line runs as it says. */
function cronExpression(text: string): string | null {
  const plain = /^[0-9a-z*/,-]+(?: [0-9a-z*/,-]+){4}$/i.test(text);
  return plain && runsAsWritten(text) ? text : null;
}

function interval(phrase: string): string | null {
  const [, digits, unit = ""] = /^every (\d{1,2}) (minute|min|hour|hr)s?$/.exec(phrase) ?? [];
  if (digits === undefined) return null;
  const every = Number(digits);
  const inMinutes = unit.startsWith("m");
  const whole = inMinutes ? 60 : 24;
  if (every === 0 || whole % every !== 0) return null;
  const step = every === 1 ? "*" : every === whole ? "0" : `*/${every}`;
  return inMinutes ? `${step} * * * *` : `0 ${step} * * *`;
}

/** `[days] [at] [times]` or `[at] times [on] days`, at least one of both. */
function daysAndTimes(phrase: string): Schedule | null {
  const words = phrase
    .replace(/[,;]|\band\b/g, " , ")
    .split(" ")
    .filter((word) => word !== "");
  const firstTime = words.findIndex((word) => timeOf(word) !== null);
  if (firstTime === -1) return scheduleFor(daysOf(words), [DEFAULT_TIME]);
  const isTimeList = (word: string): boolean => word === "," || timeOf(word) !== null;
  const end = words.findIndex((word, index) => index > firstTime && !isTimeList(word));
  const times = timesOf(words.slice(firstTime, end === -1 ? words.length : end));
  const before = words.slice(0, firstTime);
  const after = end === -1 ? [] : words.slice(end);
  for (const joint of ["at", ","]) if (before.at(-1) === joint) before.pop();
  if (before.length > 0 && after.length > 0) return null;
  const days = before.length + after.length === 0 ? "* * *" : daysOf(before.length > 0 ? before : after);
  return times === null ? null : scheduleFor(days, times);
}

function scheduleFor(days: string | null, times: readonly Time[]): Schedule | null {
  const first = times[0];
  if (days === null || first === undefined) return null;
  const together = times.filter((time) => time.minute === first.minute);
  const hours = [...new Set(together.map((time) => time.hour))].sort((a, b) => a - b);
  const others = times.filter((time) => time.minute !== first.minute);
  return { cron: `${first.minute} ${hours.join(",")} ${days}`, left_out: others.map(clockText) };
}

/** Day fields of words such as `every tuesday , friday`; null when they are anything else. */
function daysOf(words: readonly string[]): string | null {
  const known = DAY_WORDS.get(words.join(" ").replace(/^on /, ""));
  if (known !== undefined) return known;
  const names = words[0] === "every" || words[0] === "on" ? words.slice(1) : words;
  const days = listed(names, (word) => SHORT_DAY_NAMES.get(word) ?? null);
  if (days === null) return null;
  return `* * ${[...new Set(days)].sort((a, b) => a - b).join(",")}`;
}

const timesOf = (words: readonly string[]): readonly Time[] | null => listed(words, timeOf);

/** The values of words with commas between them; null when one is unknown, a comma is missing or one too many. */
function listed<Value>(words: readonly string[], read: (word: string) => Value | null): readonly Value[] | null {
  const values: Value[] = [];
  let expectsValue = true;
  for (const word of words) {
    if (word === ",") {
      // `monday, wednesday, and friday` has two in a row.
      expectsValue = true;
      continue;
    }
    const value = expectsValue ? read(word) : null;
    if (value === null) return null;
    values.push(value);
    expectsValue = false;
  }
  return values.length === 0 || expectsValue ? null : values;
}

/** `7am`, `7:30pm`, `07:30`, `noon`, `midnight`. */
function timeOf(word: string): Time | null {
  if (word === "noon") return { hour: 12, minute: 0 };
  if (word === "midnight") return { hour: 0, minute: 0 };
  const [, hours, minutes, half] = /^(\d{1,2})(?::(\d\d))?(am|pm)?$/.exec(word) ?? [];
  if (hours === undefined || (minutes === undefined && half === undefined)) return null;
  const minute = Number(minutes ?? 0);
  const hour = Number(hours);
  if (minute > 59) return null;
  if (half === undefined) return hour > 23 ? null : { hour, minute };
  if (hour < 1 || hour > 12) return null;
  return { hour: (hour % 12) + (half === "pm" ? 12 : 0), minute };
}

function clockText({ hour, minute }: Time): string {
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}
