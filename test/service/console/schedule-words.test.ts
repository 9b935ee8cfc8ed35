/** The console says in words when a schedule fires, and shows its line where that has no short sentence. */
import { describe, expect, it } from "vitest";
import { scheduleWords } from "../../../service/ui/pages/schedules/schedule-words.ts";

describe("a schedule in words", () => {
  it.each([
    ["0 7 * * 1-5", "at 07:00, Monday to Friday"],
    ["0 7 * * MON-FRI", "at 07:00, Monday to Friday"],
    ["30 6,18 * * *", "at 06:30 and 18:30"],
    ["*/15 * * * *", "every 15 minutes"],
    ["* * * * *", "every minute"],
    ["*/1 * * * *", "every minute"],
    ["5 * * * *", "every hour at :05"],
    ["0 */6 * * *", "every 6 hours at :00"],
    ["0 0 1,15 * *", "at 00:00, on day 1 and 15 of the month"],
    ["0 9 * * 6,7", "at 09:00, Saturday and Sunday"],
    ["0 9 * 1-3 0", "at 09:00, Sunday, in January to March"],
    ["0 2 24 dec *", "at 02:00, on day 24 of the month, in December"],
    // No short sentence is true of these.
    ["*/7 * * * *", "*/7 * * * *"],
    ["0 2 1 * 1", "0 2 1 * 1"],
    ["1-5 2 * * *", "1-5 2 * * *"],
    ["0 2 L * *", "0 2 L * *"],
    ["0 25 * * *", "0 25 * * *"],
    ["@daily", "@daily"],
    ["0 0 2 * * *", "0 0 2 * * *"],
    ["0 2 * * 1-2-3", "0 2 * * 1-2-3"],
    ["", ""],
  ])("%s", (cron, words) => {
    expect(scheduleWords({ cron, tz: "Europe/Berlin" })).toBe(`${words} (Europe/Berlin)`);
  });
});
