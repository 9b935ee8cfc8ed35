/**
 * Jobs that begin again (`job.again`) in services that are killed at random moments: no round is lost, none is run twice, and each begins with the
 * inputs that the one before gave. `WEFT_ROUND_KILLS` makes it another number of kills.
 */
import { afterAll, describe, expect, it } from "vitest";
import { startPostgres } from "../../../support/postgres.ts";
import { exchange, type Reply } from "../../serving.ts";
import { seededRandom } from "../faults/job-load.ts";
import { endServices, isBuilt, type ServeProcess, serveProcess, startProcess } from "../faults/serve-process.ts";
import { temporaryFolder } from "../serving-jobs.ts";
import { effectsOf } from "./kill-world.ts";

const KILLS = Number(process.env["WEFT_ROUND_KILLS"] ?? 4);
const JOBS_A_KILL = 4;
const LAST = 7;
const PROGRAM = `from weft import http, job


def main(id: str, url: str, n: int = 0, made: list = []):
    made = made + [n]
    http.post(url + "/keyed/" + id + "-" + str(n), 1, idempotency_key=True)
    if n < ${LAST}:
        job.again({"id": id, "url": url, "n": n + 1, "made": made})
    return made
`;
const rounds = Array.from({ length: LAST + 1 }, (_, n) => n);

const folder = await temporaryFolder();
const postgres = await startPostgres();
afterAll(async () => {
  endServices();
  await folder.remove();
  await postgres?.stop();
});

async function load() {
  const effects = await effectsOf();
  const adapters = { enable: ["http", "job"], http: { allow_hosts: ["127.0.0.1"], allow_ports: [effects.port] } };
  const ids = new Map<string, string>();
  let next = 0;
  const enqueue = async (port: number): Promise<void> => {
    const id = `r${next++}`;
    const frame = { id, url: `http://127.0.0.1:${effects.port}` };
    const body = { code: PROGRAM, frame, durable: true, adapters };
    const reply = await exchange(port, "POST", "/enqueue", body).catch((): Reply | null => null);
    if (reply?.status === 202) ids.set(id, reply.body.job_id);
    else if (reply !== null && reply.status !== 503) throw new Error(reply.text);
  };
  return {
    variables: {
      ...{ WF_QUEUE_WORKERS: "4", WF_HTTP_ALLOW_PRIVATE: "1", WF_DURABLE_MOST_CRASHES: "1000" },
      WF_QUEUE_MAX: "100000",
    },
    send: (port: number) => Promise.all(Array.from({ length: JOBS_A_KILL }, () => enqueue(port))),
    after: effects.after,
    /** How many jobs there were. */
    async verify(port: number): Promise<number> {
      for (const [id, job] of ids) {
        const body = await over(port, job);
        expect(body, JSON.stringify(body)).toMatchObject({ status: "succeeded", round: LAST + 1 });
        expect(body.result.out).toEqual(rounds);
        expect(body.rounds.map(({ round }: { readonly round: number }) => round)).toEqual(rounds.slice(1).reverse());
        // A round that ran twice has another run, and so another key.
        for (const n of rounds) expect(effects.keyed.get(`${id}-${n}`)?.size, `${id}-${n}`).toBe(1);
      }
      return ids.size;
    },
    close: effects.close,
  };
}

async function over(port: number, id: string) {
  for (;;) {
    const { status, body, text } = await exchange(port, "GET", `/result/${id}?wait=30`);
    if (status === 200 && body.finished_at !== undefined) return body;
    if (status !== 200 && status !== 503) throw new Error(text);
    if (status === 503) await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

describe.skipIf(!isBuilt)("rounds of jobs of a service that is killed", () => {
  it("T.J-3: a kill loses a round, or has one run twice, in a file", { timeout: 60_000 + KILLS * 10_000 }, async () => {
    const random = seededRandom("kills between rounds");
    const { variables: own, send, after, verify, close } = await load();
    const variables = { ...own, WF_STATE_DIR: `${folder.path}/rounds` };
    for (let kill = 0; kill < KILLS; kill++) {
      const service = startProcess(variables);
      const port = await service.served;
      const moment = after(1 + Math.floor(random() * 6 * JOBS_A_KILL));
      await send(port);
      await moment;
      await service.end("SIGKILL");
    }
    const service = await serveProcess(variables);
    expect(await verify(service.port)).toBe(KILLS * JOBS_A_KILL);
    expect(await service.end("SIGTERM")).toBe(0);
    close();
  });

  it.skipIf(postgres === null)(
    "T.J-3: a kill loses a round, or has one run twice, in PostgreSQL",
    { timeout: 120_000 + KILLS * 20_000 },
    async () => {
      const random = seededRandom("kills of replicas between rounds");
      const url = (await postgres?.createDatabase()) ?? "";
      const { variables: own, send, after, verify, close } = await load();
      const variables = { ...own, WF_DATABASE_URL: url, WF_REPLICA_SILENT_MS: "1000" };
      const replicas = await Promise.all([serveProcess(variables), serveProcess(variables)]);
      for (let kill = 0; kill < KILLS; kill++) {
        const at = kill % replicas.length;
        const chosen = replicas[at] as ServeProcess;
        const moment = after(1 + Math.floor(random() * 6 * JOBS_A_KILL));
        const sent = send((replicas[1 - at] as ServeProcess).port);
        await moment;
        await chosen.end("SIGKILL");
        replicas[at] = await serveProcess(variables);
        await sent;
      }
      expect(await verify((replicas[0] as ServeProcess).port)).toBe(KILLS * JOBS_A_KILL);
      for (const replica of replicas) expect(await replica.end("SIGTERM")).toBe(0);
      close();
    },
  );
});
