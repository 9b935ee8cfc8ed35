/** Calendars as programs in the wild write them: what can be read is given, the rest is named, and nothing is lost with it. */
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { WINDOWS_ZONES } from "../../../../adapters/builtin/calendar/windows-zones.ts";
import { zoneCalled } from "../../../../adapters/builtin/calendar/zone-names.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import { type WebServer, webServer } from "../http/servers.ts";
import { icsOf } from "./caldav-world.ts";
import { calendarBench, failureOf } from "./calendar-bench.ts";

const bench = calendarBench();
const MONTH = ["2024-07-01", "2024-08-01"] as const;

const servers: WebServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

type Answer = { readonly events: readonly JsonObject[]; readonly warnings: readonly string[] };

async function feed(bytes: Buffer | string, type = "text/calendar") {
  const server = await webServer((_request, response) => response.writeHead(200, { "content-type": type }).end(bytes));
  servers.push(server);
  return bench.open({ accounts: {}, feeds: { c: `${server.base}/c.ics` } });
}

async function listed(bytes: Buffer | string, type?: string): Promise<Answer> {
  const adapter = await feed(bytes, type);
  const events = (await adapter.call("list", ...MONTH, { calendar: "c" })) as readonly JsonObject[];
  return { events, warnings: await adapter.end() };
}

const file = (name: string) => readFileSync(new URL(`../../../fixtures/calendars/${name}.ics`, import.meta.url));
const shown = ({ events }: Answer) => events.map(({ title, start, end }) => [title, start, end]);

const event = (...lines: readonly string[]) => ["BEGIN:VEVENT", ...lines, "END:VEVENT"];
const GOOD = event("UID:g", "SUMMARY:good", "DTSTART:20240702T100000Z", "DURATION:PT1H");
const calendar = (...lines: readonly string[]) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", ...lines, "END:VCALENDAR", ""].join("\r\n");
const GOOD_SHOWN = ["good", "2024-07-02T10:00:00Z", "2024-07-02T11:00:00Z"];

describe("a file", () => {
  const day = (date: string, from: number, to: number) => [
    `2024-07-${date}T${from}:00:00Z`,
    `2024-07-${date}T${to}:00:00Z`,
  ];

  type Case = readonly [name: string, expected: readonly (readonly unknown[])[], type?: string];
  const read: readonly Case[] = [
    ["win_novtz", [["A", "2024-07-15T13:00:00+02:00", "2024-07-15T14:00:00+02:00"]]],
    ["romance", [["A", "2024-07-15T16:00:00+02:00", "2024-07-15T16:00:00+02:00"]]],
    ["slash", [["A", "2024-07-15T16:00:00+02:00", "2024-07-15T17:00:00+02:00"]]],
    ["fold", [["café done", ...day("01", 10, 11)]]],
    ["rrulelower", [GOOD_SHOWN, ["x", ...day("03", 10, 11)], ["x", ...day("04", 10, 11)]]],
    [
      "rdate_period",
      [
        ["A", ...day("01", 10, 11)],
        ["A", ...day("05", 10, 13)],
        ["A", ...day("10", 10, 12)],
      ],
    ],
    [
      "dupuid",
      [
        ["A", ...day("01", 10, 11)],
        ["B", ...day("02", 10, 11)],
      ],
    ],
    ["nodtstamp", [["A", ...day("01", 10, 10)]]],
    ["iso8601dt", [GOOD_SHOWN, ["x", ...day("03", 10, 11)]]],
    ["nocolon", [GOOD_SHOWN, ["x", ...day("03", 10, 11)]]],
    ["rruleempty", [GOOD_SHOWN, ["x", ...day("03", 10, 11)]]],
    ["noendcal", [GOOD_SHOWN]],
    ["allday_multi", [["A", "2024-07-01", "2024-07-02"]]],
    ["latin", [["Café", ...day("03", 10, 11)]], "text/calendar; charset=ISO-8859-1"],
  ];
  it.each(read.map(([name, expected, type = "text/calendar"]) => [name, expected, type] as const))(
    "%s is read",
    async (name, expected, type) => {
      const answer = await listed(file(name), type);
      expect(shown(answer)).toEqual(expected);
      expect(answer.warnings).toEqual([]);
    },
  );

  it.each<readonly [name: string, expected: readonly (readonly unknown[])[], warning: RegExp]>([
    ["badrule", [["good", ...day("02", 10, 10)]], /^calendar_events_left_out: "u1" of "c" \(.* recurrence rule/],
    ["nodtstart", [GOOD_SHOWN], /^calendar_events_left_out: "u1" of "c" \(.* without start/],
    ["utcoff", [["A", ...day("15", 16, 17)]], /^calendar_zone_unknown: "u1" of "c" \(.* time zone/],
  ])("%s is read but for what a warning names", async (name, expected, warning) => {
    const answer = await listed(file(name));
    expect(shown(answer)).toEqual(expected);
    expect(answer.warnings).toEqual([expect.stringMatching(warning)]);
    const failure = await failureOf((await feed(file(name))).call("list", ...MONTH, { unreadable: "fail" }));
    expect([failure.code, failure.data]).toEqual(["ADAPTER_BAD_DATA", { object: "u1" }]);
  });

  it("keeps a description that was continued without a fold", async () => {
    const { events } = await listed(file("nocolon"));
    expect(events[1]).toMatchObject({ description: "line one\nline two without fold" });
  });
});

describe("an event next to others", () => {
  const at = (...lines: readonly string[]) => event("UID:b", "SUMMARY:b", ...lines);

  it.each([
    ["of a day that does not exist", at("DTSTART:20240230T100000Z")],
    ["that ends on one", at("DTSTART:20240703T100000Z", "DTEND:20240732T100000Z")],
    ["of letters", at("DTSTART:soon")],
    ["of a duration that cannot be read", at("DTSTART:20240703T100000Z", "DURATION:soon")],
    ["with quotes that do not end", at('DTSTART;TZID="Europe/Vienna:20240703T100000')],
    ["that excludes what cannot be read", at("DTSTART:20240703T100000Z", "RRULE:FREQ=DAILY", "EXDATE:soon")],
    ["that recurs until a day that does not exist", at("DTSTART:20240703T100000Z", "RRULE:FREQ=DAILY;UNTIL=20240231")],
    [
      "of a zone of its own that changes every second",
      [
        ...["BEGIN:VTIMEZONE", "TZID:Own", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0100"],
        ...["TZOFFSETTO:+0200", "RRULE:FREQ=SECONDLY", "END:STANDARD", "END:VTIMEZONE"],
        ...at("DTSTART;TZID=Own:20240703T100000"),
      ],
    ],
  ])("%s is left out and named", async (_, lines) => {
    for (const text of [calendar(...lines, ...GOOD), calendar(...GOOD, ...lines)]) {
      const answer = await listed(text);
      expect(shown(answer)).toEqual([GOOD_SHOWN]);
      expect(answer.warnings).toEqual([expect.stringMatching(/^calendar_events_left_out: "b" of "c"/)]);
    }
  });

  it("that is cut off with the text is left out", async () => {
    const answer = await listed(
      calendar(...GOOD, ...at("DTSTART:20240703T100000Z")).replace(/END:VEVENT\r\nEND:VCALENDAR\r\n$/, ""),
    );
    expect(shown(answer)).toEqual([GOOD_SHOWN]);
    expect(answer.warnings).toEqual([expect.stringContaining("cut off")]);
  });

  it("with bytes that are not UTF-8 is left out", async () => {
    const text = calendar(...event("UID:b", "SUMMARY:caf\xe9", "DTSTART:20240703T100000Z"), ...GOOD);
    const answer = await listed(Buffer.from(text, "latin1"));
    expect(shown(answer)).toEqual([GOOD_SHOWN]);
    expect(answer.warnings).toEqual([expect.stringContaining("not text of its charset")]);
  });

  it("alone is an error that names it", async () => {
    const failure = await failureOf(listed(calendar(...at("DTSTART:soon"), ...event("UID:c", "DTSTART:later"))));
    expect([failure.code, failure.data]).toEqual(["ADAPTER_BAD_DATA", { object: "b", objects: ["b", "c"] }]);
  });

  it("costs a series only the occurrence that it changes", async () => {
    const daily = event("UID:d", "SUMMARY:d", "DTSTART:20240703T100000Z", "RRULE:FREQ=DAILY;COUNT=3");
    const changed = event("UID:d", "SUMMARY:moved", "RECURRENCE-ID:20240704T100000Z", "DTSTART:soon");
    const answer = await listed(calendar(...daily, ...changed));
    expect(answer.events.map(({ start }) => start)).toEqual(["2024-07-03T10:00:00Z", "2024-07-05T10:00:00Z"]);
    expect(answer.warnings).toHaveLength(1);
  });

  it("in an account is left out, and its own reading names it", async () => {
    const { objects } = bench.world.calendar("work");
    objects.set("bad", icsOf("UID:bad", "DTSTART:soon"));
    objects.set("page", "<html></html>");
    objects.set("good", icsOf("UID:good", "SUMMARY:good", "DTSTART:20240702T100000Z"));
    const adapter = await bench.open();
    expect(await adapter.call("list", ...MONTH)).toMatchObject([{ title: "good" }]);
    expect(await adapter.call("freebusy", ...MONTH)).toEqual([]);
    for (const object of ["bad", "page"]) {
      const failure = await failureOf(adapter.call("get", `work;${object}`));
      expect([failure.code, failure.data]).toEqual(["ADAPTER_BAD_DATA", { object }]);
    }
    const strict = await failureOf(adapter.call("freebusy", ...MONTH, { unreadable: "fail" }));
    expect(strict.data).toEqual({ object: "page", objects: ["page", "bad"] });
    expect(await adapter.end()).toHaveLength(2);
  });

  it("is not written back without the lines that cannot be read", async () => {
    const { objects } = bench.world.calendar("work");
    const text = icsOf("UID:1", "DTSTART:20240702T100000Z", "broken line");
    objects.set("one", text);
    const adapter = await bench.open();
    const failure = await failureOf(adapter.call("update", "work;one", { title: "new" }));
    expect([failure.code, failure.data]).toEqual(["ADAPTER_BAD_DATA", { object: "one" }]);
    expect(objects.get("one")).toBe(text);
    expect(await adapter.call("delete", "work;one")).toEqual({ deleted: true });
  });
});

describe("careless writing", () => {
  const start = "DTSTART:20240703T100000Z";
  const TEN = ["2024-07-03T10:00:00Z", "2024-07-03T11:00:00Z"];
  it.each<readonly [what: string, lines: readonly string[], times: readonly (readonly string[])[]]>([
    ["a date without VALUE=DATE", ["DTSTART:20240703"], [["2024-07-03", "2024-07-04"]]],
    [
      "a date with a time",
      ["DTSTART;VALUE=DATE:20240703T000000", "DTEND;VALUE=DATE:20240705T000000"],
      [["2024-07-03", "2024-07-05"]],
    ],
    ["a whole day of 24 hours", ["DTSTART;VALUE=DATE:20240703", "DURATION:PT24H"], [["2024-07-03", "2024-07-04"]]],
    [
      "a whole day that ends before it starts",
      ["DTSTART;VALUE=DATE:20240703", "DTEND;VALUE=DATE:20240701"],
      [["2024-07-03", "2024-07-04"]],
    ],
    ["ISO 8601 with an offset", ["DTSTART:2024-07-03T12:00:00+02:00", "DTEND:2024-07-03 13:00+0200"], [TEN]],
    ["midnight as 24 hours", [start, "DTEND:20240703T240000Z"], [["2024-07-03T10:00:00Z", "2024-07-04T00:00:00Z"]]],
    ["an empty end and duration", [start, "DTEND:", "DURATION:PT1H"], [TEN]],
    ["an empty EXDATE and RDATE", [start, "DURATION:PT1H", "EXDATE:", "RDATE;VALUE=DATE:", "EXDATE:,"], [TEN]],
    ["a rule with blanks", [start, "DURATION:PT1H", "RRULE: freq=weekly; byday=we, ;count=1;"], [TEN]],
    ["a duration in small letters", [start, "DURATION:pt1h"], [TEN]],
    [
      "a floating EXDATE of a zoned start",
      [
        "DTSTART;TZID=Europe/Vienna:20240703T120000",
        "DURATION:PT1H",
        "RRULE:FREQ=DAILY;COUNT=2",
        "EXDATE:20240704T120000",
      ],
      [["2024-07-03T12:00:00+02:00", "2024-07-03T13:00:00+02:00"]],
    ],
    [
      "a floating end of a zoned start",
      ["DTSTART;TZID=Europe/Vienna:20240703T120000", "DTEND:20240703T130000"],
      [["2024-07-03T12:00:00+02:00", "2024-07-03T13:00:00+02:00"]],
    ],
    [
      "a rule of exclusion",
      [start, "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=3", "EXRULE:FREQ=DAILY;INTERVAL=2;COUNT=2"],
      [["2024-07-04T10:00:00Z", "2024-07-04T11:00:00Z"]],
    ],
    [
      "a period that ends by a duration of days",
      [start, "DURATION:PT1H", "RDATE;VALUE=PERIOD:20240710T100000Z/P1D"],
      [TEN, ["2024-07-10T10:00:00Z", "2024-07-11T10:00:00Z"]],
    ],
    [
      "periods that do not say that they are",
      [start, "DURATION:PT1H", "RDATE:20240710T100000Z/20240710T133000Z"],
      [TEN, ["2024-07-10T10:00:00Z", "2024-07-10T13:30:00Z"]],
    ],
    ["an unknown zone next to a UTC time", ["DTSTART;TZID=Nowhere:20240703T100000Z", "DURATION:PT1H"], [TEN]],
  ])("%s", async (_, lines, times) => {
    const answer = await listed(calendar(...event("UID:1", ...lines)));
    expect(answer.events.map(({ start, end }) => [start, end])).toEqual(times);
    expect(answer.warnings).toEqual([]);
  });

  it.each([
    ["line feeds alone", (text: string) => text.replaceAll("\r\n", "\n")],
    ["carriage returns alone", (text: string) => text.replaceAll("\r\n", "\r")],
    ["a carriage return too many", (text: string) => text.replaceAll("\r\n", "\r\r\n")],
    ["blank lines", (text: string) => text.replaceAll("\r\n", "\r\n\r\n")],
    ["a byte order mark", (text: string) => `\ufeff${text}`],
    [
      "small letters",
      (text: string) => text.replace(/^(BEGIN|END|DTSTART|UID|SUMMARY|DURATION)[:]/gm, (name) => name.toLowerCase()),
    ],
    ["text before and after", (text: string) => `Dear all\r\n${text}--\r\nsignature`],
    ["no end of the event", (text: string) => text.replace("END:VEVENT\r\n", "")],
    ["a calendar around each event, without ends", (text: string) => text.replace(/END:VCALENDAR\r\n$/, "").repeat(2)],
  ])("%s", async (_, change) => {
    expect(shown(await listed(change(calendar(...GOOD))))[0]).toEqual(GOOD_SHOWN);
  });

  it("UTF-16 with its mark is read", async () => {
    const text = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(calendar(...GOOD), "utf16le")]);
    expect(shown(await listed(text))).toEqual([GOOD_SHOWN]);
  });

  it("a character of four bytes that is folded at each of them is whole", async () => {
    const whole = Buffer.from(calendar(...event("UID:1", "SUMMARY:🎉!", "DTSTART:20240703T100000Z")));
    const at = whole.indexOf(Buffer.from("🎉"));
    const fold = (upTo: number) => [whole.subarray(at + upTo - 1, at + upTo), Buffer.from("\r\n ")];
    const folded = Buffer.concat([whole.subarray(0, at), ...[1, 2, 3].flatMap(fold), whole.subarray(at + 3)]);
    expect((await listed(folded)).events).toMatchObject([{ title: "🎉!" }]);
  });
});

describe("a UID", () => {
  it("that is missing is made of the event, and stays when only its stamps change", async () => {
    const lines = (stamp: string) =>
      calendar(
        ...event(`DTSTAMP:${stamp}`, "SUMMARY:A", "DTSTART:20240701T100000Z"),
        ...event("SUMMARY:B", "DTSTART:20240701T110000Z"),
      );
    const [first, second] = [await listed(lines("20240101T000000Z")), await listed(lines("20240102T000000Z"))];
    const ids = first.events.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(second.events.map(({ id }) => id)).toEqual(ids);
    const adapter = await feed(lines("20240103T000000Z"));
    expect(await adapter.call("get", ids[1])).toMatchObject({ title: "B", uid: "" });
  });

  it("of several events leads to each of them", async () => {
    const { events } = await listed(file("dupuid"));
    const adapter = await feed(file("dupuid"));
    for (const one of events) expect(await adapter.call("get", one["id"])).toEqual(one);
  });

  it("of several revisions gives the last one", async () => {
    const revision = (sequence: number, title: string) =>
      event("UID:1", `SEQUENCE:${sequence}`, `SUMMARY:${title}`, "DTSTART:20240703T100000Z");
    const answer = await listed(calendar(...revision(2, "new"), ...revision(1, "old"), ...revision(2, "new")));
    expect(answer.events).toMatchObject([{ title: "new" }]);
  });
});

describe("the name of a zone", () => {
  it.each([
    ["W. Europe Standard Time", "Europe/Berlin"],
    ["w. europe standard time", "Europe/Berlin"],
    ["India Standard Time", "Asia/Calcutta"],
    ["UTC", "UTC"],
    [" Europe/Vienna ", "Europe/Vienna"],
    ['"Europe/Vienna"', "Europe/Vienna"],
    ["/Europe/Vienna", "Europe/Vienna"],
    ["/mozilla.org/20070129_1/Europe/Vienna", "Europe/Vienna"],
    ["/freeassociation.sourceforge.net/Tzfile/America/Argentina/Buenos_Aires", "America/Buenos_Aires"],
    ["America/New York", "America/New_York"],
  ])("%s is %s", (name, zone) => {
    expect(zoneCalled(name)?.name).toBe(zone);
  });

  it.each(["GMT+0200", "UTC+2", "Nowhere", "", "/", "Customized Time Zone"])("%s is not known", (name) => {
    expect(zoneCalled(name)).toBeNull();
  });

  it("of Windows is one that the platform knows, for all of them", () => {
    expect(WINDOWS_ZONES.size).toBe(139);
    for (const name of WINDOWS_ZONES.keys()) expect(zoneCalled(name), name).not.toBeNull();
  });
});

describe("a feed that names its zone itself (X-WR-TIMEZONE)", () => {
  const day = (name: string, date: string) => event(`UID:${name}`, `SUMMARY:${name}`, `DTSTART;VALUE=DATE:${date}`);
  const floating = event("UID:f", "SUMMARY:f", "DTSTART:20240702T100000", "DURATION:PT1H");

  it.each([
    ["Europe/Berlin", "2024-07-02T10:00:00+02:00"],
    ["W. Europe Standard Time", "2024-07-02T10:00:00+02:00"],
    ["America/New_York", "2024-07-02T10:00:00-04:00"],
    ["Nowhere/At_all", "2024-07-02T10:00:00Z"],
    ["", "2024-07-02T10:00:00Z"],
  ])("%j: times without a zone hold there", async (name, start) => {
    const { events } = await listed(calendar(`X-WR-TIMEZONE:${name}`, ...floating, ...GOOD));
    expect(events.map((one) => one["start"])).toEqual(expect.arrayContaining([start, GOOD_SHOWN[1]]));
  });

  it("is asked for the days of that zone, also when somebody is busy", async () => {
    const days = ["20240630", "20240701", "20240731", "20240801"].flatMap((date) => day(date, date));
    const text = calendar("X-WR-TIMEZONE:Europe/Berlin", ...days, ...floating);
    const { events } = await listed(text);
    expect(events.map(({ title }) => title)).toEqual(["20240701", "f", "20240731"]);
    const busy = await (await feed(text)).call("freebusy", "2024-07-02", "2024-07-03");
    expect(busy).toEqual([{ start: "2024-07-02T08:00:00.000Z", end: "2024-07-02T09:00:00.000Z" }]);
  });
});
