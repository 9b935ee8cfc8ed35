/** Dates of feeds and servers: every way to write them, on every machine the same, and none that does not exist. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDate } from "../../../adapters/content/written-date.ts";
import { askedWaitMs, retryAfterMs } from "../../../adapters/guard/http/retry-after.ts";

const DATES: readonly (readonly [written: string, iso: string])[] = [
  ["Mon, 21 Apr 2025 06:00:00 EDT", "2025-04-21T10:00:00.000Z"],
  ["Mon, 21 Apr 2025 06:00:00 EST", "2025-04-21T11:00:00.000Z"],
  ["Fri, 11 Feb 2022 19:58:02 CET", "2022-02-11T18:58:02.000Z"],
  ["Mon, May 25 2020 04:45:26 +0000", "2020-05-25T04:45:26.000Z"],
  ["Wed, 02 Oct 2002 08:00 GMT", "2002-10-02T08:00:00.000Z"],
  ["02 Oct 02 08:00:00 UT", "2002-10-02T08:00:00.000Z"],
  ["02 Oct 97 08:00:00 UT", "1997-10-02T08:00:00.000Z"],
  ["Wed,23 MAY 2012 02:23:01", "2012-05-23T02:23:01.000Z"],
  ["2024-10-02T08:00:00Z", "2024-10-02T08:00:00.000Z"],
  ["2024-10-02 08:00:00", "2024-10-02T08:00:00.000Z"],
  ["2024-10-02 08:00:00 +0200", "2024-10-02T06:00:00.000Z"],
  ["2024-10-02 08:00:00 UTC", "2024-10-02T08:00:00.000Z"],
  ["2024/10/02 08:00", "2024-10-02T08:00:00.000Z"],
  ["20241002T080000Z", "2024-10-02T08:00:00.000Z"],
  ["2024-10-02T08:00:00.123456+00:00", "2024-10-02T08:00:00.123Z"],
  ["2024-10-02T08:00:00,5Z", "2024-10-02T08:00:00.500Z"],
  ["2024-10-02T08:00:00-0330", "2024-10-02T11:30:00.000Z"],
  ["2024-10-02T08:00+02:00", "2024-10-02T06:00:00.000Z"],
  ["2024-10-02", "2024-10-02T00:00:00.000Z"],
  ["2024-10", "2024-10-01T00:00:00.000Z"],
  ["2024", "2024-01-01T00:00:00.000Z"],
  ["Tue, 01 Mar 2022 16:03:00 GMT+0000", "2022-03-01T16:03:00.000Z"],
  ["Wed, 02 Oct 2024 08:00:00 GMT+0200 (CEST)", "2024-10-02T06:00:00.000Z"],
  ["Tues, 2 Oct 2024 8:00:00 +0200", "2024-10-02T06:00:00.000Z"],
  ["Wed, 02 Oct 2024 08:00:00 Z", "2024-10-02T08:00:00.000Z"],
  ["Wed, 02 Oct 2024 08:00:00 -0000", "2024-10-02T08:00:00.000Z"],
  ["Wed, 02 Oct 2024 08:00:00 +02:00", "2024-10-02T06:00:00.000Z"],
  ["mer., 02 oct. 2024 08:00:00 +0200", "2024-10-02T06:00:00.000Z"],
  ["Wed, 02 Oct 2024 24:00:00 GMT", "2024-10-03T00:00:00.000Z"],
  ["Wed, 02 Oct 2024 08:00:60 GMT", "2024-10-02T08:00:59.000Z"],
  ["  Wed, 02 Oct 2024 08:00:00 GMT ", "2024-10-02T08:00:00.000Z"],
  ["Wednesday, 02-Oct-24 08:00:00 GMT", "2024-10-02T08:00:00.000Z"],
  ["Wed, 02-Oct-2024 08:00:00 GMT", "2024-10-02T08:00:00.000Z"],
  ["Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37.000Z"],
  ["Sun Nov 6 08:49:37 EST 1994", "1994-11-06T13:49:37.000Z"],
  ["October 2, 2024", "2024-10-02T00:00:00.000Z"],
  ["Sept 5, 2024 10:00 PDT", "2024-09-05T17:00:00.000Z"],
  ["2 October 2024 8:00 PM", "2024-10-02T20:00:00.000Z"],
  ["2 Oct 2024 12:30 am", "2024-10-02T00:30:00.000Z"],
  ["Thu, 29 Feb 2024 08:00:00 GMT", "2024-02-29T08:00:00.000Z"],
];

const NO_DATES: readonly string[] = [
  "",
  "soon",
  "Wed, 31 Feb 2024 08:00:00 GMT",
  "Thu, 29 Feb 2023 08:00:00 GMT",
  "Mon, 31 Sep 2024 01:00:00 +0200",
  "Wed, 00 Oct 2024 08:00:00 GMT",
  "2024-02-30",
  "2024-13-01",
  "2024-00-10",
  "2024-02-30T10:00:00+02:00",
  "2024-10-02T25:00:00Z",
  "2024-10-02T24:00:01Z",
  "2024-10-02T08:60:00Z",
  "Wed, 02 Oct 2024 08:00:00 XYZ",
  "Wed, 02 Oct 2024 08:00:00 +9900",
  "2 Oct 2024 13:00 PM",
  "02 Foo 2024",
  "10/02/2024",
  "1727856000",
  `${" ".repeat(200)}2024`,
];

describe.each(["UTC", "America/New_York", "Asia/Kolkata"])("where the machine is in %s", (zone) => {
  const before = process.env["TZ"];
  beforeAll(() => {
    process.env["TZ"] = zone;
  });
  afterAll(() => {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  });

  it.each(DATES)("%s is %s", (written, iso) => {
    const ms = readDate(written);
    expect(ms === null ? null : new Date(ms).toISOString()).toBe(iso);
  });

  it.each(NO_DATES)("%s is not a date", (written) => {
    expect(readDate(written)).toBeNull();
  });
});

describe("Retry-After", () => {
  const NOW = Date.UTC(1994, 10, 6, 8, 49, 7);

  it.each<readonly [header: string | readonly string[] | undefined, ms: number | null]>([
    ["0", 0],
    ["120", 120_000],
    ["1.5", 1_500],
    ["0.0001", 1],
    [" 7 ", 7_000],
    ["1, 3", 3_000],
    [["1", "4"], 4_000],
    [["soon", "4"], 4_000],
    ["99999999999999999999", Number.MAX_SAFE_INTEGER],
    ["9".repeat(400), Number.MAX_SAFE_INTEGER],
    ["Sun, 06 Nov 1994 08:49:37 GMT", 30_000],
    ["Sunday, 06-Nov-94 08:49:37 GMT", 30_000],
    ["Sun Nov  6 08:49:37 1994", 30_000],
    ["Sun, 06 Nov 1994 08:49:37 +0000", 30_000],
    ["Sun, 06 Nov 1994 08:00:00 GMT", 0],
    ["Sun, 31 Feb 1994 08:00:00 GMT", null],
    ["soon", null],
    ["-5", null],
    ["1, soon", null],
    ["", null],
    [[], null],
    [undefined, null],
  ])("%j asks for %s ms", (header, ms) => {
    expect(retryAfterMs(header, NOW)).toBe(ms);
  });

  it.each([
    [{ "retry-after-ms": ["1500"], "retry-after": ["2"] }, 1500],
    [{ "retry-after-ms": ["soon"], "retry-after": ["2"] }, 2000],
    [{ "retry-after-ms": ["0.2"] }, 1],
    [{}, null],
  ])("headers %j ask for %s ms", (headers, ms) => {
    expect(askedWaitMs(new Map(Object.entries(headers)), NOW)).toBe(ms);
  });
});
