/** What the verbs do: arguments become a condition, an order and a row, and a store is asked. */
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { badArguments } from "../../definition/bind.ts";
import { type EntityStore, rowOf, type StoreCall } from "./documents/store.ts";
import { type Condition, conditionOf, identified, unfit } from "./filter.ts";
import type { Order } from "./queries.ts";
import { columnType, type Entity, entityFor, type Settings } from "./settings.ts";

export type Request = { readonly settings: Settings; readonly store: EntityStore; readonly call: StoreCall };
export type WrittenFilter = JsonObject | "*" | null | undefined;

type FindOptions = {
  readonly fields?: readonly string[] | undefined;
  readonly order_by?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
};
type ChangeOptions = {
  readonly expected_count?: number | undefined;
  readonly allow_all?: boolean | undefined;
  readonly detail?: boolean | undefined;
};

export async function findObjects(
  { settings, store, call }: Request,
  name: string,
  filter: WrittenFilter,
  { fields = [], order_by: orderBy = [], limit, offset = 0 }: FindOptions,
): Promise<Json> {
  const entity = entityFor(settings, name, "F");
  const where = conditionOf(entity, filter);
  for (const field of fields) columnType(entity, field, "/options/fields");
  const order = orderBy.map((by) => orderOf(entity, by));
  const most = limit ?? entity.defaultLimit;
  if (most > entity.maxLimit) throw unfit("/options/limit", `at most ${entity.maxLimit}`, most);
  return store.find(entity, { columns: [...new Set(fields)], where, order, limit: most, offset }, call);
}

export async function getObject({ settings, store, call }: Request, name: string, id: Json): Promise<Json> {
  const entity = entityFor(settings, name, "G");
  const where = identified(entity, id, "/1");
  const [found = null] = await store.find(entity, { columns: [], where, order: [], limit: 1, offset: 0 }, call);
  return found;
}

export async function createObject({ settings, store, call }: Request, name: string, object: JsonObject) {
  const entity = entityFor(settings, name, "C");
  const row = new Map(rowOf(entity, object, "/1"));
  // An id that is null is an id to be assigned.
  if (row.get(entity.id) === null) row.delete(entity.id);
  return store.create(entity, row, call);
}

/** `U entity filter changes`, or `U entity object` where the object names its id. */
export async function updateObjects(
  { settings, store, call }: Request,
  name: string,
  [filter, changes]: readonly [WrittenFilter, JsonObject | undefined],
  options: ChangeOptions,
): Promise<Json> {
  const entity = entityFor(settings, name, "U");
  const { where, members, path } = changes === undefined ? byOwnId(entity, filter) : byFilter(entity, filter, changes);
  if (where === null) refuseAll(options, "/1");
  if (Object.hasOwn(members, entity.id)) {
    throw badArguments([{ path: `${path}/${entity.id}`, expected: "no id: it cannot be changed", got: "an id" }]);
  }
  const row = rowOf(entity, members, path);
  if (row.size === 0) throw badArguments([{ path, expected: "members to change", got: "none" }]);
  const { expected_count: expected = null, detail = false } = options;
  const done = await store.update(entity, { row, where, expected, detail }, call);
  return detail ? done : done.matched;
}

/** With an id whether there was one; with a filter how many were deleted. */
export async function removeObjects(
  { settings, store, call }: Request,
  name: string,
  target: WrittenFilter | string | number,
  options: ChangeOptions,
): Promise<Json> {
  const entity = entityFor(settings, name, "D");
  const expected = options.expected_count ?? null;
  if (typeof target === "number" || (typeof target === "string" && target !== "*")) {
    return (await store.remove(entity, { where: identified(entity, target, "/1"), expected }, call)) > 0;
  }
  const where = conditionOf(entity, target as WrittenFilter);
  if (where === null) refuseAll(options, "/1");
  return store.remove(entity, { where, expected }, call);
}

type Changes = { readonly where: Condition | null; readonly members: JsonObject; readonly path: string };

function byFilter(entity: Entity, filter: WrittenFilter, members: JsonObject): Changes {
  return { where: conditionOf(entity, filter), members, path: "/2" };
}

function byOwnId(entity: Entity, object: WrittenFilter): Changes {
  if (typeof object !== "object" || object === null || !Object.hasOwn(object, entity.id)) {
    throw badArguments([{ path: "/1", expected: "an object with its id, or a filter and an object", got: "neither" }]);
  }
  const { [entity.id]: id = null, ...members } = object;
  return { where: identified(entity, id, `/1/${entity.id}`), members, path: "/1" };
}

function refuseAll({ allow_all: allowed = false }: ChangeOptions, path: string): void {
  if (allowed) return;
  throw badArguments([{ path, expected: "a filter, or the option allow_all", got: "everything" }]);
}

/** `name`, or `-name` for the greatest first. */
function orderOf(entity: Entity, by: string): Order {
  const descending = by.startsWith("-");
  const column = descending ? by.slice(1) : by;
  const type = columnType(entity, column, "/options/order_by");
  if (type === "json")
    throw badArguments([{ path: "/options/order_by", expected: "a column with an order", got: type }]);
  return { column, type, descending };
}
