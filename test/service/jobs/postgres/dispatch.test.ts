/** How the task queue of PostgreSQL survives outages, also during long runs. */
import * as queue from "graphile-worker";
import pg from "pg";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { poolOfQueue } from "../../../../service/jobs/postgres/queue-pool.ts";
import { runTasks } from "../../../../service/jobs/postgres/task-runner.ts";
import { startPostgres } from "../../../support/postgres.ts";
import { verifies } from "../../../support/requirements.ts";
import { realClock } from "../../serving.ts";
import { servingJobs } from "../serving-jobs.ts";

const ADD = { code: "L1:\n  R core.ADD 2 3 ->x\n  J x\n" };
const HOLD = { code: 'L1:\n  R ext.Hold "one" ->x\n  J x\n' };

const postgres = await startPostgres();
afterAll(() => postgres?.stop());

/** The error that the queue's workers get when they ask for a connection, with a promise or a callback. */
async function failuresOf(pool: pg.Pool): Promise<readonly unknown[]> {
  const byPromise = await pool.connect().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const byCallback = await new Promise((resolve) => {
    pool.connect((thrown) => resolve(thrown));
  });
  return [byPromise, byCallback];
}

describe("connections of the task queue", () => {
  it("fail without the codes by which its workers would sleep on after an outage", async () => {
    const pool = new pg.Pool({ host: "/nowhere", user: "someone" });
    onTestFinished(() => pool.end());
    for (const failure of await failuresOf(pool)) expect(failure).toHaveProperty("code", "ENOENT");
    for (const failure of await failuresOf(poolOfQueue(pool, realClock))) {
      expect(failure).toBeInstanceOf(Error);
      expect(failure).not.toHaveProperty("code");
      expect(failure).toHaveProperty("cause.code", "ENOENT");
    }
  });

  it.skipIf(postgres === null)("are those of the pool otherwise", async () => {
    const pool = new pg.Pool({ connectionString: (await postgres?.createDatabase()) ?? "" });
    onTestFinished(() => pool.end());
    const asked = poolOfQueue(pool, realClock);
    const client = await asked.connect();
    expect((await client.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    client.release();
    await new Promise<void>((resolve, reject) => {
      asked.connect((thrown, other, done) => {
        done();
        // The queue does so when it loses the connection on which it listens while it ends.
        done();
        if (thrown === undefined && other === client) resolve();
        else reject(thrown ?? new Error("another connection"));
      });
    });
    expect(asked.totalCount).toBe(1);
    expect(asked.listenerCount("error")).toBe(pool.listenerCount("error"));
  });

  it.skipIf(postgres === null).each([
    ["stay when they are sound", 1, async (client: pg.PoolClient) => void (await client.query("SELECT 1"))],
    ["go when an answer is due yet", 0, async (client: pg.PoolClient) => void client.query("SELECT 1").catch(() => {})],
    ["go when a transaction is open", 0, async (client: pg.PoolClient) => void (await client.query("BEGIN"))],
  ])("%s", async (_what, left, use) => {
    const pool = new pg.Pool({ connectionString: (await postgres?.createDatabase()) ?? "" });
    onTestFinished(() => pool.end());
    const client = await poolOfQueue(pool, realClock).connect();
    await use(client);
    client.release();
    expect(pool.totalCount).toBe(left);
  });

  it.skipIf(postgres === null)("are cut when the queue listens to one that does not answer", async () => {
    const pool = new pg.Pool({ connectionString: (await postgres?.createDatabase()) ?? "" });
    onTestFinished(() => pool.end());
    const waits: { readonly ms: number; readonly then: () => void }[] = [];
    const clock = {
      wait(ms: number, then: () => void) {
        const wait = { ms, then };
        waits.push(wait);
        return () => void waits.splice(waits.indexOf(wait), 1);
      },
    };
    const lost = new Promise<Error>((resolve, reject) => {
      poolOfQueue(pool, clock).connect((thrown, client, done) => {
        if (client === undefined) return reject(thrown);
        client.on("error", (error: Error) => {
          done();
          resolve(error);
        });
      });
    });
    const fire = async (ms: number): Promise<void> => {
      await expect.poll(() => waits.map((wait) => wait.ms)).toEqual([ms]);
      waits.splice(0)[0]?.then();
    };
    await fire(10_000);
    await fire(10_000);
    await fire(5000);
    expect((await lost).message).toContain("terminated");
    expect(pool.totalCount).toBe(0);
  });
});

describe.skipIf(postgres === null)("a task queue that gives up", () => {
  it("is replaced when it lost the database at its first look for tasks", async () => {
    const pool = new pg.Pool({ connectionString: (await postgres?.createDatabase()) ?? "" });
    pool.on("error", () => {});
    pool.on("connect", (client) => client.on("error", () => {}));
    onTestFinished(() => pool.end());
    await queue.runMigrations({ pgPool: pool });
    await pool.query("SELECT graphile_worker.add_job('begin')");
    let isCut = false;
    pool.on("acquire", (client) => {
      const query: typeof client.query = client.query.bind(client);
      client.query = ((asked: { readonly text?: string }, ...others: []) => {
        if (isCut || asked.text?.includes("_private_tasks") !== true) return query(asked as never, ...others);
        isCut = true;
        return Promise.reject(new Error("Connection terminated unexpectedly"));
      }) as typeof client.query;
    });
    const deps = { queue, database: { pool }, clock: realClock, hasWorker: () => {} };
    await new Promise<void>((resolve) => {
      const tasks = runTasks(deps, { taskList: { begin: async () => resolve() }, concurrency: 2, pollMs: 50 });
      onTestFinished(() => tasks.stop());
    });
    expect(isCut).toBe(true);
  });

  it("ends though it could not write the end of one of its last tasks", async () => {
    const pool = new pg.Pool({ connectionString: (await postgres?.createDatabase()) ?? "" });
    onTestFinished(() => pool.end());
    pool.on("error", () => {});
    pool.on("connect", (client) => client.on("error", () => {}));
    await queue.runMigrations({ pgPool: pool });
    let failed = (): void => {};
    const hasFailed = new Promise<void>((resolve) => {
      failed = resolve;
    });
    let isFirst = true;
    pool.on("acquire", (client) => {
      const query: typeof client.query = client.query.bind(client);
      client.query = ((asked: { readonly text?: string }, ...others: []) => {
        if (!isFirst || asked.text?.startsWith("delete from") !== true) return query(asked as never, ...others);
        isFirst = false;
        failed();
        return Promise.reject(new Error("Connection terminated unexpectedly"));
      }) as typeof client.query;
    });
    const deps = { queue, database: { pool }, clock: realClock, hasWorker: () => {} };
    const begun: (() => void)[] = [];
    const task = () => new Promise<void>((resolve) => void begun.push(resolve));
    const tasks = runTasks(deps, { taskList: { hold: task }, concurrency: 4, pollMs: 50 });
    await pool.query("SELECT graphile_worker.add_job('hold') FROM generate_series(1, 4)");
    await expect.poll(() => begun.length).toBe(4);
    begun[0]?.();
    await hasFailed;
    const left = async () => (await pool.query("SELECT id FROM graphile_worker.jobs")).rows.length;
    for (const at of [1, 2]) {
      begun[at]?.();
      await expect.poll(left).toBe(4 - at);
    }
    begun[3]?.();
    await tasks.stop();
    expect(await left()).toBe(1);
  });

  it("is restarted while a run that it had started continues", { timeout: 30_000 }, async () => {
    verifies("env.WF_DATABASE_URL");
    const databaseUrl = (await postgres?.createDatabase()) ?? "";
    const service = await servingJobs({ databaseUrl, times: { recoverMs: 300 } });
    onTestFinished(() => service.stop());
    const long = await service.queued(HOLD);
    const held = await service.held();
    // It leaves in good order, as after an outage of minutes, and says by the exit code that it did.
    await postgres?.query(databaseUrl, `SELECT pg_notify('worker:migrate', '{"breaking":true,"migrationNumber":1}')`);
    await expect.poll(() => process.exitCode).toBe(57);
    process.exitCode = undefined;
    for (let at = 0; at < 3; at++)
      expect((await service.over(await service.queued(ADD))).body).toMatchObject({ status: "succeeded" });
    expect((await service.call("GET", `/result/${long}`)).body).toMatchObject({ status: "running", attempt: 1 });
    held.release("late");
    expect((await service.over(long)).body).toMatchObject({ status: "succeeded", attempt: 1, result: { out: "late" } });
  });
});

describe.skipIf(postgres === null)("a job that was taken from a replica and is run there again", () => {
  /** Its first run continues for a while, and ends next to the second. */
  const running = async (silentMs?: number) => {
    const databaseUrl = (await postgres?.createDatabase()) ?? "";
    const service = await servingJobs({
      databaseUrl,
      ...(silentMs === undefined ? {} : { silentMs }),
      times: { recoverMs: 50 },
    });
    onTestFinished(() => service.stop());
    const id = await service.queued({ ...HOLD, retry: true });
    const first = await service.held();
    await postgres?.query(databaseUrl, "UPDATE weft.jobs SET status = 'queued', owner = NULL");
    const second = await service.held();
    first.release("stale");
    await service.logged("stale_completion");
    return { service, databaseUrl, id, second };
  };

  it("can be cancelled", async () => {
    const { service, id, second } = await running();
    expect((await service.call("DELETE", `/result/${id}`)).status).toBe(202);
    expect((await service.over(id)).body).toMatchObject({ status: "cancelled", attempt: 2 });
    expect(second.signal.aborted).toBe(true);
  });

  it("is given up when the replica is declared dead once more", async () => {
    const { databaseUrl, second } = await running(600);
    const gone = new Promise<void>((resolve) => second.signal.addEventListener("abort", () => resolve()));
    await postgres?.query(databaseUrl, "DELETE FROM weft.replicas");
    await gone;
  });
});
