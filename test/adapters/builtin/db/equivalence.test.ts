/** Any filter and order means the same wherever entities are kept. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import type { AdapterBench } from "../../../support/adapter-bench.ts";
import { startPostgres } from "../../../support/postgres.ts";
import { backends, type World } from "./backends.ts";

const server = await startPostgres();
const worlds: World[] = [];
const benches: AdapterBench[] = [];

/** One of every kind of value that sorts or compares in a way of its own. */
const NAMES = [null, "", " ", "A", "a", "a%", "a_", "ab", "B", "É", "é", "ß", "\uffee", "😀", "10", "9"];
const AGES = [null, 0, 1, 9, 10, "9007199254740993"];
const SCORES = [null, -1, -0.5, 0, 0.1, 10, 9, 1e21];
const FLAGS = [null, true, false];
const TIMES = [null, "2024-01-01T00:00:00Z", "2023-12-31T23:30:00-01:00", "1999-12-31T23:59:59.999Z"];
const VALUES: Readonly<Record<string, readonly Json[]>> = {
  name: NAMES,
  age: AGES,
  score: SCORES,
  active: FLAGS,
  seen: TIMES,
};

beforeAll(async () => {
  for (const backend of backends(server)) worlds.push(await backend.open());
  for (const world of worlds) {
    const bench = await world.run();
    benches.push(bench);
    for (const [i, name] of NAMES.entries()) {
      const row: { [name: string]: Json } = { id: i + 1 };
      for (const [column, values] of Object.entries(VALUES)) row[column] = values[(i * 7) % values.length] ?? null;
      await bench.call("C", "User", { ...row, name });
    }
  }
});
afterAll(async () => {
  for (const bench of benches) await bench.end();
  for (const world of worlds) await world.end();
  await server?.stop();
});

const leaf = fc.constantFrom(...Object.keys(VALUES)).chain((column) => {
  const value = fc.constantFrom(...(VALUES[column] ?? []));
  const given = value.filter((one) => one !== null);
  const operators: fc.Arbitrary<JsonObject>[] = [
    value.map((one) => ({ eq: one })),
    value.map((one) => ({ ne: one })),
    fc.tuple(fc.constantFrom("gt", "gte", "lt", "lte"), given).map(([operator, one]) => ({ [operator]: one })),
    fc.array(value, { maxLength: 3 }).map((some) => ({ in: some })),
    fc.boolean().map((is) => ({ null: is })),
  ];
  if (column === "name") operators.push(given.map((one) => ({ prefix: one })));
  return fc.oneof(...operators).map((operator): JsonObject => ({ [column]: operator }));
});
const { filter } = fc.letrec<{ filter: JsonObject }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie("filter"), { maxLength: 3 }).map((of): JsonObject => ({ or: of })),
    tie("filter").map((one): JsonObject => ({ not: one })),
    fc.tuple(tie("filter"), leaf).map(([one, other]): JsonObject => ({ ...one, ...other })),
  ),
}));
const order = fc.array(
  fc.tuple(fc.constantFrom("", "-"), fc.constantFrom(...Object.keys(VALUES))).map((parts) => parts.join("")),
  { maxLength: 3 },
);

it("finds the same objects in the same order", async () => {
  await fc.assert(
    fc.asyncProperty(filter, order, async (where, by) => {
      const answers = await Promise.all(
        benches.map((bench) => bench.call("F", "User", where, { order_by: by, fields: ["id", "seen"] })),
      );
      for (const answer of answers) expect(answer).toEqual(answers[0]);
    }),
    { numRuns: 150 },
  );
});
