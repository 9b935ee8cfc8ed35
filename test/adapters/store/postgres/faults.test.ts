/**
 * How stores in PostgreSQL fail while the database does not work, and that they recover by themselves.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPostgresService, type PostgresDatabase } from "../../../../adapters/engine/postgres/postgres.ts";
import type { PostgresSession } from "../../../../adapters/engine/postgres/statement.ts";
import { adapterError } from "../../../../adapters/errors.ts";
import { lockOf, SharedDatabase } from "../../../../adapters/store/postgres/database.ts";
import { sql } from "../../../../adapters/store/postgres/sql.ts";
import { createPostgresStores } from "../../../../adapters/store/postgres/stores.ts";
import { AdapterError } from "../../../../vm/errors/failures.ts";
import { startPostgres, type TestPostgres } from "../../../support/postgres.ts";
import { codeOf } from "../bench.ts";
import { callOf, type Replica, replica } from "./bench.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

const ROOM = { maxEntries: 1_000, maxBytes: 1_000_000 };
const ENTRY = { namespace: "n", key: "k" };

describe.skipIf(server === null)("faults", () => {
  const { createDatabase, query, restart } = server as TestPostgres;
  let url: string;
  let one: Replica;
  beforeAll(async () => {
    url = await createDatabase();
    one = replica(url);
    await one.database.prepare({ timeoutMs: 30_000 });
  });
  afterAll(() => one.close());

  const increment = (key: string, stores = one.stores, call = callOf()) =>
    stores
      .keyValues(null, true)
      .increment({ ...ENTRY, ...ROOM, by: 1, ttlSeconds: null, once: { key, argsHash: "-" } }, call);
  const put = (id: string) =>
    one.stores.queues(null).put(
      {
        queue: "q",
        id,
        payload: id,
        priority: 0,
        delayMs: 0,
        ttlMs: null,
        dedupe: null,
        maxDepth: 1_000,
        once: { key: id, argsHash: "-" },
      },
      callOf(),
    );

  /** Holds the counter's lock, as a writer of another replica does, until the returned function is called. */
  async function holdingEntry(): Promise<() => Promise<void>> {
    const other = replica(url);
    const { held, release } = latch();
    const { held: locked, release: tell } = latch();
    const done = other.database.transaction([lockOf("cache entry", ENTRY.namespace, ENTRY.key)], callOf(), () => {
      tell();
      return held;
    });
    await locked;
    return async () => {
      release();
      await done;
      await other.close();
    };
  }

  test("a lock that is not free is BUSY, a call that is over TIMEOUT or CANCELLED; nothing was written", async () => {
    await increment("before");
    const release = await holdingEntry();
    const cancelling = new AbortController();
    const codes = Promise.all([
      codeOf(increment("waits")),
      codeOf(increment("is short", one.stores, callOf(200))),
      codeOf(increment("is cancelled", one.stores, { ...callOf(), signal: cancelling.signal })),
    ]);
    cancelling.abort();
    expect(await codes).toEqual(["ADAPTER_BUSY", "ADAPTER_TIMEOUT", "ADAPTER_CANCELLED"]);
    await release();
    expect(await increment("after")).toBe(2);
  });

  test("when all connections are in use a call is BUSY, and retryable", async () => {
    const { held, release } = latch();
    const begun = Array.from({ length: 8 }, latch);
    const done = begun.map(({ release: tell }) =>
      one.database.transaction([], callOf(), () => {
        tell();
        return held;
      }),
    );
    await Promise.all(begun.map(({ held: has }) => has));
    await expect(increment("no connection")).rejects.toMatchObject({ code: "ADAPTER_BUSY", retryable: true });
    release();
    await Promise.all(done);
    expect(await codeOf(increment("connection"))).toBe("no error");
  });

  test("a connection that is cut in the middle is TRANSPORT, and nothing of the transaction is there", async () => {
    const cut = one.database.transaction([], callOf(), async (tx) => {
      const { rows } = await tx.query(insertion("cut"));
      await query(url, `SELECT pg_terminate_backend(${rows[0]?.[0]})`);
      await tx.query(insertion("cut too"));
    });
    await expect(cut).rejects.toMatchObject({ code: "ADAPTER_TRANSPORT", retryable: true });
    expect(await query(url, "SELECT 1 FROM weft.agent_tasks")).toEqual([]);
    expect(await codeOf(increment("anew"))).toBe("no error");
  });

  test.each([
    ["lost before the commit", false],
    ["lost after the commit", true],
  ])("a keyed write whose answer is %s has one effect when it is repeated", async (_when, commits) => {
    const service = createPostgresService();
    let losing = true;
    const database = new SharedDatabase(async () =>
      losingCommits(await service.open({ url, pool: 8 }), commits, () => losing),
    );
    const before = await increment(`counted ${commits}`);
    const stores = createPostgresStores(database);
    await expect(increment(`lost ${commits}`, stores)).rejects.toMatchObject({
      code: "ADAPTER_TRANSPORT",
      retryable: true,
    });
    losing = false;
    expect(await increment(`lost ${commits}`, stores)).toBe(before + 1);
    expect(await increment(`lost ${commits}`, stores)).toBe(before + 1);
    await service.close();
  });

  test("a server that crashes under load keeps what was confirmed, and all callers continue", {
    timeout: 60_000,
  }, async () => {
    let stop = false;
    const answered: string[] = [];
    const codes = new Set<string>();
    const [connected, again] = [latch(), latch()];
    let connections = 0;
    one.database.listen("weft_queue", (queue) => {
      if (queue !== null) return;
      connections += 1;
      (connections === 1 ? connected : again).release();
    });
    await connected.held;
    const workers = [0, 1, 2, 3].map(async (worker) => {
      for (let n = 0; !stop; n += 1) {
        const id = `${worker}.${n}`;
        try {
          answered.push(await put(id));
        } catch (thrown) {
          codes.add(thrown instanceof AdapterError && thrown.retryable ? thrown.code : `not retryable: ${thrown}`);
        }
      }
    });
    while (answered.length < 20) await nextTurn();
    await one.stores
      .keyValues(null, true)
      .set({ ...ENTRY, ...ROOM, value: 7, ttlSeconds: null, ifAbsent: false, ifVersion: null }, callOf());
    await restart();
    const soFar = answered.length;
    while (answered.length < soFar + 20) await nextTurn();
    stop = true;
    await Promise.all(workers);
    expect(codes.size).toBeGreaterThan(0);
    for (const code of codes) expect(["ADAPTER_TRANSPORT", "ADAPTER_UNAVAILABLE", "ADAPTER_BUSY"]).toContain(code);
    const stored = (await query(url, "SELECT id FROM weft.queue_messages")).map(({ id }) => id);
    expect(stored).toEqual(expect.arrayContaining(answered));
    expect(new Set(stored).size).toBe(stored.length);
    await again.held;
    // The cache is lost with the crash, its totals with it, and versions continue.
    expect(await one.stores.keyValues(null, true).get(ENTRY, callOf())).toBeNull();
    expect(await query(url, "SELECT * FROM weft.cache_totals")).toEqual([]);
    expect(await increment("after the crash")).toBe(1);
  });
});

function insertion(taskId: string) {
  return sql`INSERT INTO weft.agent_tasks(task_id, envelope) VALUES (${taskId}, '{}') RETURNING pg_backend_pid()`;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function latch(): { readonly held: Promise<void>; release(): void } {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { held, release };
}

/** As if the connection broke at a transaction's end, before or after the server did its work. */
function losingCommits(database: PostgresDatabase, commits: boolean, losing: () => boolean): PostgresDatabase {
  const lost = (session: PostgresSession): PostgresSession => {
    const script: PostgresSession["script"] = async (text, limits) => {
      if (text !== "COMMIT" || !losing()) return session.script(text, limits);
      await session.script(commits ? "COMMIT" : "ROLLBACK", limits);
      throw adapterError("ADAPTER_TRANSPORT", "the connection to the database failed");
    };
    return {
      script,
      query: (statement, limits) => session.query(statement, limits),
      get usable() {
        return session.usable;
      },
      release: () => session.release(),
    };
  };
  return {
    session: async (rules, limits) => lost(await database.session(rules, limits)),
    listen: (channel, heard) => database.listen(channel, heard),
  };
}
