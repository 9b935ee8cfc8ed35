/** Replicas on one PostgreSQL database that are killed, and replaced, while jobs flow: the others continue, and nothing is lost or done twice. */
import { afterAll, describe, expect, it } from "vitest";
import { startPostgres } from "../../../support/postgres.ts";
import { verifies } from "../../../support/requirements.ts";
import { CRASH_ROUNDS, type JobLoad, jobLoad, seededRandom } from "../faults/job-load.ts";
import { endServices, isBuilt, type ServeProcess, serveProcess } from "../faults/serve-process.ts";

const postgres = await startPostgres();
afterAll(() => {
  endServices();
  return postgres?.stop();
});

const JOBS_A_ROUND = 10;

/** The jobs of a database, each with exactly one end. */
async function expectOneEndEach(url: string, load: JobLoad): Promise<void> {
  const ends = await postgres?.query(
    url,
    "SELECT j.id, count(e.seq)::int AS ends FROM weft.jobs j LEFT JOIN weft.job_events e ON e.job_id = j.id AND e.kind = 'end' GROUP BY j.id",
  );
  expect(ends?.map(({ id }) => id).sort()).toEqual([...load.acknowledged.values()].sort());
  expect(ends?.filter((job) => job["ends"] !== 1)).toEqual([]);
}

describe.skipIf(postgres === null || !isBuilt)("replicas on one database", () => {
  it("lose no job, and end each exactly once, while one of two is killed again and again", {
    timeout: 600_000,
  }, async () => {
    verifies("jobs.takeover", "jobs.survive-restart");
    const random = seededRandom("crash of replicas");
    const load = await jobLoad();
    const url = (await postgres?.createDatabase()) ?? "";
    const variables = { ...load.variables, WF_DATABASE_URL: url, WF_REPLICA_SILENT_MS: "1000" };
    const serve = (): Promise<ServeProcess> => serveProcess(variables);
    const replicas = await Promise.all([serve(), serve()]);
    for (let round = 0; round < CRASH_ROUNDS; round++) {
      const at = random() < 0.5 ? 0 : 1;
      const ports = replicas.map(({ port }) => port);
      const { sent } = await load.disturbed(ports, JOBS_A_ROUND, random);
      await replicas[at]?.end("SIGKILL");
      await sent;
      replicas[at] = await serve();
    }
    // The last one dies for good: the other takes over what it had.
    await replicas[0].end("SIGKILL");
    const { port } = replicas[1];
    await load.settle(port);
    const { succeeded, interrupted, startedAgain } = await load.verify(port);
    // The kills did hit jobs that ran.
    expect(Math.min(succeeded, interrupted + startedAgain)).toBeGreaterThan(0);
    await expectOneEndEach(url, load);
    expect(await replicas[1].end("SIGTERM")).toBe(0);
    load.close();
  });

  it("start together on an empty database, and are replaced one after the other without a loss", {
    timeout: 300_000,
  }, async () => {
    const load = await jobLoad();
    const url = (await postgres?.createDatabase()) ?? "";
    const serve = (): Promise<ServeProcess> => serveProcess({ ...load.variables, WF_DATABASE_URL: url });
    const replicas = await Promise.all([serve(), serve(), serve()]);
    expect(replicas.map(({ port }) => port)).not.toContain(0);
    let over = false;
    const flowing = (async () => {
      while (!over)
        await load.send(
          replicas.map(({ port }) => port),
          2,
        );
    })();
    for (let at = 0; at < replicas.length; at++) {
      // Runs that are under way come to their end; queued jobs are left to the others.
      expect(await replicas[at]?.end("SIGTERM")).toBe(0);
      replicas[at] = await serve();
    }
    over = true;
    await flowing;
    const { port } = replicas[0];
    await load.settle(port);
    expect(await load.verify(port)).toEqual({
      succeeded: load.wanted.length,
      interrupted: 0,
      startedAgain: 0,
      calledAgain: 0,
    });
    await expectOneEndEach(url, load);
    await Promise.all(replicas.map((replica) => replica.end("SIGTERM")));
    load.close();
  });
});
