/** What durable jobs survive besides a dead process: clocks that jump, stores that are damaged, jobs that end their process, tightened grants. */
import { cp } from "node:fs/promises";
import Database from "better-sqlite3";
import { afterEach, describe, expect, it } from "vitest";
import { realClock } from "../../serving.ts";
import { type JobServing, type JobServingOptions, servingJobs, temporaryFolder } from "../serving-jobs.ts";

const folders: { remove(): Promise<void> }[] = [];
const services = new Set<JobServing>();
afterEach(async () => {
  for (const service of services) await service.stop();
  services.clear();
  for (const folder of folders.splice(0)) await folder.remove();
});

async function inFolder(): Promise<string> {
  const folder = await temporaryFolder();
  folders.push(folder);
  return folder.path;
}

async function served(options: JobServingOptions): Promise<JobServing> {
  const service = await servingJobs(options);
  services.add(service);
  return service;
}

/** The service ends, and the file is changed before the next one starts. */
async function between(service: JobServing, stateDir: string, change: (db: Database.Database) => void): Promise<void> {
  await service.drain();
  services.delete(service);
  const db = new Database(`${stateDir}/weft.db`);
  change(db);
  db.close();
}

/** As if the process had died while it ran its jobs. */
const died = (db: Database.Database): void =>
  void db.exec("UPDATE jobs SET status = 'running', owner = 'gone', why = NULL WHERE status = 'queued'");

/** A dozen services start and end here, on a machine that may be busy. */
const SLOW = { timeout: 60_000 };
const EXT = { adapters: { enable: ["ext"] } };
const HELD = 'L1:\n  R ext.Echo "a" ->x\n  R ext.Hold x ->y\n  R ext.Echo y ->z\n  J [x, z]\n';
const DAY_MS = 86_400_000;

function jumpingClock() {
  let ahead = 0;
  return {
    clock: { ...realClock, wall: () => realClock.wall() + ahead },
    jump(ms: number): void {
      ahead += ms;
    },
  };
}

describe("a clock that is set", SLOW, () => {
  it.each([DAY_MS, -DAY_MS])("by %i ms moves no span, neither begun before nor after", async (ms) => {
    const { clock, jump } = jumpingClock();
    const service = await served({ stateDir: await inFolder(), clock });
    const sleep = "L1:\n  R timer.sleep 0.5 ->t\n  J 1\n";
    const wait = 'L1:\n  R signal.wait "x" {"timeout": 0.5} ->s\n  J s.received\n';
    const before = [await service.queued({ code: sleep }), await service.queued({ code: wait })];
    for (const id of before) await service.logged("job_parked", ({ job_id }) => job_id === id);
    jump(ms);
    const after = [await service.queued({ code: sleep }), await service.queued({ code: wait })];
    for (const id of [...before, ...after]) expect((await service.over(id)).body.status).toBe("succeeded");
  });

  it("makes dates due that have come by it, and each once", async () => {
    const { clock, jump } = jumpingClock();
    const service = await served({ stateDir: await inFolder(), clock });
    const at = (ms: number) => new Date(realClock.wall() + ms).toISOString();
    const code = (ms: number) => `L1:\n  R timer.until "${at(ms)}" ->t\n  R ext.Echo t ->x\n  J x.at\n`;
    const tomorrow = await service.queued({ code: code(DAY_MS / 2), ...EXT });
    const later = await service.queued({ code: code(2 * DAY_MS), ...EXT });
    for (const id of [tomorrow, later]) await service.until(id, "sleeping");
    jump(DAY_MS);
    // The next wait makes the store look.
    await service.over(await service.queued({ code: "L1:\n  R timer.sleep 0.1 ->t\n  J 1\n" }));
    expect((await service.over(tomorrow)).body.status).toBe("succeeded");
    jump(-DAY_MS);
    await service.over(await service.queued({ code: "L1:\n  R timer.sleep 0.1 ->t\n  J 1\n" }));
    expect((await service.call("GET", `/result/${later}`)).body.status).toBe("sleeping");
    expect(service.made).toEqual(["Echo"]);
  });
});

describe("a process that starts while the clock lags by two days (D2.Q-5)", SLOW, () => {
  const SLEEP = "L1:\n  R timer.sleep 0.5 ->t\n  J 1\n";
  const CODES = [
    SLEEP,
    'L1:\n  R signal.wait "x" {"timeout": 0.5} ->s\n  J s.received\n',
    'L1:\n  R approval.ask "Now?" {"timeout": 0.5} ->a\n  J a.decision\n',
  ];
  const ASKS = { adapters: { enable: ["approval"] } };

  it("ends the spans and timeouts that the one before began, and takes the clock again when it is right", async () => {
    const stateDir = await inFolder();
    const first = await served({ stateDir });
    const ids = await Promise.all(CODES.map((code) => first.queued({ code, ...ASKS })));
    for (const id of ids) await first.logged("job_parked", ({ job_id }) => job_id === id);
    await between(first, stateDir, () => {});
    const { clock, jump } = jumpingClock();
    jump(-2 * DAY_MS);
    const second = await served({ stateDir, clock });
    const warnings = async () => JSON.stringify((await second.call("GET", "/ready")).body.warnings ?? []);
    expect(await warnings()).toContain(
      "clock_behind_store: the clock lags the newest time of the job store by 47 h 59 min",
    );
    for (const id of ids) expect((await second.over(id)).body.status).toBe("succeeded");
    expect((await second.over(await second.queued({ code: SLEEP }))).body.status).toBe("succeeded");
    jump(2 * DAY_MS);
    await expect.poll(warnings).not.toContain("clock_behind_store");
    const { queued_at } = (await second.over(await second.queued({ code: SLEEP }))).body;
    expect(Math.abs(Date.parse(queued_at) - realClock.wall())).toBeLessThan(60_000);
  });

  it("makes dates due within a moment when the clock is set, without another wait", async () => {
    const { clock, jump } = jumpingClock();
    const service = await served({ stateDir: await inFolder(), clock });
    const date = new Date(realClock.wall() + DAY_MS / 2).toISOString();
    const id = await service.queued({ code: `L1:\n  R timer.until "${date}" ->t\n  J 1\n` });
    await service.until(id, "sleeping");
    jump(DAY_MS);
    expect((await service.over(id)).body.status).toBe("succeeded");
  });

  it("counts the time in which the machine slept", async () => {
    let sleptMs = 0;
    const clock = { ...realClock, wall: () => realClock.wall() + sleptMs, slept: () => sleptMs };
    const service = await served({ stateDir: await inFolder(), clock });
    const id = await service.queued({ code: 'L1:\n  R timer.sleep "2h" ->t\n  J 1\n' });
    await service.until(id, "sleeping");
    sleptMs = DAY_MS;
    expect((await service.over(id)).body.status).toBe("succeeded");
  });
});

describe("a job that ends its process again and again", SLOW, () => {
  it("ends itself, and the recovery of others is not stopped (R-5)", async () => {
    const stateDir = await inFolder();
    const options = { stateDir, maxCrashes: 2, variables: { WF_DRAIN_MS: "50" } };
    let service = await served(options);
    const bad = await service.queued({ code: HELD, durable: true, ...EXT });
    await service.held();
    const good = await service.queued({ code: 'L1:\n  R timer.sleep "1d" ->t\n  J 1\n' });
    await service.until(good, "sleeping");
    for (let crashes = 1; crashes <= 2; crashes++) {
      await between(service, stateDir, died);
      service = await served(options);
      await service.held();
      expect(service.made, `crash ${crashes}`).toEqual(["Hold"]);
    }
    await between(service, stateDir, died);
    service = await served(options);
    const { body } = await service.over(bad);
    expect(body).toMatchObject({ status: "interrupted", result: { reason: "crash_loop" } });
    expect(service.made).toEqual([]);
    expect((await service.call("GET", `/result/${good}`)).body.status).toBe("sleeping");
    await service.over(await service.queued({ code: "L1:\n  J 1\n" }));
  });

  it("continues when each of its processes learned something", async () => {
    const stateDir = await inFolder();
    const options = { stateDir, maxCrashes: 1, variables: { WF_DRAIN_MS: "50" } };
    const code = `L1:\n${[1, 2, 3].map((n) => `  R ext.Hold "${n}" ->x${n}\n`).join("")}  J [x1, x2, x3]\n`;
    let service = await served(options);
    const id = await service.queued({ code, durable: true, ...EXT });
    for (const answer of ["a", "b"]) {
      (await service.held()).release(answer);
      // Its next call is under way when it dies.
      await service.held();
      await between(service, stateDir, died);
      service = await served(options);
    }
    (await service.held()).release("c");
    expect((await service.over(id)).body.result.out).toEqual(["a", "b", "c"]);
  });
});

describe("a damaged store", SLOW, () => {
  it("interrupts the job whose journal has a gap, and no other", async () => {
    const stateDir = await inFolder();
    const options = { stateDir, variables: { WF_DRAIN_MS: "50" } };
    const first = await served(options);
    const ids = [
      await first.queued({ code: HELD, durable: true, ...EXT }),
      await first.queued({ code: HELD, durable: true, ...EXT }),
    ];
    await first.held();
    await first.held();
    await between(first, stateDir, (db) => void db.exec("DELETE FROM job_journal WHERE job = 1 AND seq = 1"));
    const second = await served(options);
    const { body } = await second.over(ids[0] ?? "");
    expect(body).toMatchObject({ status: "interrupted", result: { reason: "journal_unreadable" } });
    (await second.held()).release("b");
    expect((await second.over(ids[1] ?? "")).body.result.out).toEqual(["a", "b"]);
  });

  it.each([
    ["all of its journal", "DELETE FROM job_journal"],
    ["all but the first record", "DELETE FROM job_journal WHERE seq > 1"],
    ["the last record", "DELETE FROM job_journal WHERE seq = 3"],
    ["what a record says", "UPDATE job_journal SET data = x'09' WHERE seq = 2"],
  ])("interrupts the job that lost %s while it waited, and makes nothing again", async (_what, damage) => {
    const stateDir = await inFolder();
    const first = await served({ stateDir });
    const code = 'L1:\n  R ext.Echo "a" ->x\n  R signal.wait "go" ->s\n  J x\n';
    const id = await first.queued({ code, ...EXT });
    await first.until(id, "waiting");
    await between(first, stateDir, (db) => void db.exec(damage));
    const second = await served({ stateDir });
    await second.call("POST", `/result/${id}/signals/go`, {});
    expect((await second.over(id)).body).toMatchObject({
      status: "interrupted",
      result: { reason: "journal_unreadable" },
    });
    expect(second.made).toEqual([]);
  });

  // A signal to such a job was an internal error, and the job stayed as it was.
  it.each([
    ["a signal", (id: string) => ["POST", `/result/${id}/signals/go`, 202] as const],
    ["a look at its journal", (id: string) => ["GET", `/result/${id}/journal`, 200] as const],
    ["its time", () => null],
  ])(
    "interrupts the job whose last record cannot be read at the first look, which is %s (D2.Q-11)",
    async (what, look) => {
      const stateDir = await inFolder();
      const first = await served({ stateDir });
      const timeout = what === "its time" ? 2 : 3600;
      const code = `L1:\n  R ext.Echo "a" ->x\n  R signal.wait "go" {"timeout": ${timeout}} ->s\n  J x\n`;
      const id = await first.queued({ code, ...EXT });
      const sound = await first.queued({ code: 'L1:\n  R signal.wait "go" {"timeout": 2} ->s\n  J s.received\n' });
      for (const job of [id, sound]) await first.until(job, "waiting");
      const last = "(SELECT max(seq) FROM job_journal WHERE job = 1)";
      await between(
        first,
        stateDir,
        (db) => void db.exec(`UPDATE job_journal SET data = x'09' WHERE job = 1 AND seq = ${last}`),
      );
      const second = await served({ stateDir });
      const looked = look(id);
      if (looked !== null)
        expect((await second.call(looked[0], looked[1], looked[0] === "POST" ? {} : undefined)).status).toBe(looked[2]);
      const { body } = await second.over(id);
      expect(body).toMatchObject({ status: "interrupted", result: { reason: "journal_unreadable" } });
      // Others are woken all the same.
      expect((await second.over(sound)).body.result.out).toBe(false);
    },
  );

  it("is replayed from the entry when its snapshots cannot be read", async () => {
    const stateDir = await inFolder();
    const options = { stateDir, variables: { WF_DRAIN_MS: "50" } };
    const code =
      'L1:\n  Set n 0\n  Loop xs i ->L2 ->L3\nL2:\n  R ext.Echo i ->v\n  X n add n v\n  J null\nL3:\n  R ext.Hold "n" ->h\n  J [n, h]\n';
    const first = await served(options);
    const xs = Array.from({ length: 600 }, (_, at) => at);
    const id = await first.queued({ code, frame: { xs }, durable: true, ...EXT });
    await first.held();
    const db = new Database(`${stateDir}/weft.db`, { readonly: true });
    const count = db.prepare("SELECT count(*) FROM job_snapshots").pluck();
    await expect.poll(() => count.get(), { timeout: 10_000, interval: 10 }).toBeGreaterThan(0);
    db.close();
    await between(first, stateDir, (db) => void db.exec("UPDATE job_snapshots SET data = x'0000ff'"));
    const second = await served(options);
    (await second.held()).release("b");
    expect((await second.over(id)).body.result.out).toEqual([179_700, "b"]);
    expect(second.made).toEqual(["Hold"]);
    expect(await second.logged("snapshot_unused")).toMatchObject({ job_id: id });
  });

  it.each([0, 1, 40, 4_000, 9_000])(
    "loses %i bytes at the end of its log, and the job ends as it would have",
    async (bytes) => {
      const stateDir = await inFolder();
      const torn = `${await inFolder()}/copy`;
      const first = await served({ stateDir });
      const id = await first.queued({ code: HELD, durable: true, ...EXT });
      await first.held();
      // What is on disk at this moment, as a power loss would leave it.
      await cp(stateDir, torn, { recursive: true });
      const { truncate, stat } = await import("node:fs/promises");
      const log = `${torn}/weft.db-wal`;
      await truncate(log, Math.max(0, (await stat(log)).size - bytes));
      const second = await served({ stateDir: torn });
      // A job whose acceptance was in the part that is lost was never there.
      const { status } = await second.call("GET", `/result/${id}`);
      if (status === 404) return;
      (await second.held()).release("b");
      expect((await second.over(id)).body.result.out).toEqual(["a", "b"]);
    },
  );
});

describe("a call whose process was killed, with on_unknown ask", SLOW, () => {
  const ACTS = 'L1:\n  R ext.HoldWrite "a" ->r\n  Err ->L_failed\n  J r\nL_failed:\n  J _error_info.details.outcome\n';

  it.each([
    ["done", { result: "by hand" }, "by hand", 0],
    ["make", {}, "answered", 1],
    ["fail", {}, "unknown", 0],
  ])("waits for a person, who says %s", async (decision, members, out, made) => {
    const stateDir = await inFolder();
    const killed = `${await inFolder()}/copy`;
    const first = await served({ stateDir });
    const id = await first.queued({ code: ACTS, durable: true, on_unknown: "ask", ...EXT });
    await first.held();
    // As the disk is when the process is killed during the call.
    await cp(stateDir, killed, { recursive: true });
    const second = await served({ stateDir: killed });
    await second.until(id, "waiting");
    expect(await second.logged("outcome_unknown")).toMatchObject({ seq: 2, adapter: "ext", verb: "HOLDWRITE" });
    const counted = `wf_outcomes_unknown_total{adapter="ext",verb="HoldWrite"} 1`;
    const { text } = await second.call("GET", "/metrics?format=prometheus");
    expect(text).toContain(counted);
    const [wait] = (await second.call("GET", `/result/${id}/waits`)).body.waits;
    expect(wait).toMatchObject({ kind: "outcome", ended_at: null });
    const decide = () => second.call("POST", `/result/${id}/outcome`, { seq: wait.of, decision, ...members });
    expect((await decide()).status).toBe(200);
    expect((await decide()).body.error).toBe("outcome_not_asked");
    if (made > 0) (await second.held()).release("answered");
    expect((await second.over(id)).body.result.out).toEqual(out);
    expect(second.made).toHaveLength(made);
  });
});

describe("a run that belongs to somebody else by now", SLOW, () => {
  it("writes nothing more and has no answer (J-5)", async () => {
    const stateDir = await inFolder();
    const service = await served({ stateDir });
    const id = await service.queued({ code: HELD, durable: true, ...EXT });
    const held = await service.held();
    const db = new Database(`${stateDir}/weft.db`);
    db.exec("UPDATE jobs SET owner = 'other', attempt = attempt + 1");
    const before = db.prepare("SELECT count(*) FROM job_journal").pluck().get();
    held.release("b");
    await service.logged("stale_completion");
    expect(db.prepare("SELECT count(*) FROM job_journal").pluck().get()).toBe(before);
    expect(db.prepare("SELECT status FROM jobs WHERE id = ?").pluck().get(id)).toBe("running");
    db.close();
  });
});

describe("an adapter that is gone", SLOW, () => {
  const CALLS = [
    "L1:",
    '  R ext.Echo "a" ->x',
    '  R signal.wait "go" {"timeout": "1d"} ->s',
    "  Call L_again ->y",
    "  Err ->L_gone",
    "  J y",
    "L_again:",
    '  R ext.Echo "b" ->y',
    "  J y",
    "L_gone:",
    "  J [x, _error_info.adapter_code]",
    "",
  ].join("\n");

  it("fails its call, which the program may catch, and answers of before are kept", async () => {
    const stateDir = await inFolder();
    const first = await served({ stateDir });
    const id = await first.queued({ code: CALLS });
    await first.until(id, "waiting");
    await between(first, stateDir, () => {});
    const second = await served({ stateDir, isExtGone: true });
    await second.call("POST", `/result/${id}/signals/go`, {});
    const { body } = await second.over(id);
    expect(body).toMatchObject({ status: "succeeded", result: { out: ["a", "ADAPTER_NOT_CONFIGURED"] } });
    expect(second.made).toEqual([]);
  });
});

describe("a grant that was tightened meanwhile", SLOW, () => {
  it("ends a job that waits as failed, and says that parts of it ran (M-5)", async () => {
    const stateDir = await inFolder();
    const first = await served({ stateDir });
    const code = 'L1:\n  R ext.Echo "a" ->x\n  R signal.wait "go" {"timeout": "1d"} ->s\n  J x\n';
    const id = await first.queued({ code, ...EXT });
    await first.until(id, "waiting");
    await between(first, stateDir, () => {});
    const second = await served({ stateDir, variables: { WF_HOST_ADAPTER_DENYLIST: "ext" } });
    await second.call("POST", `/result/${id}/signals/go`, {});
    const { body } = await second.over(id);
    expect(body).toMatchObject({ status: "failed", error: "policy_violation", result: { ran: true } });
    expect(second.made).toEqual([]);
  });
});
