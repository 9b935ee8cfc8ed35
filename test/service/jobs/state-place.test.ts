/** A state directory whose files are deleted or replaced under a running service. */
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openJobStore } from "../../../service/jobs/open-store.ts";
import { exchange, realClock } from "../serving.ts";
import { endServices, isBuilt, type ServeProcess, serveProcess } from "./faults/serve-process.ts";
import { servingJobs, temporaryFolder } from "./serving-jobs.ts";

const folder = await temporaryFolder();
afterAll(() => {
  endServices();
  return folder.remove();
});

const QUICK = { code: "L1:\n  J 1\n" };
const SLEEPS = { code: "L1:\n  R core.SLEEP 2500 ->x\n  J 1\n" };
const LOST = "the state directory was removed or replaced";

const ready = (port: number) => exchange(port, "GET", "/ready");
const opened = (stateDir: string, owner: string) =>
  openJobStore({ stateDir, databaseUrl: null, clock: realClock, silentMs: 30_000, owner });

/** The ways in which a directory stops being that of the service. */
const LOSSES: readonly (readonly [name: string, lose: (stateDir: string) => Promise<void>])[] = [
  ["removed", (stateDir) => rm(stateDir, { recursive: true })],
  [
    "removed and created again",
    async (stateDir) => {
      await rm(stateDir, { recursive: true });
      await mkdir(stateDir);
    },
  ],
  ["moved away", (stateDir) => rename(stateDir, `${stateDir}-moved`)],
  ["emptied of its database", (stateDir) => rm(join(stateDir, "weft.db"))],
  ["emptied of its write-ahead log", (stateDir) => rm(join(stateDir, "weft.db-wal"))],
];

describe("a state directory that was", () => {
  it.each(LOSSES)("%s accepts no further job, and the service reports it", async (name, lose) => {
    const stateDir = join(folder.path, name);
    const service = await servingJobs({ stateDir });
    try {
      expect((await service.over(await service.queued(QUICK))).body.status).toBe("succeeded");
      await lose(stateDir);
      expect(await service.logged("store_unavailable")).toMatchObject({ reason: expect.stringContaining(LOST) });
      await service.services.readiness.check();
      expect((await service.call("GET", "/ready")).body).toMatchObject({
        status: "degraded",
        reason: expect.stringContaining(LOST),
      });
      expect((await service.call("POST", "/enqueue", QUICK)).body).toMatchObject({
        error: "store_unavailable",
        message: expect.stringContaining(LOST),
      });
      expect((await service.run(QUICK)).body.out).toBe(1);
      expect((await service.run(QUICK, { "idempotency-key": "k" })).body.error).toBe("store_unavailable");
    } finally {
      await service.stop();
    }
  });

  it("moved away and back takes jobs again", async () => {
    const stateDir = join(folder.path, "back");
    const service = await servingJobs({ stateDir });
    try {
      await rename(stateDir, `${stateDir}-moved`);
      await service.logged("store_unavailable");
      await rename(`${stateDir}-moved`, stateDir);
      await service.logged("store_recovered");
      expect((await service.over(await service.queued(QUICK))).body.status).toBe("succeeded");
    } finally {
      await service.stop();
    }
  });
});

describe("a store whose lock file was deleted", () => {
  it("refuses a second store in the same process, and frees the directory when it is closed", async () => {
    const stateDir = join(folder.path, "in-process");
    const first = await opened(stateDir, "a");
    await rm(join(stateDir, "lock"));
    await expect(opened(stateDir, "b")).rejects.toThrow(/in use by another process/);
    await first.close();
    await (await opened(stateDir, "c")).close();
  });
});

describe.skipIf(!isBuilt)("wf serve", { timeout: 60_000 }, () => {
  const started = (stateDir: string): Promise<ServeProcess> =>
    serveProcess({ WF_STATE_DIR: stateDir, WF_DRAIN_MS: "1000" });

  it.each(["lock", "lock, weft.db-shm"])("keeps its jobs to itself when these files are deleted: %s", async (files) => {
    const names = files.split(", ");
    const stateDir = join(folder.path, names.join(" and "));
    const first = await started(stateDir);
    const ids: string[] = [];
    for (const retry of [true, false])
      ids.push((await exchange(first.port, "POST", "/enqueue", { ...SLEEPS, retry })).body.job_id);
    for (const name of names) await rm(join(stateDir, name));
    const second = await started(stateDir);
    expect(second.port).toBe(0);
    expect(second.stderr()).toContain("in use by another process");
    if (names.length === 1) {
      for (const id of ids) {
        const { body } = await exchange(first.port, "GET", `/result/${id}?wait=20`);
        expect(body).toMatchObject({ status: "succeeded", attempt: 1 });
      }
      expect((await ready(first.port)).status).toBe(200);
    }
    expect(await first.end("SIGTERM")).toBe(0);
  });

  it("whose directory was replaced leaves it to the service that starts there", async () => {
    const stateDir = join(folder.path, "replaced");
    const first = await started(stateDir);
    await rm(stateDir, { recursive: true });
    await mkdir(stateDir);
    await expect.poll(async () => (await ready(first.port)).status, { timeout: 5000 }).toBe(503);
    expect((await exchange(first.port, "POST", "/enqueue", QUICK)).status).toBe(503);
    const second = await started(stateDir);
    expect((await exchange(second.port, "POST", "/enqueue", QUICK)).status).toBe(202);
    expect((await ready(first.port)).status).toBe(503);
    expect([await first.end("SIGTERM"), await second.end("SIGTERM")]).toEqual([0, 0]);
  });
});
