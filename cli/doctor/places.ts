/** Checks of the folders that state is kept in: there, writable, with room, not in use twice, not shared with strangers. */
import { accessSync, constants, existsSync, mkdtempSync, rmSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { REBUILD } from "../../adapters/engine/sqlite/errors.ts";
import { makeFolder } from "../../adapters/guard/files/make-folder.ts";
import { CONTRACT_PLACES } from "../../adapters/operator/host-config.ts";
import { grouped } from "../output/terminal/table.ts";
import { type Check, codeOf, type Finding, fail, fine, warn } from "./check.ts";

const MIB = 1024 * 1024;
const LITTLE_ROOM = 100 * MIB;
const NO_ROOM = 10 * MIB;

export const sqliteCheck: Check = {
  name: "sqlite",
  async look() {
    const folder = mkdtempSync(join(tmpdir(), "weft-doctor-"));
    try {
      const { default: Database } = await import("better-sqlite3");
      const database = new Database(join(folder, "probe.db"));
      database.exec("CREATE TABLE probe(n); INSERT INTO probe VALUES (7)");
      const read: unknown = database.prepare("SELECT n FROM probe").pluck().get();
      database.close();
      return read === 7
        ? fine("loads and writes")
        : fail("returns a wrong value", "reinstall: npm install better-sqlite3");
    } catch (cause) {
      return fail(`does not work (${codeOf(cause)})`, `rebuild it: ${REBUILD}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

export const stateFolderCheck: Check = {
  name: "state folder",
  look({ session, fix }) {
    const { places, databaseUrl } = session.environment.host;
    const { stateDir } = places;
    if (stateDir === null && databaseUrl !== null) return fine("not used: WF_DATABASE_URL holds jobs and queues");
    if (stateDir === null)
      return warn(
        "WF_STATE_DIR is not set, so jobs and queues of a service are lost when it stops",
        "set WF_STATE_DIR to a folder",
      );
    if (!existsSync(stateDir)) {
      if (!fix) return warn("the folder of WF_STATE_DIR does not exist yet", "run wf doctor --fix to create it");
      makeFolder(stateDir);
    }
    return roomIn(stateDir);
  },
};

function roomIn(folder: string): Finding {
  if (!statSync(folder).isDirectory()) return fail("WF_STATE_DIR is not a folder", "name a folder, or move the file");
  if (!isWritable(folder))
    return fail("the folder of WF_STATE_DIR is not writable", "make it writable for the user who runs wf");
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const message = `${grouped(Math.floor(free / MIB))} MiB free`;
  if (free < NO_ROOM) return fail(message, "free space on the disk of WF_STATE_DIR");
  return free < LITTLE_ROOM ? warn(message, "free space on the disk of WF_STATE_DIR") : fine(`writable, ${message}`);
}

export const lockCheck: Check = {
  name: "state lock",
  async look({ session }) {
    const { stateDir } = session.environment.host.places;
    if (stateDir === null) return fine("free");
    const held = "held by a running service";
    const lock = await exclusive(join(stateDir, "lock"));
    if (lock === "held") return fine(held);
    if (lock === "damaged")
      return fail("the lock of the state folder is damaged", "stop the service and remove the file lock there");
    // A service whose lock file was deleted still has the database open. A damaged one is reported by the next check.
    return fine((await exclusive(join(stateDir, "weft.db"))) === "held" ? held : "free");
  },
};

/** Whether another process holds a file of SQLite. */
async function exclusive(path: string): Promise<"free" | "held" | "damaged"> {
  if (!existsSync(path)) return "free";
  const { default: Database } = await import("better-sqlite3");
  let database: InstanceType<typeof Database> | null = null;
  try {
    database = new Database(path, { timeout: 0 });
    database.pragma("locking_mode = EXCLUSIVE");
    database.exec("BEGIN EXCLUSIVE; ROLLBACK");
    return "free";
  } catch (cause) {
    return codeOf(cause).startsWith("SQLITE_BUSY") ? "held" : "damaged";
  } finally {
    database?.close();
  }
}

export const jobsCheck: Check = {
  name: "state jobs",
  async look({ session }) {
    const { stateDir } = session.environment.host.places;
    const path = stateDir === null ? null : join(stateDir, "weft.db");
    if (path === null || !existsSync(path)) return fine("none yet");
    const { default: Database } = await import("better-sqlite3");
    try {
      // Opened read-only, it would create weft.db-wal and weft.db-shm, which the user of the service could not write.
      const database = new Database(path, { fileMustExist: true });
      try {
        const found: unknown = database.pragma("quick_check(1)", { simple: true });
        return found === "ok" ? fine("the file is intact") : fail("weft.db in the state folder is damaged", NEW_FILE);
      } finally {
        database.close();
      }
    } catch (cause) {
      const code = codeOf(cause);
      const fix = /^SQLITE_(?:CORRUPT|NOTADB)/.test(code) ? NEW_FILE : READABLE;
      return fail(`weft.db in the state folder cannot be read (${code})`, fix);
    }
  },
};

/** Suggests removal only for a file that is certainly damaged. */
const READABLE = "make it readable and writable for the user who runs wf, and check the disk";
const NEW_FILE =
  "stop the service and run wf doctor --recover, which makes a new file of what can be read; or restore a copy";

export const placesCheck: Check = {
  name: "places",
  look({ session, fix }) {
    const { places, databaseUrl } = session.environment.host;
    const { agentRoot, memoryDb, cachePath, dataRoot, summaryRoot } = places;
    const folders = [
      agentRoot,
      dataRoot,
      summaryRoot,
      ...[memoryDb, cachePath].map((file) => (file === null ? null : dirname(file))),
    ];
    const given = [...new Set(folders.filter((folder) => folder !== null))];
    if (fix) for (const folder of given) makeFolder(folder);
    const closed = given.filter((folder) => existsSync(folder) && !isWritable(folder));
    if (closed.length > 0)
      return fail(
        "a folder of mailboxes, memory, cache or data is not writable",
        "make it writable for the user who runs wf",
      );
    const isShared = agentRoot === CONTRACT_PLACES.agentRoot || memoryDb === CONTRACT_PLACES.memoryDb;
    // A database holds mailboxes and memory in place of these folders (docs/postgres.md).
    if (isShared && databaseUrl === null)
      return warn(
        "mailboxes and memory are in /tmp, which all users share and a reboot may clear",
        "set WF_AGENT_ROOT and WF_MEMORY_DB",
      );
    return fine("in folders of this user");
  },
};

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
