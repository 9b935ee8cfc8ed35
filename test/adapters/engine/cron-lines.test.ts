/** The compiler refuses the cron lines that a service refuses, and no others: both read the same lines. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cronTimes } from "../../../adapters/engine/cron-times.ts";
import { cronProblem } from "../../../compiler/lower/cron.ts";

const FROM = Date.parse("2026-01-01T00:00:00Z");
const fires = (line: string): boolean => cronTimes(line, "UTC")?.next(FROM) != null;

describe("cron lines", () => {
  it.each([
    ["0 8 * * 1-5", null],
    ["@Daily", null],
    ["0 0 L * *", null],
    ["0 0 LW * *", null],
    ["0 0 15W * *", null],
    ["0 0 * * 5L", null],
    ["0 0 * * fri#2", null],
    ["0 0 * * fri-sun", null],
    ["0 0 31 4-6 *", null],
    ["0 0 30 2 1", null],
    ["0 0 29 2 *", null],
    ["0 8 * *", "a cron line has five fields, and this has 4"],
    ["0 0 8 * * *", "a cron line has five fields, and this has 6"],
    ["", "a cron line has five fields, and this has 0"],
    ["@reboot", "a cron line has five fields, and this has 1"],
    ["61 * * * *", "the minute of a cron line cannot be '61': values are 0 to 59"],
    ["0 24 * * *", "the hour of a cron line cannot be '24': values are 0 to 23"],
    ["5/15 * * * *", "the minute of a cron line cannot be '5/15': values are 0 to 59"],
    ["*/90 * * * *", "the minute of a cron line cannot be '*/90': values are 0 to 59"],
    ["0 22-2 * * *", "the hour of a cron line cannot be '22-2': values are 0 to 23"],
    ["0 0 31 2 *", "the line never fires: its months do not have that day"],
    ["0 0 31 4,6,9,11 ?", "the line never fires: its months do not have that day"],
    ["0 0 30,31 feb *", "the line never fires: its months do not have that day"],
  ])("%s", (line, what) => {
    expect(cronProblem(line)?.what ?? null).toBe(what);
    expect(fires(line)).toBe(what === null);
  });

  it("names the line as it is written instead", () => {
    expect(cronProblem("0 0 8 * * *")).toMatchObject({ write: '"0 8 * * *"', meant: "0 8 * * *" });
    expect(cronProblem("0 0 31 2 *")).toMatchObject({
      write: '"0 0 L 2 *" for the last day of the month',
      meant: null,
    });
    expect(cronProblem("61 * * * *")?.write).toMatch(/^minute, hour, day, month and day of the week, such as /);
  });

  it("are refused exactly where they cannot be read, or never fire", () => {
    const number = fc.oneof(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 9, max: 62 })).map(String);
    const named = fc.constantFrom("mon", "SUN", "sat", "jan", "feb", "Dec", "L", "LW", "15W", "5L", "1#2", "1#6", "x");
    const value = fc.oneof({ weight: 6, arbitrary: number }, { weight: 1, arbitrary: named });
    const range = fc.tuple(value, value).map(([a, b]) => `${a}-${b}`);
    const step = fc.tuple(fc.oneof(fc.constantFrom("*", "?"), value, range), number).map(([a, b]) => `${a}/${b}`);
    const item = fc.oneof(
      { weight: 5, arbitrary: value },
      { weight: 2, arbitrary: range },
      { weight: 2, arbitrary: step },
      { weight: 3, arbitrary: fc.constantFrom("*", "?") },
    );
    const field = fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(","));
    const fields = fc.tuple(
      fc.oneof(fc.constant("0"), field),
      fc.oneof(fc.constant("0"), field),
      field,
      field,
      fc.oneof(fc.constant("*"), field),
    );
    fc.assert(
      fc.property(fields, (parts) => {
        const line = parts.join(" ");
        expect([line, cronProblem(line)?.what ?? "fires"]).toEqual([
          line,
          fires(line) ? "fires" : expect.not.stringMatching(/^fires$/),
        ]);
      }),
      { numRuns: 3000 },
    );
  });
});
