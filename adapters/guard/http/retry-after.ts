/**
 * How long another server asks to wait (RFC 9110, Retry-After): seconds, which many servers write with a fraction, or a date. Of several
 * values the longest wait counts. `retry-after-ms`, which model providers send, is exact and therefore wins.
 */
import { readDate } from "../../content/written-date.ts";
import type { HttpResponse } from "./http.ts";

const SECONDS = /^\d+(?:\.\d*)?$/;

/** What the headers of a response ask for, as `retryAfterMs` reads it. */
export function askedWaitMs(headers: HttpResponse["headers"], nowMs: number): number | null {
  const [exact = ""] = headers.get("retry-after-ms") ?? [];
  if (SECONDS.test(exact)) return Math.min(Math.ceil(Number(exact)), Number.MAX_SAFE_INTEGER);
  return retryAfterMs(headers.get("retry-after"), nowMs);
}

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
