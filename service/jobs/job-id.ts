/** Ids of jobs: UUIDs of version 7, so that later ones sort later; 74 of their bits are random. */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Characters of an id. */
export const ID_LENGTH = 36;

const VARIANTS = "89ab";

/** `random`: 32 hexadecimal digits. */
export function jobId(ms: number, random: string): string {
  return idAt(timeOf(ms), random);
}

/** Ids for a number of jobs with the same time, in ascending order. */
export function jobIds(ms: number, count: number, freshId: () => string): readonly string[] {
  const time = timeOf(ms);
  return Array.from({ length: count }, () => idAt(time, freshId())).sort();
}

/** No id of a job that was queued at this time or later comes before it. */
export function firstId(ms: number): string {
  return timeOf(Math.max(0, ms)).slice(0, -2);
}

/** When a job with this id was queued, in milliseconds since 1970. */
export const queuedMs = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

function timeOf(ms: number): string {
  const time = ms.toString(16).padStart(12, "0").slice(-12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7`;
}

function idAt(time: string, random: string): string {
  const variant = VARIANTS[Number.parseInt(random.charAt(3), 16) & 3];
  return `${time}${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`;
}

/** The id in the form it is stored in; null: no id of a job. */
export function readJobId(text: string): string | null {
  const id = text.toLowerCase();
  return UUID.test(id) ? id : null;
}
