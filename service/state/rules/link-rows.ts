/** Rows of links: whether one is good, and that it is spent. Who spends one has locked the row of its job. */
import { any, run, type Step } from "../step.ts";

export function isGood(hash: string, now: number): Step<boolean> {
  return any("SELECT 1 AS good FROM weft.tokens WHERE hash = $1 AND used_ms IS NULL AND expires_ms > $2", hash, now);
}

export function spend(hash: string, now: number): Step<void> {
  return run("UPDATE weft.tokens SET used_ms = $2 WHERE hash = $1", hash, now);
}
