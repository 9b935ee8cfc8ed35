/** The job store that the environment asks for. */
import type { Clock } from "../../vm/run.ts";
import { RUNTIME_VERSION } from "../../vm/version.ts";
import type { ReplicaTimes } from "./postgres/replica.ts";
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
  readonly replicaTimes?: ReplicaTimes;
};

/** Throws StartFault. */
export async function openJobStore({
  stateDir,
  databaseUrl,
  clock,
  owner,
  replicaTimes,
}: StoreOptions): Promise<JobStore> {
  const now = steadyTime(clock);
  if (databaseUrl === null) return openSqliteStore({ stateDir, owner, now, wait: (ms, then) => clock.wait(ms, then) });
  // Its packages are optional, and loaded when they are needed.
  const { openPostgresStore } = await import("./postgres/store.ts");
  const times = replicaTimes === undefined ? {} : { times: replicaTimes };
  return openPostgresStore({ url: databaseUrl, owner, version: RUNTIME_VERSION, clock, now, ...times });
}
