/** Sentences of databases that messages pass on, by what SQLite really says and by what PostgreSQL's sources have it say. No value is in them. */
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { postgresSentence } from "../../../adapters/engine/postgres/sentences.ts";
import { databaseError } from "../../../adapters/engine/sqlite/errors.ts";

const db = new Database(":memory:");
afterAll(() => {
  db.close();
});
db.exec(`CREATE TABLE t (a INTEGER, b TEXT UNIQUE, c TEXT NOT NULL DEFAULT 'x' CONSTRAINT short CHECK (length(c) < 5), d TEXT CHECK (d <> 'canary'));
  CREATE TABLE s (n INTEGER) STRICT;
  CREATE VIEW v AS SELECT 1 AS one;
  CREATE TRIGGER stop BEFORE DELETE ON t BEGIN SELECT RAISE(ABORT, 'canary'); END;
  INSERT INTO t (a) VALUES (1);`);

/** The message of a statement, which fails. */
function said(sql: string): string {
  try {
    const statement = db.prepare(sql);
    if (statement.reader) statement.all();
    else statement.run();
  } catch (thrown) {
    return databaseError(thrown, sql).message;
  }
  throw new Error(`did not fail: ${sql}`);
}

describe("a statement that SQLite refuses", () => {
  it.each<[sql: string, sentence: string]>([
    ["SELECT * FROM tickets", "no such table: tickets"],
    ["SELECT * FROM main.tickets", "no such table: main.tickets"],
    ["SELECT x FROM t", "no such column: x"],
    ["SELECT t.größe FROM t", "no such column: t.größe"],
    ['SELECT * FROM t WHERE b = "canary"', "no such column - should this be a string literal in single-quotes?"],
    ['SELECT * FROM "canary@example.com"', "no such table"],
    ["SELECT foo(1)", "no such function: foo"],
    ["INSERT INTO t (a, z) VALUES (1, 2)", "table t has no column named z"],
    ["INSERT INTO t VALUES (1)", "table t has 4 columns but 1 values were supplied"],
    ["INSERT INTO t (a, b) VALUES (1)", "1 values for 2 columns"],
    ["CREATE TABLE t (a)", "table t already exists"],
    ["SELECT a FROM t, t AS u", "ambiguous column name: a"],
    ["SELECT abs(1, 2)", "wrong number of arguments to function abs()"],
    ["SELECT a FROM t WHERE sum(a) > 1", "misuse of aggregate function sum()"],
    ["INSERT INTO v VALUES (1)", "cannot modify v because it is a view"],
    [
      "SELECT a FROM t UNION SELECT a, b FROM t",
      "SELECTs to the left and right of UNION do not have the same number of result columns",
    ],
    ["SELECT a FROM t ORDER BY 9", "1st ORDER BY term out of range - should be between 1 and 1"],
    ["SELECT json('{canary')", "malformed JSON"],
    ["SELECT json_extract('{}', 'canary')", "bad JSON path"],
    ["SELECT * FROM t WHERE", "incomplete input"],
    ["SELEC * FROM t", "syntax error at character 1"],
    ["SELECT * FROM t WHERE b = 'O'canary' AND a = 1", "syntax error at character 30"],
    ["SELECT 'é' FROM t)", 'near ")": syntax error at character 18'],
    ["SELECT FROM t", 'near "FROM": syntax error at character 8'],
    ["SELECT * FROM t WHERE b = 'canary", "syntax error at character 27"],
    ["SELECT canary canary canary FROM t", "syntax error"],
  ])("%s", (sql, sentence) => {
    expect(said(sql)).toBe(`the database refused the statement: ${sentence}`);
  });

  it.each<[sql: string, sentence: string | null]>([
    ["INSERT INTO t (b) VALUES ('canary'), ('canary')", "UNIQUE constraint failed: t.b"],
    ["INSERT INTO t (c) VALUES (NULL)", "NOT NULL constraint failed: t.c"],
    ["INSERT INTO t (c) VALUES ('canary')", "CHECK constraint failed: short"],
    ["INSERT INTO t (d) VALUES ('canary')", "CHECK constraint failed"],
    ["INSERT INTO s VALUES ('canary')", "cannot store TEXT value in INTEGER column s.n"],
    ["DELETE FROM t", null],
  ])("%s (a constraint)", (sql, sentence) => {
    const rest = sentence === null ? "" : `: ${sentence}`;
    expect(said(sql)).toBe(`a constraint of the table was violated${rest}`);
  });
});

describe("a statement that PostgreSQL refuses", () => {
  it.each<[message: string, sentence: string | null]>([
    ['relation "tickets" does not exist', 'relation "tickets" does not exist'],
    ['relation "canary smith" does not exist', null],
    ["column t.x does not exist", "column t.x does not exist"],
    ['column "x" of relation "t" does not exist', 'column "x" of relation "t" does not exist'],
    ["operator does not exist: integer = text", "operator does not exist: integer = text"],
    ["function lower(integer) does not exist", "function lower(integer) does not exist"],
    ['invalid input syntax for type integer: "canary"', "invalid input syntax for type integer"],
    ['invalid input syntax for type double precision: "canary: 2"', "invalid input syntax for type double precision"],
    ['value "99999999999" is out of range for type integer', "value is out of range for type integer"],
    ["integer out of range", "integer out of range"],
    ["value too long for type character varying(10)", "value too long for type character varying(10)"],
    ['date/time field value out of range: "canary"', "date/time field value out of range"],
    ['invalid byte sequence for encoding "UTF8": 0x00', "invalid byte sequence"],
    [
      'duplicate key value violates unique constraint "users_email_key"',
      'duplicate key value violates unique constraint "users_email_key"',
    ],
    [
      'null value in column "name" of relation "users" violates not-null constraint',
      'null value in column "name" of relation "users" violates not-null constraint',
    ],
    ['syntax error at or near "canary"', null],
    ["a trigger says canary", null],
  ])("%s", (message, sentence) => {
    expect(postgresSentence(message)).toBe(sentence);
  });
});

it.each([
  [
    "was made for another version of Node.js",
    Object.assign(new Error("NODE_MODULE_VERSION"), { code: "ERR_DLOPEN_FAILED" }),
  ],
  ["is missing", new Error("Could not locate the bindings file. Tried: …")],
])("a driver of SQLite whose binary part %s is named with its fix", (_what, thrown) => {
  expect(databaseError(thrown)).toMatchObject({
    code: "ADAPTER_NOT_CONFIGURED",
    message: expect.stringMatching(/^SQLite cannot be loaded by .*: npm rebuild better-sqlite3$/),
  });
});
