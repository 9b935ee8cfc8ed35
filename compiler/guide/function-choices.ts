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

/** What may stand after the colon of `{:…}`: Python's order, and `,` before the width as well. */
export const FORMAT_SPEC =
  /^(?:(.)?([<>^]))?([+ -])?(0)?(,)?([1-9][0-9]{0,3})?(,)?(?:\.([0-9]{1,3}))?([sdfFeE%xXob])?$/u;
