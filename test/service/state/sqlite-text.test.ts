/** Statements of rules, written as PostgreSQL reads them, in SQLite. */
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { preparing } from "../../../service/jobs/sqlite/tables/job-rows.ts";
import { performed, sqliteText } from "../../../service/state/sqlite/perform.ts";
import { any, row, rows, run, type Step, value } from "../../../service/state/step.ts";

function world() {
  const db = new Database(":memory:");
  db.exec("CREATE TABLE things (name TEXT PRIMARY KEY, on_ms INTEGER, is_on INTEGER)");
  const sql = preparing(db);
  return <T>(step: Step<T>): T => performed(sql, step);
}

describe("a rule in SQLite", () => {
  it("loses the schema, types and locks of rows from its statements, and nothing else", () => {
    expect(sqliteText("SELECT a::bigint, 'x' FROM weft.t WHERE b = $1::text[] FOR UPDATE SKIP LOCKED")).toBe(
      "SELECT a, 'x' FROM t WHERE b = $1",
    );
    expect(sqliteText("SELECT 1 FROM weft.t WHERE NOT (id = ANY ($12)) FOR UPDATE")).toBe(
      "SELECT 1 FROM t WHERE NOT (id IN (SELECT value FROM json_each($12)))",
    );
  });

  it("finds values by their place, however often and in whatever order a statement names them", () => {
    const perform = world();
    perform(run("INSERT INTO weft.things (name, on_ms, is_on) VALUES ($2, $1, $3)", 7, "seven", true));
    expect(perform(row("SELECT $1::text AS a, $1::text AS b, name FROM weft.things", "x"))).toEqual({
      a: "x",
      b: "x",
      name: "seven",
    });
    expect(perform(value("SELECT is_on FROM weft.things"))).toBe(1);
  });

  it("takes lists as sets of texts, quotes and commas included", () => {
    const perform = world();
    for (const name of ["a", 'b"', "c,d"]) perform(run("INSERT INTO weft.things (name) VALUES ($1)", name));
    const find = "SELECT name FROM weft.things WHERE name = ANY ($1) ORDER BY name";
    expect(perform(rows(find, ['b"', "c,d", "e"]))).toEqual([{ name: 'b"' }, { name: "c,d" }]);
    expect(perform(rows(find, []))).toEqual([]);
    expect(perform(any("DELETE FROM weft.things WHERE NOT (name = ANY ($1)) RETURNING name", ["a"]))).toBe(true);
    expect(perform(value("SELECT count(*) FROM weft.things"))).toBe(1);
  });

  it("lets a rule read what its statement found", () => {
    const perform = world();
    function* twice(): Step<number> {
      yield* run("INSERT INTO weft.things (name, on_ms) VALUES ('a', 20)");
      const found = yield* value<number>("SELECT on_ms FROM weft.things");
      return (found ?? 0) * 2;
    }
    expect(perform(twice())).toBe(40);
    expect(() => perform(twice())).toThrow("UNIQUE");
  });
});
