/** Recurrence rules: what RFC 5545 says, the edges of the calendar, and rules that never end or never come true. */
import { describe, expect, it } from "vitest";
import { parseCalendar, propertyOf } from "../../../../adapters/builtin/calendar/events/ical.ts";
import { Budget, readRule, recurrences, ruleText } from "../../../../adapters/builtin/calendar/events/recurrence.ts";
import { icsOf } from "./caldav-world.ts";

async function ruleOf(text: string) {
  const [, , [event]] = await parseCalendar(icsOf("UID:1", `RRULE:${text}`));
  const property = event === undefined ? null : propertyOf(event, "rrule");
  if (property === null) throw new Error("no rule");
  return { rule: readRule(property), text: ruleText(property) };
}

const FAR = { from: 0, to: Date.UTC(2200, 0) };

/** The first `most` walls, without what all have in common. */
async function walls(text: string, start: string, most: number, window = FAR): Promise<readonly string[]> {
  const { rule } = await ruleOf(text);
  const found: string[] = [];
  for (const wall of recurrences(rule, Date.parse(`${start}Z`), window, new Budget(200_000))) {
    found.push(new Date(wall).toISOString().slice(0, 16));
    if (found.length === most) break;
  }
  return found;
}

const NEW_YORK = "1997-09-02T09:00:00";

/** The examples of RFC 5545, 3.8.5.3, which begin on 2 September 1997 at nine unless they say otherwise. */
const EXAMPLES: readonly [string, readonly string[], string?][] = [
  ["FREQ=DAILY;COUNT=3", ["1997-09-02", "1997-09-03", "1997-09-04"]],
  ["FREQ=DAILY;INTERVAL=10;COUNT=3", ["1997-09-02", "1997-09-12", "1997-09-22"]],
  ["FREQ=DAILY;UNTIL=19970904T090000Z", ["1997-09-02", "1997-09-03", "1997-09-04"]],
  ["FREQ=YEARLY;BYMONTH=1;BYDAY=SU,MO", ["1998-01-04", "1998-01-05", "1998-01-11"], "1998-01-04T09:00:00"],
  ["FREQ=WEEKLY;INTERVAL=2;WKST=SU", ["1997-09-02", "1997-09-16", "1997-09-30"]],
  ["FREQ=WEEKLY;COUNT=4;WKST=SU;BYDAY=TU,TH", ["1997-09-02", "1997-09-04", "1997-09-09", "1997-09-11"]],
  [
    "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
    ["1997-08-05", "1997-08-10", "1997-08-19", "1997-08-24"],
    "1997-08-05T09:00:00",
  ],
  [
    "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
    ["1997-08-05", "1997-08-17", "1997-08-19", "1997-08-31"],
    "1997-08-05T09:00:00",
  ],
  ["FREQ=MONTHLY;COUNT=3;BYDAY=1FR", ["1997-09-05", "1997-10-03", "1997-11-07"], "1997-09-05T09:00:00"],
  [
    "FREQ=MONTHLY;INTERVAL=2;COUNT=4;BYDAY=1SU,-1SU",
    ["1997-09-07", "1997-09-28", "1997-11-02", "1997-11-30"],
    "1997-09-07T09:00:00",
  ],
  ["FREQ=MONTHLY;COUNT=3;BYDAY=-2MO", ["1997-09-22", "1997-10-20", "1997-11-17"], "1997-09-22T09:00:00"],
  ["FREQ=MONTHLY;BYMONTHDAY=-3", ["1997-09-28", "1997-10-29", "1997-11-28"], "1997-09-28T09:00:00"],
  ["FREQ=MONTHLY;COUNT=4;BYMONTHDAY=2,15", ["1997-09-02", "1997-09-15", "1997-10-02", "1997-10-15"]],
  [
    "FREQ=MONTHLY;COUNT=4;BYMONTHDAY=1,-1",
    ["1997-09-30", "1997-10-01", "1997-10-31", "1997-11-01"],
    "1997-09-30T09:00:00",
  ],
  [
    "FREQ=MONTHLY;INTERVAL=18;COUNT=3;BYMONTHDAY=10,11",
    ["1997-09-10", "1997-09-11", "1999-03-10"],
    "1997-09-10T09:00:00",
  ],
  ["FREQ=YEARLY;COUNT=4;BYMONTH=6,7", ["1997-06-10", "1997-07-10", "1998-06-10", "1998-07-10"], "1997-06-10T09:00:00"],
  [
    "FREQ=YEARLY;INTERVAL=3;COUNT=4;BYYEARDAY=1,100,200",
    ["1997-01-01", "1997-04-10", "1997-07-19", "2000-01-01"],
    "1997-01-01T09:00:00",
  ],
  ["FREQ=YEARLY;BYDAY=20MO", ["1997-05-19", "1998-05-18", "1999-05-17"], "1997-05-19T09:00:00"],
  ["FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", ["1997-05-12", "1998-05-11", "1999-05-17"], "1997-05-12T09:00:00"],
  ["FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8", ["1997-06-05", "1997-06-12", "1997-06-19"], "1997-06-05T09:00:00"],
  ["FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", ["1997-09-02", "1998-02-13", "1998-03-13", "1998-11-13"]],
  [
    "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
    ["1997-09-13", "1997-10-11", "1997-11-08"],
    "1997-09-13T09:00:00",
  ],
  [
    "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
    ["1996-11-05", "2000-11-07", "2004-11-02"],
    "1996-11-05T09:00:00",
  ],
  ["FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", ["1997-09-04", "1997-10-07", "1997-11-06"], "1997-09-04T09:00:00"],
  ["FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", ["1997-09-29", "1997-10-30", "1997-11-27"], "1997-09-29T09:00:00"],
  [
    "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5",
    ["2007-01-15", "2007-01-30", "2007-02-15", "2007-03-15", "2007-03-30"],
    "2007-01-15T09:00:00",
  ],
  // The 31st where there is one, the leap day every four years, and not in 2100.
  ["FREQ=MONTHLY", ["2027-01-31", "2027-03-31", "2027-05-31"], "2027-01-31T09:00:00"],
  ["FREQ=YEARLY", ["2092-02-29", "2096-02-29", "2104-02-29"], "2092-02-29T09:00:00"],
  ["FREQ=YEARLY;BYYEARDAY=-1", ["2027-12-31", "2028-12-31", "2029-12-31"], "2027-12-31T09:00:00"],
];

it.each([...EXAMPLES])("%s", async (rule, days, start = NEW_YORK) => {
  const to = { ...FAR, to: Date.UTC(2110, 0) };
  expect(await walls(rule, start, days.length, to)).toEqual(days.map((day) => `${day}T09:00`));
});

/** Parts of a day. */
it.each([
  ["FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z", ["09:00", "12:00", "15:00"]],
  ["FREQ=MINUTELY;INTERVAL=15;COUNT=3", ["09:00", "09:15", "09:30"]],
  ["FREQ=MINUTELY;INTERVAL=90;COUNT=3", ["09:00", "10:30", "12:00"]],
  ["FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,20,40;COUNT=4", ["09:00", "09:20", "09:40", "10:00"]],
  ["FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10;COUNT=4", ["09:00", "09:20", "09:40", "10:00"]],
])("%s", async (rule, times) => {
  expect(await walls(rule, NEW_YORK, times.length)).toEqual(times.map((time) => `1997-09-02T${time}`));
});

describe("a window far from the start", () => {
  const window = { from: Date.UTC(2150, 5, 1), to: Date.UTC(2150, 5, 3) };

  it.each(["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "DAILY;INTERVAL=7", "WEEKLY;BYDAY=MO,TU"])(
    "is reached without following all of FREQ=%s",
    async (freq) => {
      const [first] = await walls(`FREQ=${freq}`, "1970-01-01T00:00:00", 1, window);
      expect(first === undefined || first.startsWith("2150-06-0")).toBe(true);
    },
  );

  it("has what the rule gives there", async () => {
    expect(await walls("FREQ=WEEKLY;BYDAY=MO,TU", "1970-01-05T09:00:00", 5, window)).toEqual([
      "2150-06-01T09:00",
      "2150-06-02T09:00",
    ]);
  });

  it("is empty after an end", async () => {
    expect(await walls("FREQ=DAILY;UNTIL=20270101T000000Z", "2026-01-01T09:00:00", 5, window)).toEqual([]);
    expect(await walls("FREQ=DAILY;COUNT=10", "2026-01-01T09:00:00", 5, window)).toEqual([]);
  });
});

it.each([
  ["never comes true", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=3"],
  ["never comes true", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31"],
  ["never comes true", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=31"],
  ["counts for centuries", "FREQ=SECONDLY;COUNT=2147483647"],
  [
    "happens at every second of the year",
    `FREQ=YEARLY;BYDAY=MO;BYHOUR=${upTo(23)};BYMINUTE=${upTo(59)};BYSECOND=${upTo(59)}`,
  ],
])("a rule that %s costs what the budget allows: %s", async (_, rule) => {
  const { rule: read } = await ruleOf(rule);
  const late = { from: Date.UTC(2190, 0), to: Date.UTC(2200, 0) };
  const spent = (): number => [...recurrences(read, Date.UTC(1970, 0), late, new Budget(100_000))].length;
  let found = 0;
  try {
    found = spent();
  } catch (thrown) {
    expect(thrown).toMatchObject({ code: "ADAPTER_TOO_LARGE" });
  }
  expect(found).toBe(0);
});

function upTo(most: number): string {
  return Array.from({ length: most + 1 }, (_, at) => at).join(",");
}

it.each([
  "INTERVAL=2",
  "FREQ=NEVER",
  "FREQ=DAILY;COUNT=0",
  "FREQ=DAILY;COUNT=x",
  "FREQ=DAILY;BYMONTH=13",
  "FREQ=DAILY;BYHOUR=24",
  "FREQ=WEEKLY;BYDAY=XX",
  "FREQ=MONTHLY;BYMONTHDAY=0",
  "FREQ=DAILY;INTERVAL=99999999999999999999",
])("%s is not a rule", async (text) => {
  await expect(ruleOf(text)).rejects.toMatchObject({ code: "ADAPTER_BAD_DATA" });
});

it("is returned as it is written", async () => {
  const text = "FREQ=WEEKLY;UNTIL=20270401T000000Z;INTERVAL=2;WKST=SU;BYDAY=MO,-1TU";
  const told = (await ruleOf(text)).text.split(";").sort();
  expect(told).toEqual(text.split(";").sort());
});
