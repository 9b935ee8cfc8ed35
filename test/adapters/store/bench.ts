/**
 * What the suites of the stores run on: a store, a clock that moves only when the test says so, and the end. An implementation whose
 * database has a clock of its own moves that one in `advance`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteService } from "../../../adapters/engine/sqlite/service.ts";
import type { SqliteService } from "../../../adapters/engine/sqlite/sqlite.ts";
import type { StoreCall } from "../../../adapters/store/call.ts";
import { createSqliteStores } from "../../../adapters/store/sqlite/stores.ts";
import type { Stores } from "../../../adapters/store/store-set.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { inProcessSqlite } from "../../support/in-process-sqlite.ts";

export type StoreBench = {
  readonly stores: Stores;
  /** Of the file that all stores of this bench use. */
  readonly path: string;
  readonly call: StoreCall;
  advance(ms: number): void;
  close(): Promise<void>;
};
export type OpenStoreBench = () => Promise<StoreBench>;

export const START = Date.UTC(2030, 0, 1);

export type CallClock = { now: number };

/** A call at the clock's time, with this many real milliseconds left. */
export function callAt(clock: CallClock, timeoutMs = 15_000): StoreCall {
  const started = performance.now();
  return {
    now: () => clock.now,
    remainingMs: () => timeoutMs - (performance.now() - started),
    signal: new AbortController().signal,
    log: () => {},
  };
}

function benchOver(makeService: () => SqliteService): OpenStoreBench {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), "weft-store-"));
    const service = makeService();
    const clock = { now: START };
    return {
      stores: createSqliteStores(service),
      path: join(folder, "store.db"),
      call: callAt(clock),
      advance: (ms) => {
        clock.now += ms;
      },
      async close() {
        await service.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  };
}

/** The implementations that every suite runs on. */
export const IMPLEMENTATIONS: readonly (readonly [name: string, open: OpenStoreBench])[] = [
  ["SQLite in this process", benchOver(inProcessSqlite)],
  ["SQLite in a helper process", benchOver(createSqliteService)],
];

/** The code a call fails with. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "no error";
  } catch (thrown) {
    return thrown instanceof AdapterError ? thrown.code : String(thrown);
  }
}
