/** `wf jobs why` of a job without an open wait: what keeps it where it is. */
import { describe, expect, it } from "vitest";
import { whyText } from "../../../cli/jobs/why.ts";
import type { Screen } from "../../../cli/session/screen.ts";
import { JOB_STATUSES } from "../../../service/jobs/job.ts";

const program = { stepName: ({ label = "" }) => `${label} line 4`, source: null };
const why = (status: string, found: object = {}, waits: readonly object[] = []): string =>
  whyText({ job_id: "j1", status, waits: waits as never, unread: {} }, null, {
    ...{
      now: Date.parse("2030-01-01T00:00:05Z"),
      screen: {} as Screen,
      found,
      program,
      handled: false,
      recorded: false,
    },
  });

describe("wf jobs why", () => {
  it.each([
    [{}, "it is in the queue, and starts when the service has a free place"],
    [{ position: 0 }, "it is in the queue, and starts when the service has a free place"],
    [{ position: 3 }, "it is in the queue, after 3 other jobs, and starts when the service has a free place"],
    [
      { held_by: { kind: "time", until: "2030-01-02T00:00:00Z" } },
      "it is in the queue, and its rule lets it begin later, at 2030-01-02T00:00:00Z",
    ],
    [
      { held_by: { kind: "concurrency" } },
      "it is in the queue: as many jobs as its rule admits are running, and it starts when one of them ends",
    ],
    [{ held_by: { kind: "rate" } }, "it is in the queue: as many jobs as its rule admits have just begun"],
    [{ held_by: { kind: "unique" } }, "it is in the queue: the job that it replaces has not ended"],
  ])("says what keeps a queued job with %j", (found, text) => {
    expect(why("queued", found)).toBe(`j1  queued\n  ${text}\n`);
  });

  it.each(JOB_STATUSES)("says something true of a job that is %s without an open wait", (status) => {
    const text = why(status);
    expect(text).not.toMatch(/waits for nothing/);
    if (!["failed", "timed_out", "cancelled", "interrupted", "rejected", "expired"].includes(status))
      expect(text).not.toMatch(/does not know the state/);
  });

  it("says that it does not know the state of a later version", () => {
    expect(why("paused")).toBe("j1  paused\n  this version of wf does not know the state paused\n");
  });

  it("names branches by their numbers and by what began them", () => {
    const wait = { kind: "timer", since: "2030-01-01T00:00:00Z", until: null, ended_at: null };
    const text = why("waiting", {}, [{ ...wait, branch: "main/n4/1#1>probe/n2/3#0" }]);
    expect(text).toContain("  branch 2 of main line 4, branch 1 of probe line 4 waits for its time, for 5.0 s\n");
  });
});
