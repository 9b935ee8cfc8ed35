/** A calendar with a server of its own, for the rules that every adapter keeps. */
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import { caldavWorld, icsOf, PASSWORD, PASSWORD_SECRET } from "./caldav-world.ts";

export type CalendarFixture = {
  readonly settings: JsonObject;
  readonly secrets: Readonly<Record<string, string>>;
  /** What lies in the calendar. */
  observe(): Json;
  close(): Promise<void>;
};

export async function calendarFixture(): Promise<CalendarFixture> {
  const world = await caldavWorld();
  const { objects } = world.calendar("work");
  const daily = ["DTSTART;TZID=Europe/Berlin:20270301T090000", "DURATION:PT15M", "RRULE:FREQ=DAILY;COUNT=5"];
  objects.set("daily", icsOf("UID:daily", "SUMMARY:Daily", ...daily));
  objects.set("lunch", icsOf("UID:lunch", "SUMMARY:Lunch", "DTSTART:20270301T110000Z", "DURATION:PT1H"));
  return {
    settings: { accounts: { default: { ...world.account, time_zone: "Europe/Berlin" } } },
    secrets: { [PASSWORD_SECRET]: PASSWORD },
    observe: () => [...objects].sort(),
    close: () => world.close(),
  };
}

const REVIEW = '{"title": "Review", "start": "2027-03-02T09:00:00+01:00", "end": "2027-03-02T10:00:00+01:00"}';

/** One program for every verb. */
export const CALENDAR_PROGRAMS: readonly { readonly verb: string; readonly source: string }[] = Object.entries({
  G: "R calendar.G ->r",
  list: 'R calendar.list "2027-03-01" "2027-03-08" {"limit": 3} ->r',
  get: 'R calendar.get "work;daily;20270302T080000Z" ->r',
  create: `R calendar.create ${REVIEW} ->r`,
  update: 'R calendar.update "work;lunch" {"title": "Long lunch", "location": "Garden"} ->r',
  delete: 'R calendar.delete "work;daily;20270303T080000Z" ->r',
  freebusy: 'R calendar.freebusy "2027-03-01" "2027-03-02" {"calendars": ["work"]} ->r',
  calendars: "R calendar.calendars ->r",
}).map(([verb, step]) => ({ verb, source: `L1:\n  ${step}\n  J r\n` }));
