/**
 * Entry of the thread that has the job database open, and of the one that looks through its file (`file-check.ts`). SQLite blocks the calling thread while it waits for the disk; here no other work waits with it.
 * The thread, and with it the lock of the folder, ends with the process, however that ends.
 */
import { parentPort, workerData } from "node:worker_threads";
import { failure, type OpenDatabase, openDatabase } from "./batch.ts";
import type { FromThread, ThreadStart, ToThread } from "./call-batching.ts";
import { type Checked, type CheckStart, checkedFile } from "./file-check.ts";
import { NewerSchema } from "./tables/schema.ts";

function serve({ stateDir, known }: ThreadStart): void {
  let database: OpenDatabase;
  try {
    database = openDatabase(stateDir, { known });
  } catch (thrown) {
    const { code, message } = failure(thrown);
    say({ opened: false, code: thrown instanceof NewerSchema ? "NEWER_SCHEMA" : code, message });
    return;
  }
  parentPort?.on("message", (message: ToThread) => {
    if (message !== "close") return say({ answers: database.perform(message) });
    database.close();
    parentPort?.close();
  });
  const { identity, isUnclean, isDamaged } = database;
  say({ opened: true, identity, isUnclean, isDamaged });
}

function say(message: FromThread | Checked): void {
  parentPort?.postMessage(message);
}

const start = workerData as ThreadStart | CheckStart;
if ("checkedDir" in start) void checkedFile(start).then(say);
else serve(start);
