/** The records of memory as lines of JSON: reading all of them, and writing them back. */
import * as z from "zod/mini";
import { isObject, type Json, type JsonObject } from "../../compiler/json.ts";
import { valueFault } from "../input/value-fault.ts";
import type { CallVerb } from "../run/verb-caller.ts";
import { CliFault, EXIT } from "../session/faults.ts";

/** What every store has; an operator may have added others, which are named by flag. */
export const NAMESPACES: readonly string[] = ["session", "long_term", "daily_log", "workflow", "ops"];

const HEAD = z.object({
  record_kind: z.string(),
  record_id: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  ttl_seconds: z.nullable(z.number()),
});
const PAGE = z.object({ items: z.array(HEAD), next_cursor: z.nullable(z.string()) });
const FOUND = z.object({ found: z.boolean(), record: z.nullable(z.custom<JsonObject>(isObject)) });
const LINE = z.looseObject({
  namespace: z.string(),
  record_kind: z.string(),
  record_id: z.string(),
  payload: z.custom<JsonObject>(isObject),
  ttl_seconds: z.optional(z.nullable(z.number())),
  metadata: z.optional(z.nullable(z.custom<JsonObject>(isObject))),
});

export type RecordHead = z.output<typeof HEAD>;
export type RecordLine = z.output<typeof LINE>;

export async function* headsOf(
  call: CallVerb,
  namespace: string,
  includeExpired: boolean,
): AsyncGenerator<RecordHead, void> {
  for (let cursor: string | null = null; ; ) {
    const options: JsonObject = { include_expired: includeExpired, ...(cursor === null ? {} : { cursor }) };
    const page: z.output<typeof PAGE> = PAGE.parse(await call("list", [namespace, null, null, null, {}, options]));
    yield* page.items;
    cursor = page.next_cursor;
    if (cursor === null) return;
  }
}

/** Whole records by namespace, kind and id. One that goes away meanwhile is left out. */
export async function* recordsOf(call: CallVerb, namespaces: readonly string[]): AsyncGenerator<Json, void> {
  for (const namespace of namespaces) {
    for await (const { record_kind, record_id } of headsOf(call, namespace, false)) {
      const { record } = FOUND.parse(await call("get", [namespace, record_kind, record_id]));
      if (record !== null) yield record;
    }
  }
}

/** Lines of an export by their number. Throws CliFault that names the first invalid line. */
export function readLines(file: string, text: string): ReadonlyMap<number, RecordLine> {
  const found = new Map<number, RecordLine>();
  for (const [at, line] of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries()) {
    if (line.trim() !== "") found.set(at + 1, recordOf(`${file}:${at + 1}`, line));
  }
  return found;
}

function recordOf(place: string, line: string): RecordLine {
  const value = parsed(line);
  const read = LINE.safeParse(value);
  if (!read.success)
    throw invalidRecord(place, read.error.issues[0]?.path.map((key) => `/${String(key)}`).join("") ?? "");
  const fault = valueFault(value);
  if (fault !== null) throw invalidRecord(place, fault);
  return read.data;
}

function invalidRecord(place: string, what: string): CliFault {
  const message = `${place} is not a record${what === "" ? "" : ` (${what})`}`;
  return new CliFault(message, { error: "invalid_record", exitCode: EXIT.usage });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** False: there is one already, which was kept. */
export async function writeRecord(call: CallVerb, place: string, record: RecordLine, over: boolean): Promise<boolean> {
  const { namespace, record_kind, record_id, payload, ttl_seconds = null, metadata = null } = record;
  try {
    const options = { if_absent: !over };
    await call("put", [namespace, record_kind, record_id, payload, ttl_seconds, metadata, options]);
    return true;
  } catch (cause) {
    if (!(cause instanceof CliFault)) throw cause;
    if (cause.members["adapter_code"] === "ADAPTER_CONFLICT" && !over) return false;
    const { error, exitCode, members } = cause;
    const notes = ["earlier records were written"];
    throw new CliFault(`${place}: ${cause.message}`, { error, exitCode, members, notes });
  }
}

const PRUNED = z.object({ pruned: z.number() });

/** How many records an answer of `prune` says it removed. */
export function prunedOf(answer: Json): number {
  return PRUNED.parse(answer).pruned;
}
