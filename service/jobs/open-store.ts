/** The job store that the environment asks for. */
import type { Clock } from "../../vm/run.ts";
import { RUNTIME_VERSION } from "../../vm/version.ts";
import { openSqliteStore } from "./sqlite/store.ts";
import { steadyTime } from "./steady-time.ts";
import type { JobStore } from "./store.ts";

export type StoreOptions = {
  /** null, and no database: in memory. */
  readonly stateDir: string | null;
  readonly databaseUrl: string | null;
  readonly clock: Clock;
  /** Names this process; another one at every start. */
  readonly owner: string;
  /** Without a sign of life for so long a replica on the same database counts as dead. */
  readonly silentMs: number;
};

/** Throws StartFault. */
export async function openJobStore({ stateDir, databaseUrl, clock, owner, silentMs }: StoreOptions): Promise<JobStore> {
  const now = steadyTime(clock);
  if (databaseUrl === null) return openSqliteStore({ stateDir, owner, now, clock });
  // Its packages are optional, and loaded when they are needed.
  const { openPostgresStore } = await import("./postgres/store.ts");
  return openPostgresStore({ url: databaseUrl, owner, version: RUNTIME_VERSION, clock, now, silentMs });
}
