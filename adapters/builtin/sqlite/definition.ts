/**
 * The sqlite adapter: SQL on one local database file, or on one in memory that goes with the run. What it promises to programs;
 * statements are admitted and run in the helper process (`program.ts`, `guard/sql.ts`).
 */
import { anyJson, arg, defineAdapter, setting, verbsFor, z } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import { foldedName } from "../../guard/sql/rules.ts";
import { SqliteInstance } from "./instance.ts";
import { sentParams, sentStatements } from "./parameters.ts";
import { databasePath, IN_MEMORY } from "./place.ts";

const MAX_RESULT_BYTES = 16 * 1024 * 1024;
const MAX_BATCH = 100;
const MAX_VALUES = 32_766;

const settings = {
  db_path: setting
    .place()
    .describe(
      "the database file; made when it is missing, readable by its owner alone. Without it a database in memory, anew for each run",
    ),
  allow_tables: setting.list("folded", ["table"]).describe("tables that may be touched, in any way"),
  allow_write: setting.allow(false).describe("whether `execute` and `batch` are allowed"),
  allow_ddl: setting.allow(true).describe("CREATE, ALTER and DROP, where writing is allowed"),
  /** Left out: as long as all tables are allowed. */
  allow_virtual: z
    .boolean()
    .optional()
    .meta({ merge: "and" })
    .describe("`json_each`, full-text search and other virtual tables; without it true, false with `allow_tables`"),
  timeout_s: setting.most(5, 60).describe("seconds of statement and waiting for a lock together"),
  max_rows: setting.most(1_000, 100_000).describe("more rows are an error, never cut off"),
  trust_triggers: setting.operator(z.boolean().default(false)).describe("tables that triggers touch are not checked"),
};
const verb = verbsFor<typeof settings, SqliteInstance>();

// SQLite would keep half a surrogate pair as another text.
const text = z.string().refine((given) => given.isWellFormed(), "valid Unicode");
const value = z.union(
  [z.null(), z.boolean(), z.number(), text, z.strictObject({ $base64: z.base64() })],
  "null, true, false, a number, text or {$base64}",
);
const params = z.union(
  [z.array(value).max(MAX_VALUES), z.record(z.string(), value)],
  "a list or an object of null, true, false, numbers, text and {$base64}",
);
const sql = arg("sql", z.string());
const optionalParams = arg("params", params.optional());

const row = z.record(z.string(), anyJson());
const changed = z.strictObject({
  rows_affected: z.number().int().nonnegative(),
  lastrowid: z.union([z.number().int(), z.string(), z.null()]),
  rows: z.array(row).optional(),
});

const OF_STATEMENTS = [
  "ADAPTER_SQL_REJECTED",
  "ADAPTER_TABLE_BLOCKED",
  "ADAPTER_SQL_ERROR",
  "ADAPTER_TOO_LARGE",
  "ADAPTER_BAD_DATA",
  "ADAPTER_BUSY",
  "ADAPTER_CONFLICT",
] as const;
const OF_WRITES = [...OF_STATEMENTS, "ADAPTER_WRITE_FORBIDDEN", "ADAPTER_SQL_CONSTRAINT", "ADAPTER_QUOTA"] as const;

const common = { kind: "sqlite", determinism: "state", maxResultBytes: MAX_RESULT_BYTES } as const;

export const sqliteAdapter = defineAdapter<typeof settings, SqliteInstance>({
  apiVersion: 1,
  name: "sqlite",
  version: "1.0.0",
  summary: "SQL on one local database file.",
  support: "core",
  lane: "canonical",
  privilege: "local_state",
  sandboxSafe: true,
  networkFacing: false,
  durable: true,
  maturity: "beta",
  needs: ["sqlite"],
  settings,
  async open({ settings, host }) {
    const { allow_tables, allow_ddl, allow_virtual, trust_triggers, max_rows } = settings;
    const path = await databasePath(settings.db_path ?? IN_MEMORY, host.places);
    const rules = {
      allow_tables: allow_tables?.map(foldedName) ?? null,
      allow_ddl,
      allow_virtual: allow_virtual ?? allow_tables === undefined,
      trust_triggers,
    };
    const db = host.sqlite.open({ path, program: "sql", durability: "normal", exact: true });
    return new SqliteInstance(db, { rules, max_rows, max_bytes: MAX_RESULT_BYTES });
  },
  async check({ instance, signal }) {
    await instance.query({ sql: "SELECT 1", params: null }, 1, { signal, remainingMs: () => 5_000 });
  },
  close: (instance) => instance.close(),
  verbs: {
    query: verb({
      exact: true,
      ...common,
      summary: "The rows that a statement gives which only reads.",
      effect: "io-read",
      args: z.tuple([sql, optionalParams]),
      options: z.strictObject({
        max_rows: z.number().int().positive().optional(),
        timeout_s: z.number().positive().optional(),
      }),
      result: z.array(row).describe("list of rows, each an object by column name"),
      errors: OF_STATEMENTS,
      examples: [{ source: 'R sqlite.query "SELECT :n + 1 AS next" {"n": 6} ->rows', result: [{ next: 7 }] }],
      run: ({ args: [text, given], options, instance, ctx }) =>
        instance.query({ sql: text, params: sentParams(given) }, options.max_rows ?? Number.MAX_SAFE_INTEGER, ctx),
    }),
    execute: verb({
      exact: true,
      ...common,
      summary: "Carries out a statement that changes rows or tables.",
      effect: "io-write",
      args: z.tuple([sql, optionalParams]),
      result: changed.describe("`{rows_affected, lastrowid}`, and `rows` when the statement has RETURNING"),
      errors: OF_WRITES,
      examples: [
        {
          source: 'R sqlite.execute "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)" ->done',
          settings: { allow_write: true },
          result: { rows_affected: 0, lastrowid: null },
        },
      ],
      run: ({ args: [text, given], settings: { allow_write }, instance, ctx }) => {
        admitWrite(allow_write);
        return instance.execute({ sql: text, params: sentParams(given) }, ctx);
      },
    }),
    batch: verb({
      exact: true,
      ...common,
      summary: "Carries out statements in one transaction: all of them or none.",
      effect: "io-write",
      args: z.tuple([
        arg(
          "statements",
          z
            .array(z.tuple([z.string(), params.nullish()]))
            .max(MAX_BATCH)
            .describe("[[sql, params], …], params as for execute"),
        ),
      ]),
      result: z.array(changed).describe("list of what `execute` gives; all statements or none"),
      errors: OF_WRITES,
      examples: [
        {
          source: 'R sqlite.batch [["CREATE TABLE t (n)"], ["INSERT INTO t VALUES (?)", [1]]] ->done',
          settings: { allow_write: true },
          result: [
            { rows_affected: 0, lastrowid: null },
            { rows_affected: 1, lastrowid: 1 },
          ],
        },
      ],
      run: ({ args: [statements], settings: { allow_write }, instance, ctx }) => {
        admitWrite(allow_write);
        return instance.batch(sentStatements(statements), ctx);
      },
    }),
  },
});

function admitWrite(allowed: boolean): void {
  if (!allowed) throw adapterError("ADAPTER_WRITE_FORBIDDEN", "writing is not allowed");
}
