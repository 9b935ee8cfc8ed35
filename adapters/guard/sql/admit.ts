/**
 * Which SQL statements of a program are let into a database. No SQL is parsed: SQLite compiles the statement, and its listing of
 * instructions is judged. Runs in the SQLite helper, in the transaction that then runs the statement, so that verdict and
 * run see one schema. Only PRAGMA, EXPLAIN and the three words of DDL are known by their name.
 */
import type { Database, Statement } from "better-sqlite3";
import { adapterError } from "../../errors.ts";
import { admitFunctions, admitInstructions, factsOf, type Instruction, rootsOf } from "./listing.ts";
import { admitPragma } from "./pragma.ts";
import { rejected, type SqlRules } from "./rules.ts";
import { SchemaAdmission } from "./schema.ts";

/** What the driver is given for the parameters. */
export type Bindings = readonly unknown[];
type AnyStatement = Statement<unknown[], unknown>;

export type Admitted = {
  readonly statement: AnyStatement;
  readonly ddl: boolean;
  /** It sets what `last_insert_rowid` gives. */
  readonly inserts: boolean;
  /** To be called after the run: throws when DDL touched what it may not. */
  verify(): void;
};

const MAX_TEXT_BYTES = 65_536;
/** Blanks, comments and empty statements before the first word. */
const LEADING = /^(?:[\s\uFEFF;]|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$))*/;

/** The statement, ready to run with these bindings. Throws AdapterError, or SQLite's error when it does not compile. */
export function admitted(
  db: Database,
  sql: string,
  bindings: Bindings,
  use: "query" | "execute",
  rules: SqlRules,
): Admitted {
  if (Buffer.byteLength(sql) > MAX_TEXT_BYTES) throw adapterError("ADAPTER_TOO_LARGE", "the statement is too long");
  if (sql.includes("\0")) throw rejected("the statement holds a NUL character");
  const body = sql.replace(LEADING, "");
  const word = (/^[A-Za-z]+/.exec(body)?.[0] ?? "").toUpperCase();
  if (word === "EXPLAIN") throw rejected("EXPLAIN is refused");
  if (word === "PRAGMA") {
    // Before it is compiled, because compiling a PRAGMA can carry it out.
    if (use === "execute") throw rejected("PRAGMA only reads, by query");
    admitPragma(db, body, rules.allow_tables);
  }
  // The first read of the transaction: what is compiled from here on is compiled for the schema that the run will see.
  const schema = new SchemaAdmission(db, rules.allow_tables);
  const listing = listingOf(db, body, bindings);
  const facts = factsOf(listing, word);
  admitInstructions(listing, word, facts.ddl);
  admitFunctions(db, listing, word, rules.allow_virtual);
  if (facts.virtual && !rules.allow_virtual) throw rejected("virtual tables are not allowed");
  const statement = compiled(db, body);
  admitUse(use, statement);
  if (facts.ddl && !rules.allow_ddl) throw rejected("changes of the schema are not allowed");
  if (facts.virtual) schema.admitVirtual(body, facts.createsVirtual);
  for (const root of rootsOf(listing, word, facts.ddl, rules.trust_triggers)) schema.admitRoot(root, body);
  const verify = () => {
    if (facts.ddl) schema.admitChanges();
  };
  return { statement, ddl: facts.ddl, inserts: facts.inserts, verify };
}

function compiled(db: Database, sql: string): AnyStatement {
  try {
    return db.prepare<unknown[], unknown>(sql);
  } catch (thrown) {
    if (thrown instanceof RangeError) throw rejected("the text must hold exactly one statement");
    throw thrown;
  }
}

/** What the statement would do with these values: SQLite may choose its way by them. */
function listingOf(db: Database, body: string, bindings: Bindings): readonly Instruction[] {
  const explain = compiled(db, `EXPLAIN ${body}`);
  if (hasNames(bindings) && !hasParameters(explain))
    throw adapterError("ADAPTER_BAD_ARGS", "the statement has no parameters; options come after null or a list");
  try {
    return explain.all(...bindings) as readonly Instruction[];
  } catch (thrown) {
    // The driver's own errors, as opposed to SQLite's, are about the values.
    if (!(thrown instanceof RangeError || thrown instanceof TypeError)) throw thrown;
    throw adapterError("ADAPTER_BAD_ARGS", "the values do not fit the parameters of the statement", { cause: thrown });
  }
}

function hasNames([first]: Bindings): boolean {
  return typeof first === "object" && first !== null && !Buffer.isBuffer(first) && Object.keys(first).length > 0;
}

/** The driver takes any names for a statement without parameters, and none for one that has some. */
function hasParameters(explain: AnyStatement): boolean {
  try {
    explain.all();
    return false;
  } catch {
    return true;
  }
}

/** The driver calls ATTACH, BEGIN and VACUUM read-only too; those are refused by what they do. */
function admitUse(use: "query" | "execute", statement: AnyStatement): void {
  if (use === "query" && !(statement.readonly && statement.reader)) {
    throw rejected("query takes statements that only read and give rows");
  }
  if (use === "execute" && statement.readonly) throw rejected("execute takes statements that change something");
}
