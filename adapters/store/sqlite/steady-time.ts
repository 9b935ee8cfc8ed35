/**
 * Time that does not go back with the clock of the machine: what was to happen in a minute must not wait for hours because somebody set
 * the clock right. A file remembers when it was last written, and moves its times along when that lies ahead.
 */
import type { Database } from "better-sqlite3";
import { statement } from "./program.ts";

export const STEADY_TIME_SCHEMA = `
CREATE TABLE IF NOT EXISTS last_written(one INTEGER PRIMARY KEY CHECK(one = 1), ms INTEGER NOT NULL);
`;

/** A call may have waited so long since it looked at the clock; and a shorter leap does little harm. */
const SLACK_MS = 300_000;
const NOTED_EVERY_MS = 1_000;

/** Part of a write at `now`. `back` takes `ms` off all times that something waits for. */
export function keepTime(db: Database, now: number, back: (ms: number) => void): void {
  const last = statement<{ ms: number }>(db, "SELECT ms FROM last_written").get()?.ms;
  const wentBack = last !== undefined && now < last - SLACK_MS;
  if (wentBack) back(last - now);
  if (wentBack || last === undefined || now >= last + NOTED_EVERY_MS) {
    statement(db, "INSERT OR REPLACE INTO last_written(one, ms) VALUES (1, ?)").run(now);
  }
}
