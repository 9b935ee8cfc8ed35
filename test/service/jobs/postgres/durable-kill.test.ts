/**
 * Durable jobs of replicas on one database that are killed, and stopped for so long that others take what they run: a call that acts again was made at most once, also
 * by a replica that continues as a zombie. `WEFT_DURABLE_KILLS` makes it another number of rounds.
 */
import { afterAll, describe, expect, it } from "vitest";
import { startPostgres } from "../../../support/postgres.ts";
import { durableLoad } from "../durable/kill-world.ts";
import { seededRandom } from "../faults/job-load.ts";
import { endServices, isBuilt, type ServeProcess, serveProcess } from "../faults/serve-process.ts";

const ROUNDS = Number(process.env["WEFT_DURABLE_KILLS"] ?? 3);
const JOBS_A_ROUND = 6;
const SILENT_MS = 1000;

const postgres = await startPostgres();
afterAll(() => {
  endServices();
  return postgres?.stop();
});

describe.skipIf(postgres === null || !isBuilt)("durable jobs of replicas that are killed and stopped", () => {
  it("act once, or say that the outcome is unknown, and all end", { timeout: 120_000 + ROUNDS * 20_000 }, async () => {
    const random = seededRandom("durable kills of replicas");
    const url = (await postgres?.createDatabase()) ?? "";
    const load = await durableLoad(random);
    const variables = { ...load.variables, WF_DATABASE_URL: url, WF_REPLICA_SILENT_MS: String(SILENT_MS) };
    const serve = (): Promise<ServeProcess> => serveProcess(variables);
    const replicas = await Promise.all([serve(), serve(), serve()]);
    const isGone = async (owners: readonly unknown[]): Promise<boolean> => {
      const rows = (await postgres?.query(url, "SELECT id FROM weft.replicas")) ?? [];
      return owners.some((owner) => !rows.some(({ id }) => id === owner));
    };
    let zombies = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const at = Math.floor(random() * replicas.length);
      const chosen = replicas[at] as ServeProcess;
      const moment = load.after(1 + Math.floor(random() * 4 * JOBS_A_ROUND));
      const ports = replicas.map(({ port }) => port);
      const sent = Promise.all(ports.map((port) => load.send(port, JOBS_A_ROUND / ports.length)));
      await moment;
      if (round % 2 === 0) {
        const known = ((await postgres?.query(url, "SELECT id FROM weft.replicas")) ?? []).map(({ id }) => id);
        process.kill(chosen.pid, "SIGSTOP");
        // Until the others have taken what it runs.
        await expect.poll(() => isGone(known), { timeout: 60_000 }).toBe(true);
        process.kill(chosen.pid, "SIGCONT");
        zombies += 1;
      } else {
        await chosen.end("SIGKILL");
        replicas[at] = await serve();
      }
      await sent;
    }
    const { resumed } = await load.verify((replicas[0] as ServeProcess).port);
    expect(resumed).toBeGreaterThan(0);
    expect(zombies).toBeGreaterThan(0);
    // The journal of a job that is over is whole, and every job ended once.
    const gaps = await postgres?.query(
      url,
      "SELECT job FROM weft.job_journal GROUP BY job HAVING count(*) <> max(seq) OR min(seq) <> 1",
    );
    expect(gaps).toEqual([]);
    const ends = await postgres?.query(
      url,
      "SELECT job_id FROM weft.job_events WHERE kind = 'end' GROUP BY job_id HAVING count(*) <> 1",
    );
    expect(ends).toEqual([]);
    for (const replica of replicas) expect(await replica.end("SIGTERM")).toBe(0);
    load.close();
  });
});
