/**
 * Time zones that come with a calendar (VTIMEZONE), read as far as they are asked for, and those that go with what is written: programs
 * that do not know the name find its rules there.
 */
import { AdapterError } from "../../../../vm/errors/failures.ts";
import { zoneCalled } from "../zone-names.ts";
import { badCalendar, type Component, componentsOf, type Property, propertiesOf, propertyOf, textOf } from "./ical.ts";
import { type Budget, type Rule, readRule, recurrences } from "./recurrence.ts";
import { DAY_MS, jcalTime, readTime, utcOf, type Zone } from "./time.ts";

const MAX_OBSERVANCES = 64;
const MAX_ZONES = 256;
/** Of one observance in one year; real ones have one. */
const MAX_CHANGES = 50;

type Observance = {
  /** Of the wall before the change. */
  readonly start: number;
  readonly from: number;
  readonly to: number;
  readonly rule: Rule | null;
  readonly dates: readonly number[];
};

export type Zones = {
  /** The zone of a TZID; null when it is unknown. */
  get(name: string): Zone | null;
};

/** The zones of a calendar: its own, else those of the platform. One of its own that cannot be read is taken by its name, too. */
export function zonesOf(calendar: Component, budget: Budget): Zones {
  const own = new Map<string, Component>();
  for (const one of componentsOf(calendar, "vtimezone").slice(0, MAX_ZONES)) {
    const name = textOf(one, "tzid");
    if (name !== null) own.set(name.trim(), one);
  }
  const known = new Map<string, Zone | null>();
  return {
    get(name) {
      const found = known.get(name);
      if (found !== undefined) return found;
      const component = own.get(name.trim());
      const zone = (component === undefined ? null : zoneIfRead(name, component, budget)) ?? zoneCalled(name);
      known.set(name, zone);
      return zone;
    },
  };
}

function zoneIfRead(name: string, component: Component, budget: Budget): Zone | null {
  try {
    return zoneOf(name, component, budget);
  } catch (thrown) {
    if (thrown instanceof AdapterError && thrown.code === "ADAPTER_BAD_DATA") return null;
    throw thrown;
  }
}

function zoneOf(name: string, component: Component, budget: Budget): Zone | null {
  const parts = ["standard", "daylight"].flatMap((kind) => componentsOf(component, kind));
  if (parts.length > MAX_OBSERVANCES) throw badCalendar("has a time zone with too many parts");
  const observances = parts.map(observanceOf).sort((one, other) => one.start - other.start);
  const [first] = observances;
  // A zone without rules says nothing; its name may be known all the same.
  if (first === undefined) return zoneCalled(name);
  const firstYear = yearOf(first.start);
  const years = new Map<number, readonly Change[]>();
  const changesIn = (year: number): readonly Change[] => {
    const known = years.get(year) ?? changesOf(observances, year, budget);
    years.set(year, known);
    return known;
  };
  return {
    name,
    offsetAt(utcMs) {
      for (let year = yearOf(utcMs) + 1; year >= firstYear; year--) {
        budget.spend();
        const change = changesIn(year).findLast(({ utc }) => utc <= utcMs);
        if (change !== undefined) return change.offset;
      }
      return first.from;
    },
  };
}

function observanceOf(component: Component): Observance {
  const rule = propertyOf(component, "rrule");
  return {
    start: readTime(propertyOf(component, "dtstart")?.[3]).wall,
    from: offsetOf(propertyOf(component, "tzoffsetfrom")?.[3]),
    to: offsetOf(propertyOf(component, "tzoffsetto")?.[3]),
    rule: rule === null ? null : readRule(rule),
    dates: propertiesOf(component, "rdate").flatMap(([, , , ...values]) => values.map((value) => readTime(value).wall)),
  };
}

function offsetOf(value: unknown): number {
  const [, sign, hours, minutes, seconds = "0"] = /^([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(String(value)) ?? [];
  if (hours === undefined || Number(hours) > 23) throw badCalendar("has a time zone without offset");
  const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === "-" ? -ms : ms;
}

/** From an instant on another offset holds. */
type Change = { readonly utc: number; readonly offset: number };

/** Those whose wall is in a year, in order. */
function changesOf(observances: readonly Observance[], year: number, budget: Budget): readonly Change[] {
  const window = { from: utcOf(year, 0), to: utcOf(year + 1, 0) };
  const changes: Change[] = [];
  for (const { start, from, to, rule, dates } of observances) {
    const own = changes.length;
    const add = (wall: number): void => {
      if (wall >= window.from && wall < window.to) changes.push({ utc: wall - from, offset: to });
      if (changes.length - own > MAX_CHANGES) throw badCalendar("has a time zone that changes all the time");
    };
    dates.forEach(add);
    for (const wall of rule === null ? [start] : recurrences(rule, start, window, budget, () => from)) add(wall);
  }
  return changes.sort((one, other) => one.utc - other.utc);
}

function yearOf(wall: number): number {
  return new Date(wall).getUTCFullYear();
}

/**
 * A zone as it goes with what starts at an instant: what held as its year began, since many programs take UTC for what no rule covers, and
 * the changes of that year, each as the rule that it follows.
 */
export function vtimezone(zone: Zone, utcMs: number): Component {
  const year = yearOf(utcMs);
  const begin = utcOf(year) - 2 * DAY_MS;
  const steady = zone.offsetAt(begin);
  const turns = turnsIn(zone, year).map((turn) => part(turn, [["rrule", {}, "recur", yearlyRule(turn)]]));
  const parts = [part({ utc: begin, before: steady, offset: steady }, []), ...turns];
  return ["vtimezone", [["tzid", {}, "text", zone.name]], parts];
}

type Turn = Change & { readonly before: number };

function part(turn: Turn, rule: readonly Property[]): Component {
  const { utc, before, offset } = turn;
  const properties: readonly Property[] = [
    ["dtstart", {}, "date-time", jcalTime(utc + before, false)],
    ["tzoffsetfrom", {}, "utc-offset", writtenOffset(before)],
    ["tzoffsetto", {}, "utc-offset", writtenOffset(offset)],
    ...rule,
  ];
  return [offset > before ? "daylight" : "standard", properties, []];
}

function turnsIn(zone: Zone, year: number): readonly Turn[] {
  const turns: Turn[] = [];
  const end = utcOf(year + 1, 0);
  let before = zone.offsetAt(utcOf(year, 0));
  for (let day = utcOf(year, 0); day < end; day += DAY_MS) {
    const offset = zone.offsetAt(day + DAY_MS);
    if (offset !== before) turns.push({ utc: changeWithin(zone, day, before), offset, before });
    before = offset;
  }
  return turns;
}

/** The first instant of a day at which another offset holds than `before`. */
function changeWithin(zone: Zone, day: number, before: number): number {
  let [low, high] = [day, day + DAY_MS];
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (zone.offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** The same weekday of the same month, counted from its end when it is the last one. */
function yearlyRule({ utc, before }: Turn) {
  const at = new Date(utc + before);
  const isLast = at.getUTCDate() + 7 > new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  const weekday = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"][at.getUTCDay()];
  const nth = isLast ? -1 : Math.ceil(at.getUTCDate() / 7);
  return { freq: "YEARLY", bymonth: at.getUTCMonth() + 1, byday: `${nth}${weekday}` };
}

function writtenOffset(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1_000);
  const part = (count: number) => String(count).padStart(2, "0");
  const minutes = `${part(Math.floor(seconds / 3_600))}:${part(Math.floor(seconds / 60) % 60)}`;
  return `${ms < 0 ? "-" : "+"}${minutes}${seconds % 60 === 0 ? "" : `:${part(seconds % 60)}`}`;
}
