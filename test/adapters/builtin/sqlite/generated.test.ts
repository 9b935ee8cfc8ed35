/**
 * Generated statements: a table that is not allowed is found however deep and however written it stands, and statements that stay with
 * allowed tables are let in. Judged on a database in this process, because nothing is carried out.
 */
import Database from "better-sqlite3";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { admitted } from "../../../../adapters/guard/sql/admit.ts";
import { AdapterError } from "../../../../vm/errors/failures.ts";
import { SEED } from "./database.ts";

const RULES = { allow_tables: ["items"], allow_ddl: true, allow_virtual: false, trust_triggers: false };

let db: Database.Database;
beforeAll(() => {
  db = new Database(":memory:");
  db.exec(SEED);
});
afterAll(() => {
  db.close();
});

function verdict(sql: string, use: "query" | "execute"): string | null {
  try {
    admitted(db, sql, [], use, RULES);
    return null;
  } catch (thrown) {
    if (thrown instanceof AdapterError) return thrown.code;
    throw thrown;
  }
}

const blank = fc.constantFrom(" ", "\n", "\t", "  ", " /* FROM items */ ", " -- items\n", "/**/ ");

/** A table's name as SQL lets it be written. */
function written(name: string): fc.Arbitrary<string> {
  const letters = fc.array(fc.boolean(), { minLength: name.length, maxLength: name.length });
  const spelled = letters.map((upper) =>
    [...name].map((letter, place) => (upper[place] ? letter.toUpperCase() : letter)).join(""),
  );
  const quoted = fc.constantFrom<[string, string]>(["", ""], ['"', '"'], ["[", "]"], ["`", "`"], ["'", "'"]);
  return fc
    .tuple(fc.constantFrom("", "main.", '"main" . '), quoted, spelled)
    .map(([schema, [open, close], text]) => `${schema}${open}${text}${close}`);
}

/** A SELECT of one column from the table or view `name`, somewhere inside and always used: SQLite leaves out what is not. */
function selecting(name: string, column: string): fc.Arbitrary<string> {
  const plain = fc
    .tuple(written(name), blank, blank)
    .map(([table, before, after]) => `SELECT${before}${column} AS a FROM${after}${table}`);
  const wrappers: readonly ((inner: string, space: string) => string)[] = [
    (inner, space) => `SELECT a FROM (${space}${inner})`,
    (inner, space) => `WITH w AS${space}(${inner}) SELECT a FROM w`,
    (inner, space) => `WITH RECURSIVE w(a) AS (SELECT a FROM (${inner}) UNION SELECT a FROM w)${space}SELECT a FROM w`,
    (inner, space) => `SELECT (${inner}${space}LIMIT 1) AS a`,
    (inner) => `SELECT n AS a FROM items WHERE n IN (${inner})`,
    (inner, space) => `SELECT n AS a FROM items UNION ALL${space}SELECT a FROM (${inner})`,
    (inner) => `SELECT x.a AS a FROM items i LEFT JOIN (${inner}) x ON x.a = i.n`,
    (inner) => `SELECT max(a) OVER () AS a FROM (${inner})`,
    (inner) => `SELECT CASE WHEN 1 THEN (${inner}) END AS a`,
    (inner) => `SELECT a FROM (${inner}) GROUP BY a HAVING count(*) > 0`,
  ];
  const layers = fc.array(fc.tuple(fc.constantFrom(...wrappers), blank), { maxLength: 5 });
  return fc
    .tuple(plain, layers)
    .map(([inner, around]) => around.reduce((text, [wrap, space]) => wrap(text, space), inner));
}

describe("generated statements", () => {
  const forbidden = fc.oneof(selecting("secret", "v"), selecting("leak", "v"), selecting("sqlite_schema", "name"));
  const allowed = fc.oneof(selecting("items", "n"), selecting("shown", "n"));

  it("that read a table outside the list are blocked", () => {
    fc.assert(
      fc.property(forbidden, (sql) => {
        expect(verdict(sql, "query")).toBe("ADAPTER_TABLE_BLOCKED");
      }),
    );
  });

  it("that keep to the list are let in", () => {
    fc.assert(
      fc.property(allowed, (sql) => {
        expect(verdict(sql, "query")).toBe(null);
      }),
    );
  });

  it("that write from a table outside the list are blocked, and others let in", () => {
    const target = fc.constantFrom(
      (sql: string) => `INSERT INTO items (n) SELECT a FROM (${sql})`,
      (sql: string) => `UPDATE items SET n = (SELECT a FROM (${sql}))`,
      (sql: string) => `DELETE FROM items WHERE n = (SELECT a FROM (${sql}))`,
      (sql: string) => `INSERT INTO items (n) VALUES ('a') RETURNING (SELECT a FROM (${sql}))`,
    );
    fc.assert(
      fc.property(target, forbidden, allowed, (write, bad, good) => {
        expect(verdict(write(bad), "execute")).toBe("ADAPTER_TABLE_BLOCKED");
        expect(verdict(write(good), "execute")).toBe(null);
      }),
    );
  });

  it("that are not SQL at all fail as such", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 200 }),
        fc.constantFrom<"query" | "execute">("query", "execute"),
        (text, use) => {
          try {
            verdict(text, use);
          } catch (thrown) {
            expect(thrown).toBeInstanceOf(Database.SqliteError);
          }
        },
      ),
    );
  });
});
