/** Settings at work on a real database: what a request asked for reaches the file, and nothing more. */
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { openRuntime, type Runtime } from "../../adapters/runtime.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import { realClock } from "../support/adapter-bench.ts";
import { verifies } from "../support/requirements.ts";
import { configOf, folder } from "./folder.ts";
import { program } from "./requests.ts";

type World = {
  run(
    steps: readonly string[],
    sqlite?: JsonObject,
  ): Promise<{ readonly end: Json; readonly warnings: readonly string[] }>;
  /** What another process sees in the file. */
  names(): Json;
};

function world(): World {
  const data = join(realpathSync(folder().path), "data");
  mkdirSync(data);
  const file = join(data, "app.db");
  const db = new Database(file);
  db.exec(
    "CREATE TABLE items (name TEXT); INSERT INTO items VALUES ('a'); CREATE TABLE secret (v TEXT); INSERT INTO secret VALUES ('s'); CREATE VIEW shown AS SELECT v FROM secret",
  );
  db.close();
  const runtime: Runtime = openRuntime({
    config: configOf({ WF_DATA_ROOT: data }),
    clock: realClock,
    uuid: () => crypto.randomUUID(),
    log: () => {},
  });
  onTestFinished(() => runtime.close());
  const { gateway } = runtime;
  return {
    async run(steps, sqlite = {}) {
      const admission = gateway.admit({ adapters: { enable: ["sqlite"], sqlite: { db_path: "app.db", ...sqlite } } });
      const { ir } = gateway.host.compile(program(...steps), { strict: false });
      if (!admission.ok || ir === null) throw new Error("a valid request and program");
      const prepared = await gateway.prepare(ir, admission);
      if (!prepared.ok) throw new Error(JSON.stringify(prepared));
      const answer = await gateway.run(prepared);
      return {
        end: answer.ok ? answer.out : (answer.error.data["adapter_code"] ?? answer.error.code),
        warnings: answer.warnings,
      };
    },
    names() {
      const seen = new Database(file, { readonly: true });
      try {
        return seen.prepare("SELECT name FROM items ORDER BY name").pluck().all() as Json;
      } finally {
        seen.close();
      }
    },
  };
}

const INSERT = "R sqlite.execute \"INSERT INTO items VALUES ('b')\" ->r";

describe("sqlite", () => {
  it("queries and changes a local file", async () => {
    verifies("adapter.sqlite.local");
    const { run, names } = world();
    const steps = [INSERT, 'R sqlite.query "SELECT name FROM items ORDER BY name" ->r', "J r"];
    expect(await run(steps, { allow_write: true })).toMatchObject({ end: [{ name: "a" }, { name: "b" }] });
    expect(names()).toEqual(["a", "b"]);
  });

  it.each([
    "INSERT INTO items VALUES ('b')",
    "UPDATE items SET name = 'b'",
    "DELETE FROM items",
    "DROP TABLE items",
    "CREATE TABLE more (n)",
  ])("without allow_write refuses %s", async (sql) => {
    verifies("settings.sqlite.allow_write");
    const { run, names } = world();
    expect(await run([`R sqlite.execute ${JSON.stringify(sql)} ->r`, "J r"])).toMatchObject({
      end: "ADAPTER_WRITE_FORBIDDEN",
    });
    expect(await run([`R sqlite.query ${JSON.stringify(sql)} ->r`, "J r"])).toMatchObject({
      end: "ADAPTER_SQL_REJECTED",
    });
    expect(names()).toEqual(["a"]);
  });

  it.each([
    ["SELECT v FROM secret", "ADAPTER_TABLE_BLOCKED"],
    ["SELECT name FROM items UNION SELECT v FROM secret", "ADAPTER_TABLE_BLOCKED"],
    ["SELECT v FROM shown", "ADAPTER_TABLE_BLOCKED"],
    ["SELECT (SELECT v FROM secret) AS v FROM items", "ADAPTER_TABLE_BLOCKED"],
  ])("with allow_tables refuses %s", async (sql, code) => {
    verifies("settings.sqlite.allow_tables");
    const { run } = world();
    const listed = { allow_tables: ["ITEMS"] };
    expect(await run([`R sqlite.query ${JSON.stringify(sql)} ->r`, "J r"], listed)).toMatchObject({ end: code });
    expect(await run(['R sqlite.query "SELECT name FROM items" ->r', "J r"], listed)).toMatchObject({
      end: [{ name: "a" }],
    });
    expect(await run(['R sqlite.query "SELECT name FROM items" ->r', "J r"], { allow_tables: [] })).toMatchObject({
      end: code,
    });
  });
});

describe("txn", () => {
  const write = { allow_write: true };

  it("keeps what was committed, undoes what was rolled back or left open", async () => {
    verifies("adapter.txn.control");
    const { run, names } = world();
    await run(["Tx begin pay", INSERT, "Tx rollback pay", "J 1"], write);
    expect(names()).toEqual(["a"]);
    const { warnings } = await run(["Tx begin pay", INSERT, "J 1"], write);
    expect(warnings).toEqual([expect.stringMatching(/^transaction_rolled_back/)]);
    expect(names()).toEqual(["a"]);
    expect(await run(["Tx begin pay", INSERT, "Tx commit pay", "J 1"], write)).toMatchObject({ end: 1, warnings: [] });
    expect(names()).toEqual(["a", "b"]);
  });
});
