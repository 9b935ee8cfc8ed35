/** The job store that the environment asks for. */
import type { Clock } from "../../vm/run.ts";
import { RUNTIME_VERSION } from "../../vm/version.ts";
import type { JobStore } from "../state/store.ts";
import type { KeptSignals } from "./durable/signal-room.ts";
import { openSqliteStore } from "./sqlite/store.ts";
import { steadyTime } from "./steady-time.ts";

export type StoreOptions = {
  /** null, and no database: in memory. */
  readonly stateDir: string | null;
  /** Results and requests of jobs that are over, together, while they are in memory. Default: no bound. */
  readonly memoryBytes?: number | undefined;
  /** Queued jobs, together, while they are in memory. Default: no bound. */
  readonly queueBytes?: number | undefined;
  /** Stored states of durable runs above it are not kept. */
  readonly maxSnapshotBytes?: number | undefined;
  /** Durable jobs that wait; the wait of one more fails. */
  readonly maxParked?: number | undefined;
  /** Signals under keys that are kept; one more is refused. */
  readonly maxSignals?: KeptSignals | undefined;
  /** Resumes of a durable run in a row, without a new record, after which it does not continue. */
  readonly maxCrashes?: number | undefined;
  readonly databaseUrl: string | null;
  readonly clock: Clock;
  /** Names this process; another one at every start. */
  readonly owner: string;
  /** Without a sign of life for so long a replica on the same database counts as dead. */
  readonly silentMs: number;
};

/** Throws StartFault. */
export async function openJobStore(options: StoreOptions): Promise<JobStore> {
  const { databaseUrl, clock, owner, silentMs, ...others } = options;
  const now = steadyTime(clock);
  if (databaseUrl === null) return openSqliteStore({ ...others, owner, now, clock });
  // Its packages are optional, and loaded when they are needed.
  const { openPostgresStore } = await import("./postgres/store.ts");
  const { maxSnapshotBytes, maxParked, maxSignals, maxCrashes } = options;
  const rules = { maxSnapshotBytes, maxParked, maxSignals, maxCrashes };
  return openPostgresStore({ url: databaseUrl, owner, version: RUNTIME_VERSION, clock, now, silentMs, ...rules });
}
