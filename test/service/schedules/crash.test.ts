/** The service killed at random moments while schedules fire and deployments change (K-2, K-9): each due time has one job, and none is lost. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { startPostgres } from "../../support/postgres.ts";
import { seededRandom } from "../jobs/faults/job-load.ts";
import { endServices, type ServeProcess, serveProcess } from "../jobs/faults/serve-process.ts";
import { temporaryFolder } from "../jobs/serving-jobs.ts";
import { exchange } from "../serving.ts";

const MINUTE = 60_000;
/** Next to the helpers that it starts. */
const program = fileURLToPath(new URL("../../../node_modules/.cache/weft/fast-service.mjs", import.meta.url));
await build({
  entryPoints: [fileURLToPath(new URL("./fast-service.ts", import.meta.url))],
  outfile: program,
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  logLevel: "warning",
});
const postgres = await startPostgres();
const folder = await temporaryFolder();
afterAll(async () => {
  endServices();
  await postgres?.stop();
  await folder.remove();
});

/** How often a service is killed; `WEFT_CRASH_ROUNDS` makes it another number. */
const ROUNDS = Number(process.env["WEFT_CRASH_ROUNDS"] ?? 4);
const NAMES = ["a", "b"];
const LABELS = ["L1", "L2", "L3", "L4"];
const KEPT = {
  WF_PROGRAM_VERSIONS_KEPT: "10000",
  WF_RESULT_MAX: "1000000",
  WF_RESULT_TTL_S: "31536000",
  WF_QUEUE_MAX: "100000",
  WF_REPLICA_SILENT_MS: "1000",
};

/** Every label every minute; nothing is left out, however long the service was away. */
function deployment(n: number): object {
  const lines = [...LABELS.map((label) => `Cr ${label} * * * * *`), ...LABELS.map((label) => `${label}:\n  J ${n}`)];
  const rules = { overlap: "allow", catch_up: "all", catch_up_window_s: 31 * 24 * 3600 };
  return { code: lines.join("\n"), schedules: LABELS.map((label) => ({ label, ...rules })) };
}

async function deployAll(port: number): Promise<void> {
  for (const name of NAMES) expect((await exchange(port, "PUT", `/programs/${name}`, deployment(0))).status).toBe(201);
}

/** Requests at random; answers that do not come do not matter: due times are. */
async function disturb(port: number, random: () => number, right: number): Promise<void> {
  const name = NAMES[Math.floor(random() * NAMES.length)] ?? "a";
  const label = LABELS[Math.floor(random() * LABELS.length)] ?? "L1";
  const kind = random();
  const ask = (method: string, path: string, body: object) => exchange(port, method, path, body).catch(() => null);
  if (kind < 0.3) await ask("PUT", `/programs/${name}`, deployment(Math.floor(random() * 5)));
  else if (kind < 0.5) await ask("POST", `/programs/${name}/rollback`, { version: 1 });
  else {
    // Of the day before, so that these due times differ from the others.
    const from = Math.floor(right / MINUTE) * MINUTE - (1440 - Math.floor(random() * 20)) * MINUTE;
    const times = { from: new Date(from).toISOString(), to: new Date(from + 3 * MINUTE).toISOString() };
    await ask("POST", `/schedules/${name}/${label}/backfill`, times);
  }
}

/** Due times of the jobs of a schedule, as minutes, in order. */
async function dueMinutes(port: number, id: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await exchange(port, "GET", `/jobs?schedule=${id}&limit=100${cursor}`);
    for (const { due_at } of body.jobs) found.push(Date.parse(due_at) / MINUTE);
    if (body.next_cursor === null) return found.sort((a, b) => a - b);
    cursor = `&cursor=${body.next_cursor}`;
  }
}

/** Resolves with the number of jobs. */
async function verify(port: number, right: number): Promise<number> {
  let count = 0;
  for (const name of NAMES)
    for (const label of LABELS) {
      const minutes = await dueMinutes(port, `${name}/${label}`);
      count += minutes.length;
      expect(new Set(minutes).size, `${name}/${label}: one job for each due time`).toBe(minutes.length);
      const own = minutes.filter((minute) => minute * MINUTE > right);
      const first = own[0] ?? 0;
      expect(own, `${name}/${label}: no due time is left out`).toEqual(own.map((_, at) => first + at));
      expect(own.length).toBeGreaterThan(0);
    }
  return count;
}

const told = (where: string, rounds: number, jobs: number): void =>
  console.info(`${where}: ${rounds} rounds, ${jobs} jobs of due times`);

describe("a service that is killed while schedules fire", () => {
  it("K-2: queues one job for each due time, in SQLite", { timeout: 900_000 }, async () => {
    const random = seededRandom("crash of schedules");
    const right = Date.now();
    const serve = () => serveProcess({ ...KEPT, WF_STATE_DIR: `${folder.path}/state` }, [program, String(right)]);
    let service = await serve();
    await deployAll(service.port);
    for (let round = 0; round < ROUNDS; round++) {
      const actions = Array.from({ length: 8 }, () => disturb(service.port, random, right));
      // A schedule fires every second: the kill comes before, in the middle of it or after.
      await new Promise((resolve) => setTimeout(resolve, random() * 1000));
      await service.end("SIGKILL");
      await Promise.all(actions);
      service = await serve();
    }
    told("SQLite", ROUNDS, await verify(service.port, right));
    expect(await service.end("SIGTERM")).toBe(0);
  });

  it.skipIf(postgres === null)(
    "K-2: queues one job for each due time, with two replicas on PostgreSQL",
    { timeout: 900_000 },
    async () => {
      const random = seededRandom("crash of firing replicas");
      const right = Date.now();
      const url = (await postgres?.createDatabase()) ?? "";
      const serve = (): Promise<ServeProcess> =>
        serveProcess({ ...KEPT, WF_DATABASE_URL: url }, [program, String(right)]);
      const replicas = await Promise.all([serve(), serve()]);
      await deployAll(replicas[0].port);
      for (let round = 0; round < ROUNDS / 2; round++) {
        const actions = Array.from({ length: 8 }, (_, at) => disturb(replicas[at % 2]?.port ?? 0, random, right));
        await new Promise((resolve) => setTimeout(resolve, random() * 1000));
        const at = random() < 0.5 ? 0 : 1;
        await replicas[at]?.end("SIGKILL");
        await Promise.all(actions);
        replicas[at] = await serve();
      }
      await expect.poll(() => verify(replicas[1].port, right).catch(() => 0), { timeout: 20_000 }).toBeGreaterThan(0);
      told("PostgreSQL", ROUNDS / 2, await verify(replicas[1].port, right));
      for (const replica of replicas) expect(await replica.end("SIGTERM")).toBe(0);
    },
  );
});
