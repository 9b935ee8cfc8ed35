/** Cancelling at the same moment as something else: one outcome, told the same to everybody who asks, and listed once. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres } from "../../support/postgres.ts";
import { type JobServing, servingJobs, temporaryFolder } from "./serving-jobs.ts";

const ADD = { code: "L1:\n  R core.ADD 2 3 ->x\n  J x\n" };
const HOLD = { code: 'L1:\n  R ext.Hold "one" ->x\n  J x\n' };
const ROUNDS = 12;

const folder = await temporaryFolder();
const postgres = await startPostgres();
afterAll(async () => {
  await folder.remove();
  await postgres?.stop();
});

/** One service, or two that share a database. */
const PLACES: Readonly<Record<string, () => Promise<readonly JobServing[]>>> = {
  durable: async () => [await servingJobs({ stateDir: folder.path })],
  shared: async () => {
    const databaseUrl = (await postgres?.createDatabase()) ?? null;
    return [await servingJobs({ databaseUrl }), await servingJobs({ databaseUrl })];
  },
};
const KINDS = Object.keys(PLACES).filter((kind) => kind !== "shared" || postgres !== null);

describe.each(KINDS)("in a %s queue", { timeout: 60_000 }, (kind) => {
  let services: readonly JobServing[];
  let service: JobServing;
  let other: JobServing;
  beforeAll(async () => {
    services = (await PLACES[kind]?.()) ?? [];
    service = services[0] as JobServing;
    other = services.at(-1) as JobServing;
  });
  afterAll(async () => {
    for (const one of services) await one.stop();
  });

  test("a job that is cancelled while it is claimed or ends has one end, which all readers see", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await service.queued(ADD);
      const cancels = await Promise.all([service, other, service].map((one) => one.call("DELETE", `/result/${id}`)));
      for (const { status, body } of cancels)
        expect([status, body.status === "cancelling"]).toEqual([status, status === 202]);
      const over = (await other.over(id)).body;
      expect(["cancelled", "succeeded"]).toContain(over.status);
      expect(over.result.ok).toBe(over.status === "succeeded");
      expect((await service.over(id)).body).toEqual(over);
      expect((await other.call("DELETE", `/result/${id}`)).body).toEqual({ job_id: id, status: over.status });
      const listed = (await service.call("GET", "/jobs?limit=200")).body.jobs;
      expect(listed.filter((job: { job_id: string }) => job.job_id === id)).toMatchObject([{ status: over.status }]);
    }
  });

  test("a job that is cancelled and retried at once does not run twice in parallel", async () => {
    const id = await service.queued(HOLD);
    const held = await Promise.race(services.map((one) => one.held()));
    const [cancelled, retried] = await Promise.all([
      other.call("DELETE", `/result/${id}`),
      service.call("POST", `/result/${id}/retry`, {}),
    ]);
    expect([cancelled.status, cancelled.body.status]).toEqual([202, "cancelling"]);
    expect([202, 409]).toContain(retried.status);
    expect((await service.over(id)).body.status).toBe("cancelled");
    expect(held.signal.aborted).toBe(true);
    if (retried.status === 202) await service.call("DELETE", `/result/${retried.body.job_id}`);
  });

  test("pages of a list contain each job once, in one order, while jobs arrive", async () => {
    const before: string[] = [];
    for (let n = 0; n < 25; n++) before.push(await (n % 2 === 0 ? service : other).queued(ADD));
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const query: string = cursor === "" ? "limit=4" : `limit=4&cursor=${cursor}`;
      const { body } = await other.call("GET", `/jobs?${query}`);
      for (const { job_id } of body.jobs) seen.push(job_id);
      cursor = body.next_cursor;
      if (seen.length < 60) await service.queued(ADD);
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(before));
    for (const cursor of ["", "x", "MTIz", "a".repeat(201), "%00", Buffer.from("9/9").toString("base64url")])
      expect((await service.call("GET", `/jobs?cursor=${cursor}`)).status).toBe(400);
  });
});
