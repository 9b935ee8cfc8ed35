/** What is written: new events, changes of events and of single occurrences, and what must not be written. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../compiler/json.ts";
import { verifies } from "../../../support/requirements.ts";
import { icsOf } from "./caldav-world.ts";
import { type Call, calendarBench, failureOf } from "./calendar-bench.ts";

const bench = calendarBench();

const REVIEW = { title: "Review", start: "2027-03-01T09:00:00+01:00", end: "2027-03-01T10:00:00+01:00" };
const DAILY = icsOf("UID:d", "SUMMARY:Daily", "DTSTART:20270301T080000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=3");

const objects = () => bench.world.calendar("work").objects;
const only = (): string => [...objects().values()].join("");
/** Lines as they are before folding. */
const lines = (): readonly string[] => only().replace(/\r\n /g, "").split("\r\n");

async function created(event: JsonObject, options: JsonObject = {}): Promise<JsonObject> {
  const adapter = await bench.open();
  return (await adapter.call("create", event, options)) as JsonObject;
}

describe("create", () => {
  it("makes an event that can be read", async () => {
    verifies("adapter.calendar.provider");
    const adapter = await bench.open();
    const made = (await adapter.call("create", {
      ...REVIEW,
      time_zone: "Europe/Berlin",
      location: "Room 1",
    })) as JsonObject;
    expect(made).toMatchObject({
      ...REVIEW,
      time_zone: "Europe/Berlin",
      location: "Room 1",
      calendar: "work",
      rrule: null,
    });
    expect(await adapter.call("list", "2027-03-01", "2027-03-02")).toEqual([made]);
    expect(await adapter.call("get", made["id"])).toEqual(made);
    expect(lines()).toEqual(expect.arrayContaining(["BEGIN:VTIMEZONE", "DTSTART;TZID=Europe/Berlin:20270301T090000"]));
  });

  it.each<[string, JsonObject, JsonObject]>([
    [
      "a day",
      { title: "Off", start: "2027-03-01" },
      { start: "2027-03-01", end: "2027-03-02", all_day: true, time_zone: null },
    ],
    ["days", { title: "Off", start: "2027-03-01", end: "2027-03-05" }, { start: "2027-03-01", end: "2027-03-05" }],
    [
      "an instant",
      { title: "x", start: "2027-03-01T09:00:00.5+01:00", end: "2027-03-01T08:00:00Z" },
      { start: "2027-03-01T08:00:00Z", end: "2027-03-01T08:00:00Z" },
    ],
    ["a series", { ...REVIEW, rrule: "FREQ=WEEKLY;BYDAY=MO,TU;UNTIL=20270401T000000Z" }, { recurrence_id: null }],
    ["a state", { ...REVIEW, status: "tentative" }, { status: "tentative" }],
  ])("takes %s", async (_, event, shown) => {
    expect(await created(event)).toMatchObject(shown);
  });

  it.each<[string, JsonObject]>([
    ["no title", { start: "2027-03-01" }],
    ["no end", { title: "x", start: "2027-03-01T09:00:00Z" }],
    ["a time without offset", { title: "x", start: "2027-03-01T09:00:00", end: "2027-03-01T10:00:00" }],
    ["an end before the start", { ...REVIEW, end: "2027-03-01T07:00:00Z" }],
    ["an end on the first day", { title: "x", start: "2027-03-02", end: "2027-03-02" }],
    ["a day and a time", { title: "x", start: "2027-03-01", end: "2027-03-01T10:00:00Z" }],
    ["a zone that there is not", { ...REVIEW, time_zone: "Nowhere/Land" }],
    ["an invalid rule", { ...REVIEW, rrule: "FREQ=OFTEN" }],
    ["a rule with an invalid end", { ...REVIEW, rrule: "FREQ=DAILY;UNTIL=2027" }],
    ["a rule without steps", { ...REVIEW, rrule: "FREQ=DAILY;INTERVAL=0" }],
    ["a rule with steps back", { ...REVIEW, rrule: "FREQ=DAILY;INTERVAL=-1;COUNT=2" }],
    ["a rule with a negative count", { ...REVIEW, rrule: "FREQ=DAILY;COUNT=-1" }],
    ["a rule with two ends", { ...REVIEW, rrule: "FREQ=DAILY;COUNT=2;UNTIL=20270401T000000Z" }],
    ["a rule that says one thing twice", { ...REVIEW, rrule: "FREQ=DAILY;FREQ=WEEKLY" }],
    ["another member", { ...REVIEW, uid: "x" }],
    ["a guest without address", { ...REVIEW, attendees: ["Bob"] }],
  ])("refuses %s", async (_, event) => {
    expect((await failureOf(created(event))).code).toBe("ADAPTER_BAD_ARGS");
    expect(bench.world.seen("PUT")).toEqual([]);
  });

  it.each<[string, JsonObject]>([
    ["title", { ...REVIEW, title: "x\r\nDTSTART:19700101T000000Z" }],
    ["location", { ...REVIEW, location: "x\nATTACH:file:///etc/passwd" }],
    ["description", { ...REVIEW, description: "x\u0000y" }],
    ["rrule", { ...REVIEW, rrule: "FREQ=DAILY\r\nATTENDEE:mailto:eve@example.com" }],
    ["attendees", { ...REVIEW, attendees: ["eve@example.com\r\nX:y"] }],
    ["attendees", { ...REVIEW, attendees: ['"a\nX:y"@example.com'] }],
  ])("lets no line begin in %s", async (_, event) => {
    expect((await failureOf(created(event))).code).toBe("ADAPTER_BAD_ARGS");
  });

  it("keeps texts as they are", async () => {
    const description = 'semi;colon, comma: "quote" back\\slash\nBEGIN:VALARM\nEND:VCALENDAR\n 😀 \\n';
    const title = `DTSTART:19700101T000000Z;X=${"é".repeat(100)}`;
    const made = await created({ ...REVIEW, title, description: description.replaceAll("\n", "\r\n") });
    expect(made).toMatchObject({ title, description });
    expect(await (await bench.open()).call("get", made["id"])).toMatchObject({
      title,
      description,
      start: "2027-03-01T08:00:00Z",
    });
    expect(
      only()
        .split("\r\n")
        .filter((line) => Buffer.byteLength(line) > 75),
    ).toEqual([]);
    expect(lines().filter((line) => /^(BEGIN|DTSTART)/.test(line))).toHaveLength(3);
  });

  it("makes one event under one key, whatever gets lost", async () => {
    const adapter = await bench.open();
    bench.world.loseAnswer("PUT");
    const key = { idempotency_key: "k" };
    expect((await failureOf(adapter.call("create", REVIEW, key))).code).toBe("ADAPTER_TRANSPORT");
    const made = await adapter.call("create", REVIEW, key);
    expect(await adapter.call("create", REVIEW, key)).toEqual(made);
    expect(objects().size).toBe(1);
    expect((await failureOf(adapter.call("create", { ...REVIEW, title: "Other" }, key))).code).toBe("ADAPTER_CONFLICT");
    expect(bench.world.seen("PUT")[0]?.headers["if-none-match"]).toBe("*");
  });

  it("invites only when asked to", async () => {
    const event = { ...REVIEW, attendees: ["bob@example.com"] };
    await created(event);
    expect(lines().find((line) => line.startsWith("ATTENDEE"))).toContain("SCHEDULE-AGENT=CLIENT");
    objects().clear();
    const made = await created(event, { notify: true });
    expect(lines().find((line) => line.startsWith("ATTENDEE"))).not.toContain("SCHEDULE-AGENT");
    expect(made).toMatchObject({
      organizer: "ada@example.com",
      attendees: [{ email: "bob@example.com", name: null, status: "needs-action" }],
    });
  });

  it("goes to the calendar that is named, else to the first that can be written to", async () => {
    bench.world.add("home");
    bench.world.add("public", { readonly: true });
    const adapter = await bench.open({
      accounts: { default: { ...bench.world.account, calendars: ["public", "home", "work"] } },
    });
    expect(await adapter.call("create", REVIEW)).toMatchObject({ calendar: "home" });
    expect(await adapter.call("create", REVIEW, { calendar: "work" })).toMatchObject({ calendar: "work" });
    expect(await adapter.code("create", REVIEW, { calendar: "public" })).toBe("ADAPTER_WRITE_FORBIDDEN");
  });
});

describe("update", () => {
  it("changes what is named, and keeps what it does not know", async () => {
    objects().set(
      "one",
      icsOf(
        "UID:1",
        "SUMMARY:Old",
        "LOCATION:Room",
        "DTSTART:20270301T080000Z",
        "DURATION:PT2H",
        "X-COLOR;A=b:red",
        "SEQUENCE:4",
      ),
    );
    const adapter = await bench.open();
    const patch = { title: "New", location: null, start: "2027-03-02T09:00:00Z" };
    expect(await adapter.call("update", "work;one", patch)).toMatchObject({
      title: "New",
      location: null,
      start: "2027-03-02T09:00:00Z",
      end: "2027-03-02T11:00:00Z",
    });
    expect(lines()).toEqual(expect.arrayContaining(["X-COLOR;A=b:red", "SEQUENCE:5"]));
    expect(only()).not.toMatch(/LOCATION|DURATION|Old/);
  });

  it("takes hold of one state only", async () => {
    objects().set("one", icsOf("UID:1", "SUMMARY:Old", "DTSTART:20270301T080000Z"));
    const adapter = await bench.open();
    const { etag } = (await adapter.call("get", "work;one")) as JsonObject;
    await adapter.call("update", "work;one", { title: "New" }, { etag });
    const failure = await failureOf(adapter.call("update", "work;one", { title: "Newer" }, { etag }));
    expect([failure.code, failure.retryable]).toEqual(["ADAPTER_CONFLICT", false]);
    expect(await adapter.code("delete", "work;one", { etag })).toBe("ADAPTER_CONFLICT");
    expect(only()).toContain("SUMMARY:New\r\n");
  });

  it("fails when the event changes between reading and writing", async () => {
    objects().set("one", icsOf("UID:1", "SUMMARY:Old", "DTSTART:20270301T080000Z"));
    const adapter = await bench.open();
    bench.world.fail("PUT", (response) => response.writeHead(412).end());
    expect(await adapter.code("update", "work;one", { title: "New" })).toBe("ADAPTER_CONFLICT");
    bench.world.fail("DELETE", (response) => response.writeHead(412).end());
    expect(await adapter.code("delete", "work;one")).toBe("ADAPTER_CONFLICT");
  });

  it("writes nothing that is so already, even under a state that has passed", async () => {
    objects().set("one", icsOf("UID:1", "SUMMARY:Old", "DTSTART:20270301T080000Z"));
    const adapter = await bench.open();
    const { etag } = (await adapter.call("get", "work;one")) as JsonObject;
    bench.world.loseAnswer("PUT");
    expect(await adapter.code("update", "work;one", { title: "New" }, { etag })).toBe("ADAPTER_TRANSPORT");
    expect(await adapter.call("update", "work;one", { title: "New" }, { etag })).toMatchObject({ title: "New" });
    expect(bench.world.seen("PUT")).toHaveLength(1);
  });

  it("changes one occurrence, once and again", async () => {
    objects().set("d", DAILY);
    const adapter = await bench.open();
    const id = "work;d;20270302T080000Z";
    const options = { scope: "this" };
    await adapter.call("update", id, { start: "2027-03-02T12:00:00Z" }, options);
    expect(await adapter.call("update", id, { title: "Late" }, options)).toMatchObject({
      id,
      title: "Late",
      start: "2027-03-02T12:00:00Z",
      end: "2027-03-02T13:00:00Z",
    });
    const all = (await adapter.call("list", "2027-03-01", "2027-03-08")) as readonly JsonObject[];
    expect(all.map(({ title, start }) => [title, start])).toEqual([
      ["Daily", "2027-03-01T08:00:00Z"],
      ["Late", "2027-03-02T12:00:00Z"],
      ["Daily", "2027-03-03T08:00:00Z"],
    ]);
    expect(only().match(/BEGIN:VEVENT/g)).toHaveLength(2);
    expect(await adapter.call("get", id)).toMatchObject({ title: "Late" });
  });

  it.each<[string, string, JsonObject, JsonObject, string]>([
    ["one occurrence of no series", "work;d", { title: "x" }, { scope: "this" }, "ADAPTER_BAD_ARGS"],
    ["the rule of one occurrence", "work;d;20270302T080000Z", { rrule: null }, { scope: "this" }, "ADAPTER_BAD_ARGS"],
    [
      "the time of all by that of one",
      "work;d;20270302T080000Z",
      { start: "2027-03-02T12:00:00Z" },
      {},
      "ADAPTER_BAD_ARGS",
    ],
    ["a zone without a time", "work;d", { time_zone: "Europe/Berlin" }, {}, "ADAPTER_BAD_ARGS"],
    [
      "an occurrence that there is not",
      "work;d;20280101T080000Z",
      { title: "x" },
      { scope: "this" },
      "ADAPTER_NOT_FOUND",
    ],
    ["an event that there is not", "work;none", { title: "x" }, {}, "ADAPTER_NOT_FOUND"],
    ["an event outside the calendar", "work;..%2Fother", { title: "x" }, {}, "ADAPTER_NOT_FOUND"],
    ["the calendar itself", "work;..", { title: "x" }, {}, "ADAPTER_NOT_FOUND"],
  ])("refuses %s", async (_, id, patch, options, code) => {
    objects().set("d", DAILY);
    expect(await (await bench.open()).code("update", id, patch, options)).toBe(code);
    expect(only()).toBe(DAILY);
  });
});

describe("delete", () => {
  it("removes an event, and says when there was none", async () => {
    objects().set("one", icsOf("UID:1", "DTSTART:20270301T080000Z"));
    const adapter = await bench.open();
    expect(await adapter.call("delete", "work;one")).toEqual({ deleted: true });
    expect(await adapter.call("delete", "work;one")).toEqual({ deleted: false });
    expect(objects().size).toBe(0);
    expect(bench.world.seen("DELETE").map(({ headers }) => headers["if-match"])).toEqual([
      expect.stringMatching(/^".+"$/),
    ]);
  });

  it("excludes one occurrence, once", async () => {
    objects().set("d", DAILY);
    const adapter = await bench.open();
    const id = "work;d;20270302T080000Z";
    await adapter.call("update", id, { title: "Changed" }, { scope: "this" });
    expect(await adapter.call("delete", id)).toEqual({ deleted: true });
    expect(await adapter.call("delete", id)).toEqual({ deleted: false });
    expect(await adapter.call("get", id)).toBeNull();
    expect(lines()).toContain("EXDATE:20270302T080000Z");
    expect(only()).not.toContain("Changed");
  });
});

it("is refused where the operator or the caller says so", async () => {
  objects().set("d", DAILY);
  const adapter = await bench.open({ allow_write: false });
  const calls: readonly Call[] = [
    ["create", REVIEW],
    ["update", "work;d", { title: "x" }],
    ["delete", "work;d"],
  ];
  for (const call of calls) expect(await adapter.code(...call)).toBe("ADAPTER_WRITE_FORBIDDEN");
  expect(bench.world.seen()).toEqual([]);
});
