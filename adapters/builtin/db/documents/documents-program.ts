/**
 * What the helper process does for documents: objects as JSON with ids of a sequence per entity. Conditions are asked of the objects
 * themselves, entity by entity in the order of their ids; only one that asks for an id is looked up.
 */
import type { Database } from "better-sqlite3";
import { type Json, type JsonObject, setMember } from "../../../../compiler/json.ts";
import {
  exactEntries,
  exactJson,
  exactly,
  exactText,
  fromExactEntries,
  opened,
  readExactly,
} from "../../../../vm/inputs/exact-text.ts";
import { equal } from "../../../../vm/values/compare.ts";
import { adapterError } from "../../../errors.ts";
import { type KeyedInput, LEDGER_SCHEMA, once } from "../../../store/sqlite/ledger-program.ts";
import { program, reading, statement, writing } from "../../../store/sqlite/program.ts";
import { MAX_ROW_BYTES, tooManyBytes, unexpectedCount } from "../executor.ts";
import type { Condition } from "../filter.ts";
import type { Selection } from "../queries.ts";
import { orderOf, satisfies } from "./documents-match.ts";

const SCHEMA = `
CREATE TABLE IF NOT EXISTS records(
  entity TEXT, id INTEGER, body TEXT, created_ms INTEGER, updated_ms INTEGER, PRIMARY KEY(entity, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sequences(entity TEXT PRIMARY KEY, last INTEGER);
${LEDGER_SCHEMA}`;

/** Of objects that are in hand at once, to be ordered or changed: a fraction of the memory of the process. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

type Members = readonly (readonly [name: string, value: Json])[];
/** `text`: of the members, where it says more. */
type Given = { readonly members: Members; readonly text?: string | undefined };
/** `text`: of the object, where it says more. */
type Shown = { readonly object: JsonObject; readonly text?: string };
type Place = { readonly entity: string; readonly idName: string };
/** `members` without the id. */
type CreateInput = Place & Given & { readonly id: number | null; readonly keyed: KeyedInput };
type UpdateInput = Place & Chosen & Given & { readonly now: number };
type Chosen = { readonly where: Condition | null; readonly expected: number | null };
type Stored = { readonly id: number; readonly body: string };
type Found = Stored & { readonly object: JsonObject };

export const documentOperations = {
  find: reading((db, { selection, ...place }: Place & { readonly selection: Selection }): Shown[] => {
    const { where, order, limit, offset, columns } = selection;
    const found = matching(db, place, where, order.length === 0 ? offset + limit : Number.POSITIVE_INFINITY);
    if (order.length > 0) found.sort((a, b) => orderOf(order, a.object, b.object));
    let bytes = 0;
    return found.slice(offset, offset + limit).map(({ id, object, body }) => {
      const wanted = columns.length === 0 ? object : part(object, columns);
      bytes += columns.length === 0 ? body.length : JSON.stringify(wanted).length;
      if (bytes > MAX_ROW_BYTES) throw tooManyBytes();
      const exact = exactText(readExactly(body)) === undefined ? undefined : exactPart(wanted, id, place.idName, body);
      return exact === undefined ? { object: wanted } : { object: wanted, text: exact };
    });
  }),

  /** The id of the new object; that of the first time when the call is repeated. */
  create: writing((db, { entity, id, keyed, ...given }: CreateInput): number =>
    once(db, keyed, () => {
      const own = id ?? nextId(db, entity);
      const body = exactJson(fromExactEntries(exactMembers(given)));
      statement(db, "INSERT INTO records(entity, id, body, created_ms, updated_ms) VALUES (?, ?, ?, ?, ?)").run(
        entity,
        own,
        body,
        keyed.now,
        keyed.now,
      );
      statement(
        db,
        "INSERT INTO sequences(entity, last) VALUES (?, ?) ON CONFLICT DO UPDATE SET last = max(last, excluded.last)",
      ).run(entity, own);
      return own;
    }),
  ),

  update: writing((db, { members, text, now, ...input }: UpdateInput): { matched: number; changed: number } => {
    const found = chosen(db, input);
    const write = statement(db, "UPDATE records SET body = ?, updated_ms = ? WHERE entity = ? AND id = ?");
    let changed = 0;
    for (const { id, body } of found) {
      const before = readExactly(body) as JsonObject;
      const written = exactJson(fromExactEntries([...exactEntries(before), ...exactMembers({ members, text })]));
      const after = objectOf([...Object.entries(before), ...members]);
      if (written === body || (text === undefined && equal(before, after))) continue;
      write.run(written, now, input.entity, id);
      changed += 1;
    }
    return { matched: found.length, changed };
  }),

  remove: writing((db, input: Place & Chosen): number => {
    const found = chosen(db, input);
    const remove = statement(db, "DELETE FROM records WHERE entity = ? AND id = ?");
    for (const { id } of found) remove.run(input.entity, id);
    return found.length;
  }),

  /** That the file was opened is the answer. */
  ping: reading((): null => null),
};

export const documentsProgram = program(SCHEMA, documentOperations);

function nextId(db: Database, entity: string): number {
  const row = statement<{ last: number }>(db, "SELECT last FROM sequences WHERE entity = ?").get(entity);
  return Math.max(row?.last ?? 0, 0) + 1;
}

function chosen(db: Database, { where, expected, ...place }: Place & Chosen): Found[] {
  const found = matching(db, place, where, Number.POSITIVE_INFINITY);
  if (expected !== null && found.length !== expected) throw unexpectedCount(expected, found.length);
  return found;
}

/** The first objects of an entity that satisfy `where`, by id. */
function matching(db: Database, { entity, idName }: Place, where: Condition | null, most: number): Found[] {
  const found: Found[] = [];
  let bytes = 0;
  for (const { id, body } of stored(db, entity, idName, where)) {
    if (found.length >= most) break;
    const object = objectOf([[idName, id], ...Object.entries(JSON.parse(body) as JsonObject)]);
    if (where !== null && !satisfies(where, object)) continue;
    found.push({ id, body, object });
    bytes += body.length;
    if (bytes > MAX_HELD_BYTES) throw adapterError("ADAPTER_TOO_LARGE", "the filter describes too many objects");
  }
  return found;
}

function stored(db: Database, entity: string, idName: string, where: Condition | null): Iterable<Stored> {
  const all = "SELECT id, body FROM records WHERE entity = ?";
  if (where?.kind === "eq" && where.column === idName) {
    return statement<Stored>(db, `${all} AND id = ?`).iterate(entity, where.value);
  }
  return statement<Stored>(db, `${all} ORDER BY id`).iterate(entity);
}

/** The text of `wanted`, which has members of this object. */
function exactPart(wanted: JsonObject, id: number, idName: string, body: string): string | undefined {
  const members = [[idName, id] as const, ...exactEntries(readExactly(body) as JsonObject)];
  return exactText(fromExactEntries(members.filter(([name]) => Object.hasOwn(wanted, name))));
}

function exactMembers({ members, text }: Given): Members {
  if (text === undefined) return members;
  const whole = exactly(members, text) as Members;
  return opened(whole).map((one) => opened(one as readonly Json[]) as unknown as Members[number]);
}

function part(object: JsonObject, names: readonly string[]): JsonObject {
  return objectOf(names.filter((name) => Object.hasOwn(object, name)).map((name) => [name, object[name] as Json]));
}

function objectOf(members: Members): JsonObject {
  const object: { [key: string]: Json } = {};
  for (const [name, value] of members) setMember(object, name, value);
  return object;
}
