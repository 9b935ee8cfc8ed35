/**
 * The tables that a statement may touch, judged by the schema as it is. Root pages are mapped to tables; what the listing of a statement
 * does not name (virtual tables, the bodies of new triggers and views) is judged by the names that occur in its text and in the
 * views and triggers it reaches, which refuses too much rather than too little.
 */
import type { Database } from "better-sqlite3";
import { admitPragmaTables } from "./pragma.ts";
import { blocked, foldedName, rejected } from "./rules.ts";

type SchemaRow = {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly rootpage: number | null;
  readonly sql: string | null;
};

const SCHEMA_ROOT = 1;
const SCHEMA_NAMES = ["sqlite_schema", "sqlite_master"];
/** SQLite keeps the counters of AUTOINCREMENT here by itself. */
const SEQUENCES = "sqlite_sequence";
/** Read nothing but their arguments. */
const HARMLESS_MODULES = new Set(["json_each", "json_tree"]);
const PLAIN_NAME = /^[a-z_][a-z0-9_]*$/;

export class SchemaAdmission {
  readonly #db: Database;
  readonly #allowed: ReadonlySet<string> | null;
  readonly #before: readonly SchemaRow[];
  readonly #tables: ReadonlyMap<number, string>;

  constructor(db: Database, allowed: readonly string[] | null) {
    this.#db = db;
    this.#allowed = allowed === null ? null : new Set(allowed);
    this.#before = rowsOf(db);
    this.#tables = new Map(this.#before.map((row) => [row.rootpage ?? 0, foldedName(row.tbl_name)]));
  }

  /** A table or index that the statement `text` opens. */
  admitRoot(root: number, text: string): void {
    if (root === SCHEMA_ROOT) {
      if (!SCHEMA_NAMES.some((name) => this.#allows(name))) throw blocked();
      return;
    }
    const table = this.#tables.get(root);
    if (table === undefined) throw rejected("the statement opens an unknown table");
    if (this.#allows(table)) return;
    if (table !== SEQUENCES || occurs(SEQUENCES, reachedText(text, this.#before))) throw blocked();
  }

  /** A statement that uses virtual tables. */
  admitVirtual(text: string, creates: boolean): void {
    const reached = reachedText(text, this.#before);
    admitPragmaTables(reached);
    if (this.#allowed === null) return;
    if (creates || reached.includes("pragma_")) throw blocked();
    const modules = this.#db.pragma("module_list") as readonly { readonly name: string }[];
    const own = this.#before.filter(({ sql }) => /^create\s+virtual\b/i.test(sql ?? ""));
    const refused = [
      ...modules.map(({ name }) => foldedName(name)).filter((name) => !HARMLESS_MODULES.has(name)),
      ...own.map(({ name }) => foldedName(name)),
    ].filter((name) => !this.#allows(name));
    if (refused.some((name) => occurs(name, reached))) throw blocked();
  }

  /** What DDL has done to the schema. */
  admitChanges(): void {
    const temporary = this.#db.prepare("SELECT count(*) FROM sqlite_temp_schema").pluck().get();
    if (temporary !== 0) throw rejected("temporary tables, views and triggers are refused");
    if (this.#allowed === null) return;
    const after = rowsOf(this.#db);
    const added = missing(after, this.#before);
    for (const { tbl_name } of [...added, ...missing(this.#before, after)]) {
      const table = foldedName(tbl_name);
      if (table !== SEQUENCES && !this.#allows(table)) throw blocked();
    }
    const tables = [...this.#before, ...after].filter(({ type }) => type === "table" || type === "view");
    const refused = tables.map(({ name }) => foldedName(name)).filter((name) => !this.#allows(name));
    for (const { type, sql } of added) {
      if (type !== "trigger" && type !== "view") continue;
      const body = foldedName(sql ?? "");
      if (refused.some((name) => occurs(name, body))) throw blocked();
    }
  }

  #allows(table: string): boolean {
    return this.#allowed === null || this.#allowed.has(table);
  }
}

function rowsOf(db: Database): readonly SchemaRow[] {
  const statement = db.prepare<[], SchemaRow>("SELECT type, name, tbl_name, rootpage, sql FROM main.sqlite_schema");
  return statement.all();
}

/** Rows of `some` that `others` do not have alike; where a table lies in the file may change. */
function missing(some: readonly SchemaRow[], others: readonly SchemaRow[]): readonly SchemaRow[] {
  const key = ({ type, name, tbl_name, sql }: SchemaRow) => JSON.stringify([type, name, tbl_name, sql]);
  const present = new Set(others.map(key));
  return some.filter((row) => !present.has(key(row)));
}

/** The text with that of every view and trigger it may reach, in lower case. */
function reachedText(text: string, schema: readonly SchemaRow[]): string {
  let reached = foldedName(text);
  let rest = schema.filter(({ type }) => type === "view" || type === "trigger");
  for (;;) {
    const now = rest.filter((row) => occurs(foldedName(row.tbl_name), reached));
    if (now.length === 0) return reached;
    rest = rest.filter((row) => !now.includes(row));
    reached += now.map(({ sql }) => `\n${foldedName(sql ?? "")}`).join("");
  }
}

/** Whether the name may stand in the text: as a word of its own, or between any kind of quotes. */
function occurs(name: string, text: string): boolean {
  if (PLAIN_NAME.test(name)) return new RegExp(`(?<![a-z0-9_])${name}(?![a-z0-9_])`).test(text);
  return [name, ...['"', "'", "`"].map((quote) => name.replaceAll(quote, quote + quote))].some((one) =>
    text.includes(one),
  );
}
