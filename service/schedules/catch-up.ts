/** Which of the past due times of a schedule are still fired, and which are missed. Plain functions of times: no store, no clock. */
import { LATE_MS, MAX_CAUGHT_UP, type ScheduleSpec } from "./schedule.ts";

/** What a decision about one due time needs. `recent`: the latest due times up to now, latest first, MAX_CAUGHT_UP at most. */
export type Past = { readonly now: number; readonly recent: readonly number[] };

type Rules = Pick<ScheduleSpec, "catchUp" | "catchUpWindowS">;

/** Whether a due time is fired although `atMs`, when it should have fired, is past. */
export function isCaughtUp(
  { catchUp, catchUpWindowS }: Rules,
  dueMs: number,
  atMs: number,
  { now, recent }: Past,
): boolean {
  if (now - atMs <= LATE_MS) return true;
  if (catchUp === "none" || now - dueMs > catchUpWindowS * 1000) return false;
  return catchUp === "last" ? recent[0] === dueMs : recent.slice(0, MAX_CAUGHT_UP).includes(dueMs);
}
