/** Deployments in SQLite, or in memory: in the file of the jobs, through its thread. */
import type { SqliteLine } from "../../jobs/sqlite/call-batching.ts";
import { ProgramSignals } from "../signals.ts";
import type { ProgramStore } from "../store.ts";

export function sqlitePrograms(line: SqliteLine, now: () => number): ProgramStore {
  const signals = new ProgramSignals();
  /** Only this connection writes to the file. */
  const told = async <T>(name: string, change: Promise<T>): Promise<T> => {
    try {
      return await change;
    } finally {
      // After a failure too: the change may have been made without an answer.
      signals.changed(name);
    }
  };
  return {
    deploy: (request) => told(request.version.name, line.call("deployProgram", { ...request, now: now() })),
    rollback: (request) => told(request.name, line.call("rollbackProgram", { ...request, now: now() })),
    change: (request) => told(request.name, line.call("changeProgram", { ...request, now: now() })),
    remove: (request) => told(request.name, line.call("removeProgram", { ...request, now: now() })),
    async release(kept) {
      const released = await line.call("releasePrograms", { kept });
      for (const name of released) signals.changed(name);
      return released;
    },
    find: (name) => line.call("findProgram", { name }),
    current: (name) => line.call("currentProgram", { name }),
    version: (name, version) => line.call("programVersion", { name, version }),
    versions: (listing) => line.call("programVersions", listing),
    list: (listing) => line.call("listPrograms", listing),
    onChanged: (listener) => signals.listen(listener),
  };
}
