/** Calendars in which anything may be damaged: they give events, or an error of the adapter, and never take long. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { shownEvent } from "../../../../adapters/builtin/calendar/events/event.ts";
import { parseCalendar } from "../../../../adapters/builtin/calendar/events/ical.ts";
import { occurrencesOf } from "../../../../adapters/builtin/calendar/events/occurrences.ts";
import { Budget } from "../../../../adapters/builtin/calendar/events/recurrence.ts";
import { UTC } from "../../../../adapters/builtin/calendar/events/time.ts";
import { zonesOf } from "../../../../adapters/builtin/calendar/events/vtimezone.ts";
import { seriesIn } from "../../../../adapters/builtin/calendar/series.ts";
import { AdapterError } from "../../../../vm/errors/failures.ts";
import { calendarOf } from "./caldav-world.ts";

const WHOLE = calendarOf(
  ...["BEGIN:VTIMEZONE", "TZID:Office", "BEGIN:STANDARD", "DTSTART:19701025T040000", "TZOFFSETFROM:+0300"],
  ...["TZOFFSETTO:+0200", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "END:STANDARD", "END:VTIMEZONE"],
  ...["BEGIN:VEVENT", "UID:1", "SUMMARY:a\\, b", "DTSTART;TZID=Office:20270301T090000", "DURATION:PT1H"],
  ...["RRULE:FREQ=MONTHLY;BYDAY=MO;BYSETPOS=-1;UNTIL=20280101T000000Z", "EXDATE;TZID=Office:20270329T090000"],
  ...["RDATE;VALUE=DATE:20270405", 'ATTENDEE;CN="A;B":mailto:a@b.c', "END:VEVENT", "BEGIN:VEVENT", "UID:1"],
  ...["RECURRENCE-ID:20270426T070000Z", "DTSTART:20270427T060000Z", "DTEND:20270427T070000Z", "END:VEVENT"],
);
const PIECES = [
  "",
  "\r\n",
  "0",
  "9",
  "-",
  ";",
  ":",
  "=",
  '"',
  ",",
  "\\",
  " ",
  "T",
  "Z",
  "SECONDLY",
  "é",
  "\u0000",
  "BEGIN:VEVENT\r\n",
];
const WINDOW = { from: Date.UTC(2027, 0), to: Date.UTC(2029, 0) };

async function shown(text: string): Promise<number> {
  const calendar = await parseCalendar(text);
  const budget = new Budget(20_000);
  const reading = { zones: zonesOf(calendar, budget), local: UTC, budget };
  const stored = { calendar: "work", object: "one", etag: null, url: null };
  let count = 0;
  for (const series of seriesIn(calendar))
    for (const one of occurrencesOf(series, WINDOW, reading)) {
      shownEvent(one, stored, series.master);
      count += 1;
    }
  return count;
}

it("gives what it holds when it is whole", async () => {
  expect(await shown(WHOLE)).toBe(11);
});

it("is refused in the words of adapters when it cannot be read", async () => {
  const damage = fc.record({
    at: fc.nat(WHOLE.length - 1),
    gone: fc.integer({ min: 0, max: 6 }),
    put: fc.constantFrom(...PIECES),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 4 }), async (damages) => {
      let text = WHOLE;
      for (const { at, gone, put } of damages) text = text.slice(0, at) + put + text.slice(at + gone);
      try {
        await shown(text);
      } catch (thrown) {
        if (!(thrown instanceof AdapterError)) throw thrown;
        expect(["ADAPTER_BAD_DATA", "ADAPTER_TOO_LARGE"]).toContain(thrown.code);
      }
    }),
    { numRuns: 500 },
  );
});
