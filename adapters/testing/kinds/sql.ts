/**
 * Adapters that carry out SQL: parameters are values and never text of a statement, reading changes nothing, and a statement is carried
 * out whole or not at all. Statements are in the common part of dialects, with `?` for parameters.
 */
import type { Json } from "../../../compiler/json.ts";
import { same } from "../suite.ts";
import { defineKind, isForbidden, listOf, shown, type World } from "./kind.ts";

const TABLE = "weft_conformance";
const CREATE = `CREATE TABLE ${TABLE} (id INTEGER NOT NULL UNIQUE, text_value TEXT, real_value DOUBLE PRECISION)`;
const INSERT = `INSERT INTO ${TABLE} (id, text_value) VALUES (?, ?)`;

const TEXTS = ["", "it's", '"q"', "?", ":x $1", `'); DROP TABLE ${TABLE}; --`, "a\nb\\n", "\u00e4\u{1f600}", "1"];
const INTEGERS = [0, -1, 2_147_483_647];
const REALS = [1.5, -0.25, 1e100];

/** What must not pass for reading. */
const CHANGES = [
  `INSERT INTO ${TABLE} (id) VALUES (9)`,
  `UPDATE ${TABLE} SET text_value = 'changed'`,
  `DELETE FROM ${TABLE}`,
  `DROP TABLE ${TABLE}`,
  `SELECT 1; DELETE FROM ${TABLE}`,
  `/* SELECT */ DELETE FROM ${TABLE}`,
];

export const sql = defineKind({
  roles: {
    /** Reads: a list of rows, each an object by name of column. */
    query: { inputs: ["sql", "params"], needed: true },
    execute: { inputs: ["sql", "params"], needed: true },
    /** `execute` under settings that forbid writing. */
    execute_forbidden: { inputs: ["sql", "params"] },
    /** `query` under settings that allow at most two rows. */
    query_two: { inputs: ["sql", "params"] },
  },
  checks: [
    {
      title: "parameters are values, whatever they contain",
      roles: ["query", "execute"],
      async *check(world) {
        await world.give("execute", { sql: CREATE, params: [] });
        for (const [id, text] of TEXTS.entries()) {
          await world.give("execute", { sql: INSERT, params: [id, text] });
          const found = await world.call("query", {
            sql: `SELECT id FROM ${TABLE} WHERE text_value = ?`,
            params: [text],
          });
          if (!found.ok || !same(found.value, [{ id }])) yield `${JSON.stringify(text)} is found as ${shown(found)}`;
        }
        const all = await world.call("query", { sql: `SELECT text_value FROM ${TABLE} ORDER BY id`, params: [] });
        if (
          !all.ok ||
          !same(
            all.value,
            TEXTS.map((text_value) => ({ text_value })),
          )
        )
          yield `the texts became ${shown(all)}`;
      },
    },
    {
      title: "integers, numbers and NULL come back as they were",
      roles: ["query", "execute"],
      async *check(world) {
        await world.give("execute", { sql: CREATE, params: [] });
        const insert = `INSERT INTO ${TABLE} (id, real_value) VALUES (?, ?)`;
        for (const [index, id] of INTEGERS.entries())
          await world.give("execute", { sql: insert, params: [id, REALS[index] ?? null] });
        const stored = INTEGERS.map((id, index) => ({ id, text_value: null, real_value: REALS[index] as Json }));
        const all = await world.call("query", {
          sql: `SELECT id, text_value, real_value FROM ${TABLE} ORDER BY real_value`,
          params: [],
        });
        const sorted = stored.sort((one, other) => Number(one.real_value) - Number(other.real_value));
        if (!all.ok || !same(all.value, sorted)) yield `${JSON.stringify(sorted)} came back as ${shown(all)}`;
      },
    },
    {
      title: "reading changes nothing",
      roles: ["query", "execute"],
      async *check(world) {
        await filled(world, 1);
        for (const change of CHANGES) {
          const answer = await world.call("query", { sql: change, params: [] });
          if (answer.ok) yield `${change} passes for reading`;
          if ((await count(world)) !== 1) yield `${change} changed the table`;
        }
      },
    },
    {
      title: "nothing is written where writing is forbidden",
      roles: ["query", "execute", "execute_forbidden"],
      async *check(world) {
        await filled(world, 1);
        const answer = await world.call("execute_forbidden", { sql: INSERT, params: [7, "seven"] });
        if (!isForbidden(answer)) yield `gave ${shown(answer)}`;
        if ((await count(world)) !== 1) yield "the row was written";
      },
    },
    {
      title: "a statement that fails leaves nothing",
      roles: ["query", "execute"],
      async *check(world) {
        await filled(world, 1);
        const several = `INSERT INTO ${TABLE} (id, text_value) VALUES (5, 'five'), (0, 'there already')`;
        const answer = await world.call("execute", { sql: several, params: [] });
        if (answer.ok) yield "a second row of the same unique value was taken";
        if ((await count(world)) !== 1) yield "a part of the statement was carried out";
      },
    },
    {
      title: "more rows than are allowed are an error, never cut off",
      roles: ["execute", "query_two"],
      async *check(world) {
        await filled(world, 3);
        const all = await world.call("query_two", { sql: `SELECT id FROM ${TABLE}`, params: [] });
        if (all.ok || all.code !== "ADAPTER_TOO_LARGE") yield `three rows gave ${shown(all)}`;
        const two = await world.call("query_two", { sql: `SELECT id FROM ${TABLE} WHERE id < ?`, params: [2] });
        if (!two.ok || listOf(two.value).length !== 2) yield `two rows gave ${shown(two)}`;
      },
    },
  ],
});

/** Creates the table with a number of rows. */
async function filled(world: World<"execute">, rows: number): Promise<void> {
  await world.give("execute", { sql: CREATE, params: [] });
  for (let id = 0; id < rows; id++) await world.give("execute", { sql: INSERT, params: [id, "there"] });
}

/** Rows that are as they were filled; null: the table cannot be read. */
async function count(world: World<"query">): Promise<number | null> {
  const answer = await world.call("query", { sql: `SELECT text_value FROM ${TABLE}`, params: [] });
  if (!answer.ok) return null;
  const rows = listOf(answer.value);
  return rows.every((row) => same(row, { text_value: "there" })) ? rows.length : null;
}
