/** Weft as the built service in a process of its own, asked over HTTP. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startService } from "../service/servers.ts";
import { HTTP_CALLS } from "./effects.ts";
import { asked, type Engine, type Place } from "./engine.ts";

const CALLS = `from weft import http


def main(url: str):
    total = 0
    for i in range(${HTTP_CALLS}):
        total += http.Post(url, {"n": i}).body["n"]
    return total
`;
const WAITS = `from weft import signal


def main():
    return signal.wait("go", timeout="1h")["data"]
`;

export async function openWeft({ effectsUrl, databaseUrl, folder, root }: Place): Promise<Engine> {
  const config = join(folder, "adapters.json");
  writeFileSync(config, JSON.stringify({ enable: ["http", "signal"], http: { allow_private: true } }));
  const service = await startService(root, folder, {
    ...(databaseUrl === null ? { WF_STATE_DIR: join(folder, "state") } : { WF_DATABASE_URL: databaseUrl }),
    ...{ WF_ADAPTERS_CONFIG: config, WF_QUEUE_WORKERS: "16", WF_QUEUE_MAX: "20000", WF_RESULT_MAX: "100000" },
    WF_WAITING_MAX: "20000",
  });
  const base = `http://127.0.0.1:${service.port}`;
  const jobs: string[] = [];
  const queued = async (body: object): Promise<string> => {
    const { job_id } = (await asked(`${base}/enqueue`, "POST", { durable: true, ...body })) as { job_id: string };
    return job_id;
  };
  const out = async (id: string): Promise<unknown> => {
    for (;;) {
      const job = (await asked(`${base}/result/${id}?wait=60`, "GET")) as Job;
      if (job.status === "succeeded") return job.result.out;
      if (job.status !== "queued" && job.status !== "running" && job.status !== "waiting")
        throw new Error(`the job is ${job.status}: ${JSON.stringify(job.result)}`);
    }
  };
  return {
    run: async () => Number(await out(await queued({ code: CALLS, frame: { url: effectsUrl } }))),
    async park(at) {
      jobs[at] = await queued({ code: WAITS });
    },
    async parked(count) {
      for (let waiting = 0; waiting < count; await sleep(50)) {
        const metrics = (await asked(`${base}/metrics?format=json`, "GET")) as Metrics;
        waiting = metrics.jobs_by_state.waiting ?? 0;
      }
    },
    async send(at) {
      await asked(`${base}/result/${jobs[at]}/signals/go`, "POST", { data: at });
    },
    async ended(at) {
      await out(jobs[at] ?? "");
    },
    stop: () => service.stop(),
  };
}

type Job = { readonly status: string; readonly result: { readonly out: unknown } };
type Metrics = { readonly jobs_by_state: { readonly waiting?: number } };
