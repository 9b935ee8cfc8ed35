/** The job store that the environment asks for. */
import type { Clock } from "../../vm/run.ts";
import { openSqliteStore } from "./sqlite/store.ts";
import { steadyTime } from "./steady-time.ts";
import type { JobStore } from "./store.ts";

export type StorePlaces = { readonly stateDir: string | null; readonly databaseUrl: string | null };

/** `owner`: names this process. Throws StartFault. */
export async function openJobStore(places: StorePlaces, clock: Clock, owner: string): Promise<JobStore> {
  const now = steadyTime(clock);
  return openSqliteStore({ stateDir: places.stateDir, owner, now, wait: clock.wait });
}
