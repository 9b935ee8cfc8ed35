/**
 * Entities kept as documents in a SQLite file, without tables of their own. Calls go to the helper process of the file, which runs
 * `documents-program.ts`.
 */
import { type Json, type JsonObject, setMember } from "../../../../compiler/json.ts";
import { exactJson, keepText, opened, saysMore } from "../../../../vm/inputs/exact-text.ts";
import type { RequestLimits, SqliteDatabase } from "../../../engine/sqlite/sqlite.ts";
import { type CallsOf, callsOf } from "../../../store/sqlite/program.ts";
import { unfit } from "../filter.ts";
import type { Row, Selection } from "../queries.ts";
import type { Entity } from "../settings.ts";
import type { documentOperations } from "./documents-program.ts";
import { type EntityStore, keyedCreation, type Removal, type StoreCall, type Update } from "./store.ts";

export class DocumentStore implements EntityStore {
  readonly transactions: SqliteDatabase;
  readonly #calls: CallsOf<typeof documentOperations>;

  constructor(database: SqliteDatabase) {
    this.transactions = database;
    this.#calls = callsOf(database);
  }

  async find(entity: Entity, selection: Selection, call: StoreCall): Promise<readonly JsonObject[]> {
    const found = await this.#calls("find", { ...placeOf(entity), selection }, call);
    return found.map(({ object, text }) => {
      if (text !== undefined) keepText(object, text);
      return shown(entity, selection.columns, object);
    });
  }

  async create(entity: Entity, row: Row, call: StoreCall): Promise<JsonObject> {
    const id = row.get(entity.id) ?? null;
    if (id !== null && typeof id !== "number") throw unfit(`/1/${entity.id}`, "a safe whole number", id);
    const members = [...row].filter(([name]) => name !== entity.id);
    const text = textOf(members);
    const keyed = { ...keyedCreation(entity, row, call), now: call.now() };
    const given = await this.#calls("create", { ...placeOf(entity), id, members, text, keyed }, call);
    const object: { [key: string]: Json } = {};
    for (const [name, value] of [[entity.id, given] as const, ...members]) setMember(object, name, value);
    return shown(entity, [], object);
  }

  update(entity: Entity, { row, where, expected }: Update, call: StoreCall) {
    const members = [...row];
    const text = textOf(members);
    const input = { ...placeOf(entity), members, text, where, expected, now: call.now() };
    return this.#calls("update", input, call);
  }

  remove(entity: Entity, { where, expected }: Removal, call: StoreCall): Promise<number> {
    return this.#calls("remove", { ...placeOf(entity), where, expected }, call);
  }

  async ping(limits: RequestLimits): Promise<void> {
    await this.transactions.call("ping", null, limits);
  }
}

/** undefined: the members say everything. */
function textOf(members: readonly (readonly [name: string, value: Json])[]): string | undefined {
  return saysMore(members) ? exactJson(members) : undefined;
}

function placeOf({ name, id }: Entity) {
  return { entity: name, idName: id };
}

/** The members asked for; without a choice the declared columns, as a table has them, or all. */
function shown({ columns }: Entity, chosen: readonly string[], object: JsonObject): JsonObject {
  if (chosen.length === 0 && columns === null) return object;
  const result: { [key: string]: Json } = {};
  const exact = opened(object);
  for (const name of chosen.length === 0 ? (columns?.keys() ?? []) : chosen) {
    setMember(result, name, Object.hasOwn(exact, name) ? (exact[name] as Json) : null);
  }
  return result;
}
