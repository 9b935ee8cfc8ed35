/** Times that are hard to write: those that a zone shows twice, those that no format can say, and zones that other programs read. */
import ical from "ical.js";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../compiler/json.ts";
import { verifies } from "../../../support/requirements.ts";
import { icsOf } from "./caldav-world.ts";
import { calendarBench, failureOf } from "./calendar-bench.ts";

const bench = calendarBench();
const BERLIN = "Europe/Berlin";

async function created(event: JsonObject): Promise<JsonObject> {
  const adapter = await bench.open();
  const made = (await adapter.call("create", { title: "x", ...event })) as JsonObject;
  expect(await adapter.call("get", made["id"])).toEqual(made);
  return made;
}

async function refused(event: JsonObject) {
  const adapter = await bench.open();
  const { code, message } = await failureOf(adapter.call("create", { title: "x", ...event }));
  return { code, message };
}

/** On 31 October 2027 the hour from two to three is there twice. */
describe("an hour that is there twice", () => {
  it.each([
    ["begins and ends in the second one", "2027-10-31T02:30:00+01:00", "2027-10-31T02:45:00+01:00"],
    ["ends in the second one", "2027-10-31T02:30:00+02:00", "2027-10-31T02:30:00+01:00"],
    ["begins and ends in the first one", "2027-10-31T02:30:00+02:00", "2027-10-31T02:45:00+02:00"],
  ])("is kept where an event %s", async (_, start, end) => {
    verifies("adapter.calendar.provider");
    const made = await created({ start, end, time_zone: BERLIN });
    expect([made["start"], made["end"]].map((time) => Date.parse(String(time)))).toEqual([start, end].map(Date.parse));
  });

  it("is kept by one occurrence that is changed", async () => {
    const objects = bench.world.calendar("work").objects;
    const lines = ["DTSTART;TZID=Europe/Berlin:20271030T013000", "DURATION:PT2H", "RRULE:FREQ=DAILY;COUNT=3"];
    objects.set("d", icsOf("UID:d", "SUMMARY:Daily", ...lines));
    const adapter = await bench.open();
    const id = "work;d;20271030T233000Z";
    const { start, end } = (await adapter.call("get", id)) as JsonObject;
    const changed = await adapter.call("update", id, { title: "Other" }, { scope: "this" });
    expect(changed).toMatchObject({ title: "Other", start, end });
    expect(end).toBe("2027-10-31T02:30:00+01:00");
    expect(await adapter.call("get", id)).toMatchObject({ start, end });
  });

  it("begins no series, which follows the clock", async () => {
    const event = { start: "2027-10-31T02:30:00+01:00", end: "2027-10-31T02:45:00+01:00", time_zone: BERLIN };
    expect(await refused({ ...event, rrule: "FREQ=DAILY" })).toEqual({
      code: "ADAPTER_BAD_ARGS",
      message: "argument /start: expected a time that its zone shows only once, as it recurs",
    });
  });
});

describe("an event in the second of two equal hours", () => {
  const times = { start: "2027-10-31T02:30:00+01:00", end: "2027-10-31T02:45:00+01:00" };
  const onlyOnce = {
    code: "ADAPTER_BAD_ARGS",
    message: "argument /start: expected a time that its zone shows only once, as it recurs",
  };

  it("stays one of its zone, and other programs read the instant", async () => {
    verifies("adapter.calendar.provider");
    const made = await created({ ...times, time_zone: BERLIN });
    expect(made).toMatchObject({ ...times, time_zone: BERLIN });
    const [text = ""] = bench.world.calendar("work").objects.values();
    expect(text).toContain("DTSTART;X-WEFT-TZID=Europe/Berlin:20271031T013000Z");
  });

  it("becomes no series, which would go by UTC; elsewhere it can begin one", async () => {
    const { id } = await created({ ...times, time_zone: BERLIN });
    const adapter = await bench.open();
    for (const patch of [{ rrule: "FREQ=DAILY" }, { rrule: "FREQ=DAILY", end: "2027-10-31T03:00:00+01:00" }])
      expect(await failureOf(adapter.call("update", id, patch))).toMatchObject(onlyOnce);
    expect(await adapter.call("update", id, { title: "Kept" })).toMatchObject({ title: "Kept", ...times });
    const moved = await adapter.call("update", id, { start: "2027-10-31T03:30:00+01:00", rrule: "FREQ=DAILY;COUNT=9" });
    expect(moved).toMatchObject({ start: "2027-10-31T03:30:00+01:00", time_zone: BERLIN });
    const all = (await adapter.call("list", "2028-04-01", "2028-04-02")) as readonly JsonObject[];
    expect(all).toEqual([]);
    const [, second] = (await adapter.call("list", "2027-10-31", "2027-11-02")) as readonly JsonObject[];
    expect(second).toMatchObject({ start: "2027-11-01T03:30:00+01:00" });
  });

  it.each([
    ["that another program moved", "X-WEFT-TZID=Europe/Berlin:20271101T013000Z", "2027-11-01T01:30:00Z"],
    ["of an unknown zone", "X-WEFT-TZID=Nowhere/Else:20271031T013000Z", "2027-10-31T01:30:00Z"],
  ])("is read as UTC next to a zone %s", async (_, line, start) => {
    bench.world.calendar("work").objects.set("e", icsOf("UID:e", `DTSTART;${line}`, "DURATION:PT1H"));
    const adapter = await bench.open();
    expect(await adapter.call("get", "work;e")).toMatchObject({ start, time_zone: "UTC" });
    expect(await adapter.call("update", "work;e", { rrule: "FREQ=DAILY" })).toMatchObject({ rrule: "FREQ=DAILY" });
  });

  it("goes by UTC once another program has made it a series", async () => {
    const start = "DTSTART;X-WEFT-TZID=Europe/Berlin:20271031T013000Z";
    bench.world.calendar("work").objects.set("s", icsOf("UID:s", start, "DURATION:PT1H", "RRULE:FREQ=DAILY"));
    const adapter = await bench.open();
    const found = (await adapter.call("list", "2027-10-31T00:00:00Z", "2027-11-02T00:00:00Z")) as readonly JsonObject[];
    expect(found.map((one) => one["start"])).toEqual(["2027-10-31T01:30:00Z", "2027-11-01T01:30:00Z"]);
  });
});

describe("years that cannot be written", () => {
  const far = "expected a time whose years, and those of its end, are 0000 to 9999";
  it.each<[string, JsonObject]>([
    ["start", { start: "9999-12-31T23:00:00-05:00", end: "9999-12-31T23:30:00-05:00" }],
    ["start", { start: "9999-12-31T22:00:00Z", end: "9999-12-31T23:00:00Z", time_zone: "Asia/Tokyo" }],
    ["end", { start: "9999-12-31T23:00:00Z", end: "9999-12-31T23:30:00-05:00" }],
    ["start", { start: "9999-12-31" }],
    ["start", { start: "0000-01-01T00:00:00+01:00", end: "0000-01-01T01:00:00+01:00" }],
  ])("are refused: %s of %j", async (place, event) => {
    expect(await refused(event)).toEqual({ code: "ADAPTER_BAD_ARGS", message: `argument /${place}: ${far}` });
    expect(bench.world.seen("PUT")).toEqual([]);
  });

  it("are returned as far as possible", async () => {
    bench.world.calendar("work").objects.set("last", icsOf("UID:last", "DTSTART;VALUE=DATE:99991231"));
    const adapter = await bench.open();
    const window = ["9999-12-01", "9999-12-31T23:59:59-10:00"] as const;
    expect(await adapter.call("list", ...window)).toMatchObject([{ start: "9999-12-31", end: "9999-12-31" }]);
    expect(await adapter.call("freebusy", ...window)).toEqual([
      { start: "9999-12-31T00:00:00.000Z", end: "9999-12-31T23:59:59.999Z" },
    ]);
  });
});

it("an offset of long ago, which has seconds, changes no time", async () => {
  const made = await created({ start: "1800-06-01T00:00:00Z", end: "1800-06-01T01:00:00Z", time_zone: BERLIN });
  expect([made["start"], made["end"]]).toEqual(["1800-06-01T00:53:00+00:53", "1800-06-01T01:53:00+00:53"]);
});

it.each([
  ["2027-03-01T09:00:00+01:00", BERLIN],
  ["2027-07-01T09:00:00+02:00", BERLIN],
  ["2027-01-01T00:30:00+11:00", "Australia/Sydney"],
  ["2027-03-01T10:00:00+00:00", "Africa/Casablanca"],
  ["1960-03-01T09:00:00+09:00", "Asia/Tokyo"],
])("programs that know a zone only as it is written see %s in %s", async (start, time_zone) => {
  await created({ start, end: start, time_zone });
  const [text = ""] = bench.world.calendar("work").objects.values();
  const calendar = new ical.Component(ical.parse(text));
  const event = new ical.Event(calendar.getFirstSubcomponent("vevent") as InstanceType<typeof ical.Component>);
  expect(event.startDate.toUnixTime() * 1000).toBe(Date.parse(start));
});

it("whole days are asked for in every zone in which a server may mean them", async () => {
  let asked = "";
  bench.world.fail("REPORT", (response) => {
    response.req.on("data", (chunk: Buffer) => {
      asked += chunk.toString();
    });
    response.req.on("end", () => response.writeHead(500).end());
  });
  const adapter = await bench.open();
  await failureOf(adapter.call("list", "2027-03-01T20:00:00-08:00", "2027-03-01T21:00:00-08:00"));
  expect(asked).toContain('<c:time-range start="20270301T040000Z" end="20270303T050000Z"/>');
});

it.each(["FREQ=DAILY;;COUNT=2", "FREQ=DAILY;", "FREQ=DAILY;X-A=1", "FREQ=DAILY;COUNT=", "FREQ=DAILY=1", ""])(
  "a rule that other programs would read differently is refused: %j",
  async (rrule) => {
    const refusal = { code: "ADAPTER_BAD_ARGS", message: "argument /0/rrule: expected a recurrence rule, got string" };
    expect(await refused({ start: "2027-03-01", rrule })).toEqual(refusal);
  },
);
