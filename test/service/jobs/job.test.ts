/** The table of moves, the ids, and time that does not jump. */

import { describe, expect, it } from "vitest";
import { ABOUT_NOTHING } from "../../../service/jobs/about.ts";
import {
  afterInterruption,
  isTerminal,
  JOB_STATUSES,
  type KeptJob,
  MOVES,
  moved,
  sourcesOf,
} from "../../../service/jobs/job.ts";
import { jobId, readJobId } from "../../../service/jobs/job-id.ts";
import { steadyTime } from "../../../service/jobs/steady-time.ts";

const job: KeptJob = {
  id: "j",
  status: "queued",
  traceId: "t",
  label: "L1",
  attempt: 0,
  retry: false,
  queuedMs: 1,
  startedMs: null,
  finishedMs: null,
  expiresMs: null,
  retryOf: null,
  about: ABOUT_NOTHING,
  index: null,
  error: null,
  durable: false,
  resumes: 0,
  endsMs: null,
  deployment: null,
  version: null,
  owner: null,
  keepMs: 100,
};

describe("moves", () => {
  it("start an attempt, end it, and expire the job", () => {
    const running = moved(job, "running", 5, "me");
    expect(running).toMatchObject({ status: "running", owner: "me", attempt: 1, startedMs: 5 });
    expect(moved(running, "cancelling", 6)).toMatchObject({ status: "cancelling", owner: "me" });
    expect(moved(running, "queued", 6)).toMatchObject({ status: "queued", owner: null, attempt: 1, startedMs: 5 });
    const ended = moved(running, "succeeded", 7);
    expect(ended).toMatchObject({ status: "succeeded", owner: null, finishedMs: 7, expiresMs: 107 });
    expect(moved(ended, "expired", 200)).toMatchObject({ status: "expired", finishedMs: 7, expiresMs: 200 });
  });

  it.each(JOB_STATUSES.flatMap((from) => JOB_STATUSES.map((to) => [from, to] as const)))(
    "from %s to %s",
    (from, to) => {
      const move = () => moved({ ...job, status: from }, to, 1);
      if (MOVES[from].includes(to)) expect(move().status).toBe(to);
      else expect(move).toThrow(/no move/);
    },
  );

  it("from final states lead only to expiry", () => {
    for (const status of JOB_STATUSES.filter(isTerminal))
      expect(MOVES[status]).toEqual(status === "expired" ? [] : ["expired"]);
    expect(sourcesOf("running")).toEqual(["queued"]);
  });

  it.each([
    ["running", false, 1, false, "interrupted"],
    ["running", true, 1, false, "queued"],
    ["running", true, 3, false, "interrupted"],
    ["cancelling", true, 1, false, "cancelled"],
    ["running", false, 7, true, "queued"],
    ["cancelling", false, 1, true, "cancelled"],
  ] as const)(
    "after an interruption of %s, retry %s, attempt %i, durable %s: %s",
    (status, retry, attempt, durable, next) => {
      expect(afterInterruption({ status, retry, attempt, durable })).toBe(next);
    },
  );
});

it("ids are UUIDs of version 7 that sort by time", () => {
  const random = "0123456789abcdef0123456789abcdef";
  const ids = [1, 1000, 1_893_456_000_000, 281_474_976_710_655].map((ms) => jobId(ms, random));
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect([...ids].sort()).toEqual(ids);
  expect(readJobId(ids[2]?.toUpperCase() ?? "")).toBe(ids[2]);
  for (const text of ["", "x", `${ids[0]}0`, "../../etc/passwd"]) expect(readJobId(text)).toBeNull();
});

it("steady time continues while the system clock jumps", () => {
  let [wall, mono] = [1_000_000, 0];
  const now = steadyTime({ wall: () => wall, now: () => mono });
  mono += 10;
  wall += 3_600_000;
  expect(now()).toBe(1_000_010);
});
