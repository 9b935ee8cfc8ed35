/** When cron lines are due, on the days on which clocks change above all. */
import { describe, expect, it } from "vitest";
import { timerAdapter } from "../../../adapters/builtin/timer/definition.ts";
import { cronTimes } from "../../../adapters/engine/cron-times.ts";
import { openBench } from "../../support/adapter-bench.ts";

const NEW_YORK = "America/New_York";
const BERLIN = "Europe/Berlin";
const SPRING = "2027-03-14T05:30:00Z";
const AUTUMN = "2027-11-07T04:30:00Z";

/** Line, zone, a time before, and the first times after it. */
type Row = readonly [cron: string, tz: string, from: string, times: readonly string[]];

const PLAIN: readonly Row[] = [
  ["0 0 L * *", "UTC", "2030-02-01T00:00:00Z", ["2030-02-28T00:00"]],
  ["0 0 * * 1#1", "UTC", "2030-01-02T00:00:00Z", ["2030-01-07T00:00"]],
  ["0 0 * * *", "Pacific/Apia", "2011-12-29T00:00:00Z", ["2011-12-29T10:00", "2011-12-30T10:00"]],
  ["10,20-22,58-59/1 8-12/4 * * *", "UTC", "2030-01-01T08:19:00Z", ["2030-01-01T08:20", "2030-01-01T08:21"]],
  ["*/40 5 * * *", "UTC", "2030-01-01T00:00:00Z", ["2030-01-01T05:00", "2030-01-01T05:40", "2030-01-02T05:00"]],
  ["? 5 * * *", "UTC", "2030-01-01T05:58:00Z", ["2030-01-01T05:59", "2030-01-02T05:00"]],
  ["@daily", BERLIN, "2030-01-01T12:00:00Z", ["2030-01-01T23:00"]],
];
const LEFT_OUT: readonly Row[] = [
  ["30 2 * * *", BERLIN, "2030-03-30T12:00:00Z", ["2030-03-31T01:00", "2030-04-01T00:30"]],
  ["30 2 * * *", NEW_YORK, SPRING, ["2027-03-14T07:00", "2027-03-15T06:30"]],
  ["0,30 2 * * *", NEW_YORK, SPRING, ["2027-03-14T07:00", "2027-03-15T06:00"]],
  ["* 2 * * *", NEW_YORK, SPRING, ["2027-03-14T07:00", "2027-03-15T06:00", "2027-03-15T06:01"]],
  ["*/30 2 * * *", NEW_YORK, SPRING, ["2027-03-14T07:00", "2027-03-15T06:00"]],
  ["0,30 2 * * 0", NEW_YORK, SPRING, ["2027-03-14T07:00", "2027-03-21T06:00"]],
  ["30 1-3 * * *", NEW_YORK, SPRING, ["2027-03-14T06:30", "2027-03-14T07:00", "2027-03-14T07:30"]],
  ["15 0-23/2 * * *", NEW_YORK, SPRING, ["2027-03-14T07:00", "2027-03-14T08:15"]],
  ["0 0,12 * * *", "America/Havana", "2027-03-14T02:30:00Z", ["2027-03-14T05:00", "2027-03-14T16:00"]],
];
const TWICE: readonly Row[] = [
  ["30 2 * * *", BERLIN, "2030-10-26T12:00:00Z", ["2030-10-27T00:30", "2030-10-28T01:30"]],
  ["30 1 * * *", NEW_YORK, AUTUMN, ["2027-11-07T05:30", "2027-11-08T06:30"]],
  ["0,30 1 * * *", NEW_YORK, AUTUMN, ["2027-11-07T05:00", "2027-11-07T05:30", "2027-11-08T06:00"]],
  ["*/20 1 * * *", NEW_YORK, "2027-11-07T05:30:00Z", ["2027-11-07T05:40", "2027-11-08T06:00"]],
  ["0 2,14 * * *", BERLIN, "2027-10-30T23:30:00Z", ["2027-10-31T00:00", "2027-10-31T13:00", "2027-11-01T01:00"]],
  ["0 0-3 * * *", NEW_YORK, "2027-11-07T03:30:00Z", ["2027-11-07T04:00", "2027-11-07T05:00", "2027-11-07T07:00"]],
  // Asked within the second of the two hours.
  ["0,30 1 * * *", NEW_YORK, "2027-11-07T06:10:00Z", ["2027-11-08T06:00"]],
];
const BY_THE_HOURS_THAT_PASS: readonly Row[] = [
  ["*/30 * * * *", BERLIN, "2030-10-27T00:00:00Z", ["2030-10-27T00:30", "2030-10-27T01:00", "2030-10-27T01:30"]],
  ["*/30 * * * *", NEW_YORK, AUTUMN, ["2027-11-07T05:00", "2027-11-07T05:30", "2027-11-07T06:00", "2027-11-07T06:30"]],
  ["5 * * * *", NEW_YORK, SPRING, ["2027-03-14T06:05", "2027-03-14T07:05"]],
  ["@hourly", NEW_YORK, "2027-11-07T04:30:00Z", ["2027-11-07T05:00", "2027-11-07T06:00", "2027-11-07T07:00"]],
];

const iso = (time: string) => `${time}:00.000Z`;

describe.each([
  ["a line has its times", PLAIN],
  ["K-1: what the clock leaves out in spring fires at the end of the gap", LEFT_OUT],
  ["K-1: what comes twice in autumn fires once", TWICE],
  ["K-1: a line for every hour fires in every hour that passes", BY_THE_HOURS_THAT_PASS],
])("%s", (_what, rows) => {
  it.each(rows)("%s in %s", (cron, tz, from, times) => {
    const line = cronTimes(cron, tz);
    let after = Date.parse(from);
    const found = times.map(() => {
      after = line?.next(after) ?? 0;
      return new Date(after).toISOString();
    });
    expect(found).toEqual(times.map(iso));
    expect(line?.previous(times.length, after).map((ms) => new Date(ms).toISOString())).toEqual(
      times.map(iso).reverse(),
    );
  });

  it.each(rows)("timer.next of %s in %s", async (cron, tz, after, [first = ""]) => {
    const bench = await openBench(timerAdapter, {});
    expect(await bench.call("next", cron, { tz, after })).toBe(iso(first));
  });
});

it.each(["* * * * * *", "@reboot", "0 0 0 0", "x", "", "5-1 2 * * *", "1-99 2 * * *", "*/0 2 * * *", "1-5/0 2 * * *"])(
  "%j is not a line",
  async (cron) => {
    expect(cronTimes(cron, "UTC")).toBeNull();
    const bench = await openBench(timerAdapter, {});
    expect(await bench.code("next", cron)).toBe("ADAPTER_BAD_ARGS");
  },
);

it.each(["Mars/Olympus", "", "0"])("%j is not a time zone", async (tz) => {
  expect(cronTimes("0 0 * * *", tz)).toBeNull();
  const bench = await openBench(timerAdapter, {});
  expect(await bench.code("next", "0 0 * * *", { tz })).toBe("ADAPTER_BAD_ARGS");
});
