/** `wf schedule why`: the last times of a schedule, and the command for what holds it up. */
import { describe, expect, it } from "vitest";
import { scheduleWhyText } from "../../../cli/schedule/schedule-why.ts";

const AT = "2030-01-31T07:00:00.000Z";
const SCHEDULE = {
  id: "digest/nightly",
  cron: "0 7 * * *",
  tz: "UTC",
  label: "nightly",
  version: 1,
  paused: false,
  enabled: true,
  next_at: "2030-02-01T07:00:00.000Z",
};
const FIRED = { due_at: "2030-01-30T07:00:00.000Z", outcome: "fired", job_id: "job-1" };
const SKIPPED = { due_at: AT, outcome: "skipped_overlap" };

describe("wf schedule why", () => {
  it("names the job that a schedule waits for, and the last times", () => {
    expect(
      scheduleWhyText({ ...SCHEDULE, fires: [SKIPPED, FIRED] }, 100)
        .split("\n")
        .map((line) => line.trimEnd()),
    ).toEqual([
      "digest/nightly  active  0 7 * * *  UTC",
      "  next: 2030-02-01T07:00:00.000Z",
      "    the job of an earlier time has not ended: wf jobs why job-1",
      "due                       outcome          job    error",
      "2030-01-31T07:00:00.000Z  skipped_overlap",
      "2030-01-30T07:00:00.000Z  fired            job-1",
      "",
    ]);
  });

  it.each([
    [{ fires: [FIRED] }, ""],
    [{ fires: [{ ...SKIPPED, error: "job_exists" }, FIRED] }, ""],
    [
      { fires: [{ due_at: AT, outcome: "missed", error: "queue_full" }] },
      `wf schedule backfill digest/nightly --from ${AT} --to TIME`,
    ],
    [{ paused: true, paused_because: "nothing could run 5 times in a row" }, "wf schedule resume digest/nightly"],
    [{ enabled: false, paused: true }, "wf programs enable digest"],
  ])("says what to do: %j", (members, command) => {
    const text = scheduleWhyText({ ...SCHEDULE, ...members }, 100);
    expect(
      text
        .split("\n")
        .find((line) => line.startsWith("    "))
        ?.trim() ?? "",
    ).toBe(command);
    if ("paused_because" in members) expect(text).toContain("it was paused: nothing could run 5 times in a row");
  });
});
