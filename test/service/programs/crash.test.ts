/** The service killed at random moments of deploy, rollback and delivery: what was acknowledged is there, whole, and queued once. */
import { afterAll, describe, expect, it } from "vitest";
import { startPostgres } from "../../support/postgres.ts";
import { seededRandom } from "../jobs/faults/job-load.ts";
import { endServices, isBuilt, type ServeProcess, serveProcess } from "../jobs/faults/serve-process.ts";
import { temporaryFolder } from "../jobs/serving-jobs.ts";
import { exchange, type Reply } from "../serving.ts";

const postgres = isBuilt ? await startPostgres() : null;
const folder = await temporaryFolder();
afterAll(async () => {
  endServices();
  await postgres?.stop();
  await folder.remove();
});

/** How often a service is killed; `WEFT_CRASH_ROUNDS` makes it another number. */
const ROUNDS = Number(process.env["WEFT_CRASH_ROUNDS"] ?? 6);
const NAMES = ["a", "b"];

const source = (n: number): object => ({
  code: `E /take P ->L1\nL1:\n  J ${n}\n`,
  endpoints: { "/take": { mode: "job", dedupe: "x-delivery" } },
});

/** Numbers of all versions, newest first. */
async function versionsOf(port: number, name: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await exchange(port, "GET", `/programs/${name}/versions?limit=200${cursor}`);
    found.push(...body.versions.map((one: { version: number }) => one.version));
    if (body.next_cursor === null) return found;
    cursor = `&cursor=${body.next_cursor}`;
  }
}

/** What was acknowledged. */
class Known {
  /** Code by name and version. */
  readonly versions = new Map<string, string>();
  /** Job by delivery. */
  readonly deliveries = new Map<string, string>();
  #last = 0;

  next(): number {
    this.#last += 1;
    return this.#last;
  }

  /** One request at random; an answer that does not come acknowledges nothing. */
  async act(port: number, random: () => number): Promise<void> {
    const name = NAMES[Math.floor(random() * NAMES.length)] ?? "a";
    const ask = (method: string, path: string, body: object, headers = {}): Promise<Reply | null> =>
      exchange(port, method, path, body, headers).catch(() => null);
    const kind = random();
    if (kind < 0.4) {
      const n = this.next();
      const reply = await ask("PUT", `/programs/${name}`, source(n));
      if (reply !== null && reply.status < 300) this.versions.set(`${name}@${reply.body.version}`, `J ${n}\n`);
    } else if (kind < 0.6) {
      await ask("POST", `/programs/${name}/rollback`, { version: 1 });
    } else {
      const delivery = `${name} ${random() < 0.5 ? this.next() : 1}`;
      const reply = await ask("POST", `/app/${name}/take`, {}, { "x-delivery": delivery });
      if (reply === null || reply.status >= 300) return;
      const known = this.deliveries.get(delivery);
      if (known !== undefined) expect(reply.body.job_id).toBe(known);
      this.deliveries.set(delivery, reply.body.job_id);
    }
  }

  async verify(port: number): Promise<void> {
    for (const [key, code] of this.versions) {
      const [name, version] = key.split("@");
      const { body } = await exchange(port, "GET", `/programs/${name}/versions/${version}`);
      expect(body.code, key).toContain(code);
    }
    for (const name of NAMES) {
      const { body } = await exchange(port, "GET", `/programs/${name}`);
      const numbers = await versionsOf(port, name);
      // No number is there twice, and none is left out: what was not committed has none.
      expect(numbers).toEqual(Array.from(numbers, (_, at) => numbers.length - at));
      expect(numbers).toContain(body.version);
      expect((await exchange(port, "POST", "/run", { program: name })).body.ok).toBe(true);
    }
    for (const [delivery, job] of this.deliveries) {
      const again = await exchange(port, "POST", `/app/${delivery.split(" ")[0]}/take`, {}, { "x-delivery": delivery });
      expect([again.status, again.body.job_id]).toEqual([200, job]);
      expect((await exchange(port, "GET", `/result/${job}`)).status).toBe(200);
    }
  }
}

/** Resolves when a number of them are over: a machine under load takes its time. */
async function someOf(actions: readonly Promise<void>[], count: number): Promise<void> {
  let over = 0;
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (over >= count) resolve();
    };
    for (const action of actions)
      void action.finally(() => {
        over += 1;
        look();
      });
    look();
  });
}

const KEPT = { WF_PROGRAM_VERSIONS_KEPT: "10000", WF_RESULT_MAX: "1000000", WF_QUEUE_MAX: "100000" };

describe.skipIf(!isBuilt)("a service that is killed in the middle of deploys, rollbacks and deliveries", () => {
  it("keeps what it acknowledged, in SQLite", { timeout: 600_000 }, async () => {
    const random = seededRandom("crash of deployments");
    const known = new Known();
    const variables = { ...KEPT, WF_STATE_DIR: `${folder.path}/state` };
    for (let round = 0; round < ROUNDS; round++) {
      const service = await serveProcess(variables);
      const actions = Array.from({ length: 20 }, () => known.act(service.port, random));
      await someOf(actions, Math.floor(random() * 16));
      await service.end("SIGKILL");
      await Promise.all(actions);
    }
    const service = await serveProcess(variables);
    for (const name of NAMES) await exchange(service.port, "PUT", `/programs/${name}`, source(known.next()));
    await known.verify(service.port);
    expect(known.versions.size + known.deliveries.size).toBeGreaterThan(0);
    expect(await service.end("SIGTERM")).toBe(0);
  });

  it.skipIf(postgres === null)(
    "keeps what it acknowledged, with two replicas on PostgreSQL",
    { timeout: 600_000 },
    async () => {
      const random = seededRandom("crash of deploying replicas");
      const known = new Known();
      const url = (await postgres?.createDatabase()) ?? "";
      const variables = { ...KEPT, WF_DATABASE_URL: url, WF_REPLICA_SILENT_MS: "1000" };
      const serve = (): Promise<ServeProcess> => serveProcess(variables);
      const replicas = await Promise.all([serve(), serve()]);
      for (let round = 0; round < ROUNDS / 2; round++) {
        const actions = Array.from({ length: 20 }, (_, at) => known.act(replicas[at % 2]?.port ?? 0, random));
        await someOf(actions, Math.floor(random() * 16));
        const at = random() < 0.5 ? 0 : 1;
        await replicas[at]?.end("SIGKILL");
        await Promise.all(actions);
        replicas[at] = await serve();
      }
      for (const [at, name] of NAMES.entries())
        await exchange(replicas[at]?.port ?? 0, "PUT", `/programs/${name}`, source(known.next()));
      await known.verify(replicas[0].port);
      await known.verify(replicas[1].port);
      for (const replica of replicas) expect(await replica.end("SIGTERM")).toBe(0);
    },
  );
});

describe.skipIf(postgres === null)("two replicas that deploy one name at once", () => {
  it("give every version a number of its own", { timeout: 60_000 }, async () => {
    const url = (await postgres?.createDatabase()) ?? "";
    const replicas = await Promise.all([0, 1].map(() => serveProcess({ WF_DATABASE_URL: url })));
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) => exchange(replicas[at % 2]?.port ?? 0, "PUT", "/programs/both", source(at))),
    );
    const versions = replies.map(({ body }) => body.version).sort((a, b) => a - b);
    expect(versions).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
    // Each sees what the other made current, at the latest after a second.
    await expect
      .poll(async () => (await exchange(replicas[0]?.port ?? 0, "POST", "/run", { program: "both" })).body.out, {
        timeout: 5000,
      })
      .toBe((await exchange(replicas[1]?.port ?? 0, "POST", "/run", { program: "both" })).body.out);
    for (const replica of replicas) await replica.end("SIGTERM");
  });
});
