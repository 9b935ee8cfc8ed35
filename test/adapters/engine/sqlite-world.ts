/** A folder with databases and the service on them, anew for each test, and the helper processes it starts. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { createSqliteService } from "../../../adapters/engine/sqlite/service.ts";
import type { RequestLimits, SqliteDatabase, SqliteService } from "../../../adapters/engine/sqlite/sqlite.ts";
import type { Json } from "../../../compiler/json.ts";

const RULES = { allow_tables: null, allow_ddl: true, allow_virtual: true, trust_triggers: false };
export const LIMITS = { rules: RULES, max_rows: 1_000, max_bytes: 1_000_000 };
export const ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS c FROM n";
export const AMPLE = { timeoutMs: 10_000 };

export type SqliteWorld = { folder: string; service: SqliteService };

/** Helpers of other tests in this process. */
let earlier: ReadonlySet<number> = new Set();

/** To be called once in a test file: what it returns is filled before each test. */
export function sqliteWorld(): SqliteWorld {
  const world = {} as SqliteWorld;
  beforeEach(() => {
    earlier = new Set(childProcesses());
    world.folder = mkdtempSync(join(tmpdir(), "weft-sqlite-"));
    world.service = createSqliteService();
  });
  afterEach(async () => {
    await world.service.close();
    rmSync(world.folder, { recursive: true, force: true });
  });
  return world;
}

export function open({ folder, service }: SqliteWorld, path = join(folder, "a.db")): SqliteDatabase {
  return service.open({ path, program: "sql", durability: "normal" });
}
/** The rows that a statement reads. */
export async function query(db: SqliteDatabase, sql: string, limits: RequestLimits = AMPLE): Promise<Json> {
  const read = (await db.call("query", { ...LIMITS, sql, params: null }, limits)) as { readonly rows: Json };
  return read.rows;
}
export function execute(db: SqliteDatabase, sql: string, limits: RequestLimits = AMPLE): Promise<Json> {
  return db.call("execute", { ...LIMITS, sql, params: null }, limits);
}
/** The code of the failure, or what came instead. */
export function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => ({ value }),
    (error) => error.code ?? error,
  );
}

/** Ids of the helper processes that this test has started. */
export function helpers(): number[] {
  return childProcesses().filter((pid) => !earlier.has(pid));
}

function childProcesses(): number[] {
  if (!existsSync("/proc/self/stat")) {
    const listed = spawnSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).stdout.split("\n");
    const ours = listed.map((line) => line.trim().split(/\s+/)).filter(([, parent]) => Number(parent) === process.pid);
    return ours.filter((words) => words.join(" ").includes("sqlite-helper")).map(([pid]) => Number(pid));
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const [, parent] = readFileSync(`/proc/${pid}/stat`, "utf8")
          .replace(/^.*\) /s, "")
          .split(" ");
        return Number(parent) === process.pid && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("sqlite-helper");
      } catch {
        // It ended meanwhile.
        return false;
      }
    });
}
