/** Examples of the routes of schedules, for the OpenAPI document. */
const schedule = {
  id: "digest/nightly",
  program: "digest",
  version: 3,
  cron: "0 2 * * *",
  tz: "Europe/Berlin",
  label: "nightly",
  frame: {},
  jitter_s: 0,
  overlap: "skip",
  catch_up: "last",
  catch_up_window_s: 3600,
  enabled: true,
  paused: false,
  next_at: "2030-01-02T01:00:00.000Z",
};

export const EXAMPLES = {
  Schedule: [schedule],
  ScheduleList: [{ schedules: [schedule], next_cursor: null }],
  NextTimes: [{ id: schedule.id, next: [{ due_at: schedule.next_at, at: schedule.next_at }] }],
  ScheduleChange: [{ paused: true }],
  ScheduleRun: [{ ok: true, job_id: "01980c1e-7a50-7c3e-9d7e-2f6f0c1b2a3d" }],
  BackfillRequest: [{ from: "2030-01-01", to: "2030-01-03" }],
  Backfilled: [{ ok: true, count: 0, job_ids: [], already_fired: 2, more_from: null }],
};
