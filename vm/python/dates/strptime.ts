/** `strptime`: a port of CPython's `_strptime.py` for the locale C. Formats become patterns of the module re. */
import { raised, VALUE_ERROR } from "../exceptions.ts";
import { PyDate, PyDatetime, PyTimezone, UTC } from "../kinds/dates.ts";
import type { Context } from "../object.ts";
import { finish } from "../object.ts";
import { repr } from "../operators/text.ts";
import { Flag } from "../regex/flags.ts";
import { Matcher } from "../regex/matcher.ts";
import { parsePattern } from "../regex/parse.ts";
import { programOf } from "../regex/program.ts";
import { groupText } from "../regex/template.ts";
import { digitValue } from "../unicode/sets.ts";
import { checkedDate, checkedTime, dateOfOrdinal, dayOfYear, isLeap, ordinalOf, weekdayOf } from "./calendar.ts";
import { checkedOffset } from "./parse.ts";
import { MONTHS, WEEKDAYS } from "./write.ts";

const ALL_WEEKDAYS = WEEKDAYS.map((name) => name.toLowerCase());
const ALL_MONTHS = MONTHS.map((name) => name.toLowerCase());

/** The longest names first; those of one length in their order. */
function oneOf(directive: string, names: readonly string[]): string {
  return `(?P<${directive}>${[...names].sort((a, b) => b.length - a.length).join("|")})`;
}

const short = (names: readonly string[]): string[] => names.map((name) => name.slice(0, 3));
const WEEK = "5[0-3]|[0-4]\\d|\\d";
const DIRECTIVES: { readonly [directive: string]: string } = {
  d: "(?P<d>3[0-1]|[1-2]\\d|0[1-9]|[1-9]| [1-9])",
  f: "(?P<f>[0-9]{1,6})",
  H: "(?P<H>2[0-3]|[0-1]\\d|\\d)",
  I: "(?P<I>1[0-2]|0[1-9]|[1-9])",
  G: "(?P<G>\\d\\d\\d\\d)",
  j: "(?P<j>36[0-6]|3[0-5]\\d|[1-2]\\d\\d|0[1-9]\\d|00[1-9]|[1-9]\\d|0[1-9]|[1-9])",
  m: "(?P<m>1[0-2]|0[1-9]|[1-9])",
  M: "(?P<M>[0-5]\\d|\\d)",
  S: "(?P<S>6[0-1]|[0-5]\\d|\\d)",
  U: `(?P<U>${WEEK})`,
  W: `(?P<W>${WEEK})`,
  w: "(?P<w>[0-6])",
  u: "(?P<u>[1-7])",
  V: "(?P<V>5[0-3]|0[1-9]|[1-4]\\d|\\d)",
  y: "(?P<y>\\d\\d)",
  Y: "(?P<Y>\\d\\d\\d\\d)",
  z: "(?P<z>[+-]\\d\\d:?[0-5]\\d(:?[0-5]\\d(\\.\\d{1,6})?)?|(?-i:Z))",
  A: oneOf("A", ALL_WEEKDAYS),
  a: oneOf("a", short(ALL_WEEKDAYS)),
  B: oneOf("B", ALL_MONTHS),
  b: oneOf("b", short(ALL_MONTHS)),
  p: "(?P<p>am|pm)",
  Z: "(?P<Z>gmt|utc)",
  "%": "%",
};
const WHOLE: { readonly [directive: string]: string } = {
  c: "%a %b %d %H:%M:%S %Y",
  x: "%m/%d/%y",
  X: "%H:%M:%S",
};

function patternOf(format: string, whole: string): string {
  const escaped = format.replace(/[\\.^$*+?(){}[\]|]/g, "\\$&").replace(/\s+/g, "\\s+");
  return escaped.replace(/%([\s\S]|$)/gu, (_, directive: string) => {
    if (directive === "") throw raised(VALUE_ERROR, `stray % in format '${whole}'`);
    const inner = WHOLE[directive];
    if (inner !== undefined) return patternOf(inner, whole);
    const pattern = DIRECTIVES[directive];
    if (pattern !== undefined) return pattern;
    const shown = directive === "\\" ? "%" : directive;
    throw raised(VALUE_ERROR, `'${shown}' is a bad directive in format '${whole}'`);
  });
}

type Compiled = { readonly matcher: Matcher; readonly names: ReadonlyMap<string, number> };
const kept = new Map<string, Compiled>();
const MAX_KEPT = 50;

function compiled(format: string): Compiled {
  const known = kept.get(format);
  if (known !== undefined) return known;
  const { tree, groups, names } = parsePattern(patternOf(format, format), Flag.I);
  const made = { matcher: new Matcher(programOf(tree, groups), groups), names };
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(format, made);
  return made;
}

export function strptime(text: string, format: string, ctx: Context): PyDatetime {
  const { year, month, day, hour, minute, second, micro, zone } = readTime(text, format, ctx);
  const time = checkedTime(hour, minute, second, micro, zone, 0);
  return new PyDatetime(...checkedDate(year, month, day), time);
}

/** What `_strptime` of CPython gives. */
export type ReadTime = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  /** 60 and 61 are seconds, too. */
  readonly second: number;
  readonly micro: number;
  /** 0 is Monday; as written, also where it is not the date's. */
  readonly weekday: number;
  readonly dayOfYear: number;
  readonly zone: PyTimezone | null;
  /** As written: `UTC` or `GMT` in any case. */
  readonly zoneName: string | null;
};

export function readTime(text: string, format: string, ctx: Context): ReadTime {
  ctx.charge(text.length + format.length * 8);
  const { matcher, names } = compiled(format);
  const search = { text, from: 0, end: text.length, isAnchored: true, isWhole: false, mustAdvance: false };
  const registers = finish(matcher.find(search, ctx));
  if (registers === null)
    throw raised(VALUE_ERROR, `time data ${repr(text, ctx)} does not match format ${repr(format, ctx)}`);
  const end = registers[1] as number;
  if (end < text.length) throw raised(VALUE_ERROR, `unconverted data remains: ${text.slice(end)}`);
  const found = new Map<string, string>();
  for (const [name, number] of names) found.set(name, groupText(text, registers, number) ?? "");
  return built(found);
}

/** An int of digits of any script. */
function intOf(digits: string): number {
  let value = 0;
  for (const char of digits.trim()) value = value * 10 + digitValue(char.codePointAt(0) as number);
  return value;
}

function built(found: ReadonlyMap<string, string>): ReadTime {
  const int = (name: string): number | null => (found.has(name) ? intOf(found.get(name) as string) : null);
  const index = (name: string, names: readonly string[]): number | null => {
    const value = found.get(name)?.toLowerCase();
    return value === undefined ? null : names.indexOf(value);
  };
  let year = int("Y");
  const shortYear = int("y");
  // Of two years the one further to the right counts.
  if (shortYear !== null && (year === null || lastOf(found, "y", "Y") === "y"))
    year = shortYear <= 68 ? shortYear + 2000 : shortYear + 1900;
  const month = lastMonth(found, int("m"), index("B", ALL_MONTHS), index("b", short(ALL_MONTHS)));
  const day = int("d") ?? 1;
  const weekday = lastWeekday(found, index);
  const isoYear = int("G");
  const isoWeek = int("V");
  const week = found.has("U") && lastOf(found, "U", "W") === "U" ? int("U") : int("W");
  const weekStart = found.has("U") && lastOf(found, "U", "W") === "U" ? 6 : 0;
  checkWeeks(year, isoYear, isoWeek, weekday, week, found.has("j"));
  const isLeapFix = year === null && month === 2 && day === 29;
  let fullYear = year ?? (isLeapFix ? 1904 : 1900);
  let julian = int("j");
  if (julian === null && weekday !== null) {
    if (week !== null) julian = julianOfWeek(fullYear, week, weekday, weekStart === 0);
    else if (isoYear !== null && isoWeek !== null) [fullYear, julian] = julianOfIsoWeek(isoYear, isoWeek, weekday + 1);
    if (julian !== null && julian <= 0) {
      fullYear -= 1;
      julian += isLeap(fullYear) ? 366 : 365;
    }
  }
  let date = new PyDate(fullYear, month, day);
  if (julian === null) checkedDate(fullYear, month, day);
  else date = dateOfOrdinal(julian - 1 + ordinalOf(new PyDate(...checkedDate(fullYear, 1, 1))));
  return {
    year: isLeapFix ? 1900 : date.year,
    month: date.month,
    day: date.day,
    hour: hourOf(found, int),
    minute: int("M") ?? 0,
    second: int("S") ?? 0,
    micro: intOf((found.get("f") ?? "0").padEnd(6, "0")),
    weekday: weekday ?? weekdayOf(date),
    dayOfYear: julian ?? dayOfYear(date),
    zone: zoneOf(found),
    zoneName: found.get("Z") ?? null,
  };
}

/** The one of two directives that stands further to the right. */
function lastOf(found: ReadonlyMap<string, string>, ...names: readonly string[]): string | undefined {
  return [...found.keys()].filter((name) => names.includes(name)).at(-1);
}

function lastMonth(
  found: ReadonlyMap<string, string>,
  number: number | null,
  full: number | null,
  abbreviated: number | null,
): number {
  const last = lastOf(found, "m", "B", "b");
  if (last === "m") return number as number;
  if (last === "B") return (full as number) + 1;
  return last === "b" ? (abbreviated as number) + 1 : 1;
}

/** 0 is Monday. */
function lastWeekday(
  found: ReadonlyMap<string, string>,
  index: (name: string, names: readonly string[]) => number | null,
): number | null {
  switch (lastOf(found, "A", "a", "w", "u")) {
    case "A":
      return index("A", ALL_WEEKDAYS);
    case "a":
      return index("a", short(ALL_WEEKDAYS));
    case "w":
      return (intOf(found.get("w") as string) + 6) % 7;
    case "u":
      return intOf(found.get("u") as string) - 1;
    default:
      return null;
  }
}

function checkWeeks(
  year: number | null,
  isoYear: number | null,
  isoWeek: number | null,
  weekday: number | null,
  week: number | null,
  hasJulian: boolean,
): void {
  const days = "weekday directive ('%A', '%a', '%w', or '%u').";
  if (year === null && isoYear !== null) {
    if (isoWeek === null || weekday === null)
      throw raised(VALUE_ERROR, `ISO year directive '%G' must be used with the ISO week directive '%V' and a ${days}`);
    if (hasJulian)
      throw raised(
        VALUE_ERROR,
        "Day of the year directive '%j' is not compatible with ISO year directive '%G'. Use '%Y' instead.",
      );
  } else if (week === null && isoWeek !== null) {
    throw raised(
      VALUE_ERROR,
      weekday === null
        ? `ISO week directive '%V' must be used with the ISO year directive '%G' and a ${days}`
        : "ISO week directive '%V' is incompatible with the year directive '%Y'. Use the ISO year '%G' instead.",
    );
  }
}

function hourOf(found: ReadonlyMap<string, string>, int: (name: string) => number | null): number {
  const hour = int("I");
  if (hour === null || lastOf(found, "H", "I") === "H") return int("H") ?? 0;
  if ((found.get("p") ?? "").toLowerCase() === "pm") return hour === 12 ? 12 : hour + 12;
  return hour === 12 ? 0 : hour;
}

function julianOfWeek(year: number, week: number, weekday: number, startsOnMonday: boolean): number {
  const shift = startsOnMonday ? 0 : 1;
  const first = (weekdayOf(new PyDate(...checkedDate(year, 1, 1))) + shift) % 7;
  const day = (weekday + shift) % 7;
  if (week === 0) return 1 + day - first;
  return 1 + ((7 - first) % 7) + 7 * (week - 1) + day;
}

function julianOfIsoWeek(year: number, week: number, weekday: number): [number, number] {
  const start = ordinalOf(new PyDate(...checkedDate(year, 1, 1)));
  const fourth = weekdayOf(new PyDate(year, 1, 4)) + 1;
  const ordinal = week * 7 + weekday - (fourth + 3);
  if (ordinal >= 1) return [year, ordinal];
  return [year - 1, ordinal + start - ordinalOf(new PyDate(...checkedDate(year - 1, 1, 1)))];
}

function zoneOf(found: ReadonlyMap<string, string>): PyTimezone | null {
  const written = found.get("z");
  if (written === undefined) return null;
  const name = found.get("Z") ?? null;
  let offset = 0;
  if (written !== "Z" && written !== "z") {
    let text = written;
    if (text[3] === ":") {
      text = text.slice(0, 3) + text.slice(4);
      if (text.length > 5) {
        if (text[5] !== ":") throw raised(VALUE_ERROR, `Inconsistent use of : in ${written}`);
        text = text.slice(0, 5) + text.slice(6);
      }
    }
    const seconds = intOf(text.slice(1, 3)) * 3600 + intOf(text.slice(3, 5)) * 60 + intOf(text.slice(5, 7));
    offset = seconds * 1_000_000 + intOf(text.slice(8).padEnd(6, "0"));
    if (text.startsWith("-")) offset = -offset;
  }
  return offset === 0 && name === null ? UTC : new PyTimezone(checkedOffset(offset + 0), name);
}
