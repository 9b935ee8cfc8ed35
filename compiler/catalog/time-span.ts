/** Spans of time as programs write them: seconds, or parts such as `1d12h`. */
export const MAX_SPAN_S = 31_536_000;
/** How long a durable job lives where nothing says otherwise. */
export const DEFAULT_LIFETIME_S = 30 * 86_400;
const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;
const PARTS = /^(?:\d{1,9}[smhdw])+$/;

/** Milliseconds; null: not a span, or longer than a year. */
export function readSpan(given: number | string): number | null {
  const seconds = typeof given === "number" ? given : secondsIn(given);
  return seconds !== null && seconds >= 0 && seconds <= MAX_SPAN_S ? Math.round(seconds * 1000) : null;
}

/** A span in the largest units that it has whole, such as `1d12h`; the reverse of reading it, to the second. */
export function spanText(ms: number): string {
  let left = Math.round(ms / 1000);
  const parts = (["d", "h", "m", "s"] as const).map((unit) => {
    const count = Math.floor(left / SECONDS[unit]);
    left -= count * SECONDS[unit];
    return count === 0 ? "" : `${count}${unit}`;
  });
  return parts.join("") || "0s";
}

function secondsIn(text: string): number | null {
  if (!PARTS.test(text)) return null;
  let total = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)([smhdw])/g))
    total += Number(count) * SECONDS[unit as keyof typeof SECONDS];
  return total;
}
