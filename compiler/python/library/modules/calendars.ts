/** The module calendar: its types and its texts. */
import { type Row, row } from "../row.ts";
import { CALENDAR_METHODS } from "./calendar-methods.ts";

const TYPE = "calendar.Calendar";
const TEXT = "calendar.TextCalendar";

const text = (name: string, params: string, example: string): Row =>
  row(`calendar.${name}`, params, "str", "a text of days", example, {
    raises: "calendar.IllegalMonthError IndexError",
    cost: "n",
  });

export const CALENDARS: readonly Row[] = [
  row(TYPE, "firstweekday=0", TYPE, "days in weeks", `${TYPE}(6).firstweekday == 6`),
  row(TEXT, "firstweekday=0", TEXT, "a text of days", `${TEXT}(6).firstweekday == 6`),
  text("month", "theyear, themonth, w=0, l=0", "calendar.month(2024, 2)[:16] == '   February 2024'"),
  text("calendar", "theyear, w=2, l=1, c=6, m=3", "calendar.calendar(2024).count('Mo') == 12"),
  text("week", "theweek, width", "calendar.week([(1, 0)], 2) == ' 1'"),
  text("weekheader", "width", "calendar.weekheader(2)[:5] == 'Mo Tu'"),
  row("calendar.firstweekday", "", "int", "0 is Monday", "calendar.firstweekday() == 0"),
  ...CALENDAR_METHODS,
];
