/**
 * Durable jobs on SQLite next to the raw store: calls that act again, each after a commit of its own, and how long a signal takes to the end of
 * the job that waits for it. The service runs in this process, with its state in a temporary folder.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { catalogEntryOf } from "../../adapters/definition/catalog-entry.ts";
import { anyJson, arg, defineAdapter, verbsFor, z } from "../../adapters/definition/define.ts";
import { systemClock } from "../../adapters/engine/system-clock.ts";
import type { Json } from "../../compiler/json.ts";
import { createApp } from "../../service/app.ts";
import { readServiceStart } from "../../service/config.ts";
import { openJobStore } from "../../service/jobs/open-store.ts";
import { jobTimes } from "../../service/jobs/times.ts";
import { createJobsPart } from "../../service/jobs-part.ts";
import { portOf } from "../../service/main.ts";
import { openServices } from "../../service/open-services.ts";
import { drain } from "../../service/shutdown.ts";
import { nextToOthers } from "../durable/engines.ts";
import type { Figure } from "../figure.ts";
import type { ProbeScope } from "./probe.ts";

const GROUP = "Durable jobs on SQLite";
const SILENT_MS = 30_000;
const JOBS = 16;
const ACTS = (calls: number): string =>
  `L1:\n  Loop (range 0 ${calls}) i ->L_act ->L_end\nL_act:\n  R probe.act i ->x\n  J null\nL_end:\n  J 1\n`;
const WAITS = 'L1:\n  R signal.wait "go" {"timeout": "1h"} ->s\n  J s.data\n';

export async function measureDurable({ quick, root }: ProbeScope): Promise<readonly Figure[]> {
  return [...(await onSqlite(quick)), ...(quick ? [] : await nextToOthers(root))];
}

async function onSqlite(quick: boolean): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "weft-durable-probe-"));
  const calls = quick ? 200 : 2000;
  try {
    const service = await served(folder);
    const jobsOf = async (count: number, body: object): Promise<number> => {
      const before = service.made();
      const began = performance.now();
      const ids = await Promise.all(Array.from({ length: count }, () => service.queued(body)));
      for (const id of ids) await service.ended(id);
      const seconds = (performance.now() - began) / 1000;
      if (service.made() - before !== count * calls) throw new Error("a call was not made once");
      return (count * calls) / seconds;
    };
    const body = { code: ACTS(calls), durable: true, adapters: { enable: ["probe"] } };
    await service.ended(await service.queued(body));
    const raw: number[] = [];
    const one: number[] = [];
    const many: number[] = [];
    // In turns: other programs of the machine hit all of them alike.
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      raw.push(commitsPerSecond(join(folder, `raw-${round}.db`), calls));
      one.push(await jobsOf(1, body));
      many.push(await jobsOf(JOBS, body));
    }
    const woken = await service.wakes(quick ? 50 : 500);
    const [commits, single, together] = [raw, one, many].map((values) => Math.max(...values)) as [
      number,
      number,
      number,
    ];
    await service.stop();
    return [
      { group: GROUP, name: "raw store, one record a commit", value: commits, unit: "calls/s" },
      {
        group: GROUP,
        name: "calls that act again, of one job",
        value: single,
        unit: "calls/s",
        target: { at_least: 3000 },
      },
      {
        group: GROUP,
        name: "those, of the commits of the raw store",
        value: (single / commits) * 100,
        unit: "%",
        target: { at_least: 50 },
      },
      {
        group: GROUP,
        name: `calls that act again, of ${JOBS} jobs`,
        value: together,
        unit: "calls/s",
        target: { at_least: 15_000 },
      },
      {
        group: GROUP,
        name: "signal sent to job over, p50",
        value: quantile(woken, 0.5),
        unit: "ms",
        target: { at_most: 5 },
      },
      {
        group: GROUP,
        name: "signal sent to job over, p99",
        value: quantile(woken, 0.99),
        unit: "ms",
        target: { at_most: 25 },
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A record of 250 bytes for each commit, as safe as the store writes them. */
function commitsPerSecond(path: string, count: number): number {
  const db = new Database(path);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.exec(
    "CREATE TABLE record (job INTEGER NOT NULL, seq INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (job, seq))",
  );
  const insert = db.prepare("INSERT INTO record (job, seq, data) VALUES (1, ?, ?)");
  const data = Buffer.alloc(250, 7);
  const began = performance.now();
  for (let seq = 0; seq < count; seq++) insert.run(seq, data);
  const seconds = (performance.now() - began) / 1000;
  db.close();
  return count / seconds;
}

function adapterOf(made: () => void) {
  return defineAdapter({
    apiVersion: 1,
    name: "probe",
    version: "1.0.0",
    summary: "Acts at once.",
    support: "extension_ecosystem",
    lane: "noncanonical",
    privilege: "local_state",
    sandboxSafe: true,
    networkFacing: false,
    durable: false,
    maturity: "stable",
    settings: {},
    verbs: {
      act: verbsFor()({
        effect: "io-write",
        kind: "write",
        determinism: "external",
        summary: "Acts, again each time.",
        args: z.tuple([arg("value", anyJson())]),
        result: anyJson(),
        examples: [],
        run({ args: [value] }) {
          made();
          return value;
        },
      }),
    },
  });
}

/** A service over a state directory, and what a probe asks of it. */
export async function served(stateDir: string) {
  let calls = 0;
  const definition = adapterOf(() => {
    calls += 1;
  });
  const variables = { WF_PORT: "0", WF_LOG_LEVEL: "error", WF_WORKER_THREADS: "0", WF_QUEUE_WORKERS: String(JOBS) };
  const start = readServiceStart({ ...variables, WF_QUEUE_MAX: "10000" });
  const clock = systemClock;
  const store = await openJobStore({ stateDir, databaseUrl: null, clock, owner: "probe", silentMs: SILENT_MS });
  const part = createJobsPart(store, clock, jobTimes(SILENT_MS));
  const { services, runtime } = openServices({
    start,
    clock,
    uuid: () => crypto.randomUUID(),
    output: { write: () => {}, dropped: 0, onRelief: () => {}, flush: async () => {} },
    lag: { p99: () => 0, takeLongest: () => 0 },
    runtime: { entries: [catalogEntryOf(definition)], definitions: [definition], enable: ["probe"] },
    ...part.keeps,
  });
  const app = await createApp(services, { part });
  await part.start();
  await app.listen({ host: "127.0.0.1", port: 0 });
  services.readiness.open();
  const base = `http://127.0.0.1:${portOf(app)}`;
  const ask = async (method: "GET" | "POST", url: string, payload?: object): Promise<Record<string, Json>> => {
    const sent = payload === undefined ? {} : { body: JSON.stringify(payload) };
    const answer = await fetch(`${base}${url}`, { method, headers: { "content-type": "application/json" }, ...sent });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return JSON.parse(text) as Record<string, Json>;
  };
  const queued = async (body: object): Promise<string> => String((await ask("POST", "/enqueue", body))["job_id"]);
  const ended = async (id: string): Promise<void> => {
    for (;;) {
      const { status } = await ask("GET", `/result/${id}?wait=60`);
      if (status === "succeeded") return;
      if (status !== "queued" && status !== "running") throw new Error(`the job is ${String(status)}`);
    }
  };
  return {
    made: () => calls,
    queued,
    ended,
    /** Milliseconds from each signal to the end of the job that waits for it. */
    async wakes(count: number): Promise<readonly number[]> {
      const times: number[] = [];
      for (let at = 0; at < count; at++) {
        const id = await queued({ code: WAITS });
        while ((await ask("GET", `/result/${id}`))["status"] !== "waiting") await new Promise(setImmediate);
        const began = performance.now();
        const over = ask("GET", `/result/${id}?wait=60`);
        await ask("POST", `/result/${id}/signals/go`, { data: at });
        await over;
        times.push(performance.now() - began);
      }
      return times;
    },
    async stop() {
      await drain(app, services, part, "done");
      await runtime.close();
    },
  };
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN;
}
