/**
 * Recurrence rules (RFC 5545, RRULE) as walls at which something happens. A rule can be endless or never come true, so it is followed
 * only through the window that is asked for, what lies before is skipped where nothing has to be counted, and every step is paid from
 * a budget. The rules of the library are not used: some of them never come to an end.
 */
import { z } from "zod";
import { adapterError } from "../../../errors.ts";
import { badCalendar, type Property } from "./ical.ts";
import { DAY_MS, readTime, utcOf } from "./time.ts";

const FREQUENCIES = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"] as const;
type Frequency = (typeof FREQUENCIES)[number];

const LAST_YEAR = 9999;
const HOUR_MS = 3_600_000;
const UNIT_MS: Readonly<Partial<Record<Frequency, number>>> = {
  WEEKLY: 7 * DAY_MS,
  DAILY: DAY_MS,
  HOURLY: HOUR_MS,
  MINUTELY: 60_000,
  SECONDLY: 1_000,
};

/** Of the calendars that one call reads. Every line costs as much as many characters. */
const MAX_LINES = 250_000;

/** Steps that one call may take, over all rules together, and lines that it may read. */
export class Budget {
  #left: number;
  #lines = MAX_LINES;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** Throws ADAPTER_TOO_LARGE. */
  spend(steps = 1): void {
    this.#left -= steps;
    if (this.#left < 0) throw adapterError("ADAPTER_TOO_LARGE", "the events recur too often to be listed");
  }

  /** Throws ADAPTER_TOO_LARGE. */
  spendLines(lines: number): void {
    this.#lines -= lines;
    if (this.#lines < 0) throw adapterError("ADAPTER_TOO_LARGE", "the calendar has more lines than can be read");
  }
}

function listOf<T extends z.ZodType>(one: T) {
  return z.union([one, z.array(one)]).transform((given) => {
    const values = [given].flat() as z.output<T>[];
    return [...new Set(values)];
  });
}
/** From -most to most without 0, or from `least` up. */
function numbers(most: number, least = -most) {
  return listOf(
    z
      .number()
      .int()
      .min(least)
      .max(most)
      .refine((value) => value !== 0 || least === 0),
  ).default([]);
}

const WEEKDAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"] as const;
const weekday = z
  .string()
  .regex(/^([+-]?\d{1,2})?(SU|MO|TU|WE|TH|FR|SA)$/)
  .transform((text) => ({
    day: WEEKDAYS.indexOf(text.slice(-2) as (typeof WEEKDAYS)[number]),
    nth: Number(text.slice(0, -2)),
  }));

const ruleShape = z.object({
  freq: z.enum(FREQUENCIES),
  interval: z.number().int().min(1).max(100_000).default(1),
  count: z.number().int().min(1).optional(),
  until: z.string().optional(),
  /** 1 is Sunday. */
  wkst: z.number().int().min(1).max(7).default(2),
  bymonth: numbers(12, 1),
  byweekno: numbers(53),
  byyearday: numbers(366),
  bymonthday: numbers(31),
  byday: listOf(weekday).default([]),
  byhour: numbers(23, 0),
  byminute: numbers(59, 0),
  bysecond: numbers(59, 0),
  bysetpos: numbers(366),
});
export type Rule = z.output<typeof ruleShape>;

/** Throws ADAPTER_BAD_DATA. */
export function readRule(property: Property): Rule {
  const read = ruleShape.safeParse(property[3]);
  if (!read.success) throw badCalendar("has a recurrence rule that cannot be read");
  return read.data;
}

/** As it is written in iCalendar. */
export function ruleText([, , , value]: Property): string {
  const parts = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return parts.map(([name, part]) => `${name.toUpperCase()}=${partText(name, part)}`).join(";");
}

function partText(name: string, value: unknown): string {
  if (name === "wkst" && typeof value === "number") return WEEKDAYS[value - 1] ?? "MO";
  return name === "until" ? String(value).replace(/[-:]/g, "") : String(value);
}

/** In milliseconds of the wall; `to` is not part of it. */
export type Window = { readonly from: number; readonly to: number };

/**
 * The walls of a rule within a window, in order. The start itself is one of them, whether it fits the rule or not. `shift`: how far the
 * wall is ahead of UTC where a rule ends by an instant. Throws ADAPTER_TOO_LARGE and BAD_DATA.
 */
export function* recurrences(
  rule: Rule,
  start: number,
  window: Window,
  budget: Budget,
  shift: (utcMs: number) => number = () => 0,
): Generator<number> {
  const end = Math.min(window.to, lastWall(rule, shift) + 1);
  let counted = 1;
  if (start >= window.from && start < end) yield start;
  for (const wall of candidates(rule, start, rule.count === undefined ? window.from : start, end, budget)) {
    if (wall <= start) continue;
    if (wall >= end || (rule.count !== undefined && counted >= rule.count)) return;
    counted += 1;
    if (wall >= window.from) yield wall;
  }
}

function lastWall({ until }: Rule, shift: (utcMs: number) => number): number {
  if (until === undefined) return Number.POSITIVE_INFINITY;
  const { wall, allDay, utc } = readTime(until);
  if (allDay) return wall + DAY_MS - 1;
  return utc ? wall + shift(wall) : wall;
}

/** What the rule gives, in order, from the period on in which `from` lies. */
function* candidates(rule: Rule, start: number, from: number, to: number, budget: Budget): Generator<number> {
  const filled = withDefaults(rule, start);
  const isDay = dayTest(filled);
  for (const { begin, days } of periods(filled, start, Math.max(start, from), to, isDay)) {
    const walls: number[] = [];
    for (let day = 0; day < days; day++) {
      const at = dayOf(begin) + day * DAY_MS;
      const times = isDay(at) ? timesOn(filled, start, begin, at) : [];
      budget.spend(1 + times.length);
      walls.push(...times);
    }
    yield* atPositions(walls, filled.bysetpos);
  }
}

/** What a rule leaves open is as in the start. */
function withDefaults(rule: Rule, start: number): Rule {
  const { freq, byweekno, byyearday, bymonthday, byday, bymonth } = rule;
  const at = new Date(start);
  if (byyearday.length + bymonthday.length + byday.length > 0) return rule;
  if (freq === "WEEKLY" || (freq === "YEARLY" && byweekno.length > 0))
    return { ...rule, byday: [{ day: at.getUTCDay(), nth: 0 }] };
  if (freq !== "YEARLY" && freq !== "MONTHLY") return rule;
  const months = freq === "YEARLY" && bymonth.length === 0 ? [at.getUTCMonth() + 1] : bymonth;
  return { ...rule, bymonth: months, bymonthday: [at.getUTCDate()] };
}

type Period = {
  /** Its first wall. */
  readonly begin: number;
  readonly days: number;
};

/** Years, months, weeks, days, hours … at the interval of the rule, until one begins at `to`. */
function* periods(rule: Rule, start: number, from: number, to: number, isDay: DayTest): Generator<Period> {
  const { freq, interval } = rule;
  const unit = UNIT_MS[freq];
  if (unit === undefined) {
    const size = freq === "YEARLY" ? 12 : 1;
    const first = monthOf(start) - (freq === "YEARLY" ? new Date(start).getUTCMonth() : 0);
    const skipped = Math.max(0, Math.floor((monthOf(from) - first) / (size * interval)));
    for (let month = first + skipped * size * interval; ; month += size * interval) {
      const begin = monthStart(month);
      if (begin >= to || !isCounted(begin)) return;
      yield { begin, days: Math.round((monthStart(month + size) - begin) / DAY_MS) };
    }
  }
  const first = freq === "WEEKLY" ? weekStart(start, rule.wkst - 1) : Math.floor(start / unit) * unit;
  const step = unit * interval;
  let begin = first + Math.max(0, Math.floor((from - first) / step)) * step;
  while (begin < to && isCounted(begin)) {
    yield { begin, days: freq === "WEEKLY" ? 7 : 1 };
    // Nothing of a day that does not fit is looked at again.
    const next = unit < DAY_MS && !isDay(dayOf(begin)) ? dayOf(begin) + DAY_MS : begin + step;
    begin += Math.ceil((next - begin) / step) * step;
  }
}

type DayTest = (day: number) => boolean;

/** Whether a day fits the rule; the last answer is kept, for all the hours and seconds of a day. */
function dayTest(rule: Rule): DayTest {
  let last = Number.NaN;
  let fits = false;
  return (day) => {
    if (day !== last) fits = isDayOf(rule, day);
    last = day;
    return fits;
  };
}

function isDayOf(rule: Rule, day: number): boolean {
  const at = new Date(day);
  const [year, month, date] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const ofMonth = Math.round((utcOf(year, month + 1) - utcOf(year, month)) / DAY_MS);
  const ofYear = Math.round((utcOf(year + 1, 0) - utcOf(year, 0)) / DAY_MS);
  const yearday = Math.round((day - utcOf(year, 0)) / DAY_MS) + 1;
  if (rule.bymonth.length > 0 && !rule.bymonth.includes(month + 1)) return false;
  if (!fits(rule.bymonthday, date, ofMonth) || !fits(rule.byyearday, yearday, ofYear)) return false;
  if (rule.byweekno.length > 0 && !isInWeek(rule, day)) return false;
  if (rule.byday.length === 0) return true;
  const inMonth = rule.freq === "MONTHLY" || rule.bymonth.length > 0;
  const [place, size] = inMonth ? [date, ofMonth] : [yearday, ofYear];
  return rule.byday.some(({ day: weekday, nth }) => weekday === at.getUTCDay() && isNth(nth, place, size));
}

/** Whether a place of 1 to `size` is listed, from the front or, as a negative number, from the back; no list admits all. */
function fits(list: readonly number[], place: number, size: number): boolean {
  return list.length === 0 || list.includes(place) || list.includes(place - size - 1);
}

/** The nth weekday of its kind; 0: any. */
function isNth(nth: number, place: number, size: number): boolean {
  return nth === 0 || nth === Math.ceil(place / 7) || nth === -Math.ceil((size - place + 1) / 7);
}

/** Weeks belong to the year that has most of their days. */
function isInWeek({ byweekno, wkst }: Rule, day: number): boolean {
  const week = weekStart(day, wkst - 1);
  const year = new Date(week + 3 * DAY_MS).getUTCFullYear();
  const number = Math.round((week - firstWeek(year, wkst)) / (7 * DAY_MS)) + 1;
  return fits(byweekno, number, Math.round((firstWeek(year + 1, wkst) - firstWeek(year, wkst)) / (7 * DAY_MS)));
}

function firstWeek(year: number, wkst: number): number {
  return weekStart(utcOf(year, 0, 4), wkst - 1);
}

function weekStart(wall: number, first: number): number {
  const day = dayOf(wall);
  return day - ((new Date(day).getUTCDay() - first + 7) % 7) * DAY_MS;
}

/** The walls of a day, within the period where that is shorter than a day. */
function timesOn({ freq, byhour, byminute, bysecond }: Rule, start: number, begin: number, day: number): number[] {
  const rank = FREQUENCIES.indexOf(freq);
  const from = new Date(start);
  const within = new Date(begin);
  const part = (list: readonly number[], unit: Frequency, own: number, current: number): readonly number[] => {
    if (rank < FREQUENCIES.indexOf(unit))
      return list.length === 0 ? [own] : [...list].sort((one, other) => one - other);
    return list.length === 0 || list.includes(current) ? [current] : [];
  };
  const hours = part(byhour, "HOURLY", from.getUTCHours(), within.getUTCHours());
  const minutes = part(byminute, "MINUTELY", from.getUTCMinutes(), within.getUTCMinutes());
  const seconds = part(bysecond, "SECONDLY", from.getUTCSeconds(), within.getUTCSeconds());
  return hours.flatMap((hour) =>
    minutes.flatMap((minute) => seconds.map((second) => day + hour * HOUR_MS + minute * 60_000 + second * 1_000)),
  );
}

function atPositions(walls: readonly number[], positions: readonly number[]): readonly number[] {
  return positions.length === 0 ? walls : walls.filter((_, at) => fits(positions, at + 1, walls.length));
}

function dayOf(wall: number): number {
  return Math.floor(wall / DAY_MS) * DAY_MS;
}

/** Months since the year 2000. */
function monthOf(wall: number): number {
  const at = new Date(wall);
  return (at.getUTCFullYear() - 2000) * 12 + at.getUTCMonth();
}

function monthStart(month: number): number {
  return Date.UTC(2000, month);
}

/** Beyond this, JavaScript has no dates. */
function isCounted(wall: number): boolean {
  return new Date(wall).getUTCFullYear() <= LAST_YEAR;
}
