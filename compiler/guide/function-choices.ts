/**
 * Words that arguments of functions are chosen from: units of time, parts of a date, orders, sides, and formats. `vm/functions/` reads them from here, and the
 * compiler knows by them which words no run accepts. Case does not matter, except for sides.
 */

/** Units of time, each with its other names. */
export const UNITS_OF_TIME = [
  ["millisecond", "milliseconds ms"],
  ["second", "seconds s sec"],
  ["minute", "minutes min"],
  ["hour", "hours h"],
  ["day", "days d"],
  ["week", "weeks w"],
  ["month", "months"],
  ["quarter", "quarters"],
  ["year", "years y"],
] as const;

/** Names of the parts of a date, and the part. */
export const PARTS_OF_DATES = {
  year: "year",
  month: "month",
  day: "day",
  hour: "hour",
  minute: "minute",
  second: "second",
  millisecond: "millisecond",
  ms: "millisecond",
  weekday: "weekday",
  yearday: "yearday",
  quarter: "quarter",
  week: "week",
} as const;

/** An argument that is one of some words. `meant`: other words for them that only mean one. */
type Choice = {
  /** Place of the argument, from 0. */
  readonly at: number;
  readonly words: readonly string[];
  /** Those that are shown. */
  readonly shown: readonly string[];
  readonly meant: Readonly<Record<string, string>>;
};

const unit = (at: number): Choice => ({
  at,
  words: UNITS_OF_TIME.flatMap(([one, others]) => [one, ...others.split(" ")]),
  shown: UNITS_OF_TIME.map(([one]) => one),
  meant: {
    hr: "hour",
    hrs: "hours",
    mins: "minutes",
    secs: "seconds",
    m: "minute",
    msec: "ms",
    yr: "year",
    yrs: "years",
  },
});

/** By the name of the function. */
export const CHOICES: Readonly<Record<string, Choice | undefined>> = {
  date_add: unit(2),
  date_diff: unit(2),
  date_trunc: unit(1),
  date_part: {
    at: 1,
    words: Object.keys(PARTS_OF_DATES),
    shown: Object.keys(PARTS_OF_DATES).filter((one) => one !== "ms"),
    meant: {
      dow: "weekday",
      dayofweek: "weekday",
      day_of_week: "weekday",
      doy: "yearday",
      dayofyear: "yearday",
      day_of_year: "yearday",
      isoweek: "week",
      years: "year",
      months: "month",
      days: "day",
      hours: "hour",
      minutes: "minute",
      seconds: "second",
    },
  },
  sort_by: {
    at: 2,
    words: ["asc", "desc"],
    shown: ["asc", "desc"],
    meant: { ascending: "asc", descending: "desc", up: "asc", down: "desc", reverse: "desc" },
  },
  pad: {
    at: 3,
    words: ["start", "end", "both"],
    shown: ["start", "end", "both"],
    meant: { left: "start", right: "end", center: "both" },
  },
};

/** What may stand after the colon of `{:…}`: Python's order, and `,` before the width as well. */
export const FORMAT_SPEC =
  /^(?:(.)?([<>^]))?([+ -])?(0)?(,)?([1-9][0-9]{0,3})?(,)?(?:\.([0-9]{1,3}))?([sdfFeE%xXob])?$/u;
