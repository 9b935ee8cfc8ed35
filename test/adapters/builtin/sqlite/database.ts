/** Database files with content, and a bench of the adapter on them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { sqliteAdapter } from "../../../../adapters/builtin/sqlite/definition.ts";
import { createSqliteService } from "../../../../adapters/engine/sqlite/service.ts";
import type { SqliteService } from "../../../../adapters/engine/sqlite/sqlite.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import { type AdapterBench, openBench } from "../../../support/adapter-bench.ts";

export const SEED = `
  CREATE TABLE items (id INTEGER PRIMARY KEY, n TEXT, b BLOB);
  INSERT INTO items (n) VALUES ('x'), ('y');
  CREATE TABLE secret (v TEXT);
  INSERT INTO secret VALUES ('s3');
  CREATE INDEX secret_v ON secret (v);
  CREATE VIEW shown AS SELECT n FROM items;
  CREATE VIEW leak AS SELECT v FROM secret;
`;

export type World = {
  readonly folder: string;
  readonly service: SqliteService;
  /** Makes a file from SQL. */
  seed(name: string, sql?: string): string;
  bench(settings?: JsonObject): Promise<AdapterBench>;
  end(): Promise<void>;
};

export function databaseWorld(): World {
  const folder = mkdtempSync(join(tmpdir(), "weft-sql-"));
  const service = createSqliteService();
  const benches: AdapterBench[] = [];
  return {
    folder,
    service,
    seed(name, sql = SEED) {
      const path = join(folder, name);
      const db = new Database(path);
      db.exec(sql);
      db.close();
      return path;
    },
    async bench(settings = {}) {
      const bench = await openBench(sqliteAdapter, { settings, services: { sqlite: service } });
      benches.push(bench);
      return bench;
    },
    async end() {
      for (const bench of benches) await bench.end();
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
