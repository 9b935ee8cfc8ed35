/** Dates, times and time zones of the module datetime: the data. All are immutable. */
import { PyObject, PyType, setType, type Value } from "../object.ts";
import { PyTuple, TUPLE_TYPE } from "./list.ts";

export class PyTimedelta extends PyObject {
  declare readonly type: PyType;
  /** All of it in microseconds. */
  readonly micros: bigint;
  constructor(micros: bigint) {
    super();
    this.micros = micros;
  }
}
export const TIMEDELTA_TYPE = setType(PyTimedelta, new PyType("datetime.timedelta"));

/** How far clocks are ahead of UTC. */
export abstract class PyTzinfo extends PyObject {}
export const TZINFO_TYPE = new PyType("datetime.tzinfo");

/** A fixed distance from UTC, less than a day, in microseconds. */
export class PyTimezone extends PyTzinfo {
  declare readonly type: PyType;
  readonly offset: number;
  readonly name: string | null;
  constructor(offset: number, name: string | null) {
    super();
    this.offset = offset;
    this.name = name;
  }
}
export const TIMEZONE_TYPE = setType(PyTimezone, new PyType("datetime.timezone", [TZINFO_TYPE]));
export const UTC = new PyTimezone(0, null);

/** A zone of the platform's data. There is one value for each key. */
export class PyZoneInfo extends PyTzinfo {
  declare readonly type: PyType;
  readonly key: string;
  /** Seconds ahead of UTC at an instant, which is in seconds of UTC. */
  readonly offsetAt: (instant: number) => number;
  constructor(key: string, offsetAt: (instant: number) => number) {
    super();
    this.key = key;
    this.offsetAt = offsetAt;
  }
}
export const ZONE_TYPE = setType(PyZoneInfo, new PyType("zoneinfo.ZoneInfo", [TZINFO_TYPE]));

export class PyDate extends PyObject {
  declare readonly type: PyType;
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  constructor(year: number, month: number, day: number) {
    super();
    this.year = year;
    this.month = month;
    this.day = day;
  }
}
export const DATE_TYPE = setType(PyDate, new PyType("datetime.date"));

export class PyTime extends PyObject {
  declare readonly type: PyType;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly micro: number;
  readonly zone: PyTzinfo | null;
  /** 1: the second one of two times that clocks show alike. */
  readonly fold: number;
  constructor(hour: number, minute: number, second: number, micro: number, zone: PyTzinfo | null, fold: number) {
    super();
    this.hour = hour;
    this.minute = minute;
    this.second = second;
    this.micro = micro;
    this.zone = zone;
    this.fold = fold;
  }
}
export const TIME_TYPE = setType(PyTime, new PyType("datetime.time"));

export class PyDatetime extends PyDate {
  readonly time: PyTime;
  constructor(year: number, month: number, day: number, time: PyTime) {
    super(year, month, day);
    this.time = time;
  }
}
export const DATETIME_TYPE = setType(PyDatetime, new PyType("datetime.datetime", [DATE_TYPE]));

/** What `isocalendar` gives: a tuple with names. */
export class PyIsoDate extends PyTuple {}
export const ISO_DATE_TYPE = setType(PyIsoDate, new PyType("datetime.IsoCalendarDate", [TUPLE_TYPE]));

/** What gmtime, localtime and strptime of the module time give, and timetuple of a date: a tuple of nine ints with names, and a zone after them. */
export class PyStructTime extends PyTuple {
  /** `tm_zone` and, in seconds, `tm_gmtoff`. */
  readonly zone: string | null;
  readonly offset: number | null;
  constructor(items: readonly Value[], zone: string | null, offset: number | null) {
    super(items);
    this.zone = zone;
    this.offset = offset;
  }
}
export const STRUCT_TIME_TYPE = setType(PyStructTime, new PyType("time.struct_time", [TUPLE_TYPE]));
