/** What a job is about: how it was named, and what queued it. For lists and searches; no run reads any of it. */

export type Tags = Readonly<Record<string, string>>;

export type JobAbout = {
  readonly name: string | null;
  readonly tags: Tags;
  /** Id of the schedule that queued it, and the time it was due at, in milliseconds since 1970. */
  readonly schedule: string | null;
  readonly dueMs: number | null;
  /** Id of the job that started it. */
  readonly parent: string | null;
};

export const ABOUT_NOTHING: JobAbout = Object.freeze({
  ...{ name: null, tags: {}, schedule: null, dueMs: null },
  parent: null,
});

/** As the columns `name`, `tags`, `schedule`, `due_ms` and `parent` have it. */
export function aboutColumns({ name, tags, schedule, dueMs, parent }: JobAbout): readonly (string | number | null)[] {
  return [name, Object.keys(tags).length === 0 ? null : JSON.stringify(tags), schedule, dueMs, parent];
}

export type AboutRow = {
  readonly name: string | null;
  readonly tags: string | null;
  readonly schedule: string | null;
  readonly due_ms: number | null;
  readonly parent: string | null;
};

export function aboutOf({ name, tags, schedule, due_ms, parent }: AboutRow): JobAbout {
  if (name === null && tags === null && schedule === null && parent === null) return ABOUT_NOTHING;
  return { name, tags: tags === null ? {} : (JSON.parse(tags) as Tags), schedule, dueMs: due_ms, parent };
}

/** The first line of the message of a failed result, as JSON writes it; null for a success. */
export function messageLine(result: string | null): string | null {
  return MESSAGE.exec(result?.slice(0, MESSAGE_ROOM) ?? "")?.[1] ?? null;
}

const MESSAGE_ROOM = 8192;
/** How results begin. The first line ends with the text, or at a line end in it. */
const MESSAGE = /^\{"ok":false,"trace_id":"[^"]*","error":"[a-z_]{1,64}","message":"((?:[^"\\]|\\[^n])*)/;

/** How a job ended, also when its result has expired: only the word of its error is kept. */
export const STATUS_AT_END = `CASE WHEN status <> 'expired' THEN status WHEN error IS NULL THEN 'succeeded'
  WHEN error = 'cancelled' THEN 'cancelled' WHEN error = 'interrupted' THEN 'interrupted'
  WHEN error IN ('max_time_ms_exceeded', 'lifetime_exceeded') THEN 'timed_out' ELSE 'failed' END`;
/** Milliseconds that ended jobs ran, without waits. */
export const RAN_MS =
  "CASE WHEN finished_ms IS NULL OR started_ms IS NULL THEN 0 ELSE finished_ms - started_ms - parked_ms END";

/** The error word of a result; null for a success. Every result begins with it, so the text is not parsed. */
export function errorOf(result: string | null): string | null {
  if (result === null) return null;
  return /^\{"ok":false,"trace_id":"[^"]*","error":"([a-z_]{1,64})"/.exec(result)?.[1] ?? null;
}
