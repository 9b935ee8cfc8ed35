/**
 * What the verbs need from wherever entities are kept, and the row a program's object becomes. Arguments are checked before a store sees
 * them: names are declared, values are in the form of their type.
 */
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import { exactText, isNumberObject, opened } from "../../../../vm/inputs/exact-text.ts";
import { hasLongInteger } from "../../../../vm/values/exact-numbers.ts";
import type { VerbContext } from "../../../definition/define.ts";
import type { RequestLimits } from "../../../engine/sqlite/sqlite.ts";
import type { StoreCall as AnyStoreCall } from "../../../store/call.ts";
import { argsHash, type KeyedCall } from "../../../store/ledger.ts";
import type { Transactions } from "../executor.ts";
import { type Condition, unfit } from "../filter.ts";
import type { Row, Selection } from "../queries.ts";
import { columnType, type Entity } from "../settings.ts";
import { type ColumnType, columnValue } from "../values.ts";

/** One call. The context of a verb fits as it is. */
export type StoreCall = AnyStoreCall & Pick<VerbContext, "idempotencyKey">;

export type Update = {
  readonly row: Row;
  readonly where: Condition | null;
  /** Rows that must be matched; null: any number. Otherwise nothing changes: ADAPTER_CONFLICT. */
  readonly expected: number | null;
  /** Count those that become another as well. */
  readonly detail: boolean;
};
export type Removal = { readonly where: Condition | null; readonly expected: number | null };

export interface EntityStore {
  find(entity: Entity, selection: Selection, call: StoreCall): Promise<readonly JsonObject[]>;
  /** The stored object. Creating twice with one key creates once. */
  create(entity: Entity, row: Row, call: StoreCall): Promise<JsonObject>;
  update(
    entity: Entity,
    update: Update,
    call: StoreCall,
  ): Promise<{ readonly matched: number; readonly changed: number }>;
  /** Number of objects removed. */
  remove(entity: Entity, removal: Removal, call: StoreCall): Promise<number>;
  /** Throws when the database does not answer. */
  ping(limits: RequestLimits): Promise<void>;
  readonly transactions: Transactions;
}

/** Throws ADAPTER_BAD_ARGS for names that are not declared and values that do not fit. */
export function rowOf(entity: Entity, object: JsonObject, path: string): Row {
  const row = new Map<string, Json>();
  for (const [name, given] of Object.entries(opened(object))) {
    const type = columnType(entity, name, `${path}/${name}`);
    const value = columnValue(type, typed(type, given));
    if (value === undefined) throw unfit(`${path}/${name}`, type, given);
    row.set(name, value);
  }
  return row;
}

/** A number that says more than JavaScript's is kept as it is where any value is; else an int beyond 2^53 is its digits. */
function typed(type: ColumnType, given: Json): Json {
  if (!isNumberObject(given) || type === "any" || type === "json") return given;
  const text = exactText(given) ?? "";
  return hasLongInteger(text) ? text : given.valueOf();
}

export function keyedCreation(entity: Entity, row: Row, { idempotencyKey }: StoreCall): KeyedCall {
  const args: Json = [entity.name, [...row].sort(([a], [b]) => (a < b ? -1 : 1))];
  return { scope: "db.C", key: idempotencyKey, argsHash: argsHash(args) };
}
