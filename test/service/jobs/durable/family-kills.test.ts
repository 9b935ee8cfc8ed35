/**
 * Families under flow control, and events, in services that are killed at random moments: a parent has each of its children once, with its result,
 * whatever rules held it back, pays once for the one that shares its budget, and an event that it emits starts one job. `WEFT_FAMILY_KILLS` makes it another number of kills.
 */
import { afterAll, describe, expect, it } from "vitest";
import { startPostgres } from "../../../support/postgres.ts";
import { exchange, type Reply } from "../../serving.ts";
import { seededRandom } from "../faults/job-load.ts";
import { endServices, isBuilt, type ServeProcess, serveProcess, startProcess } from "../faults/serve-process.ts";
import { temporaryFolder } from "../serving-jobs.ts";
import { effectsOf } from "./kill-world.ts";

const KILLS = Number(process.env["WEFT_FAMILY_KILLS"] ?? 3);
const JOBS_A_KILL = 3;
const PARTS = ["a", "b", "c", "shared"];

const CHILD = `from weft import http


def main(id: str, part: str, url: str):
    http.post(url + "/keyed/" + id + "-" + part, 1, idempotency_key=True)
    http.get(url + "/read/" + id)
    return id + part
`;
const PARENT = `from weft import event, http, job, parallel


def main(id: str, url: str):
    def one(part):
        return job.run("child", {"id": id, "part": part, "url": url}, key=id + part)

    made = parallel(one, ["a", "b", "c"])
    made.append(job.run("child", {"id": id, "part": "shared", "url": url}, share="budget"))
    event.emit("family/done", {"id": id, "url": url})
    return made
`;
const HEARS = `from weft import http


@on("family/done", key="data.id")
def heard(event):
    data = event["data"]
    http.post(data["url"] + "/keyed/" + data["id"] + "-heard", 1, idempotency_key=True)
    return event["key"]
`;

const folder = await temporaryFolder();
const postgres = await startPostgres();
afterAll(async () => {
  endServices();
  await folder.remove();
  await postgres?.stop();
});

async function load() {
  const effects = await effectsOf();
  const url = `http://127.0.0.1:${effects.port}`;
  const http = { allow_hosts: ["127.0.0.1"], allow_ports: [effects.port] };
  const ids = new Map<string, string>();
  let next = 0;
  const enqueue = async (port: number): Promise<void> => {
    const id = `f${next++}`;
    const body = { program: "parent", frame: { id, url }, durable: true };
    const reply = await exchange(port, "POST", "/enqueue", body).catch((): Reply | null => null);
    if (reply?.status === 202) ids.set(id, reply.body.job_id);
    else if (reply !== null && reply.status !== 503) throw new Error(reply.text);
  };
  return {
    variables: {
      ...{ WF_QUEUE_WORKERS: "6", WF_HTTP_ALLOW_PRIVATE: "1", WF_DURABLE_MOST_CRASHES: "1000", WF_DEPLOY: "on" },
      ...{ WF_QUEUE_MAX: "100000", WF_ENABLE_ADAPTERS: "core,http,job,event" },
    },
    async deploy(port: number): Promise<void> {
      const concurrency = [{ limit: 2, key: "part" }];
      const programs = {
        child: { code: CHILD, adapters: { http }, concurrency },
        parent: { code: PARENT, adapters: { http, job: { programs: ["child"] }, event: { emit: ["family/*"] } } },
        hears: { code: HEARS, adapters: { http, event: { accept: ["family/*"] } }, concurrency: [{ limit: 1 }] },
      };
      for (const [name, body] of Object.entries(programs)) {
        const { status, text } = await exchange(port, "PUT", `/programs/${name}`, { ...body, durable: true });
        if (status !== 201) throw new Error(text);
      }
    },
    send: (port: number) => Promise.all(Array.from({ length: JOBS_A_KILL }, () => enqueue(port))),
    after: effects.after,
    /** How many parents there were. */
    async verify(port: number): Promise<number> {
      for (const [id, job] of ids) {
        const body = await over(port, `/result/${job}?wait=30`);
        expect(body, JSON.stringify(body)).toMatchObject({ status: "succeeded" });
        expect(body.result.out).toEqual(PARTS.map((part) => id + part));
        const { jobs } = (await exchange(port, "GET", `/jobs?parent=${job}`)).body;
        expect(jobs).toHaveLength(PARTS.length);
        const family = (await exchange(port, "GET", `/result/${job}/family`)).body.jobs;
        const sharing = family.find(({ share }: { readonly share?: string }) => share === "budget");
        const { charged, steps, adapter_calls } = (await over(port, `/result/${sharing.job_id}`)).result.usage;
        expect(charged).toEqual({ steps, adapter_calls });
        expect(body.result.usage.shared).toEqual(charged);
        for (const part of PARTS) expect(effects.keyed.get(`${id}-${part}`)?.size, `${id}-${part}`).toBe(1);
      }
      // Each event started one job, which may still be in line.
      for (;;) {
        const { jobs } = (await exchange(port, "GET", "/jobs?program=hears&limit=200")).body;
        const open = jobs.filter(({ finished_at }: { readonly finished_at?: string }) => finished_at === undefined);
        if (jobs.length >= ids.size && open.length === 0) {
          expect(jobs).toHaveLength(ids.size);
          break;
        }
        const [first] = open;
        if (first === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
        else await over(port, `/result/${first.job_id}?wait=30`);
      }
      for (const id of ids.keys()) expect(effects.keyed.get(`${id}-heard`)?.size, `${id}-heard`).toBe(1);
      return ids.size;
    },
    close: effects.close,
  };
}

async function over(port: number, path: string) {
  for (;;) {
    const { status, body, text } = await exchange(port, "GET", path);
    if (status === 200 && body.finished_at !== undefined) return body;
    if (status !== 200 && status !== 503) throw new Error(text);
    if (status === 503) await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

describe.skipIf(!isBuilt)("families of a service that is killed", () => {
  it("T.J-2, T.F-1, E-2: a kill loses a child or an event, or has one act twice, in a file", {
    timeout: 60_000 + KILLS * 10_000,
  }, async () => {
    const random = seededRandom("kills of families");
    const { variables: own, deploy, send, after, verify, close } = await load();
    const variables = { ...own, WF_STATE_DIR: `${folder.path}/families` };
    for (let kill = 0; kill < KILLS; kill++) {
      const service = startProcess(variables);
      const port = await service.served;
      if (kill === 0) await deploy(port);
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
    "T.J-2, T.F-1, E-2: a kill loses a child or an event, or has one act twice, in PostgreSQL",
    { timeout: 120_000 + KILLS * 20_000 },
    async () => {
      const random = seededRandom("kills of replicas with families");
      const url = (await postgres?.createDatabase()) ?? "";
      const { variables: own, deploy, send, after, verify, close } = await load();
      const variables = { ...own, WF_DATABASE_URL: url, WF_REPLICA_SILENT_MS: "1000" };
      const replicas = await Promise.all([serveProcess(variables), serveProcess(variables)]);
      await deploy((replicas[0] as ServeProcess).port);
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
