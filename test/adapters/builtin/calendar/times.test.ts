/** When events happen: zones of the platform and of the calendar, days, exceptions, and unreadable times. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../compiler/json.ts";
import { calendarOf, icsOf } from "./caldav-world.ts";
import { calendarBench, failureOf } from "./calendar-bench.ts";

const bench = calendarBench();

/** Start and end of everything in the calendar in 2027, in the zone of Berlin where nothing else is said. */
async function timesIn(
  ics: string,
  from = "2027-01-01",
  to = "2028-01-01",
): Promise<readonly (readonly [string, string])[]> {
  const events = await eventsIn(ics, from, to);
  return events.map(({ start, end }) => [String(start), String(end)] as const);
}

async function eventsIn(ics: string, from = "2027-01-01", to = "2028-01-01"): Promise<readonly JsonObject[]> {
  bench.world.calendar("work").objects.set("one", ics);
  const adapter = await bench.open({ accounts: { default: { ...bench.world.account, time_zone: "Europe/Berlin" } } });
  return (await adapter.call("list", from, to)) as readonly JsonObject[];
}

const BERLIN = "DTSTART;TZID=Europe/Berlin";

/** A zone that no platform knows, two hours ahead and three in summer. */
const ZONE = [
  "BEGIN:VTIMEZONE",
  "TZID:Office",
  ...["BEGIN:STANDARD", "DTSTART:19701025T040000", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU"],
  ...["TZOFFSETFROM:+0300", "TZOFFSETTO:+0200", "END:STANDARD"],
  ...["BEGIN:DAYLIGHT", "DTSTART:19700329T030000", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU"],
  ...["TZOFFSETFROM:+0200", "TZOFFSETTO:+0300", "END:DAYLIGHT"],
  "END:VTIMEZONE",
];
const event = (...lines: readonly string[]) => ["BEGIN:VEVENT", "UID:1", ...lines, "END:VEVENT"];

describe("times", () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    [
      "of UTC",
      icsOf("UID:1", "DTSTART:20270301T080000Z", "DTEND:20270301T090000Z"),
      ["2027-03-01T08:00:00Z", "2027-03-01T09:00:00Z"],
    ],
    [
      "of a zone",
      icsOf("UID:1", `${BERLIN}:20270701T080000`, "DURATION:PT90M"),
      ["2027-07-01T08:00:00+02:00", "2027-07-01T09:30:00+02:00"],
    ],
    [
      "of a zone west of Greenwich",
      icsOf("UID:1", "DTSTART;TZID=America/St_Johns:20270101T080000"),
      ["2027-01-01T08:00:00-03:30", "2027-01-01T08:00:00-03:30"],
    ],
    [
      "that float",
      icsOf("UID:1", "DTSTART:20270301T080000", "DTEND:20270301T090000"),
      ["2027-03-01T08:00:00+01:00", "2027-03-01T09:00:00+01:00"],
    ],
    ["of a day", icsOf("UID:1", "DTSTART;VALUE=DATE:20270301"), ["2027-03-01", "2027-03-02"]],
    [
      "of days",
      icsOf("UID:1", "DTSTART;VALUE=DATE:20270301", "DTEND;VALUE=DATE:20270304"),
      ["2027-03-01", "2027-03-04"],
    ],
    ["of a week", icsOf("UID:1", "DTSTART;VALUE=DATE:20270301", "DURATION:P1W"), ["2027-03-01", "2027-03-08"]],
    [
      "that end before they start",
      icsOf("UID:1", "DTSTART:20270301T080000Z", "DTEND:20270301T070000Z"),
      ["2027-03-01T08:00:00Z", "2027-03-01T08:00:00Z"],
    ],
    [
      "of a zone of the calendar, in winter",
      calendarOf(...ZONE, ...event("DTSTART;TZID=Office:20270301T090000")),
      ["2027-03-01T09:00:00+02:00", "2027-03-01T09:00:00+02:00"],
    ],
    [
      "of a zone of the calendar, in summer",
      calendarOf(...ZONE, ...event("DTSTART;TZID=Office:20270701T090000")),
      ["2027-07-01T09:00:00+03:00", "2027-07-01T09:00:00+03:00"],
    ],
    [
      "of a zone of the calendar that says since ever",
      calendarOf(
        ...ZONE.map((line) => line.replace(/^DTSTART:\d{8}/, "DTSTART:00010101")),
        ...event("DTSTART;TZID=Office:20270701T090000"),
      ),
      ["2027-07-01T09:00:00+03:00", "2027-07-01T09:00:00+03:00"],
    ],
    [
      "of every year since the first",
      icsOf("UID:1", "DTSTART;VALUE=DATE:00010301", "RRULE:FREQ=YEARLY"),
      ["2027-03-01", "2027-03-02"],
    ],
    // Two in the morning is skipped on 28 March, and is twice on 31 October.
    [
      "that are skipped",
      icsOf("UID:1", `${BERLIN}:20270328T023000`),
      ["2027-03-28T03:30:00+02:00", "2027-03-28T03:30:00+02:00"],
    ],
    [
      "that are twice",
      icsOf("UID:1", `${BERLIN}:20271031T023000`),
      ["2027-10-31T02:30:00+02:00", "2027-10-31T02:30:00+02:00"],
    ],
    [
      "over a change",
      icsOf("UID:1", `${BERLIN}:20270327T220000`, `DTEND;TZID=Europe/Berlin:20270328T060000`),
      ["2027-03-27T22:00:00+01:00", "2027-03-28T06:00:00+02:00"],
    ],
    ["of a leap second", icsOf("UID:1", "DTSTART:20270630T235960Z"), ["2027-06-30T23:59:59Z", "2027-06-30T23:59:59Z"]],
  ];

  it.each(cases)("%s", async (_, ics, times) => {
    expect(await timesIn(ics)).toEqual([times]);
  });
});

describe("series", () => {
  const starts = async (...lines: readonly string[]) =>
    (await timesIn(icsOf("UID:1", ...lines))).map(([start]) => start);

  it("keep the time of the wall over a change of the clock", async () => {
    expect(await starts(`${BERLIN}:20270321T090000`, "RRULE:FREQ=WEEKLY;COUNT=3")).toEqual([
      "2027-03-21T09:00:00+01:00",
      "2027-03-28T09:00:00+02:00",
      "2027-04-04T09:00:00+02:00",
    ]);
  });

  it("end at an instant, whatever the wall shows then", async () => {
    const rule = "RRULE:FREQ=DAILY;UNTIL=20270303T080000Z";
    expect(await starts(`${BERLIN}:20270301T090000`, rule)).toHaveLength(3);
    expect(await starts(`${BERLIN}:20270301T090001`, rule)).toHaveLength(2);
  });

  it("leave out what is excluded, as time or as day", async () => {
    const rule = "RRULE:FREQ=DAILY;COUNT=4";
    const out = ["EXDATE;TZID=Europe/Berlin:20270302T090000", "EXDATE:20270303T080000Z", "EXDATE;VALUE=DATE:20270304"];
    expect(await starts(`${BERLIN}:20270301T090000`, rule, ...out)).toEqual(["2027-03-01T09:00:00+01:00"]);
  });

  it("have dates besides their rule, each once", async () => {
    const more = [
      "RDATE;TZID=Europe/Berlin:20270310T120000,20270302T090000",
      "RDATE;VALUE=PERIOD:20270311T110000Z/PT1H",
    ];
    expect(await starts(`${BERLIN}:20270301T090000`, "RRULE:FREQ=DAILY;COUNT=2", ...more)).toEqual([
      "2027-03-01T09:00:00+01:00",
      "2027-03-02T09:00:00+01:00",
      "2027-03-10T12:00:00+01:00",
      "2027-03-11T12:00:00+01:00",
    ]);
  });

  it("show an exception where it has been moved, under the time that it had", async () => {
    const master = event(`${BERLIN}:20270301T090000`, "SUMMARY:Daily", "RRULE:FREQ=DAILY;COUNT=3");
    const moved = event("RECURRENCE-ID:20270302T080000Z", `${BERLIN}:20270305T100000`, "SUMMARY:Moved");
    const found = await eventsIn(calendarOf(...master, ...moved));
    expect(found.map(({ title, start, recurrence_id }) => [title, start, recurrence_id])).toEqual([
      ["Daily", "2027-03-01T09:00:00+01:00", "2027-03-01T09:00:00+01:00"],
      ["Daily", "2027-03-03T09:00:00+01:00", "2027-03-03T09:00:00+01:00"],
      ["Moved", "2027-03-05T10:00:00+01:00", "2027-03-02T08:00:00Z"],
    ]);
  });

  it("may be known by their exceptions only", async () => {
    const found = await eventsIn(icsOf("UID:1", "RECURRENCE-ID:20270302T080000Z", "DTSTART:20270302T100000Z"));
    expect(found).toMatchObject([{ id: "work;one;20270302T080000Z", rrule: null }]);
  });

  it("of whole days stay on their days", async () => {
    expect(await starts("DTSTART;VALUE=DATE:20270327", "RRULE:FREQ=DAILY;UNTIL=20270329")).toEqual([
      "2027-03-27",
      "2027-03-28",
      "2027-03-29",
    ]);
  });
});

describe("a window", () => {
  it.each([
    ["2027-03-01T09:00:00Z", "2027-03-01T10:00:00Z", 1, "holds what starts with it"],
    ["2027-03-01T10:00:00Z", "2027-03-01T11:00:00Z", 0, "does not hold what ends as it begins"],
    ["2027-03-01T08:00:00Z", "2027-03-01T09:00:00Z", 0, "does not hold what starts as it ends"],
    ["2027-03-01T09:30:00Z", "2027-03-01T09:40:00Z", 1, "contains an event that lasts through it"],
  ])("from %s to %s gives %i: it %s", async (from, to, count) => {
    const ics = icsOf("UID:1", "DTSTART:20270301T090000Z", "DTEND:20270301T100000Z");
    expect(await timesIn(ics, from, to)).toHaveLength(count);
  });
});

describe("data that cannot be read", () => {
  it.each([
    ["garbage", "no calendar at all"],
    ["nothing", ""],
    ["another kind", "BEGIN:VCARD\r\nEND:VCARD\r\n"],
    ["no end", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n"],
    ["an invalid time", icsOf("UID:1", "DTSTART:20271399T990000Z")],
    ["a time of letters", icsOf("UID:1", "DTSTART:garbage")],
    ["a day that there is not", icsOf("UID:1", "DTSTART;VALUE=DATE:20270230")],
    ["an invalid duration", icsOf("UID:1", "DTSTART:20270301T080000Z", "DURATION:soon")],
    ["an invalid rule", icsOf("UID:1", "DTSTART:20270301T080000Z", "RRULE:FREQ=OFTEN")],
    ["no start", icsOf("UID:1", "SUMMARY:x")],
    ["deep nesting", `${"BEGIN:VCALENDAR\r\n".repeat(5_000)}${"END:VCALENDAR\r\n".repeat(5_000)}`],
    ["a line of parameters", icsOf("UID:1", "DTSTART:20270301T080000Z", `X-A${';A="b"'.repeat(200_000)}:x`)],
    [
      "a zone of a second",
      calendarOf(
        ...ZONE.map((line) => line.replace("FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "FREQ=SECONDLY")),
        ...event("DTSTART;TZID=Office:20270701T090000"),
      ),
    ],
  ])("%s", async (_, ics) => {
    expect((await failureOf(timesIn(ics))).code).toBe("ADAPTER_BAD_DATA");
  });

  it("is named by its object, without a word of it", async () => {
    const failure = await failureOf(timesIn(icsOf("UID:1", "canary of the line")));
    expect(failure.data).toEqual({ object: "one" });
    expect(failure.message).not.toContain("canary");
  });
});

describe("too much", () => {
  it.each([
    ["an endless rule of seconds", "RRULE:FREQ=SECONDLY"],
    ["an endless rule of minutes", "RRULE:FREQ=MINUTELY"],
    ["a rule that counts for centuries", "RRULE:FREQ=SECONDLY;COUNT=2147483647"],
    ["a rule of seconds within hours that never come", "RRULE:FREQ=SECONDLY;BYHOUR=9;BYSETPOS=2"],
  ])("%s", async (_, rule) => {
    expect((await failureOf(timesIn(icsOf("UID:1", "DTSTART:19700101T000000Z", rule)))).code).toBe("ADAPTER_TOO_LARGE");
  });

  it("1,000 occurrences are listed, one more is not", async () => {
    const ics = (count: number) => icsOf("UID:1", "DTSTART:20270101T000000Z", `RRULE:FREQ=HOURLY;COUNT=${count}`);
    expect(await timesIn(ics(1_000))).toHaveLength(100);
    expect((await failureOf(timesIn(ics(1_001)))).code).toBe("ADAPTER_TOO_LARGE");
  });

  it("two years are listed, one day more is not", async () => {
    const ics = icsOf("UID:1", "DTSTART:20270301T080000Z");
    expect(await timesIn(ics, "2027-01-01", "2029-01-01")).toHaveLength(1);
    expect((await failureOf(timesIn(ics, "2027-01-01", "2029-01-02"))).code).toBe("ADAPTER_TOO_LARGE");
  });
});
