/** SQL with separate values: numbering, nesting, and what prefixes and arrays mean to a real server. */
import { afterAll, describe, expect, test } from "vitest";
import { createPostgresService } from "../../../../adapters/engine/postgres/postgres.ts";
import { SharedDatabase } from "../../../../adapters/store/postgres/database.ts";
import { all, arrayOf, beginsWith, sql, statementOf } from "../../../../adapters/store/postgres/sql.ts";
import { startPostgres } from "../../../support/postgres.ts";
import { callOf } from "./bench.ts";

const server = await startPostgres();
const service = createPostgresService();
afterAll(async () => {
  await service.close();
  await server?.stop();
});

test("values are numbered in the order of the text, those of nested fragments included", () => {
  const inner = sql`b = ${2} AND c = ${null}`;
  expect(statementOf(sql`a = ${"1; DROP"} AND ${inner} OR ${sql`true`} = ${false}`)).toEqual({
    sql: "a = $1 AND b = $2 AND c = $3 OR true = $4",
    parameters: ["1; DROP", "2", null, "false"],
  });
  expect(statementOf(all([sql`x = ${1}`, sql`true`, sql`y = ${2}`]))).toEqual({
    sql: "x = $1 AND true AND y = $2",
    parameters: ["1", "2"],
  });
});

describe.skipIf(server === null)("on a server", () => {
  const names = ["a", "a\ud7ff", "a\ue000", "a\u{10ffff}", "a\u{10ffff}b", "b", "%", "a%", "\u{10ffff}", "ä"];

  test.each(["", "a", "a\ud7ff", "a\u{10ffff}", "\u{10ffff}", "%", "ä", "c", "a\0", "\ud800"])(
    "begins with %j",
    async (prefix) => {
      const url = (await server?.createDatabase()) ?? "";
      const database = new SharedDatabase(async () => service.open({ url, pool: 1 }));
      const column = sql`name COLLATE "C"`;
      const { rows } = await database.query(
        sql`SELECT name FROM unnest(${arrayOf(names)}::text[]) AS name WHERE ${beginsWith(column, prefix)}`,
        callOf(),
      );
      expect(rows.flat().sort()).toEqual(names.filter((name) => name.startsWith(prefix)).sort());
    },
  );

  test("arrays hold any text", async () => {
    const url = (await server?.createDatabase()) ?? "";
    const database = new SharedDatabase(async () => service.open({ url, pool: 1 }));
    const items = ["", "null", 'quo"te', "back\\slash", "{a,b}", " x "];
    const { rows } = await database.query(sql`SELECT to_json(${arrayOf(items)}::text[])`, callOf());
    expect(JSON.parse(rows[0]?.[0] ?? "")).toEqual(items);
    const { rows: none } = await database.query(sql`SELECT cardinality(${arrayOf([])}::text[])`, callOf());
    expect(none).toEqual([["0"]]);
  });
});
