/** What failures of a database mean: which of them pass, and which are ours. */
import type { Pool } from "pg";
import { describe, expect, it } from "vitest";
import { Database, reasonOf } from "../../../../service/jobs/postgres/database.ts";
import { StoreHealth } from "../../../../service/jobs/store-health.ts";

const failure = (message: string, code?: string): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

it.each([
  ["a lost socket", failure("write EPIPE", "EPIPE"), "cannot be reached"],
  ["a server that is not there", failure("connect ENOENT", "ENOENT"), "cannot be reached"],
  ["a name server that is away", failure("getaddrinfo EAI_AGAIN db", "EAI_AGAIN"), "cannot be reached"],
  ["a socket that is closed", failure("Socket is closed", "ERR_SOCKET_CLOSED"), "cannot be reached"],
  ["a failure of TLS", failure("bad record mac", "ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC"), "cannot be reached"],
  ["a certificate that has expired", failure("certificate has expired", "CERT_HAS_EXPIRED"), "cannot be reached"],
  ["a server that cannot begin TLS", failure("There was an error establishing an SSL connection"), "cannot be reached"],
  ["an ended connection", failure("Connection terminated unexpectedly"), "cannot be reached"],
  ["no answer", failure("Query read timeout"), "cannot be reached"],
  ["a shutdown", failure("terminating connection", "57P01"), "shutting down"],
  ["a statement that took too long", failure("canceling statement", "57014"), "in time"],
  ["a full disk", failure("could not extend file", "53100"), "disk"],
  ["a deadlock", failure("deadlock detected", "40P01"), "busy"],
  ["a lock that is not free", failure("canceling statement due to lock timeout", "55P03"), "busy"],
  ["a transaction that took too long", failure("terminating connection", "25P04"), "in time"],
  ["a table that has another column", failure("cached plan must not change result type", "0A000"), "have changed"],
  ["a session of a proxy", failure('prepared statement "weft_1" does not exist', "26000"), "was lost"],
])("%s is a failure of the database", (_, thrown, reason) => {
  expect(reasonOf(thrown)).toContain(reason);
});

it.each([
  ["a wrong statement", failure("syntax error", "42601")],
  ["a broken constraint", failure("duplicate key", "23505")],
  ["a defect", new TypeError("x is not a function")],
  ["a defect with a code", failure("out of range", "ERR_OUT_OF_RANGE")],
])("%s is not a failure of the database", (_, thrown) => {
  expect(reasonOf(thrown)).toBeNull();
});

it("only one request at a time waits for a silent database, and none once it answers again", async () => {
  const waiting: { readonly text: string; end(outcome: Error | null): void }[] = [];
  const client = {
    query: ({ text }: { readonly text: string }) =>
      new Promise((resolve, reject) => {
        const end = (outcome: Error | null): void => (outcome === null ? resolve({ rows: [] }) : reject(outcome));
        waiting.push({ text, end });
      }),
    release: () => undefined,
  };
  const health = new StoreHealth();
  const database = new Database({ connect: async () => client } as unknown as Pool, health);
  const asked = (text: string) =>
    database.query(text).then(
      () => "answered",
      ({ message }) => message as string,
    );
  const gone = "the job store is not available: the database cannot be reached";
  const silent = failure("Query read timeout");
  const turn = () => new Promise(setImmediate);

  const first = [asked("a"), asked("b")];
  await turn();
  for (const { end } of waiting.splice(0)) end(silent);
  expect(await Promise.all(first)).toEqual([gone, gone]);

  const finding = asked("c");
  await turn();
  expect(await Promise.all([asked("d"), asked("e")])).toEqual([gone, gone]);
  expect(waiting.map(({ text }) => text)).toEqual(["c"]);
  waiting.splice(0)[0]?.end(silent);
  expect(await finding).toBe(gone);

  const answered = asked("f");
  await turn();
  waiting.splice(0)[0]?.end(null);
  expect(await answered).toBe("answered");
  const all = [asked("g"), asked("h")];
  await turn();
  for (const { end } of waiting.splice(0)) end(null);
  expect(await Promise.all(all)).toEqual(["answered", "answered"]);
});

describe("a transaction", () => {
  /** A database whose one connection fails at the statements that begin so; what was asked of it, and whether the connection was dropped. */
  function failing(at: string, thrown: Error) {
    const asked: string[] = [];
    const dropped: boolean[] = [];
    const client = {
      async query(statement: string | { readonly text: string }) {
        const text = typeof statement === "string" ? statement : statement.text;
        asked.push(text.split(" ")[0] ?? "");
        if (text.startsWith(at)) throw thrown;
        return { rows: [] };
      },
      release: (broken: boolean) => dropped.push(broken),
    };
    const pool = { connect: async () => client } as unknown as Pool;
    const database = new Database(pool, new StoreHealth());
    const ended = database.transaction((on) => on.query("SELECT 1")).then(String, ({ message }) => message as string);
    return { ended, asked, dropped };
  }
  const silent = failure("Query read timeout");
  const gone = "the job store is not available: the database cannot be reached";

  it.each([
    ["its beginning", "BEGIN", ["BEGIN"]],
    ["a statement", "SELECT", ["BEGIN", "SELECT"]],
  ])("without an answer to %s sends nothing more and drops the connection", async (_, at, statements) => {
    const { ended, asked, dropped } = failing(at, silent);
    expect([await ended, asked, dropped]).toEqual([gone, statements, [true]]);
  });

  it("without an answer to its end reports an unknown outcome", async () => {
    const { ended, asked, dropped } = failing("COMMIT", silent);
    expect(await ended).toBe(`${gone}; whether it kept what was sent is not known`);
    expect([asked, dropped]).toEqual([["BEGIN", "SELECT", "COMMIT"], [true]]);
  });

  it("that is refused is taken back, and its connection stays", async () => {
    const { ended, asked, dropped } = failing("SELECT", failure("syntax error", "42601"));
    expect(await ended).toBe("syntax error");
    expect([asked, dropped]).toEqual([["BEGIN", "SELECT", "ROLLBACK"], [false]]);
  });
});

it.each([
  ["passes when it is made again", 2, "made"],
  ["fails as busy when it happens again and again", 3, "busy"],
])("a transaction that another one waited for as well %s", async (_, deadlocks, outcome) => {
  const asked: string[] = [];
  const client = {
    async query(sql: string | { readonly text: string }) {
      const text = typeof sql === "string" ? sql.trim() : sql.text;
      asked.push(text);
      if (text === "UPDATE" && asked.filter((one) => one === "UPDATE").length <= deadlocks)
        throw failure("deadlock detected", "40P01");
      return { rows: [] };
    },
    release: () => undefined,
  };
  const database = new Database({ connect: async () => client } as unknown as Pool, new StoreHealth());
  const made = database.transaction(async (on) => {
    await on.query("UPDATE");
    return "made";
  });
  expect(await made.catch(({ message }) => message)).toContain(outcome);
  const begin = "BEGIN ISOLATION LEVEL READ COMMITTED;";
  const failed = [begin, "UPDATE", "ROLLBACK"];
  expect(asked).toEqual([...failed, ...failed, ...(outcome === "made" ? [begin, "UPDATE", "COMMIT"] : failed)]);
});
