/**
 * Durable jobs of a service that is killed at random moments (D-6, D-7): a call that acts again was made at most once, one under a key had one
 * key, and a job that says it did something did. Some of its processes start while the clock lags by days (D2.Q-5).
 * `WEFT_DURABLE_KILLS` makes it another number of rounds.
 */
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { seededRandom } from "../faults/job-load.ts";
import { endServices, isBuilt, serveProcess, shiftedClock, startProcess } from "../faults/serve-process.ts";
import { temporaryFolder } from "../serving-jobs.ts";
import { durableLoad } from "./kill-world.ts";

const ROUNDS = Number(process.env["WEFT_DURABLE_KILLS"] ?? 6);
const JOBS_A_ROUND = 6;
const DAY_MS = 86_400_000;

const folder = await temporaryFolder();
afterAll(() => {
  endServices();
  return folder.remove();
});

describe.skipIf(!isBuilt)("durable jobs of a service that is killed", () => {
  it("act once, or say that the outcome is unknown, and all end", { timeout: 60_000 + ROUNDS * 10_000 }, async () => {
    const random = seededRandom("durable kills");
    const load = await durableLoad(random);
    const stateDir = `${folder.path}/kills`;
    const variables = { ...load.variables, WF_STATE_DIR: stateDir };
    for (let round = 0; round < ROUNDS; round++) {
      const isBehind = round > 0 && random() < 0.3;
      const clock = isBehind ? shiftedClock(-3 * DAY_MS * random(), 3000 * random()) : {};
      const service = startProcess({ ...variables, ...clock });
      // Now and then it dies while it starts, or twice in a row.
      if (random() < 0.15) await new Promise((resolve) => setTimeout(resolve, 150 + random() * 300));
      else {
        const port = await service.served;
        const moment = load.after(1 + Math.floor(random() * 4 * JOBS_A_ROUND));
        await load.send(port, JOBS_A_ROUND);
        await moment;
      }
      await service.end("SIGKILL");
    }
    const service = await serveProcess(variables);
    const { resumed } = await load.verify(service.port);
    expect(resumed).toBeGreaterThan(0);
    expect(await service.end("SIGTERM")).toBe(0);
    load.close();
    const db = new Database(`${stateDir}/weft.db`, { readonly: true });
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
    db.close();
  });
});
