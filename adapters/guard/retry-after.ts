/** How long another server asks to wait (RFC 9110, Retry-After): whole seconds, or a date in GMT. */

/** Milliseconds from `nowMs` on; null: the header is absent or says nothing of the kind. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^[0-9]{1,9}$/.test(header)) return Number(header) * 1000;
  const at = header.endsWith(" GMT") ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
