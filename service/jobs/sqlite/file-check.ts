/**
 * Looks through the whole file for damage, in a thread of its own and by a connection that only reads, so that no call waits for it: what
 * no call asks for would be found damaged when it is needed, or never, if an index does not lead to it any more.
 */
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import Database from "better-sqlite3";
import { helperPath } from "../../../adapters/engine/helpers.ts";
import type { Clock } from "../../../vm/run.ts";

/** What a thread of `job-store` is asked to do instead of opening the store. */
export type CheckStart = { readonly checkedDir: string };
/** What is damaged; null: nothing. */
export type Checked = { readonly damaged: string | null };

/** A process that closed its database left it whole; what the disk did since is looked for when the start is over. */
const AFTER_CLEAN_END_MS = 30_000;

type CheckDeps = {
  readonly stateDir: string;
  readonly isUnclean: boolean;
  readonly clock: Pick<Clock, "wait">;
  readonly whole: () => void;
  readonly damaged: (what: string) => void;
};

/** Returns the way to stop. */
export function checkInBackground({ stateDir, isUnclean, clock, whole, damaged }: CheckDeps): () => void {
  let worker: Worker | null = null;
  const stopWaiting = clock.wait(isUnclean ? 0 : AFTER_CLEAN_END_MS, () => {
    worker = new Worker(helperPath("job-store"), { workerData: { checkedDir: stateDir } satisfies CheckStart });
    worker.unref();
    worker.once("message", ({ damaged: what }: Checked) => (what === null ? whole() : damaged(what)));
    // It could not be looked at: calls find what there is.
    worker.once("error", () => {});
  });
  return () => {
    stopWaiting();
    void worker?.terminate();
  };
}

/** Table by table: between two the thread can be ended. */
export async function checkedFile({ checkedDir }: CheckStart): Promise<Checked> {
  const db = new Database(join(checkedDir, "weft.db"), { readonly: true, fileMustExist: true });
  try {
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();
    for (const table of tables as string[]) {
      const found = db.pragma(`integrity_check("${table}")`, { simple: true });
      if (found !== "ok") return { damaged: `the table ${table}` };
      await setImmediate();
    }
    return { damaged: null };
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
    if (/^SQLITE_(?:CORRUPT|NOTADB)/.test(code)) return { damaged: "the file" };
    throw thrown;
  } finally {
    db.close();
  }
}
