/**
 * From entities and conditions to SQL. Kysely writes it: names are quoted, values are parameters, and the differences between the two
 * databases that it knows are its business. What it does not know is made the same here: text compares by code point,
 * NULL sorts first, times compare as times, and a condition is never unknown. Has no connection.
 */
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from "kysely";
import type { Json } from "../../../compiler/json.ts";
import { packageMissing } from "../../packages.ts";
import { type Dialect, postgresDialect } from "./dialects.ts";
import { type Condition, unfit } from "./filter.ts";
import { columnType, type Entity } from "./settings.ts";
import type { ColumnType } from "./values.ts";

export type Statement = { readonly sql: string; readonly parameters: readonly Json[] };
export type Order = { readonly column: string; readonly type: ColumnType; readonly descending: boolean };
export type Selection = {
  /** Empty: all. */
  readonly columns: readonly string[];
  readonly where: Condition | null;
  /** Objects that are equal by it come in the order of their ids. */
  readonly order: readonly Order[];
  readonly limit: number;
  readonly offset: number;
};

/** Members by name; values in the form of their types. */
export type Row = ReadonlyMap<string, Json>;

type Library = typeof import("kysely");
/** Tables and columns are named by the operator's settings, so no type knows them. */
type Tables = Record<string, Record<string, unknown>>;
type Builder = ExpressionBuilder<Tables, string>;
type Ref = Expression<unknown>;

/** The library, loaded at first use. ADAPTER_NOT_CONFIGURED when it is missing. */
export async function loadQueries(
  dialect: Dialect,
  schema: string | undefined,
  load: () => Promise<Library> = () => import("kysely"),
): Promise<Queries> {
  let library: Library;
  try {
    library = await load();
  } catch (cause) {
    throw packageMissing("a table", "kysely", cause);
  }
  return new Queries(library, dialect, schema);
}

export class Queries {
  readonly dialect: Dialect;
  readonly #sql: Library["sql"];
  readonly #db: Kysely<Tables>;

  constructor(library: Library, dialect: Dialect, schema: string | undefined) {
    const { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } = library;
    const { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } = library;
    const postgres = dialect === postgresDialect;
    const db = new Kysely<Tables>({
      dialect: {
        createDriver: () => new DummyDriver(),
        createAdapter: () => (postgres ? new PostgresAdapter() : new SqliteAdapter()),
        createIntrospector: (own) => (postgres ? new PostgresIntrospector(own) : new SqliteIntrospector(own)),
        createQueryCompiler: () => (postgres ? new PostgresQueryCompiler() : new SqliteQueryCompiler()),
      },
    });
    this.dialect = dialect;
    this.#sql = library.sql;
    this.#db = schema === undefined ? db : db.withSchema(schema);
  }

  select(entity: Entity, { columns, where, order, limit, offset }: Selection): Statement {
    let query = this.#db.selectFrom(entity.table).select([...columns]);
    if (where !== null) query = query.where((eb) => this.#condition(eb, where));
    for (const { column, type, descending } of order) {
      const by = this.#comparable(column, type);
      query = query.orderBy(by, (one) => (descending ? one.desc().nullsLast() : one.asc().nullsFirst()));
    }
    // The database's own order, which an index serves.
    query = query.orderBy(entity.id);
    query = query.limit(limit);
    return compiled(offset === 0 ? query : query.offset(offset));
  }

  insert(entity: Entity, row: Row, returned: readonly string[]): Statement {
    const query = this.#db.insertInto(entity.table);
    const filled = row.size === 0 ? query.defaultValues() : query.values(this.#parameters(entity, row));
    return compiled(filled.returning([...returned]));
  }

  update(entity: Entity, row: Row, where: Condition | null): Statement {
    const query = this.#db.updateTable(entity.table).set(this.#parameters(entity, row));
    return compiled(where === null ? query : query.where((eb) => this.#condition(eb, where)));
  }

  /** One row per object of `where` that `row` would make another; locked where the database can. */
  differing(entity: Entity, row: Row, where: Condition | null): Statement {
    let query = this.#db.selectFrom(entity.table).select(entity.id);
    if (where !== null) query = query.where((eb) => this.#condition(eb, where));
    query = query.where((eb) => eb.or([...row].map(([name, value]) => this.#differs(entity, name, value))));
    return compiled(this.dialect === postgresDialect ? query.forUpdate() : query);
  }

  remove(entity: Entity, where: Condition | null): Statement {
    const query = this.#db.deleteFrom(entity.table);
    return compiled(where === null ? query : query.where((eb) => this.#condition(eb, where)));
  }

  #parameters(entity: Entity, row: Row): Record<string, Json> {
    return Object.fromEntries(
      [...row].map(([name, value]) => [name, this.#written(columnType(entity, name, ""), value, `/${name}`)]),
    );
  }

  #written(type: ColumnType, value: Json, path: string): Json {
    if (value === null) return null;
    const written = this.dialect.write(type, value);
    if (written === undefined) throw unfit(path, "a number that the database can keep exactly", value);
    return written;
  }

  #condition(eb: Builder, condition: Condition): Expression<SqlBool> {
    switch (condition.kind) {
      case "all":
        return eb.and(condition.of.map((one) => this.#condition(eb, one)));
      case "any":
        return eb.or(condition.of.map((one) => this.#condition(eb, one)));
      case "not":
        return this.#sql<SqlBool>`(${this.#condition(eb, condition.of)}) is not true`;
      case "null":
        return eb(condition.column, "is", null);
      case "in": {
        const { column, type, values } = condition;
        if (values.length === 0) return this.#sql<SqlBool>`1 = 0`;
        return eb(
          this.#equatable(column, type),
          "in",
          values.map((value) => this.#written(type, value, "/1")),
        );
      }
      case "prefix": {
        const { column, text } = condition;
        const prefix = this.#sql`cast(${text} as text)`;
        const value = this.#sql`cast(${this.#sql.ref(column)} as text)`;
        return this.#sql<SqlBool>`substr(${value}, 1, length(${prefix})) = ${prefix}`;
      }
      default: {
        const { kind, column, type, value } = condition;
        const left = kind === "eq" ? this.#equatable(column, type) : this.#comparable(column, type);
        return eb(left, OPERATORS[kind], this.#written(type, value, "/1"));
      }
    }
  }

  #differs(entity: Entity, name: string, value: Json): Expression<SqlBool> {
    const type = columnType(entity, name, "");
    const written = this.#written(type, value, `/${name}`);
    const column = this.#equatable(name, type);
    // PostgreSQL's type json has no equality.
    if (type === "json" && this.dialect === postgresDialect) {
      return this.#sql<SqlBool>`cast(${column} as jsonb) is distinct from cast(${written} as jsonb)`;
    }
    return this.#sql<SqlBool>`${column} is distinct from ${written}`;
  }

  /** The column where only equality matters. */
  #equatable(column: string, type: ColumnType): Ref {
    const ref = this.#sql.ref(column);
    if (type !== "timestamp" || this.dialect === postgresDialect) return ref;
    return this.#sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${ref})`;
  }

  /** The column where order matters. */
  #comparable(column: string, type: ColumnType): Ref {
    const ref = this.#equatable(column, type);
    if (type !== "text") return ref;
    // Types that are handed out as text, such as uuid, have no collation of their own.
    return this.dialect === postgresDialect
      ? this.#sql`cast(${ref} as text) collate "C"`
      : this.#sql`${ref} collate binary`;
  }
}

const OPERATORS = { eq: "=", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

function compiled(query: { compile(): { readonly sql: string; readonly parameters: readonly unknown[] } }): Statement {
  const { sql, parameters } = query.compile();
  // Only what `write` gave, and the numbers of limit and offset.
  return { sql, parameters: parameters as readonly Json[] };
}
