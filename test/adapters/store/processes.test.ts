/** Several processes on one file, some of them killed in the middle of what they do: nothing that was acknowledged is lost. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSqliteStores } from "../../../adapters/store/sqlite/stores.ts";
import { inProcessSqlite } from "../../support/in-process-sqlite.ts";
import { callAt, codeOf } from "./bench.ts";

const folder = mkdtempSync(join(tmpdir(), "weft-processes-"));
// Next to the packages that it loads.
const worker = fileURLToPath(new URL("../../../node_modules/.cache/weft-test/store-worker.mjs", import.meta.url));
const started = new Set<ChildProcess>();

beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL("./worker.ts", import.meta.url))],
    outfile: worker,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "warning",
  });
});
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

type Running = {
  readonly lines: string[];
  kill(): Promise<void>;
  readonly ended: Promise<unknown>;
  atLeast(n: number): Promise<void>;
};

function start(work: string, path: string, name: string, amount: number): Running {
  const child = spawn(process.execPath, [worker, work, path, name, String(amount)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.add(child);
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  const waiting = new Map<number, () => void>();
  reader.on("line", (line) => {
    if (line !== "ready") lines.push(line);
    waiting.get(lines.length)?.();
  });
  // The last lines are read after the process is gone.
  const ended = Promise.all([once(child, "exit"), once(reader, "close")]).then(() => started.delete(child));
  return {
    lines,
    ended,
    atLeast: (n) => new Promise((resolve) => (lines.length >= n ? resolve() : waiting.set(n, resolve))),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

const call = { ...callAt({ now: 0 }, 60_000), now: Date.now };

test.each(["cache", "memory", "queue"])(
  "%s: SIGKILL while writing leaves every acknowledged write readable",
  async (work) => {
    const path = join(folder, `${work}-killed.db`);
    const acknowledged: string[] = [];
    for (const round of ["a", "b"]) {
      const writer = start(work, path, round, 100_000);
      await writer.atLeast(30);
      await writer.kill();
      acknowledged.push(...writer.lines.map((line) => (work === "queue" ? line : `${round} ${line}`)));
    }
    const service = inProcessSqlite();
    const stores = createSqliteStores(service);
    const readable: Readonly<Record<string, () => Promise<readonly string[]>>> = {
      cache: async () => {
        const of = (namespace: string) =>
          stores.keyValues(path, true).keys({ namespace, prefix: "", limit: 100_000 }, call);
        return [...(await of("a")).map((key) => `a ${key}`), ...(await of("b")).map((key) => `b ${key}`)];
      },
      memory: async () => {
        const open = { after: null, before: null };
        const times = { created: open, updated: open, validAt: open, accessedSince: null };
        const rest = { source: null, tagsAny: null, tagsAll: [], includeExpired: false, after: null, offset: 0 };
        const request = { namespace: "ops", kind: null, idPrefix: "", limit: 100_000, ...times, ...rest };
        return (await stores.records(path).list(request, call)).items.map((item) => `${item.kind} ${item.id}`);
      },
      queue: async () => {
        const found: string[] = [];
        for (let more = true; more; ) {
          const request = { queue: "q", max: 100, leaseMs: 60_000, lease: "l", waitMs: 0 };
          const messages = await stores.queues(path).take(request, call);
          found.push(...messages.map((message) => String(message.payload)));
          more = messages.length > 0;
        }
        return found;
      },
    };
    const found = await readable[work]?.();
    expect(acknowledged.length).toBeGreaterThanOrEqual(60);
    expect(found).toEqual(expect.arrayContaining(acknowledged));
    // At most one write of each killed process was done without being told.
    expect(found?.length).toBeLessThanOrEqual(acknowledged.length + 2);
    await service.close();
  },
);

test("two processes append a thousand entries each to one log", { timeout: 60_000 }, async () => {
  const path = join(folder, "appends.db");
  const writers = ["a", "b"].map((name) => start("append", path, name, 1_000));
  await Promise.all(writers.map((writer) => writer.ended));
  expect(writers.map((writer) => writer.lines.length)).toEqual([1_000, 1_000]);
  const service = inProcessSqlite();
  const key = { namespace: "ops", kind: "log", id: "all", tail: null, touch: false };
  const log = await createSqliteStores(service).records(path).get(key, call);
  expect(log?.version).toBe(2_000);
  expect(log?.payload["entries"]).toHaveLength(2_000);
  await service.close();
});

test("ten producers and four consumers, killed now and then: what was sent is what is seen", {
  timeout: 240_000,
}, async () => {
  const path = join(folder, "work.db");
  const service = inProcessSqlite();
  const queue = createSqliteStores(service).queues(path);
  await queue.length("q", call);
  const MESSAGES = 20;
  const producers = Array.from({ length: 10 }, (_, at) => start("queue", path, `p${at}`, MESSAGES));
  const [dying, other] = producers as [Running, Running];
  const killed = Promise.all([dying.atLeast(5).then(dying.kill), other.atLeast(10).then(other.kill)]);
  // Two are killed one after the other, each while it alone consumes: next to others it might never get its share.
  const consumers: Running[] = [];
  for (const name of ["c0", "c1"]) {
    const consumer = start("consume", path, name, 1_000_000);
    consumers.push(consumer);
    await consumer.atLeast(3);
    await consumer.kill();
  }
  consumers.push(...["c2", "c3"].map((name) => start("consume", path, name, 1_000_000)));
  await killed;
  await Promise.all(producers.map((producer) => producer.ended));
  const left = async () => {
    const { ready, leased, dead } = await queue.length("q", call);
    return ready + leased + dead;
  };
  while ((await left()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  await Promise.all(consumers.map((consumer) => consumer.kill()));
  const seen = new Set(consumers.flatMap((consumer) => consumer.lines));
  const sent = producers.flatMap((producer) => producer.lines);
  for (const message of sent) expect(seen).toContain(message);
  const mayHaveBeenSent = new Set(
    Array.from({ length: 10 }, (_, p) => p).flatMap((p) =>
      Array.from({ length: MESSAGES }, (_, n) => `p${p} ${n + 1}`),
    ),
  );
  for (const message of seen) expect(mayHaveBeenSent).toContain(message);
  // A killed producer may have sent one more than it could tell.
  expect(seen.size).toBeLessThanOrEqual(sent.length + 2);
  await service.close();
});

/** Tools of the machine, not of a package. */
const MOUNT = "mount";
const UNMOUNT = "umount";

/** A file system of 512 KiB, or why it is not available. */
function tinyDisk(): { readonly path: string } | { readonly reason: string } {
  const path = join(folder, "tiny");
  mkdirSync(path);
  try {
    execFileSync(MOUNT, ["-t", "tmpfs", "-o", "size=512k", "tmpfs", path], { stdio: "pipe" });
    return { path };
  } catch (thrown) {
    return { reason: String(thrown).split("\n")[0] ?? "unknown" };
  }
}

test("a full disk is ADAPTER_QUOTA, and what was written stays readable", async ({ skip }) => {
  const disk = tinyDisk();
  if ("reason" in disk) {
    console.warn(`skipped: a small disk cannot be mounted: ${disk.reason}`);
    skip();
    return;
  }
  const service = inProcessSqlite();
  try {
    const stores = createSqliteStores(service);
    const path = (name: string) => join(disk.path, name);
    const text = "x".repeat(20_000);
    const queue = stores.queues(path("queue.db"));
    let put = 0;
    let code = "no error";
    while (code === "no error" && put < 100) {
      const id = `m${put}`;
      const message = {
        queue: "q",
        id,
        payload: text,
        priority: 0,
        delayMs: 0,
        ttlMs: null,
        dedupe: null,
        maxDepth: 1_000,
      };
      code = await codeOf(queue.put({ ...message, once: { key: id, argsHash: "-" } }, call));
      if (code === "no error") put += 1;
    }
    expect(code).toBe("ADAPTER_QUOTA");
    expect(put).toBeGreaterThan(0);
    expect((await queue.length("q", call)).ready).toBe(put);
  } finally {
    await service.close();
    execFileSync(UNMOUNT, [disk.path]);
  }
});
