/**
 * A process that uses one store until it is killed. It says what it knows to be done line by line, after the store has answered. Arguments:
 * what to do, the file, a name of its own, and how much. Built and started by `processes.test.ts`.
 */
import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import type { StoreCall } from "../../../adapters/store/call.ts";
import { createSqliteStores } from "../../../adapters/store/sqlite/stores.ts";
import { inProcessSqlite } from "../../support/in-process-sqlite.ts";

const [work, path = "", name = "", amount = "0"] = process.argv.slice(2);
const stores = createSqliteStores(inProcessSqlite());

/** Written at once: what is said must be known outside even when the next instruction never runs. */
const say = (text: string): void => void writeSync(1, `${text}\n`);

function call(): StoreCall {
  const started = performance.now();
  return {
    now: () => Date.now(),
    remainingMs: () => 15_000 - (performance.now() - started),
    signal: new AbortController().signal,
    log: () => {},
  };
}

const once = (key: string) => ({ key, argsHash: "-" });
const bounds = { maxPayloadBytes: 10_000, maxEntries: 100_000, sweepIntervalMs: 0 };

const WORK: Readonly<Record<string, (n: number) => Promise<void>>> = {
  cache: async (n) => {
    const entry = { namespace: name, key: `${n}`, value: n, ttlSeconds: null, ifAbsent: false, ifVersion: null };
    await stores.keyValues(path, true).set({ ...entry, maxEntries: 100_000, maxBytes: 1_000_000_000 }, call());
    say(`${n}`);
  },
  memory: async (n) => {
    const record = { namespace: "ops", kind: name, id: `${n}`, payload: { n }, ttlSeconds: null, metadata: null };
    await stores.records(path).put({ ...record, ...bounds, ifAbsent: false, ifVersion: null }, call());
    say(`${n}`);
  },
  append: async (n) => {
    const entry = { namespace: "ops", kind: "log", id: "all", entry: { n }, ttlSeconds: null, newTtlSeconds: null };
    await stores.records(path).append({ ...entry, ...bounds, metadata: null, once: once(`${name} ${n}`) }, call());
    say(`${n}`);
  },
  queue: async (n) => {
    const message = { queue: "q", id: randomUUID(), payload: `${name} ${n}`, priority: 0, delayMs: 0, ttlMs: null };
    await stores.queues(path).put({ ...message, dedupe: null, maxDepth: 100_000, once: once(`${name} ${n}`) }, call());
    say(`${name} ${n}`);
  },
  consume: async () => {
    const request = { queue: "q", max: 5, leaseMs: 1_000, lease: randomUUID(), waitMs: 100 };
    for (const message of await stores.queues(path).take(request, call())) {
      say(String(message.payload));
      await stores
        .queues(path)
        .acknowledge({ queue: "q", id: message.id, lease: message.lease }, call())
        .catch(() => {});
    }
  },
};

const act = WORK[work ?? ""];
if (act === undefined) throw new Error(`no work ${work}`);
say("ready");
for (let n = 1; n <= Number(amount); n += 1) await act(n);
