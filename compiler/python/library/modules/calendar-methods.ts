/** Methods of calendar.Calendar and TextCalendar. The page of the console leaves them out (`scripts/console-plugins.mjs`). */
import { type Row, row } from "../row.ts";

const TYPE = "calendar.Calendar";
const TEXT = "calendar.TextCalendar";
const more = { raises: "calendar.IllegalMonthError", cost: "n" } as const;

const of = (name: string, help: string): Row =>
  row(
    `${TYPE}.${name}`,
    "self, year, month",
    name.startsWith("iter") ? "Iterator" : "list[list]",
    help,
    `len(list(${TYPE}().${name}(2024, 2))) > 4`,
    more,
  );

const ofYear = (name: string, help: string): Row =>
  row(`${TYPE}.${name}`, "self, year, width=3", "list", help, `len(${TYPE}().${name}(2024)) == 4`, more);

const text = (name: string, params: string, help: string, example: string): Row =>
  row(`${TEXT}.${name}`, params, "str", help, `${TEXT}().${name}${example}`, more);

export const CALENDAR_METHODS: readonly Row[] = [
  row(`${TYPE}.getfirstweekday`, "self", "int", "the day that weeks begin with", `${TYPE}(6).getfirstweekday() == 6`),
  row(
    `${TYPE}.setfirstweekday`,
    "self, firstweekday",
    "None",
    "sets the day that weeks begin with",
    `${TYPE}().setfirstweekday(6) is None`,
  ),
  row(`${TYPE}.iterweekdays`, "self", "Iterator", "the seven weekdays", `list(${TYPE}(6).iterweekdays())[0] == 6`),
  of("itermonthdates", "the dates of a month in whole weeks"),
  of("itermonthdays", "days, 0 outside of the month"),
  of("itermonthdays2", "days with weekdays"),
  of("itermonthdays3", "years, months and days"),
  of("itermonthdays4", "years, months, days and weekdays"),
  of("monthdatescalendar", "the dates of a month by weeks"),
  of("monthdays2calendar", "days with weekdays by weeks"),
  of("monthdayscalendar", "days by weeks, 0 outside of the month"),
  ofYear("yeardatescalendar", "the dates of a year by rows of months"),
  ofYear("yeardays2calendar", "days with weekdays by rows of months"),
  ofYear("yeardayscalendar", "days by rows of months"),
  text("formatday", "self, day, weekday, width", "a day", "(5, 0, 2) == ' 5'"),
  text("formatweek", "self, theweek, width", "a week of days with weekdays", "([(5, 0)], 2) == ' 5'"),
  text("formatweekday", "self, day, width", "the name of a weekday", "(0, 2) == 'Mo'"),
  text("formatweekheader", "self, width", "the names of the weekdays", "(2)[:5] == 'Mo Tu'"),
  text(
    "formatmonthname",
    "self, theyear, themonth, width, withyear=True",
    "the title of a month",
    "(2024, 5, 1) == 'May 2024'",
  ),
  text("formatmonth", "self, theyear, themonth, w=0, l=0", "a month", "(2024, 2)[:16] == '   February 2024'"),
  text("formatyear", "self, theyear, w=2, l=1, c=6, m=3", "a year", "(2024).count('Mo') == 12"),
];
