/** What a durable job costs on PostgreSQL, in statements and commits of the store: of one alone, and of many that share them. */
import pg from "pg";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { startPostgres } from "../../../support/postgres.ts";
import { type JobServing, servingJobs } from "../serving-jobs.ts";

const postgres = await startPostgres();
const services: JobServing[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const service of services.splice(0)) await service.stop();
});
afterAll(() => postgres?.stop());

const STEPS = 5;
const FIVE_WRITES = `L1:\n${Array.from({ length: STEPS }, (_, at) => `  R ext.Write ${at} ->x${at}\n`).join("")}  J 1\n`;
const JOB = { code: FIVE_WRITES, durable: true, adapters: { enable: ["ext"] } };

type Query = (sql: unknown, ...rest: readonly unknown[]) => unknown;

/** Counts statements of the store that write, and commits with such a statement in them. */
function counting(): { writes: number; commits: number } {
  const counts = { writes: 0, commits: 0 };
  const send = pg.Client.prototype.query as unknown as Query;
  const open = new WeakMap<object, { wrote: boolean }>();
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
    this: object,
    asked: unknown,
    ...rest: unknown[]
  ) {
    const sql = typeof asked === "string" ? asked : (asked as { readonly text: string }).text;
    const transaction = open.get(this);
    if (sql.startsWith("BEGIN")) open.set(this, { wrote: false });
    else if (sql === "COMMIT" || sql === "ROLLBACK") {
      open.delete(this);
      if (transaction?.wrote === true) counts.commits += 1;
    } else if (/(?:INSERT INTO|UPDATE|DELETE FROM) weft\.(?!replicas|probe)/.test(sql)) {
      counts.writes += 1;
      if (transaction === undefined) counts.commits += 1;
      else transaction.wrote = true;
    }
    return send.call(this, asked, ...rest);
  } as never);
  return counts;
}

async function served(): Promise<JobServing> {
  const databaseUrl = (await postgres?.createDatabase()) ?? "";
  const service = await servingJobs({ databaseUrl, variables: { WF_QUEUE_WORKERS: "16" } });
  services.push(service);
  // The program is known, and everything is prepared.
  await service.over(await service.queued(JOB));
  return service;
}

describe.skipIf(postgres === null)("a durable job on PostgreSQL", { timeout: 60_000 }, () => {
  it("writes when it is queued, claimed, and over, before each step, and once for its events", async () => {
    const service = await served();
    const counts = counting();
    await service.over(await service.queued(JOB));
    // Its events go together unless the job takes longer than they are gathered for.
    expect(counts.writes).toBeLessThanOrEqual(STEPS + 6);
    expect(counts.commits).toBeLessThanOrEqual(STEPS + 6);
  });

  it("shares statements and commits with the others that run", async () => {
    const service = await served();
    const JOBS = 64;
    const counts = counting();
    const ids = await Promise.all(Array.from({ length: JOBS }, () => service.queued(JOB)));
    await Promise.all(ids.map((one) => service.over(one)));
    // Alone, each takes STEPS + 4 or more.
    expect(counts.commits / JOBS).toBeLessThan(STEPS + 3);
    expect(counts.writes / JOBS).toBeLessThan(STEPS + 3);
  });
});
