/** Which jobs a list or a bulk action is about, and the condition of it in SQL, which both stores read. */
import { IS_DEAD } from "./answers/dead-letters.ts";
import { type JobStatus, PARKED } from "./job.ts";
import { ID_LENGTH } from "./job-id.ts";
import { MAX_SEARCH_LENGTH } from "./job-search.ts";

/** What a job may wait for. */
export const WAIT_KINDS = ["signal", "approval", "timer", "outcome", "job", "event"] as const;
export type WaitKind = (typeof WAIT_KINDS)[number];

/** undefined: any. Times are milliseconds since 1970. */
export type JobFilter = {
  readonly statuses: readonly JobStatus[];
  /** null: it has none. */
  readonly deployment?: string | null | undefined;
  readonly version?: number | undefined;
  readonly name?: string | undefined;
  readonly tag?: { readonly key: string; readonly value: string } | undefined;
  readonly label?: string | undefined;
  readonly checksum?: string | undefined;
  readonly schedule?: string | undefined;
  /** Id of the job that started it. */
  readonly parent?: string | undefined;
  /** It is parked, and waits for one of these. */
  readonly waits?: readonly WaitKind[] | undefined;
  readonly queuedAfter?: number | undefined;
  readonly queuedBefore?: number | undefined;
  readonly endedAfter?: number | undefined;
  readonly endedBefore?: number | undefined;
  /** An input that its deployment declares for searches, and its value (`job-search.ts`). */
  readonly search?: { readonly member: string; readonly value: string } | undefined;
  /** Error word of its result. */
  readonly error?: string | undefined;
  /** It failed, and was neither retried nor discarded. */
  readonly isDead?: boolean | undefined;
  /** In the first line of what it failed with. */
  readonly message?: string | undefined;
  /** Beginning or end of the id, or beginning of the name. */
  readonly q?: string | undefined;
};

export type JobListing = JobFilter & {
  readonly limit: number;
  /** Default: newest first. */
  readonly order?: "newest" | "oldest";
  /** The last job of the page before. */
  readonly after: { readonly queuedMs: number; readonly id: string } | null;
};

/** What of SQL the stores spell differently. `text`: whether the tag is one of `tags`. */
type Dialect = {
  readonly hasTag: (key: string, value: string) => string;
  /** Whether a wait of the job that has not ended meets a condition on the columns of waits. */
  readonly hasWait: (condition: string) => string;
  /** Whether the job has this input. */
  readonly hasInput: (member: string, value: string) => string;
  /** Whether the first line of its message has this text, both as JSON writes them. */
  readonly hasMessage: (text: string) => string;
  /** A column that is compared with a list of values. */
  readonly isOneOf: (column: string, values: readonly string[], add: (value: unknown) => string) => string;
};

/** Conditions with their values, in order. `place`: of the n-th value, from 1. */
export function filterSql(
  filter: JobFilter,
  { hasTag, hasWait, hasInput, hasMessage, isOneOf }: Dialect,
  place: (at: number) => string,
): { readonly condition: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [];
  const add = (value: unknown): string => place(values.push(value));
  const conditions = [isOneOf("status", filter.statuses, add)];
  const equal = (column: string, value: string | number | undefined): void => {
    if (value !== undefined) conditions.push(`${column} = ${add(value)}`);
  };
  if (filter.deployment === null) conditions.push("deployment IS NULL");
  else equal("deployment", filter.deployment);
  equal("version", filter.version);
  equal("name", filter.name);
  equal("label", filter.label);
  equal("checksum", filter.checksum);
  equal("schedule", filter.schedule);
  equal("parent", filter.parent);
  equal("error", filter.error);
  if (filter.isDead === true) conditions.push(`(${IS_DEAD})`);
  if (filter.tag !== undefined) conditions.push(hasTag(add(filter.tag.key), add(filter.tag.value)));
  if (filter.waits !== undefined) {
    // Stores keep a timer that follows the clock of the wall as a kind of its own.
    const kinds = filter.waits.flatMap((kind) => (kind === "timer" ? [kind, "date"] : [kind]));
    conditions.push(isOneOf("status", PARKED, add), hasWait(isOneOf("kind", kinds, add)));
  }
  if (filter.queuedAfter !== undefined) conditions.push(`queued_ms >= ${add(filter.queuedAfter)}`);
  if (filter.queuedBefore !== undefined) conditions.push(`queued_ms < ${add(filter.queuedBefore)}`);
  if (filter.endedAfter !== undefined) conditions.push(`finished_ms >= ${add(filter.endedAfter)}`);
  if (filter.endedBefore !== undefined) conditions.push(`finished_ms < ${add(filter.endedBefore)}`);
  if (filter.search !== undefined)
    conditions.push(hasInput(add(filter.search.member), add(filter.search.value.slice(0, MAX_SEARCH_LENGTH))));
  if (filter.message !== undefined)
    conditions.push("error IS NOT NULL", hasMessage(add(JSON.stringify(filter.message).slice(1, -1))));
  if (filter.q !== undefined) {
    const { q } = filter;
    const starts = (column: string): string => `substr(${column}, 1, ${q.length}) = ${add(q)}`;
    // A longer text is the end of no id.
    const ends = q.length > ID_LENGTH ? [] : [`substr(id, ${ID_LENGTH - q.length + 1}) = ${add(q)}`];
    conditions.push(`(${[starts("id"), ...ends, starts("name")].join(" OR ")})`);
  }
  return { condition: conditions.join(" AND "), values };
}
