/**
 * The SQLite service of a host: one helper process per database file in use, shared by all runs, within a bound on how many there are at
 * once. `sqlite.ts` says what callers get.
 */
import { totalmem } from "node:os";
import { helperPath } from "../helpers.ts";
import { systemTimers, type Timers } from "../timers.ts";
import { SqliteHandle } from "./handle.ts";
import { HelperLine } from "./request-queue.ts";
import type { SqlitePlace, SqliteService } from "./sqlite.ts";

export type SqliteServiceOptions = {
  readonly timers?: Timers;
  /** Default 60,000. */
  readonly idleMs?: number;
  /** Helper processes at once; beyond it calls fail with ADAPTER_BUSY. Default: `defaultSqliteProcesses`. */
  readonly maxProcesses?: number;
};

/** Memory of one helper process with an empty cache of pages. */
const PROCESS_BYTES = 55 * 1024 * 1024;
const MIN_PROCESSES = 8;
const MAX_PROCESSES = 64;

/** As many helper processes as a quarter of `memory` (bytes) holds, between 8 and 64. */
export function defaultSqliteProcesses(memory: number): number {
  return Math.min(MAX_PROCESSES, Math.max(MIN_PROCESSES, Math.floor(memory / 4 / PROCESS_BYTES)));
}

/** Memory of this machine, or of the container that the process runs in. */
function memoryOfProcess(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

export function createSqliteService(options: SqliteServiceOptions = {}): SqliteService {
  const { timers = systemTimers, idleMs = 60_000, maxProcesses = defaultSqliteProcesses(memoryOfProcess()) } = options;
  const helper = helperPath("sqlite-helper");
  const shared = new Map<string, HelperLine>();
  const started = new Set<HelperLine>();
  let closed = false;

  /** Room for one more process, made by ending an idle one if need be. */
  const admit = (asking: HelperLine) => {
    if (closed) return false;
    for (const line of started) if (!line.running) started.delete(line);
    for (const [key, line] of shared) if (!line.running && line.idle) shared.delete(key);
    if (started.size >= maxProcesses) {
      const spare = [...shared.values()].find((line) => line.running && line.idle);
      if (spare === undefined) return false;
      void spare.end();
    }
    started.add(asking);
    return true;
  };

  const sharedLine = (place: SqlitePlace) => {
    const key = JSON.stringify([place.path, place.program, place.durability]);
    const line = shared.get(key) ?? new HelperLine(place, { helper, timers, idleMs, admit });
    // The last used stand last, so that room is made by ending the longest unused.
    shared.delete(key);
    shared.set(key, line);
    return line;
  };

  return {
    open: (place) =>
      new SqliteHandle({
        timers,
        shared: place.path === ":memory:" ? null : () => sharedLine(place),
        own: (lost) => new HelperLine(place, { helper, timers, idleMs: null, admit, lost }),
      }),
    close: async () => {
      closed = true;
      await Promise.all([...started].map((line) => line.end()));
    },
  };
}
