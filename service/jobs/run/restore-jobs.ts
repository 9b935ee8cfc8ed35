/**
 * `wf restore`: a copy becomes a job store again, in which nothing continues by itself. What was open when the copy was made may have come to
 * its end since, so each job and each schedule waits for a person.
 */
import type { Clock } from "../../../vm/run.ts";
import type { RestoredJob, RestoredSchedule } from "../../state/copies/restored.ts";
import { openJobStore } from "../open-store.ts";
import { checkedBackup, restoreFiles } from "../sqlite/copies/restore-store.ts";

export type RestoreAsked = {
  /** The folder of the copy; null: the database was restored by its own means. */
  readonly from: string | null;
  readonly stateDir: string | null;
  readonly databaseUrl: string | null;
  readonly clock: Clock;
  readonly owner: string;
  /** Nothing is written: the copy is only looked at. */
  readonly dryRun: boolean;
};

export type Restored = {
  readonly restored: true;
  /** When the copy was made, in milliseconds since 1970; null: its database does not say. */
  readonly madeMs: number | null;
  readonly jobs: readonly RestoredJob[];
  readonly schedules: readonly RestoredSchedule[];
};

const A_ROUND = 200;
const SILENT_MS = 30_000;

/** Rejects with BackupFault or StartFault. */
export async function restoreJobs({
  from,
  stateDir,
  databaseUrl,
  clock,
  owner,
  dryRun,
}: RestoreAsked): Promise<Restored> {
  if (dryRun && from !== null) {
    const { made_ms: madeMs } = await checkedBackup(from);
    return { restored: true, madeMs, jobs: [], schedules: [] };
  }
  const madeMs = from === null || stateDir === null ? null : (await restoreFiles(from, stateDir)).made_ms;
  const store = await openJobStore({ stateDir, databaseUrl, clock, owner, silentMs: SILENT_MS });
  try {
    const schedules = await store.restoring.pause();
    const jobs: RestoredJob[] = [];
    for (;;) {
      const ended = await store.restoring.end(A_ROUND);
      jobs.push(...ended);
      if (ended.length < A_ROUND) return { restored: true, madeMs, jobs, schedules };
    }
  } finally {
    await store.close();
  }
}
