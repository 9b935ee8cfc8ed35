/** What happens to requests and jobs that are under way when the store's thread ends, or the service stops: refused or kept, never lost, never a defect. */
import type { Worker } from "node:worker_threads";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { startPostgres } from "../../../support/postgres.ts";
import { verifies } from "../../../support/requirements.ts";
import type { Reply } from "../../serving.ts";
import { type JobServing, servingJobs, temporaryFolder } from "../serving-jobs.ts";

const ADD = { code: "L1:\n  R core.ADD 2 3 ->x\n  J x\n" };

const folder = await temporaryFolder();
const postgres = await startPostgres();
const services: JobServing[] = [];
const serve = async (options: Parameters<typeof servingJobs>[0]): Promise<JobServing> => {
  const service = await servingJobs(options);
  services.push(service);
  return service;
};
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
});
afterAll(async () => {
  await folder.remove();
  await postgres?.stop();
});

/** Sends requests from several clients until it is stopped, and collects the answers. A refused connection does not count as an answer. */
function loadOn(service: JobServing) {
  const replies: Reply[] = [];
  let stopped = false;
  const sides = Array.from({ length: 6 }, async () => {
    while (!stopped) {
      const reply = await service.call("POST", "/enqueue", ADD).catch((thrown: NodeJS.ErrnoException) => {
        if (thrown.code !== "ECONNREFUSED" && thrown.code !== "ECONNRESET") throw thrown;
      });
      if (reply === undefined) return;
      replies.push(reply);
    }
  });
  return {
    replies,
    accepted: () => replies.filter(({ status }) => status === 202).map(({ body }): string => body.job_id),
    async stop(): Promise<void> {
      stopped = true;
      await Promise.all(sides);
    },
  };
}

/** A service with a durable queue, and the thread that has its database open. */
async function servedByThread(name: string): Promise<{ readonly service: JobServing; readonly thread: Worker }> {
  const threads: Worker[] = [];
  const seen = (thread: Worker): void => void threads.push(thread);
  process.on("worker", seen);
  const service = await serve({ stateDir: `${folder.path}/${name}`, times: { probeMs: 20 } });
  process.off("worker", seen);
  expect(threads.length).toBe(1);
  return { service, thread: threads[0] as Worker };
}

describe("the thread of the database", () => {
  it("is replaced when it dies, and no acknowledged job is lost", async () => {
    const { service, thread } = await servedByThread("thread");
    const load = loadOn(service);
    await expect.poll(() => load.accepted().length).toBeGreaterThan(10);
    await thread.terminate();
    await service.logged("store_unavailable");
    await service.logged("store_recovered");
    const before = load.accepted().length;
    await expect.poll(() => load.accepted().length).toBeGreaterThan(before + 10);
    await load.stop();
    for (const { status, body } of load.replies)
      expect(status === 202 || (status === 503 && body.error === "store_unavailable"), JSON.stringify(body)).toBe(true);
    for (const id of load.accepted()) expect((await service.over(id)).body.status).toBe("succeeded");
  });

  it("is reported and replaced when it dies while idle", async () => {
    const { service, thread } = await servedByThread("idle");
    await thread.terminate();
    const told = await service.logged("store_unavailable");
    expect(told.level).toBe("error");
    await service.logged("store_recovered");
    expect((await service.over(await service.queued(ADD))).body.status).toBe("succeeded");
  });
});

const PLACES: Readonly<Record<string, () => Promise<Parameters<typeof servingJobs>[0]>>> = {
  durable: async () => ({ stateDir: `${folder.path}/stopping` }),
  shared: async () => ({ databaseUrl: (await postgres?.createDatabase()) ?? null }),
};

describe.each(Object.keys(PLACES).filter((kind) => kind !== "shared" || postgres !== null))(
  "a service with a %s queue that stops under load",
  (kind) => {
    it("finishes started calls at shutdown, refuses new ones, and its successor has every job", async () => {
      verifies("http.sigterm");
      const options = (await PLACES[kind]?.()) ?? {};
      for (let round = 0; round < 5; round++) {
        const first = await servingJobs(options);
        const load = loadOn(first);
        await expect.poll(() => load.accepted().length).toBeGreaterThan(5);
        await first.drain();
        await load.stop();
        for (const { status, body } of load.replies)
          expect(status === 202 || body.error === "draining", JSON.stringify(body)).toBe(true);
        const next = await servingJobs(options);
        for (const id of load.accepted()) expect((await next.over(id)).body.status).toBe("succeeded");
        await next.stop();
      }
    });
  },
);
