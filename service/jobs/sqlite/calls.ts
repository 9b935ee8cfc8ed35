/**
 * All calls of the database, by name: what is asked of jobs, what queues, moves and forgets them, and the keys of requests. Each runs inside
 * the transaction of its batch (`batch.ts`).
 */
import type { Database } from "better-sqlite3";
import { jobMoves } from "./job-moves.ts";
import { jobReads } from "./job-reads.ts";
import { jobRetention } from "./job-retention.ts";
import { preparing } from "./job-rows.ts";
import { keyTables } from "./key-tables.ts";
import type { MemoryRooms } from "./memory-room.ts";
import { queuedJobs } from "./queued-jobs.ts";
import type { Tally } from "./tally.ts";
import type { TextFiles } from "./text-files.ts";

export type Calls = ReturnType<typeof callsOf>;
export type CallName = keyof Calls;
export type CallInput<N extends CallName> = Parameters<Calls[N]>[0];
export type CallOutput<N extends CallName> = ReturnType<Calls[N]>;

/** `rooms`: of a database in memory. Removes files that no row names. */
export function callsOf(db: Database, files: TextFiles, tally: Tally, rooms: MemoryRooms | null) {
  const sql = preparing(db);
  const keys = keyTables(db, files, rooms?.keys ?? null);
  const reads = jobReads(sql, files, tally);
  const { ended, ...retention } = jobRetention(sql, files, tally, rooms?.jobs ?? null);
  files.tidy((file) => reads.isFileUsed(file) || keys.isKeyFileUsed(file));
  const probe = db.prepare("INSERT OR REPLACE INTO probe (id, at_ms) VALUES (1, ?)");
  return {
    ...reads,
    ...retention,
    ...queuedJobs(sql, tally, keys),
    ...jobMoves(sql, files, tally, ended),
    ...keys,
    probe: ({ now }: { readonly now: number }): void => void probe.run(now),
  };
}
