/**
 * `wf doctor --recover`: makes a new file of what can be read of a damaged one, and lists what cannot. The old files are kept in a folder
 * next to it. A job of which something is missing that it needs does not run again: it ends as interrupted, so that nothing is made from half of
 * what was asked for.
 */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { StartFault } from "../../../../adapters/operator/start-fault.ts";
import { DAMAGE_MARK, failure, lockState } from "../batch.ts";
import { migrate } from "../tables/schema.ts";
import { readableRows, type StoredRow } from "./readable-rows.ts";
import { removeUnusable } from "./usable-jobs.ts";

export type Recovery = {
  /** False: nothing was damaged, and the file stays. */
  readonly isReplaced: boolean;
  /** Rows that were copied, by table. */
  readonly copied: Readonly<Record<string, number>>;
  /** What could not be read, a line each. */
  readonly lost: readonly string[];
  /** The folder with the old files and the list; null: nothing was replaced. */
  readonly kept: string | null;
};

const SIDE_FILES = ["", "-wal", "-shm"] as const;
const NAME = "weft.db";

/** `stamp`: names the folder of the old files. `now`: milliseconds since 1970. Throws StartFault. */
export function recoverStore(
  stateDir: string,
  { stamp, now }: { readonly stamp: string; readonly now: number },
): Recovery {
  if (!existsSync(join(stateDir, NAME))) throw new StartFault(`the state directory ${stateDir} has no job store`);
  const lock = stateLock(stateDir);
  const work = join(stateDir, `recovering-${stamp}`);
  try {
    mkdirSync(work, { mode: 0o700 });
    // Opened where they are, SQLite would write the log into the damaged file.
    for (const side of SIDE_FILES)
      if (existsSync(join(stateDir, NAME + side))) copyFileSync(join(stateDir, NAME + side), join(work, NAME + side));
    const made = join(work, "new.db");
    const { copied, lost, isWhole } = copyReadable(join(work, NAME), made, now);
    if (isWhole) {
      rmSync(join(stateDir, DAMAGE_MARK), { force: true });
      return { isReplaced: false, copied: {}, lost: [], kept: null };
    }
    const kept = join(stateDir, `damaged-${stamp}`);
    mkdirSync(kept, { mode: 0o700 });
    writeFileSync(join(kept, "lost.txt"), lost.map((line) => `${line}\n`).join(""), { mode: 0o600 });
    for (const side of SIDE_FILES)
      if (existsSync(join(stateDir, NAME + side))) renameSync(join(stateDir, NAME + side), join(kept, NAME + side));
    renameSync(made, join(stateDir, NAME));
    rmSync(join(stateDir, DAMAGE_MARK), { force: true });
    return { isReplaced: true, copied, lost, kept };
  } finally {
    rmSync(work, { recursive: true, force: true });
    lock.close();
  }
}

function stateLock(stateDir: string): { close(): void } {
  try {
    return lockState(stateDir);
  } catch (thrown) {
    if (failure(thrown).code !== "SQLITE_BUSY") throw thrown;
    throw new StartFault(`state directory ${stateDir} is in use by another process; stop the service first`);
  }
}

type Copy = Pick<Recovery, "copied" | "lost"> & { readonly isWhole: boolean };

function copyReadable(from: string, to: string, now: number): Copy {
  const lost: string[] = [];
  const copied: Record<string, number> = {};
  const target = new Database(to);
  let source: Database.Database | null = null;
  try {
    target.pragma("page_size = 8192");
    target.pragma("synchronous = OFF");
    migrate(target);
    source = new Database(from);
    const isIntact = intact(source);
    target.exec("BEGIN");
    for (const table of tablesOf(target)) copied[table] = copyTable(source, target, table, lost);
    lost.push(...removeUnusable(target, now));
    target.exec("COMMIT");
    target.pragma("synchronous = FULL");
    if (target.pragma("integrity_check(1)", { simple: true }) !== "ok")
      throw new StartFault("the disk damaged the new file as well");
    return { copied, lost, isWhole: isIntact && lost.length === 0 };
  } catch (thrown) {
    if (thrown instanceof StartFault || !/^SQLITE_(?:CORRUPT|NOTADB)/.test(failure(thrown).code)) throw thrown;
    throw new StartFault(
      "the beginning of weft.db is damaged, so that nothing of it can be read: restore a copy, or move weft.db away",
    );
  } finally {
    source?.close();
    target.close();
  }
}

function intact(db: Database.Database): boolean {
  try {
    return db.pragma("integrity_check(1)", { simple: true }) === "ok";
  } catch {
    return false;
  }
}

/** Jobs first: rows that belong to jobs are looked for by them. */
function tablesOf(db: Database.Database): readonly string[] {
  const names = db.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name <> 'jobs', name",
  );
  return names.pluck().all() as string[];
}

function columnsOf(db: Database.Database, table: string): readonly string[] {
  return (db.pragma(`table_info("${table}")`) as readonly { readonly name: string }[]).map(({ name }) => name);
}

function copyTable(source: Database.Database, target: Database.Database, table: string, lost: string[]): number {
  const known = columnsOf(source, table);
  const columns = columnsOf(target, table).filter((column) => known.includes(column));
  // A store of an earlier version.
  if (columns.length === 0) return 0;
  const insert = target.prepare(
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  const firsts = target
    .prepare(`SELECT ${table === "job_events" ? "id" : "number"} FROM jobs ORDER BY 1`)
    .pluck()
    .all();
  const { rows, gaps } = readableRows(source, table, columns, firsts as (string | number)[]);
  let count = 0;
  for (const row of rows) {
    if (inserted(insert, columns, row)) count += 1;
    else lost.push(`${table}: a row that is not one of this table`);
  }
  lost.push(...gaps.map((gap) => `${table}: ${gap}`));
  return count;
}

/** False: the row breaks a rule of the table. */
function inserted(insert: Database.Statement, columns: readonly string[], row: StoredRow): boolean {
  try {
    insert.run(...columns.map((column) => row[column]));
    return true;
  } catch {
    return false;
  }
}
