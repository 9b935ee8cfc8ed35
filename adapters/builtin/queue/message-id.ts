/** Ids of messages: UUIDs in order of time (RFC 9562, version 7), made of the time and a random UUID that the run hands out. */

/** The millisecond in the first 48 bits, the random bits of `uuid` in all others. */
export function messageId(nowMs: number, uuid: string): string {
  const time = Math.max(0, Math.floor(nowMs)).toString(16).padStart(12, "0").slice(-12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${uuid.slice(15)}`;
}
