/** Checks of the folders that state is kept in: there, writable, with room, not in use twice, not shared with strangers. */
import { accessSync, constants, existsSync, mkdtempSync, rmSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CONTRACT_PLACES } from "../../adapters/host-config.ts";
import { makeFolder } from "../../adapters/make-folder.ts";
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
        : fail("gives back another value", "reinstall: npm install better-sqlite3");
    } catch (cause) {
      return fail(`does not work (${codeOf(cause)})`, "rebuild it: npm rebuild better-sqlite3");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

export const stateFolderCheck: Check = {
  name: "state folder",
  look({ session, fix }) {
    const { stateDir } = session.environment.host.places;
    if (stateDir === null)
      return warn("WF_STATE_DIR is not set: jobs and queues of a service end with it", "set WF_STATE_DIR to a folder");
    if (!existsSync(stateDir)) {
      if (!fix) return warn("the folder of WF_STATE_DIR does not exist yet", "wf doctor --fix makes it");
      makeFolder(stateDir);
    }
    return roomIn(stateDir);
  },
};

function roomIn(folder: string): Finding {
  if (!statSync(folder).isDirectory())
    return fail("WF_STATE_DIR is not a folder", "name a folder, or move the file away");
  if (!isWritable(folder))
    return fail("the folder of WF_STATE_DIR cannot be written", "give it to the user who runs wf");
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const message = `${Math.floor(free / MIB).toLocaleString("en-US")} MiB free`;
  if (free < NO_ROOM) return fail(message, "make room on the disk of WF_STATE_DIR");
  return free < LITTLE_ROOM ? warn(message, "make room on the disk of WF_STATE_DIR") : fine(`writable, ${message}`);
}

export const lockCheck: Check = {
  name: "state lock",
  async look({ session }) {
    const { stateDir } = session.environment.host.places;
    const path = stateDir === null ? null : join(stateDir, "lock");
    if (path === null || !existsSync(path)) return fine("free");
    const { default: Database } = await import("better-sqlite3");
    const lock = new Database(path, { timeout: 0 });
    try {
      lock.exec("BEGIN EXCLUSIVE; ROLLBACK");
      return fine("free");
    } catch (cause) {
      if (codeOf(cause).startsWith("SQLITE_BUSY")) return fine("held by a running service");
      return fail("the lock of the state folder is damaged", "stop the service and remove the file lock there");
    } finally {
      lock.close();
    }
  },
};

export const jobsCheck: Check = {
  name: "state jobs",
  async look({ session }) {
    const { stateDir } = session.environment.host.places;
    const path = stateDir === null ? null : join(stateDir, "weft.db");
    if (path === null || !existsSync(path)) return fine("none yet");
    const { default: Database } = await import("better-sqlite3");
    try {
      // Opened only for reading, it would leave weft.db-wal and weft.db-shm behind, which the user of the service may not write.
      const database = new Database(path, { fileMustExist: true });
      try {
        const found: unknown = database.pragma("quick_check(1)", { simple: true });
        return found === "ok" ? fine("the file is whole") : fail("weft.db in the state folder is damaged", NEW_FILE);
      } finally {
        database.close();
      }
    } catch (cause) {
      const code = codeOf(cause);
      const mended = /^SQLITE_(?:CORRUPT|NOTADB)/.test(code) ? NEW_FILE : READABLE;
      return fail(`weft.db in the state folder cannot be read (${code})`, mended);
    }
  },
};

/** Of a file that may be whole nobody should take leave. */
const READABLE = "let the user who runs wf read and write it, and see whether its disk works";
const NEW_FILE =
  "put back a copy of it, or move weft.db, weft.db-wal and weft.db-shm away: the service begins a new one";

export const placesCheck: Check = {
  name: "places",
  look({ session, fix }) {
    const { agentRoot, memoryDb, cachePath, dataRoot, summaryRoot } = session.environment.host.places;
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
      return fail("a folder of mailboxes, memory, cache or data cannot be written", "give it to the user who runs wf");
    if (agentRoot === CONTRACT_PLACES.agentRoot || memoryDb === CONTRACT_PLACES.memoryDb)
      return warn(
        "mailboxes or memory lie in /tmp: everybody here shares them, and a restart may lose them",
        "set WF_AGENT_ROOT and WF_MEMORY_DB",
      );
    return fine("folders of their own");
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
