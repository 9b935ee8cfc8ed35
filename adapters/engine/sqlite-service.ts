/**
 * The SQLite service of a host: one helper process per database file in use, shared by all runs, within a bound on how many there are at
 * once. `sqlite.ts` says what callers get.
 */
import { HelperLine } from "./helper-line.ts";
import { helperPath } from "./helpers.ts";
import type { SqlitePlace, SqliteService } from "./sqlite.ts";
import { SqliteHandle } from "./sqlite-handle.ts";
import { systemTimers, type Timers } from "./timers.ts";

export type SqliteServiceOptions = {
  readonly timers?: Timers;
  /** Default 60,000. */
  readonly idleMs?: number;
  /** Helper processes at once, 64 by default; beyond it calls fail with ADAPTER_BUSY. */
  readonly maxProcesses?: number;
};

export function createSqliteService(options: SqliteServiceOptions = {}): SqliteService {
  const { timers = systemTimers, idleMs = 60_000, maxProcesses = 64 } = options;
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
