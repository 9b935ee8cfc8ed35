/** The SQLite store in a file. */
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { openSqliteStore } from "../../../service/jobs/sqlite/store.ts";
import { STEPS } from "../../../service/jobs/sqlite/tables/schema.ts";
import { realClock } from "../serving.ts";
import { sqlitePlace } from "./places.ts";
import { temporaryFolder } from "./serving-jobs.ts";
import { alone, newJob, storeCases } from "./store-cases.ts";
import { takeJobs } from "./taking.ts";

const folder = await temporaryFolder();
afterAll(() => folder.remove());

storeCases("a file", sqlitePlace(`${folder.path}/cases`));

describe("a file", () => {
  it("commits every call of a batch except the failed one, and counts them", async () => {
    const stateDir = `${folder.path}/one-fails`;
    const store = await openSqliteStore({ stateDir, owner: "own", now: Date.now, clock: realClock });
    const [a, b, c] = [newJob(1), newJob(2), newJob(3)];
    const options = { most: 10, key: null };
    const ends = await Promise.allSettled([a, b, a, c].map((job) => store.enqueue(alone(job), options)));
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(await store.figures()).toMatchObject({ queue_depth: 3, jobs_by_state: { queued: 3 } });
    await store.close();
    const db = new Database(`${stateDir}/weft.db`, { readonly: true });
    expect(db.prepare("SELECT id FROM jobs ORDER BY id").pluck().all()).toEqual([a.id, b.id, c.id].sort());
    db.close();
  });
});

describe("programs in a file", () => {
  it("are deleted a day after their last use, unless a job still needs them", async () => {
    const stateDir = `${folder.path}/programs`;
    const start = 1_000_000_000_000;
    let now = start;
    const store = await openSqliteStore({ stateDir, owner: "own", now: () => now, clock: realClock });
    const queue = async (checksum: string, keepMs: number) => {
      const job = newJob(now, { checksum, keepMs });
      await store.enqueue(alone(job), { most: 100, key: null });
      return job.id;
    };
    const db = new Database(`${stateDir}/weft.db`, { readonly: true });
    const keptAt = async (ms: number) => {
      now = start + ms;
      await store.sweep({ mostResults: 10_000 });
      return db.prepare("SELECT checksum FROM programs ORDER BY checksum").pluck().all();
    };
    const DAY = 24 * 3_600_000;
    await store.cancel(await queue("brief", 60_000));
    await store.cancel(await queue("long", 2 * DAY));
    await queue("waiting", 60_000);
    // The time of use is written anew when the one that is known is more than a minute old.
    for (const [checksum, later] of [
      ["again", 60_001],
      ["soon", 60_000],
    ] as const) {
      now = start;
      await store.cancel(await queue(checksum, 60_000));
      now = start + later;
      await store.cancel(await queue(checksum, 60_000));
    }
    expect(await keptAt(DAY - 1)).toEqual(["again", "brief", "long", "soon", "waiting"]);
    expect(await keptAt(DAY)).toEqual(["again", "long", "waiting"]);
    expect(await keptAt(DAY + 60_000)).toEqual(["again", "long", "waiting"]);
    expect(await keptAt(DAY + 60_001)).toEqual(["long", "waiting"]);
    expect(await keptAt(2 * DAY - 1)).toEqual(["long", "waiting"]);
    expect(await keptAt(2 * DAY)).toEqual(["waiting"]);
    db.close();
    await store.close();
  });
});

describe("a file of an earlier version", () => {
  it("keeps its jobs: those that wait are run, with their frames, and those that are over have results and events", async () => {
    const stateDir = `${folder.path}/earlier`;
    const store = await openSqliteStore({ stateDir, owner: "own", now: Date.now, clock: realClock });
    await store.close();
    const db = new Database(`${stateDir}/weft.db`);
    const tables = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .pluck()
      .all();
    for (const name of tables) db.exec(`DROP TABLE ${name}`);
    for (const step of STEPS.slice(0, 2)) db.exec(step);
    db.pragma("user_version = 2");
    const [done, waiting, running] = [newJob(1), newJob(2), newJob(3)];
    db.exec("INSERT INTO programs (checksum, ir, used_ms) VALUES ('sha256:a', '{}', 1)");
    const insert = db.prepare(
      `INSERT INTO jobs (id, status, trace_id, label, attempt, retry, owner, queued_ms, finished_ms, expires_ms, keep_ms, checksum, result,
       request) VALUES (?, ?, 't', 'L1', ?, 0, ?, ?, ?, ?, 1000, 'sha256:a', ?, '{"asked":{"frame":{"n":1}}}')`,
    );
    insert.run(done.id, "succeeded", 1, null, 1, 5, Date.now() + 60_000, '{"ok":true}');
    insert.run(waiting.id, "queued", 0, null, 2, null, null, null);
    insert.run(running.id, "running", 1, "dead", 3, null, null, null);
    const event = db.prepare("INSERT INTO job_events (job_id, seq, kind, data) VALUES (?, ?, ?, '{}')");
    for (const [seq, kind] of ["status", "status", "status", "end"].entries()) event.run(done.id, seq + 1, kind);
    event.run(waiting.id, 1, "status");
    db.close();
    const later = await openSqliteStore({ stateDir, owner: "heir", now: Date.now, clock: realClock });
    expect((await later.recover()).map(({ id, status }) => [id, status])).toEqual([[running.id, "interrupted"]]);
    expect(await later.find(done.id)).toMatchObject({ status: "succeeded", result: '{"ok":true}', queuedMs: 1 });
    expect((await later.events(done.id, 0)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    const taker = takeJobs(later, 1);
    const { job, end } = await taker.next();
    expect(job.tracestate).toBeNull();
    expect(job).toMatchObject({ id: waiting.id, frame: null, request: '{"asked":{"frame":{"n":1}}}', program: "{}" });
    expect(await later.settle(job, "succeeded", "{}")).toMatchObject({ status: "succeeded" });
    expect((await later.events(job.id, 0)).map(({ seq, kind }) => [seq, kind])).toEqual([
      [1, "status"],
      [2, "status"],
      [3, "status"],
      [4, "end"],
    ]);
    expect((await later.figures()).jobs_by_state).toEqual({ succeeded: 2, interrupted: 1 });
    end();
    await taker.stop();
    await later.close();
  });

  it("knows which jobs a request queued, and drops the request with the last of them", async () => {
    const stateDir = `${folder.path}/earlier-bulk`;
    let ahead = 0;
    const open = () => openSqliteStore({ stateDir, owner: "own", now: () => Date.now() + ahead, clock: realClock });
    await (await open()).close();
    const db = new Database(`${stateDir}/weft.db`);
    for (const name of db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .pluck()
      .all())
      db.exec(`DROP TABLE ${name}`);
    for (const step of STEPS.slice(0, 4)) db.exec(step);
    db.pragma("user_version = 4");
    db.exec(`INSERT INTO submissions (number, label, retry, queued_ms, keep_ms, checksum, request)
      VALUES (7, 'L1', 0, 1, 1000, 'sha256:a', '{}'), (8, 'L1', 0, 2, 1000, 'sha256:a', '{}')`);
    const insert = db.prepare(
      `INSERT INTO jobs (number, id, submission, status, trace_id, attempt, finished_ms, expires_ms, last_event)
       VALUES (?, ?, ?, 'succeeded', 't', 1, 1, ?, 4)`,
    );
    const later = Date.now() + 60_000;
    for (const [number, submission, expires] of [
      [3, 7, 5],
      [4, 7, 5],
      [5, 7, later],
      [6, 8, 5],
    ] as const)
      insert.run(number, newJob(number).id, submission, expires);
    db.close();
    const kept = (): unknown[] => {
      const reading = new Database(`${stateDir}/weft.db`, { readonly: true });
      const rows = reading.prepare("SELECT number, first_job, last_job, request FROM submissions").raw().all();
      reading.close();
      return rows;
    };
    const store = await open();
    expect(await store.sweep({ mostResults: 100 })).toHaveLength(3);
    expect(kept()).toEqual([
      [7, 3, 5, "{}"],
      [8, 6, 6, null],
    ]);
    ahead = 120_000;
    expect(await store.sweep({ mostResults: 100 })).toHaveLength(1);
    expect(kept()).toEqual([
      [7, 3, 5, null],
      [8, 6, 6, null],
    ]);
    await store.close();
  });
});
