/** Schedules in words: what is understood, and that everything else gives none. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scheduleOf } from "../../compiler/import/schedule.ts";
import { isCronExpression } from "../../compiler/lower/cron.ts";

const UNDERSTOOD: readonly (readonly [string, string])[] = [
  ["0 7 * * *", "0 7 * * *"],
  ["  */15   8-18 * JAN,mar mon-fri ", "*/15 8-18 * JAN,mar mon-fri"],
  ["0 0 1 1 7", "0 0 1 1 7"],
  ["5-55/10 * * * *", "5-55/10 * * * *"],
  ["0 0 29 2 *", "0 0 29 2 *"],
  ["0 0 31 * *", "0 0 31 * *"],
  ["0 0 30,31 2,3 *", "0 0 30,31 2,3 *"],
  ["0 0 31 */2 *", "0 0 31 */2 *"],
  ["*/60 */24 * * *", "*/60 */24 * * *"],
  ["*/7 * * * *", "*/7 * * * *"],
  ["0 0 13 * 5", "0 0 13 * 5"],
  ["0 0 */2 * *", "0 0 */2 * *"],
  ["0 0 * * */2", "0 0 * * */2"],
  ["@hourly", "0 * * * *"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@weekly", "0 0 * * 0"],
  ["@monthly", "0 0 1 * *"],
  ["@yearly", "0 0 1 1 *"],
  ["@Annually", "0 0 1 1 *"],
  ["7am", "0 7 * * *"],
  ["6 pm", "0 18 * * *"],
  ["6 P.M.", "0 18 * * *"],
  ["07:30", "30 7 * * *"],
  ["7:30am", "30 7 * * *"],
  ["23:59", "59 23 * * *"],
  ["0:00", "0 0 * * *"],
  ["12am", "0 0 * * *"],
  ["12pm", "0 12 * * *"],
  ["12:05 am", "5 0 * * *"],
  ["noon", "0 12 * * *"],
  ["Midnight", "0 0 * * *"],
  ["at 7am", "0 7 * * *"],
  ["7am, 6pm", "0 7,18 * * *"],
  ["6pm; 7am", "0 7,18 * * *"],
  ["7am and 6pm", "0 7,18 * * *"],
  ["7am, noon, and 6pm.", "0 7,12,18 * * *"],
  ["7am, 7am", "0 7 * * *"],
  ["every minute", "* * * * *"],
  ["every 1 minute", "* * * * *"],
  ["every 5 minutes", "*/5 * * * *"],
  ["Every 30 min", "*/30 * * * *"],
  ["every 60 minutes", "0 * * * *"],
  ["hourly", "0 * * * *"],
  ["every hour", "0 * * * *"],
  ["every 1 hour", "0 * * * *"],
  ["every 2 hours", "0 */2 * * *"],
  ["every 12 hrs", "0 */12 * * *"],
  ["every 24 hours", "0 0 * * *"],
  ["daily", "0 9 * * *"],
  ["every day", "0 9 * * *"],
  ["daily at 6:45", "45 6 * * *"],
  ["every day at 7am and 6pm", "0 7,18 * * *"],
  ["every day, at noon", "0 12 * * *"],
  ["7am daily", "0 7 * * *"],
  ["7am every day", "0 7 * * *"],
  ["weekdays", "0 9 * * 1-5"],
  ["every weekday at 7:30am", "30 7 * * 1-5"],
  ["on weekdays at 8am", "0 8 * * 1-5"],
  ["9am on weekdays", "0 9 * * 1-5"],
  ["weekends", "0 9 * * 0,6"],
  ["weekends 10am", "0 10 * * 0,6"],
  ["monday", "0 9 * * 1"],
  ["mondays", "0 9 * * 1"],
  ["sun 6pm", "0 18 * * 0"],
  ["9am monday", "0 9 * * 1"],
  ["every tuesday and friday at 8:15", "15 8 * * 2,5"],
  ["on friday, tue, and friday at 8:15", "15 8 * * 2,5"],
  ["Thurs at noon", "0 12 * * 4"],
  ["weekly", "0 9 * * 1"],
  ["weekly at 17:00", "0 17 * * 1"],
  ["monthly", "0 9 1 * *"],
  ["every month at 3am", "0 3 1 * *"],
];

const NOT_UNDERSTOOD: readonly string[] = [
  "",
  ",",
  "at",
  "every",
  "manual",
  "fortnightly",
  "when the moon is full",
  "every 7 minutes",
  "every 5 hours",
  "every 0 minutes",
  "every 90 minutes",
  "every 2 days",
  "every other day",
  "every 7am",
  "1st 9am",
  "the first monday of the month",
  "monthly on the 15th",
  "13pm",
  "0am",
  "24:00",
  "7:60",
  "7",
  "every tuesday at 8",
  "7am 6pm",
  "7am,",
  "7am-9am",
  "7am UTC",
  "7am Europe/Berlin",
  "daily except monday",
  "monday 9am, friday 9am",
  "mon-fri 8am",
  "weekdays 7am weekends",
  "monday tuesday at 7am",
  "0 25 * * *",
  "60 * * * *",
  "* * * * 8",
  "* * 0 * *",
  "* * * 13 *",
  "10-5 * * * *",
  "*/0 * * * *",
  "0 0 30 2 *",
  "0 0 31 4,6,9,11 *",
  "0 0 31 feb 1",
  "0 0 1,31 4 *",
  "0 0 31-31 2 *",
  "0 0 31 2/2 *",
  "*/61 * * * *",
  "*/90 * * * *",
  "0 */25 * * *",
  "0 0 */32 * *",
  "0 0 1 */13 *",
  "0 0 * * */8",
  "0-10/12 * * * *",
  "5/15 * * * *",
  "0 0 */2 * 1",
  "0 0 13 * */2",
  "0 7 * *",
  "0 7 * * * *",
  "0 0 ? * *",
  "@reboot",
  "0 7 * * *; rm -rf /",
  `${"7am, ".repeat(400)}7am`,
];

describe("a schedule in words", () => {
  it.each(UNDERSTOOD)("%s is %s", (text, cron) => {
    expect(scheduleOf(text)).toEqual({ cron, left_out: [] });
  });

  it.each(NOT_UNDERSTOOD)("%s is not guessed", (text) => {
    expect(scheduleOf(text)).toBeNull();
  });

  it("keeps the times of the first minute and names the others", () => {
    expect(scheduleOf("7am, 7:30am, 6pm, 18:30")).toEqual({ cron: "0 7,18 * * *", left_out: ["07:30", "18:30"] });
  });

  it("is always an expression that the compiler takes", () => {
    const words = [
      "every",
      "day",
      "daily",
      "at",
      "on",
      "and",
      ",",
      "7am",
      "6:30pm",
      "noon",
      "monday",
      "sun",
      "weekdays",
    ];
    const cron = ["0", "*", "*/5", "1-5", "mon", "61", "jan", "@daily", "hours", "minutes", "2"];
    const phrase = fc.array(fc.constantFrom(...words, ...cron), { maxLength: 6 }).map((parts) => parts.join(" "));
    fc.assert(
      fc.property(phrase, (text) => {
        const schedule = scheduleOf(text);
        expect(schedule === null || isCronExpression(schedule.cron)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});
