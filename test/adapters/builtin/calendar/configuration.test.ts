/** Settings of the operator, and the errors a program gets when something is missing. */
import { afterEach, expect, it, vi } from "vitest";
import type { JsonObject } from "../../../../compiler/json.ts";
import { calendarBench, failureOf } from "./calendar-bench.ts";

const bench = calendarBench();
const URL = "https://calendar.example/";

it.each<[string, JsonObject]>([
  ["an account without address", { accounts: { default: {} } }],
  ["a user without password", { accounts: { default: { url: URL, user: "ada" } } }],
  ["a password without user", { accounts: { default: { url: URL, auth_secret: "PASSWORD" } } }],
  ["a password instead of its name", { accounts: { default: { url: URL, user: "ada", auth_secret: "hunter-2" } } }],
  ["a user with a colon", { accounts: { default: { url: URL, user: "ada:x", auth_secret: "PASSWORD" } } }],
  ["a user in the address", { accounts: { default: { url: "https://ada:pw@calendar.example/" } } }],
  ["another protocol", { accounts: { default: { url: "file:///etc/passwd" } } }],
  ["a zone that there is not", { accounts: { default: { url: URL, time_zone: "Nowhere/Land" } } }],
  ["an organizer without address", { accounts: { default: { url: URL, organizer: "Ada" } } }],
  ["no calendar at all", { accounts: { default: { url: URL, calendars: [] } } }],
  ["an account with a slash", { accounts: { "a/b": { url: URL } } }],
  ["another member", { accounts: { default: { url: URL, password: "x" } } }],
  ["a feed that is a file", { feeds: { team: "file:///etc/passwd" } }],
])("%s is not a valid configuration", async (_, settings) => {
  expect((await failureOf(bench.open(settings))).code).toBe("ADAPTER_BAD_SETTINGS");
});

it("attendees need somebody who invites", async () => {
  const event = { title: "x", start: "2027-03-01", attendees: ["bob@example.com"] };
  const account = { ...bench.world.account, organizer: "team@example.com" };
  const adapter = await bench.open({ accounts: { default: account } });
  expect(await adapter.call("create", event)).toMatchObject({ organizer: "team@example.com" });
});

afterEach(() => vi.doUnmock("ical.js"));

it("without its package it is not configured, and says what to install", async () => {
  vi.resetModules();
  vi.doMock("ical.js", () => {
    throw new Error("missing");
  });
  const { parseCalendar } = await import("../../../../adapters/builtin/calendar/events/ical.ts");
  await expect(parseCalendar("")).rejects.toMatchObject({
    code: "ADAPTER_NOT_CONFIGURED",
    data: { package: "ical.js", install: "npm install ical.js@2.2.1" },
  });
});
