/** Calendars and what is in them: names, accounts and feeds, listing, busy times, and which of it a caller may see. */
import { afterEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../compiler/json.ts";
import { type WebServer, webServer } from "../http/servers.ts";
import { wallClock } from "../svc/wall-clock.ts";
import { calendarOf, icsOf } from "./caldav-world.ts";
import { type Call, calendarBench, failureOf } from "./calendar-bench.ts";

const bench = calendarBench();
const WEEK = ["2027-03-01", "2027-03-08"] as const;

const servers: WebServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
async function feedOf(text: string | Buffer): Promise<string> {
  const server = await webServer((_request, response) => response.end(text));
  servers.push(server);
  return `${server.base}/secret-in-the-address.ics`;
}

const at = (uid: string, start: string, ...more: readonly string[]) =>
  icsOf(`UID:${uid}`, `SUMMARY:${uid}`, `DTSTART:${start}`, "DURATION:PT1H", ...more);

function put(calendar: string, ...events: readonly string[]): void {
  for (const event of events) bench.world.calendar(calendar).objects.set(/UID:(.*)\r/.exec(event)?.[1] ?? "", event);
}

const titles = (events: unknown) => (events as readonly JsonObject[]).map(({ title }) => title);

describe("calendars", () => {
  it("are found from the address of the account", async () => {
    bench.world.add("home", {
      name: "Home",
      readonly: true,
      timezone: "BEGIN:VTIMEZONE\r\nTZID:Europe/Paris\r\nEND:VTIMEZONE",
    });
    const { base, account } = bench.world;
    const found = [
      { name: "work", url: `${base}/dav/cal/ada/work/`, read_only: false, time_zone: "UTC" },
      { name: "Home", url: `${base}/dav/cal/ada/home/`, read_only: true, time_zone: "Europe/Paris" },
    ];
    for (const path of ["/dav/", "/dav/p/ada/", "/dav/cal/ada/", "/"]) {
      const adapter = await bench.open({ accounts: { default: { ...account, url: base + path } } });
      expect(await adapter.call("calendars")).toEqual(found);
    }
    const one = await bench.open({ accounts: { default: { ...account, url: `${base}/dav/cal/ada/work/` } } });
    expect(await one.call("calendars")).toEqual(found.slice(0, 1));
  });

  it("are those that the operator names, by either of their names", async () => {
    bench.world.add("a-1", { name: "Team" });
    const adapter = await bench.open({ accounts: { default: { ...bench.world.account, calendars: ["a-1", "work"] } } });
    expect(await adapter.call("calendars")).toMatchObject([{ name: "a-1" }, { name: "work" }]);
    const missing = await bench.open({ accounts: { default: { ...bench.world.account, calendars: ["gone"] } } });
    expect(await missing.code("calendars")).toBe("ADAPTER_NOT_CONFIGURED");
  });

  it("of other accounts have the account before their name", async () => {
    put("work", at("one", "20270301T080000Z"));
    const adapter = await bench.open({ accounts: { team: bench.world.account } });
    expect(await adapter.call("list", ...WEEK, { calendar: "team/work" })).toMatchObject([
      { id: "team%2Fwork;one", calendar: "team/work" },
    ]);
    expect(await adapter.call("get", "team%2Fwork;one")).toMatchObject({ title: "one" });
  });

  it("with the same name are distinguished by their addresses", async () => {
    bench.world.add("a", { name: "Same" });
    bench.world.add("b", { name: "Same" });
    expect(await (await bench.open()).call("calendars")).toMatchObject([
      { name: "work" },
      { name: "a" },
      { name: "b" },
    ]);
  });

  it("outside the list of the caller are not seen", async () => {
    bench.world.add("home");
    put("work", at("one", "20270301T080000Z"));
    put("home", at("two", "20270301T080000Z"));
    const adapter = await bench.open({ calendars: ["home"] });
    expect(titles(await adapter.call("list", ...WEEK))).toEqual(["two"]);
    expect(await adapter.call("calendars")).toHaveLength(1);
    const calls: readonly Call[] = [
      ["list", ...WEEK, { calendar: "work" }],
      ["get", "work;one"],
      ["freebusy", ...WEEK, { calendars: ["work"] }],
      ["delete", "work;one"],
    ];
    for (const call of calls) expect(await adapter.code(...call)).toBe("ADAPTER_NOT_ALLOWED");
    for (const calendars of [[], ["other"]])
      expect(await (await bench.open({ calendars })).code("list", ...WEEK)).toBe("ADAPTER_NOT_ALLOWED");
  });

  it("are never an empty list for want of configuration", async () => {
    const none = await bench.open({ accounts: {} });
    const calls: readonly Call[] = [["G"], ["list", ...WEEK], ["freebusy", ...WEEK], ["calendars"], ["get", "work;x"]];
    for (const call of calls) expect(await none.code(...call)).toBe("ADAPTER_NOT_CONFIGURED");
    expect(await (await bench.open()).code("list", ...WEEK, { calendar: "none" })).toBe("ADAPTER_NOT_CONFIGURED");
  });
});

describe("list", () => {
  it("is by start over all calendars, up to the limit", async () => {
    bench.world.add("home");
    put("work", at("late", "20270303T080000Z"), at("early", "20270301T080000Z"));
    put("home", at("middle", "20270302T080000Z"), at("next-week", "20270309T080000Z"));
    const adapter = await bench.open();
    expect(titles(await adapter.call("list", ...WEEK))).toEqual(["early", "middle", "late"]);
    expect(titles(await adapter.call("list", ...WEEK, { limit: 2 }))).toEqual(["early", "middle"]);
    expect(titles(await adapter.call("list", ...WEEK, { calendar: "home" }))).toEqual(["middle"]);
  });

  it("gives series as they are when asked to", async () => {
    put("work", at("daily", "20260101T080000Z", "RRULE:FREQ=DAILY"));
    const adapter = await bench.open();
    expect(await adapter.call("list", ...WEEK, { expand: false })).toMatchObject([
      { id: "work;daily", start: "2026-01-01T08:00:00Z", recurrence_id: null, rrule: "FREQ=DAILY" },
    ]);
    expect(await adapter.call("list", ...WEEK)).toHaveLength(7);
  });

  it.each([
    ["2027-03-08", "2027-03-01"],
    ["2027-03-01", "2027-03-01"],
    ["soon", "2027-03-01"],
    ["2027-02-30", "2027-03-01"],
    ["2027-03-01T00:00:00", "2027-03-02"],
  ])("from %s to %s is refused", async (from, to) => {
    expect(await (await bench.open()).code("list", from, to)).toBe("ADAPTER_BAD_ARGS");
  });

  it("of what comes begins now, and ends after 14 days or 10 events", async () => {
    put("work", at("daily", "20200101T080000Z", "RRULE:FREQ=DAILY"), at("far", "20200201T080000Z"));
    const adapter = await bench.open({}, { clock: wallClock(Date.UTC(2020, 0, 15, 12)) });
    const coming = (await adapter.call("G")) as readonly JsonObject[];
    expect(coming.map(({ start }) => start)).toEqual(
      Array.from({ length: 10 }, (_, day) => `2020-01-${16 + day}T08:00:00Z`),
    );
  });
});

it("get gives null for what there is not", async () => {
  put("work", at("one", "20270301T080000Z", "RRULE:FREQ=DAILY;COUNT=2"));
  const adapter = await bench.open();
  expect(await adapter.call("get", "work;one")).toMatchObject({ recurrence_id: null, rrule: "FREQ=DAILY;COUNT=2" });
  for (const id of ["work;none", "work;one;20270305T080000Z", "work;one;99999999"])
    expect(await adapter.call("get", id)).toBeNull();
  for (const id of ["work", "", "work;", ";one", "work;one;x", "work;%ZZ", "a;b;c;d"])
    expect(await adapter.code("get", id)).toBe("ADAPTER_BAD_ARGS");
});

describe("busy times", () => {
  it("are joined, cut to the window, and without what takes no time", async () => {
    bench.world.add("home");
    put("work", at("a", "20270301T080000Z"), at("b", "20270301T083000Z"), at("c", "20270301T093000Z"));
    put(
      "work",
      at("free", "20270302T080000Z", "TRANSP:TRANSPARENT"),
      at("off", "20270303T080000Z", "STATUS:CANCELLED"),
    );
    put("work", at("d", "20270307T233000Z"));
    put("home", at("e", "20270301T120000Z"));
    const adapter = await bench.open();
    expect(await adapter.call("freebusy", ...WEEK)).toEqual([
      { start: "2027-03-01T08:00:00.000Z", end: "2027-03-01T10:30:00.000Z" },
      { start: "2027-03-01T12:00:00.000Z", end: "2027-03-01T13:00:00.000Z" },
      { start: "2027-03-07T23:30:00.000Z", end: "2027-03-08T00:00:00.000Z" },
    ]);
    expect(await adapter.call("freebusy", ...WEEK, { calendars: ["home", "home"] })).toHaveLength(1);
  });

  it("of whole days are those of the account's zone", async () => {
    put("work", icsOf("UID:day", "DTSTART;VALUE=DATE:20270302"));
    const adapter = await bench.open({ accounts: { default: { ...bench.world.account, time_zone: "Europe/Berlin" } } });
    expect(await adapter.call("freebusy", ...WEEK)).toEqual([
      { start: "2027-03-01T23:00:00.000Z", end: "2027-03-02T23:00:00.000Z" },
    ]);
  });
});

describe("feeds", () => {
  const event = (uid: string, start: string) => [
    "BEGIN:VEVENT",
    `UID:${uid}`,
    `SUMMARY:${uid}`,
    `DTSTART:${start}`,
    "END:VEVENT",
  ];

  it("are read like calendars, and never written", async () => {
    const team = await feedOf(calendarOf(...event("a/b;c", "20270302T080000Z"), ...event("late", "20270401T080000Z")));
    put("work", at("one", "20270301T080000Z"));
    const adapter = await bench.open({ feeds: { team } });
    const all = (await adapter.call("list", ...WEEK)) as readonly JsonObject[];
    expect(titles(all)).toEqual(["one", "a/b;c"]);
    expect(all[1]).toMatchObject({ id: "team;a%2Fb%3Bc", calendar: "team", etag: null });
    expect(await adapter.call("get", all[1]?.["id"])).toEqual(all[1]);
    expect(await adapter.code("delete", all[1]?.["id"])).toBe("ADAPTER_WRITE_FORBIDDEN");
    expect(await adapter.call("freebusy", ...WEEK, { calendars: ["team"] })).toEqual([]);
    expect(JSON.stringify([all, await adapter.call("calendars")])).not.toContain("secret-in-the-address");
  });

  it("need no account", async () => {
    const adapter = await bench.open({ accounts: {}, feeds: { team: await feedOf(calendarOf()) } });
    expect(await adapter.call("list", ...WEEK)).toEqual([]);
    expect(await adapter.call("calendars")).toEqual([{ name: "team", url: null, read_only: true, time_zone: null }]);
  });

  it.each([
    ["a page", "<html></html>", "ADAPTER_BAD_DATA"],
    [
      "text that is not UTF-8",
      Buffer.from("BEGIN:VCALENDAR\r\nX-A:caf\xe9\r\nEND:VCALENDAR", "latin1"),
      "ADAPTER_ENCODING",
    ],
  ])("that are %s are not calendars", async (_, text, code) => {
    const adapter = await bench.open({ accounts: {}, feeds: { team: await feedOf(text) } });
    const failure = await failureOf(adapter.call("list", ...WEEK));
    expect(failure.code).toBe(code);
    expect(failure.message).not.toContain("secret-in-the-address");
  });
});
