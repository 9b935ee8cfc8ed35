/** Adapter queue: putting, taking with leases, permissions, bounds, ids, and where its file is. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { queueAdapter } from "../../../../adapters/builtin/queue/definition.ts";
import { messageId } from "../../../../adapters/builtin/queue/message-id.ts";
import { type AdapterBench, NO_PLACES, openBench } from "../../../support/adapter-bench.ts";
import { inProcessSqlite } from "../../../support/in-process-sqlite.ts";
import { verifies } from "../../../support/requirements.ts";
import { type AdapterRuns, adapterRuns } from "../../store/adapter-runs.ts";

let runs: AdapterRuns;
let queue: AdapterBench;
beforeEach(async () => {
  runs = adapterRuns(queueAdapter);
  queue = await runs.run({ allow_take: true });
});
afterEach(() => runs.close());

const folder = mkdtempSync(join(tmpdir(), "weft-queue-adapter-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Message = { message_id: string; payload: unknown; attempts: number; lease: string };

async function taken(...args: readonly unknown[]): Promise<Message[]> {
  return (await queue.call("take", ...args)) as unknown as Message[];
}
async function one(name: string): Promise<Message> {
  const [message] = await taken(name);
  if (message === undefined) throw new Error("no message");
  return message;
}

test("Put answers with an envelope, take delivers, ack ends", async () => {
  verifies("adapter.queue.write");
  const put = (await queue.call("PUT", "jobs", { n: 1 })) as { message_id: string };
  expect(put).toEqual({
    ok: true,
    message_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    queue_name: "jobs",
    error: null,
  });
  expect(await queue.call("len", "jobs")).toEqual({ ready: 1, delayed: 0, leased: 0, dead: 0 });
  const message = await one("jobs");
  expect(message).toEqual({ message_id: put.message_id, payload: { n: 1 }, attempts: 1, lease: expect.any(String) });
  expect(await taken("jobs")).toEqual([]);
  expect(await queue.call("ack", "jobs", message.message_id, message.lease)).toEqual({ ok: true });
  expect(await queue.call("ack", "jobs", message.message_id, message.lease)).toEqual({ ok: true });
  expect(await queue.call("len", "jobs")).toEqual({ ready: 0, delayed: 0, leased: 0, dead: 0 });
});

test("one run hands messages to another", async () => {
  verifies("state.tier4-coordination");
  await queue.call("Put", "jobs", "for you");
  await queue.end();
  const other = await runs.run({ allow_take: true });
  expect(await other.call("take", "jobs")).toMatchObject([{ payload: "for you" }]);
});

test.each([null, 1, "text", [], {}, { delay_s: 5 }])("a payload may be %j", async (payload) => {
  await queue.call("Put", "jobs", payload);
  expect((await one("jobs")).payload).toEqual(payload);
});

test("priority, delay, lifetime and dedupe key", async () => {
  await queue.call("Put", "jobs", "low", { priority: -1 });
  await queue.call("Put", "jobs", "later", { delay_s: 0.5 });
  await queue.call("Put", "jobs", "brief", { ttl_s: 1 });
  await queue.call("Put", "jobs", "high", { priority: 9 });
  expect((await taken("jobs", { max: 2 })).map((message) => message.payload)).toEqual(["high", "brief"]);
  runs.advance(0.5);
  expect((await taken("jobs", { max: 100 })).map((message) => message.payload)).toEqual(["later", "low"]);
  const first = (await queue.call("Put", "mail", 1, { dedupe_key: "d" })) as { message_id: string };
  expect(await queue.call("Put", "mail", 2, { dedupe_key: "d" })).toMatchObject({ message_id: first.message_id });
  runs.advance(24 * 3600);
  expect(await queue.call("Put", "mail", 3, { dedupe_key: "d" })).not.toMatchObject({ message_id: first.message_id });
});

test("one idempotency key puts once, for every attempt", async () => {
  const key = { idempotency_key: "same" };
  const first = await queue.call("Put", "jobs", 1, key);
  expect(await queue.call("Put", "jobs", 1, key)).toEqual(first);
  expect(await queue.code("Put", "jobs", 2, key)).toBe("ADAPTER_CONFLICT");
  expect(await queue.call("len", "jobs")).toMatchObject({ ready: 1 });
});

test("leases end, nack gives back, and a lost lease is ADAPTER_CONFLICT", async () => {
  await queue.call("Put", "jobs", 1);
  const first = await one("jobs");
  runs.advance(30);
  expect(await queue.code("ack", "jobs", first.message_id, first.lease)).toBe("ADAPTER_CONFLICT");
  const second = await one("jobs");
  expect(second.attempts).toBe(2);
  expect(await queue.code("ack", "jobs", second.message_id, first.lease)).toBe("ADAPTER_CONFLICT");
  expect(await queue.call("nack", "jobs", second.message_id, second.lease, { delay_s: 10 })).toEqual({ ok: true });
  expect(await queue.call("len", "jobs")).toMatchObject({ delayed: 1 });
  runs.advance(10);
  for (let attempt = 3; attempt <= 10; attempt += 1) {
    const next = await one("jobs");
    await queue.call("nack", "jobs", next.message_id, next.lease);
  }
  expect(await queue.call("len", "jobs")).toEqual({ ready: 0, delayed: 0, leased: 0, dead: 1 });
  expect(await taken("jobs.dead")).toMatchObject([{ payload: 1 }]);
});

test("a waiting take is answered by the next Put", async () => {
  const sqlite = inProcessSqlite();
  const options = { settings: { allow_take: true }, services: { sqlite, places: NO_PLACES } };
  const [producer, consumer] = [await openBench(queueAdapter, options), await openBench(queueAdapter, options)];
  const waiting = consumer.call("take", "jobs", { wait_s: 30 });
  await producer.call("Put", "jobs", "woken");
  expect(await waiting).toMatchObject([{ payload: "woken" }]);
  expect(await consumer.call("take", "jobs", { wait_s: 0.02 })).toEqual([]);
  await sqlite.close();
});

test("ids are UUIDs in order of time", () => {
  const ids = [0, 1, 1_893_456_000_000, 1_893_456_000_001].map((ms) =>
    messageId(ms, "ffffffff-ffff-4fff-bfff-ffffffffffff"),
  );
  expect(ids).toEqual([...ids].sort());
  expect(ids[2]).toBe("01b8dac5-b400-7fff-bfff-ffffffffffff");
});

test.each<[verb: string, args: readonly unknown[]]>([
  ["Put", ["jobs"]],
  ["Put", ["", 1]],
  ["Put", ["a b", 1]],
  ["Put", ["x".repeat(65), 1]],
  ["Put", ["jobs", 1, { delay_s: -1 }]],
  ["Put", ["jobs", 1, { priority: 1.5 }]],
  ["Put", ["jobs", 1, { dedupe_key: "" }]],
  ["Put", ["jobs", 1, { other: 1 }]],
  ["take", ["jobs", { max: 101 }]],
  ["take", ["jobs", { lease_s: 0 }]],
  ["take", ["jobs", { wait_s: 61 }]],
  ["ack", ["jobs", "id"]],
])("%s %j is ADAPTER_BAD_ARGS", async (verb, args) => {
  expect(await queue.code(verb, ...args)).toBe("ADAPTER_BAD_ARGS");
});

describe("settings", () => {
  test("taking needs allow_take", async () => {
    const producer = await runs.run();
    expect(await producer.code("Put", "jobs", 1)).toBe("no error");
    expect(await producer.call("len", "jobs")).toMatchObject({ ready: 1 });
    for (const [verb, ...args] of [
      ["take", "jobs"],
      ["ack", "jobs", "id", "lease"],
      ["nack", "jobs", "id", "lease"],
    ] as const) {
      expect(await producer.code(verb, ...args), verb).toBe("ADAPTER_NOT_ALLOWED");
    }
  });

  test("allow_queues", async () => {
    const bound = await runs.run({ allow_queues: ["mine"], allow_take: true });
    await bound.call("Put", "mine", 1);
    for (const [verb, ...args] of [
      ["Put", "yours", 1],
      ["len", "yours"],
      ["take", "mine.dead"],
      ["ack", "yours", "id", "lease"],
    ] as const) {
      expect(await bound.code(verb, ...args), verb).toBe("ADAPTER_NOT_ALLOWED");
    }
  });

  test("bounds: bytes of a message, messages of a queue", async () => {
    const bound = await runs.run({ max_message_bytes: 10, max_depth: 1 });
    expect(await bound.code("Put", "jobs", "123456789")).toBe("ADAPTER_TOO_LARGE");
    await bound.call("Put", "jobs", 1);
    expect(await bound.code("Put", "jobs", 2)).toBe("ADAPTER_QUOTA");
    expect(await bound.code("Put", "others", 2)).toBe("no error");
  });

  test("targets are the operator's to declare", async () => {
    const targets = {
      jobs: { http: { url: "https://example.com/jobs", auth_secret: "TOKEN" } },
      mail: { email: { account: "a", to: "b" } },
    };
    expect(await (await runs.run({ targets })).code("Put", "jobs", 1)).toBe("no error");
    await expect(runs.run({ targets: { jobs: { ftp: {} } } })).rejects.toMatchObject({ code: "ADAPTER_BAD_SETTINGS" });
  });
});

describe("where the file is", () => {
  test("setting path, else the state directory", async () => {
    const stateDir = join(folder, "state");
    const placed = adapterRuns(queueAdapter, { stateDir });
    const run = await placed.run();
    await run.call("Put", "jobs", 1);
    expect(await run.end()).toEqual([]);
    expect(existsSync(join(stateDir, "queue.db"))).toBe(true);
    await (await placed.run({ path: join(folder, "own.db") })).call("Put", "jobs", 1, { idempotency_key: "own" });
    expect(existsSync(join(folder, "own.db"))).toBe(true);
    await placed.close();
  });

  test("without any place the service's memory holds them, with a warning", async () => {
    await queue.call("Put", "jobs", 1);
    expect(await queue.end()).toEqual([expect.stringContaining("queue_not_durable")]);
  });
});
