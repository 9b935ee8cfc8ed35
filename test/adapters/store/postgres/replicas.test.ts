/**
 * Two services on one database behave as one: what one writes the other sees, and what may happen once happens once.
 */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PutMessage, TakeRequest } from "../../../../adapters/store/queue.ts";
import type { AppendRequest, ListRequest, PutRequest } from "../../../../adapters/store/record.ts";
import { startPostgres } from "../../../support/postgres.ts";
import { codeOf } from "../bench.ts";
import { callOf, type Replica, replica } from "./bench.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

const ROOM = { maxEntries: 1_000, maxBytes: 1_000_000 };
const BOUNDS = { maxPayloadBytes: 1_000, maxEntries: 10_000, sweepIntervalMs: 0 };

describe.skipIf(server === null)("two replicas", () => {
  let url: string;
  let replicas: readonly [Replica, Replica];
  beforeAll(async () => {
    url = (await server?.createDatabase()) ?? "";
    replicas = [replica(url), replica(url)];
  });
  afterAll(() => Promise.all(replicas.map((each) => each.close())));

  /** Does `act` so often on each replica, several at a time. */
  async function onBoth<T>(times: number, act: (each: Replica, name: string) => Promise<T>): Promise<readonly T[]> {
    const workers = replicas.flatMap((each, at) => [0, 1, 2].map((worker) => ({ each, name: `${at}.${worker}` })));
    const done = workers.map(async ({ each, name }) => {
      const results: T[] = [];
      for (let n = 0; n < times; n += 1) results.push(await act(each, `${name}.${n}`));
      return results;
    });
    return (await Promise.all(done)).flat();
  }

  test("every number of a counter is given once", async () => {
    const place = { namespace: "n", key: "counter" };
    const numbers = await onBoth(20, ({ stores }, name) => {
      const once = { key: name, argsHash: "-" };
      return stores.keyValues(null, true).increment({ ...place, ...ROOM, by: 1, ttlSeconds: null, once }, callOf());
    });
    expect([...numbers].sort((a, b) => a - b)).toEqual(numbers.map((_, at) => at + 1));
  });

  test("an entry that may only be made is made once, and one key counts once", async () => {
    const entry = { namespace: "n", key: "made", value: 1, ttlSeconds: null, ifVersion: null };
    const made = await onBoth(3, ({ stores }) =>
      stores.keyValues(null, true).set({ ...entry, ...ROOM, ifAbsent: true }, callOf()),
    );
    expect(made.filter(Boolean)).toHaveLength(1);
    const once = { key: "the same", argsHash: "-" };
    const place = { namespace: "n", key: "once" };
    const counted = await onBoth(3, ({ stores }) =>
      stores.keyValues(null, true).increment({ ...place, ...ROOM, by: 1, ttlSeconds: null, once }, callOf()),
    );
    expect(new Set(counted)).toEqual(new Set([1]));
  });

  test.each(["delete", "clear"] as const)(
    "an entry that one removes with %s while another writes over it is gone",
    async (removing) => {
      const place = { namespace: `removed with ${removing}`, key: "k" };
      const [one, other] = replicas.map(({ stores }) => stores.keyValues(null, true));
      const entry = { ...place, ...ROOM, value: 5, ttlSeconds: null, ifAbsent: false, ifVersion: null };
      await one?.set(entry, callOf());
      const { version = 0 } = (await one?.get(place, callOf())) ?? {};
      const holder = new pg.Client({ connectionString: url });
      await holder.connect();
      const waiting = async (): Promise<number> => {
        const { rows } = await holder.query("SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted");
        return rows[0].n;
      };
      try {
        // The writer has found the entry by the time it waits for the number of its version.
        await holder.query("BEGIN; ALTER SEQUENCE weft.cache_versions NO CYCLE");
        const written = one?.set({ ...entry, value: 6, ifVersion: version }, callOf());
        await expect.poll(waiting).toBe(1);
        let isOver = false;
        const removed = (
          removing === "delete" ? other?.delete(place, callOf()) : other?.clear(place.namespace, callOf())
        )
          // Before the writer, or after it.
          ?.finally(() => {
            isOver = true;
          });
        await expect.poll(async () => isOver || (await waiting()) > 1).toBe(true);
        await holder.query("ROLLBACK");
        expect([await written, Number(await removed)]).toEqual([true, 1]);
        // It was there to be written over, so it was removed after that.
        expect(await one?.get(place, callOf())).toBeNull();
      } finally {
        await holder.end();
      }
    },
  );

  test("the cache keeps to its bounds while both write", async () => {
    const room = { maxEntries: 20, maxBytes: 1_000_000 };
    const write = ({ stores }: Replica, key: string) =>
      stores
        .keyValues(null, true)
        .set(
          { namespace: "full", key, value: 1, ttlSeconds: null, ifAbsent: false, ifVersion: null, ...room },
          callOf(),
        );
    await onBoth(30, write);
    // Room is made by one at a time, so the last writes may have found another at it.
    await write(replicas[0], "last");
    const keys = await replicas[1].stores
      .keyValues(null, true)
      .keys({ namespace: "full", prefix: "", limit: 100 }, callOf());
    expect(keys).toHaveLength(20);
    expect(keys).toContain("last");
    const [totals] = (await server?.query(url, "SELECT entries::int FROM weft.cache_totals WHERE ns = 'full'")) ?? [];
    expect(totals).toEqual({ entries: 20 });
  });

  test("a log has every entry once, and its record every version", async () => {
    const log: Omit<AppendRequest, "entry" | "once"> = {
      namespace: "ops",
      kind: "log",
      id: "all",
      ...BOUNDS,
      ttlSeconds: undefined,
      newTtlSeconds: null,
      metadata: null,
    };
    const lengths = await onBoth(20, async ({ stores }, name) => {
      const once = { key: name, argsHash: "-" };
      return (await stores.records(null).append({ ...log, entry: { name }, once }, callOf())).entries;
    });
    expect([...lengths].sort((a, b) => a - b)).toEqual(lengths.map((_, at) => at + 1));
    const found = await replicas[0].stores.records(null).get({ ...log, tail: null, touch: false }, callOf());
    expect(found?.version).toBe(lengths.length);
    expect(found?.payload["entries"]).toHaveLength(lengths.length);
  });

  test("a record is created once, by the first replica", async () => {
    const record: PutRequest = {
      namespace: "ops",
      kind: "k",
      id: "raced",
      ...BOUNDS,
      payload: {},
      ttlSeconds: null,
      metadata: null,
      ifAbsent: false,
      ifVersion: null,
    };
    const written = await onBoth(3, ({ stores }) => stores.records(null).put(record, callOf()));
    expect(written.filter(({ created }) => created)).toHaveLength(1);
    expect(written.map(({ version }) => version).sort((a, b) => a - b)).toEqual(written.map((_, at) => at + 1));
    const versioned = await onBoth(1, ({ stores }) =>
      codeOf(stores.records(null).put({ ...record, ifVersion: written.length }, callOf())),
    );
    expect(versioned.filter((code) => code === "no error")).toHaveLength(1);
    expect(versioned.filter((code) => code === "ADAPTER_CONFLICT")).toHaveLength(versioned.length - 1);
  });

  const message = (queue: string, id: string, more: Partial<PutMessage> = {}): PutMessage => ({
    queue,
    id,
    payload: id,
    priority: 0,
    delayMs: 0,
    ttlMs: null,
    dedupe: null,
    maxDepth: 10_000,
    once: { key: id, argsHash: "-" },
    ...more,
  });
  const takeOf = (queue: string, more: Partial<TakeRequest> = {}): TakeRequest => ({
    queue,
    max: 3,
    leaseMs: 60_000,
    lease: randomUUID(),
    waitMs: 0,
    ...more,
  });

  test("a message is taken by one, and acknowledged through any replica", async () => {
    const put = await onBoth(20, ({ stores }, name) => stores.queues(null).put(message("jobs", name), callOf()));
    const taken = (await onBoth(10, ({ stores }) => stores.queues(null).take(takeOf("jobs"), callOf()))).flat();
    expect(taken.map(({ id }) => id).sort()).toEqual([...put].sort());
    const acknowledged = await Promise.all(
      taken.map(({ id, lease }, at) =>
        codeOf(replicas[at % 2 === 0 ? 0 : 1].stores.queues(null).acknowledge({ queue: "jobs", id, lease }, callOf())),
      ),
    );
    expect(new Set(acknowledged)).toEqual(new Set(["no error"]));
    const { ready, leased } = await replicas[0].stores.queues(null).length("jobs", callOf());
    expect([ready, leased]).toEqual([0, 0]);
  });

  test("a bound of messages holds exactly, and a dedupe key puts one message", async () => {
    const codes = await onBoth(5, ({ stores }, name) =>
      codeOf(stores.queues(null).put(message("short", `short ${name}`, { maxDepth: 7 }), callOf())),
    );
    expect(codes.filter((code) => code === "no error")).toHaveLength(7);
    expect(codes.filter((code) => code === "ADAPTER_QUOTA")).toHaveLength(23);
    const dedupe = { key: "d", windowMs: 60_000 };
    const ids = await onBoth(3, ({ stores }, name) =>
      stores.queues(null).put(message("deduped", `deduped ${name}`, { dedupe }), callOf()),
    );
    expect(new Set(ids).size).toBe(1);
  });

  test("puts and releases notify the other replica", async () => {
    const told: string[] = [];
    let tell = (): void => {};
    const heard = (times: number) =>
      new Promise<void>((resolve) => {
        tell = () => told.length >= times && resolve();
        tell();
      });
    const connected = new Promise<void>((resolve) => {
      replicas[1].database.listen("weft_queue", (queue) => {
        if (queue === null) return resolve();
        told.push(queue);
        tell();
      });
    });
    await connected;
    const queues = replicas[0].stores.queues(null);
    await queues.put(message("told", "told 1"), callOf());
    await heard(1);
    const [taken] = await queues.take(takeOf("told"), callOf());
    await queues.release({ queue: "told", id: "told 1", lease: taken?.lease ?? "", delayMs: 0 }, callOf());
    await heard(2);
    expect(told).toEqual(["told", "told"]);
  });

  test("a waiting taker gets what another replica puts, with or without a notification", async () => {
    const [here, there] = replicas;
    const waiting = there.stores.queues(null).take(takeOf("awaited", { waitMs: 20_000 }), callOf(30_000));
    await here.stores.queues(null).put(message("awaited", "awaited 1"), callOf());
    expect((await waiting).map(({ id }) => id)).toEqual(["awaited 1"]);
    const polling = there.stores.queues(null).take(takeOf("silent", { waitMs: 20_000 }), callOf(30_000));
    await server?.query(
      url,
      `INSERT INTO weft.queue_messages(id, queue, body, priority, created_ms, visible_ms, attempts)
       VALUES ('silent 1', 'silent', '1', 0, 0, 0, 0)`,
    );
    expect((await polling).map(({ payload }) => payload)).toEqual([1]);
  });

  test("a call that one replica began is known to the other", async () => {
    const keyed = { scope: "mail.send", key: "\0 any key \ud800", argsHash: "h" };
    const [here, there] = replicas.map(({ stores }) => stores.ledger(null)) as [
      ReturnType<Replica["stores"]["ledger"]>,
      ReturnType<Replica["stores"]["ledger"]>,
    ];
    const states = await Promise.all([here, there, here, there].map((ledger) => ledger.begin(keyed, callOf())));
    expect(states.map(({ state }) => state).sort()).toEqual(["new", "started", "started", "started"]);
    await here.complete(keyed, { text: "\0\ud800" }, callOf());
    expect(await there.begin(keyed, callOf())).toEqual({ state: "done", result: { text: "\0\ud800" } });
  });

  test("a page of a hundred thousand records reads that page alone", async () => {
    const records = replicas[0].stores.records(null);
    await server?.query(
      url,
      `INSERT INTO weft.memory_records(namespace, record_kind, record_id, created_ms, updated_ms, payload, version, tags)
       SELECT 'many', 'k', lpad(i::text, 6, '0'), 0, 0, '{}', 1, '{}' FROM generate_series(1, 100000) AS i`,
    );
    const open = { after: null, before: null };
    const request: ListRequest = {
      namespace: "many",
      kind: null,
      idPrefix: "",
      created: open,
      updated: open,
      validAt: open,
      accessedSince: null,
      source: null,
      tagsAny: null,
      tagsAll: [],
      includeExpired: false,
      after: { kind: "k", id: "050000" },
      offset: 0,
      limit: 1_000,
    };
    const page = await records.list(request, callOf());
    expect([page.items[0]?.id, page.items.length, page.more]).toEqual(["050001", 1_000, true]);
    const named = await records.list({ ...request, kind: "k", idPrefix: "0999", after: null }, callOf());
    expect([named.items[0]?.id, named.items.length, named.more]).toEqual(["099900", 100, false]);
  });
});
