/** The table of moves, the ids, and time that does not jump. */

import { describe, expect, it } from "vitest";
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
import { clockWarning, StoreTime, steadyTime } from "../../../service/jobs/steady-time.ts";
import { ABOUT_NOTHING } from "../../../service/wire/about.ts";

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
  parkedMs: 0,
  parkedAtMs: null,
  flow: false,
  held: false,
  deployment: null,
  version: null,
  owner: null,
  keepMs: 100,
  keeps: null,
};

describe("moves", () => {
  it("count the time of a wait when it is over (T.S-5)", () => {
    const waits: KeptJob = { ...job, status: "waiting", durable: true, startedMs: 5, parkedMs: 10, parkedAtMs: 20 };
    expect(moved(waits, "queued", 50)).toMatchObject({ parkedMs: 40, parkedAtMs: null });
    expect(moved(waits, "cancelled", 50)).toMatchObject({ parkedMs: 40, parkedAtMs: null, finishedMs: 50 });
    // A clock that went back makes no time that was negative.
    expect(moved(waits, "queued", 19)).toMatchObject({ parkedMs: 10, parkedAtMs: null });
  });

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

describe("the time of a store (D2.Q-5)", () => {
  const DAY_MS = 86_400_000;
  const NOON = 1_900_000_000_000;

  function storeTime(latest: number | null) {
    let [wall, mono, slept] = [NOON, 5, 700];
    const clock = { wall: () => wall, now: () => mono, slept: () => slept };
    const time = new StoreTime(steadyTime(clock), clock, { wall, latest });
    let jumps = 0;
    time.onJump(() => {
      jumps += 1;
    });
    return {
      time,
      jumps: () => jumps,
      pass(ms: number): void {
        mono += ms;
        wall += ms;
      },
      set(ms: number): void {
        wall += ms;
      },
      sleep(ms: number): void {
        slept += ms;
        wall += ms;
      },
      look: (newest: number | null = null) => time.look({ wall, latest: newest }),
    };
  }

  it("continues from the newest time of the store, however far the clock lags", () => {
    for (const ms of [2 * DAY_MS, 400 * DAY_MS]) {
      const { time, pass } = storeTime(NOON + ms);
      pass(20_000);
      expect(time.now()).toBe(NOON + ms + 20_000);
      expect(time.behindMs).toBe(ms);
    }
    expect(storeTime(NOON - DAY_MS).time.now()).toBe(NOON);
    expect(storeTime(null).time.now()).toBe(NOON);
  });

  it("takes the clock again when it is set right, and says so", () => {
    const { time, pass, set, look, jumps } = storeTime(NOON + 2 * DAY_MS);
    expect(clockWarning(time)).toMatch(
      /^clock_behind_store: the clock lags the newest time of the job store by 2 days;/,
    );
    pass(2000);
    look();
    expect(jumps()).toBe(0);
    // The store was written an hour before the process started.
    set(2 * DAY_MS + 3_600_000);
    look();
    expect(time.now()).toBe(NOON + 2 * DAY_MS + 3_600_000 + 2000);
    expect([clockWarning(time), jumps()]).toEqual([null, 1]);
    // From here on it does not follow any more.
    set(3_600_000);
    look();
    expect([time.now(), jumps()]).toEqual([NOON + 2 * DAY_MS + 3_600_000 + 2000, 2]);
  });

  it("continues when the clock is set back, and warns", () => {
    const { time, set, look } = storeTime(null);
    set(-DAY_MS);
    look();
    expect([time.now(), time.behindMs]).toEqual([NOON, DAY_MS]);
  });

  it("counts the time in which the machine slept", () => {
    const { time, sleep, look, jumps } = storeTime(null);
    sleep(3_600_000);
    look();
    expect([time.now(), time.behindMs, jumps()]).toEqual([NOON + 3_600_000, 0, 1]);
  });

  it("follows those who share the store and continue from a later time", () => {
    const { time, look } = storeTime(NOON + DAY_MS);
    look(NOON + DAY_MS + 5000);
    expect(time.now()).toBe(NOON + DAY_MS + 5000);
  });
});
