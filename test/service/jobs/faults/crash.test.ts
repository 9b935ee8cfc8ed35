/** The service killed at random moments: what was acknowledged is there afterwards, and ends exactly once. */
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { verifies } from "../../../support/requirements.ts";
import { temporaryFolder } from "../serving-jobs.ts";
import { CRASH_ROUNDS, jobLoad, seededRandom } from "./job-load.ts";
import { endServices, isBuilt, serveProcess, startProcess } from "./serve-process.ts";

const folder = await temporaryFolder();
afterAll(() => {
  endServices();
  return folder.remove();
});

/** Of two services at a time, each with a folder of its own. */
const ROUNDS = CRASH_ROUNDS / 2;
const JOBS_A_ROUND = 10;

describe.skipIf(!isBuilt)("a service that is killed", () => {
  it.concurrent.each(["one", "other"])(
    "keeps every acknowledged job, and ends each exactly once: %s",
    {
      timeout: 600_000,
    },
    async (name) => {
      verifies("jobs.survive-restart");
      const random = seededRandom(`crash ${name}`);
      const load = await jobLoad();
      const stateDir = `${folder.path}/${name}`;
      const variables = { ...load.variables, WF_STATE_DIR: stateDir };
      for (let round = 0; round < ROUNDS; round++) {
        const service = startProcess(variables);
        // Now and then it dies while it starts, with jobs to recover.
        if (random() < 0.2) {
          await new Promise((resolve) => setTimeout(resolve, 200 + random() * 400));
        } else {
          const { sent } = await load.disturbed([await service.served], JOBS_A_ROUND, random);
          await service.end("SIGKILL");
          await sent;
        }
        await service.end("SIGKILL");
      }
      const service = await serveProcess(variables);
      await load.settle(service.port);
      const { succeeded, interrupted, startedAgain } = await load.verify(service.port);
      // The kills did hit jobs that ran.
      expect(Math.min(succeeded, interrupted + startedAgain)).toBeGreaterThan(0);
      // Nothing was queued twice: a request without an answer was repeated under its key.
      expect([...(await load.listed(service.port))].sort()).toEqual([...load.acknowledged.values()].sort());
      expect(await service.end("SIGTERM")).toBe(0);
      load.close();
      const db = new Database(`${stateDir}/weft.db`, { readonly: true });
      expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
      const moves = db.prepare("SELECT moves FROM jobs").pluck().all() as string[];
      db.close();
      const ends = moves.map((text) => [...text.matchAll(/ (succeeded|interrupted) /g)].length);
      expect(ends).toEqual(load.wanted.map(() => 1));
    },
  );

  it("refuses a state directory that another process has", { timeout: 60_000 }, async () => {
    const variables = { WF_STATE_DIR: `${folder.path}/shared` };
    const first = await serveProcess(variables);
    const second = await serveProcess(variables);
    expect(second.port).toBe(0);
    expect(await second.end("SIGTERM")).toBe(2);
    expect(second.stderr()).toMatch(/in use by another process/);
    expect(await first.end("SIGKILL")).toBeNull();
    // The lock went with the process.
    const third = await serveProcess(variables);
    expect(third.port).toBeGreaterThan(0);
    expect(await third.end("SIGTERM")).toBe(0);
  });
});
