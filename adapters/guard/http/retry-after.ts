/**
 * How long another server asks to wait (RFC 9110, Retry-After): seconds, which many servers write with a fraction, or a date. Of several
 * values the longest wait counts.
 */
import { readDate } from "../../content/written-date.ts";

const SECONDS = /^\d+(?:\.\d*)?$/;

/**
 * Milliseconds from `nowMs` on, at most the largest whole number that is exact: however long the wait is, it is never taken for none.
 * null: the header is absent or says nothing of the kind.
 */
export function retryAfterMs(header: string | readonly string[] | undefined, nowMs: number): number | null {
  const waits = [header ?? []].flat().flatMap((value) => waitsIn(value.trim(), nowMs));
  return waits.length === 0 ? null : Math.max(...waits);
}

function waitsIn(value: string, nowMs: number): readonly number[] {
  const at = SECONDS.test(value) ? null : readDate(value);
  if (at !== null) return [Math.max(0, at - nowMs)];
  const parts = value.split(",").map((part) => part.trim());
  // A list of one number and something else says nothing.
  if (!parts.every((part) => SECONDS.test(part))) return [];
  return parts.map((part) => Math.min(Math.ceil(Number(part) * 1000), Number.MAX_SAFE_INTEGER));
}
