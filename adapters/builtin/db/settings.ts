/**
 * The operator's section of the adapter: which entities exist, where each is kept, and what programs may do with them; and the look-up
 * that every call begins with. A program names entities and columns; what is not declared here does not exist for it.
 */
import { isAbsolute } from "node:path";
import { badArguments } from "../../definition/bind.ts";
import { type SettingsOf, setting, z } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import { COLUMN_TYPES, type ColumnType } from "./values.ts";

/** Names of tables and columns: letters, digits, `_` and `$`. Points and quotes would read as something else in SQL. */
const sqlName = z.string().regex(/^[\p{L}_][\p{L}\p{N}_$]{0,62}$/u, "a name of letters, digits and _");

const databasePath = z.string().refine((path) => path === ":memory:" || isAbsolute(path), "an absolute path");

const OPERATIONS = ["F", "G", "C", "P", "U", "D"] as const;
/** P is another name of C. */
export type Operation = "F" | "G" | "C" | "U" | "D";

const entitySchema = z.strictObject({
  table: sqlName.optional(),
  id: sqlName.default("id"),
  columns: z.record(sqlName, z.enum(COLUMN_TYPES)).optional(),
  ops: z.array(z.enum(OPERATIONS)).default([...OPERATIONS]),
  default_limit: z.number().int().min(1).default(100),
  max_limit: z.number().int().min(1).max(10_000).default(1000),
});
type EntitySection = z.output<typeof entitySchema>;

export const settings = {
  url_secret: setting
    .configures(z.string().optional())
    .describe("name of the secret that holds `postgres://user:password@host/database`"),
  path: setting
    .configures(databasePath.optional())
    .describe("absolute path of a SQLite file instead; `:memory:` is a fresh database for each run"),
  schema: setting.operator(sqlName.optional()).describe("PostgreSQL schema of the tables; without it the account's"),
  pool: setting
    .operator(z.number().int().min(1).max(100).default(4))
    .describe("most connections to PostgreSQL, for all runs of the process together"),
  statement_timeout_ms: setting
    .operator(z.number().int().min(1).max(60_000).default(5_000))
    .describe("PostgreSQL ends a statement that takes longer"),
  entities: setting
    .operator(z.record(z.string(), entitySchema).default({}))
    .describe("what there is, by name; in `documents` the name `*` stands for every other one"),
  store: setting
    .operator(z.enum(["tables", "documents"]).default("tables"))
    .describe("`documents`: objects are kept as JSON in the file at `path`"),
  allow_entities: setting.list("exact", ["table"]).describe("entities that may be used, as written"),
  allow_write: setting.allow(true).describe("whether C, P, U and D are allowed"),
  timeout_s: setting.most(5, 60).describe("seconds of a call"),
};
export type Settings = SettingsOf<typeof settings>;

/** An entity that a call may use. */
export type Entity = {
  readonly name: string;
  readonly table: string;
  /** Name of the member that identifies an object. */
  readonly id: string;
  /** null: any member (documents only). The id is one of them. */
  readonly columns: ReadonlyMap<string, ColumnType> | null;
  readonly defaultLimit: number;
  readonly maxLimit: number;
};

/** The entity of this name. Throws AdapterError when the call may not use it so. */
export function entityFor(settings: Settings, name: string, operation: Operation): Entity {
  const { allow_entities: allowed, allow_write: mayWrite, entities, store } = settings;
  if (allowed !== undefined && !allowed.includes(name)) {
    throw adapterError("ADAPTER_TABLE_BLOCKED", "the entity is not on the list of allowed ones");
  }
  const wildcard = store === "documents" ? entities["*"] : undefined;
  const section = Object.hasOwn(entities, name) ? entities[name] : wildcard;
  if (section === undefined || name === "*") throw adapterError("ADAPTER_NOT_FOUND", "no such entity is configured");
  const writes = operation === "C" || operation === "U" || operation === "D";
  if (writes && !mayWrite) throw adapterError("ADAPTER_WRITE_FORBIDDEN", "writing is not allowed");
  if (!section.ops.some((one) => (one === "P" ? "C" : one) === operation)) {
    const code = writes ? "ADAPTER_WRITE_FORBIDDEN" : "ADAPTER_NOT_ALLOWED";
    throw adapterError(code, "the operator does not grant this operation on the entity");
  }
  return {
    name,
    table: section.table ?? name,
    id: section.id,
    columns: columnsOf(section, store),
    defaultLimit: Math.min(section.default_limit, section.max_limit),
    maxLimit: section.max_limit,
  };
}

function columnsOf({ columns, id }: EntitySection, store: Settings["store"]): Entity["columns"] {
  if (columns === undefined) return null;
  // The ids of documents are numbers of a sequence whatever the section says.
  return new Map<string, ColumnType>([
    ...Object.entries(columns),
    ...(store === "documents" ? [[id, "integer"] as const] : []),
  ]);
}

/** Throws ADAPTER_NOT_CONFIGURED without a place, ADAPTER_BAD_SETTINGS when members contradict each other. */
export function checkPlace({ url_secret, path, store, entities }: Settings): void {
  if (url_secret === undefined && path === undefined) {
    throw adapterError("ADAPTER_NOT_CONFIGURED", "no database is configured: set db.path or db.url_secret");
  }
  if (url_secret !== undefined && path !== undefined) throw contradiction("db has both path and url_secret");
  if (store === "documents") {
    if (path === undefined) throw contradiction("db.store documents needs db.path");
    return;
  }
  for (const [name, { columns, id, table }] of Object.entries(entities)) {
    if (columns === undefined || !Object.hasOwn(columns, id)) {
      throw contradiction(`db.entities.${name} needs columns, its id among them`);
    }
    if (table === undefined && !sqlName.safeParse(name).success)
      throw contradiction(`db.entities.${name} needs a table`);
  }
}

function contradiction(message: string) {
  return adapterError("ADAPTER_BAD_SETTINGS", message);
}

/** The type of a member; ADAPTER_BAD_ARGS when the entity has none of that name. */
export function columnType({ id, columns }: Entity, name: string, path: string): ColumnType {
  if (columns === null) return name === id ? "integer" : "any";
  const type = columns.get(name);
  if (type === undefined) throw badArguments([{ path, expected: "a column of the entity", got: "another name" }]);
  return type;
}
