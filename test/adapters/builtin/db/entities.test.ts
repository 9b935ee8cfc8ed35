/** The verbs, asked the same of every place that entities can be kept in. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../compiler/json.ts";
import type { AdapterBench } from "../../../support/adapter-bench.ts";
import { startPostgres } from "../../../support/postgres.ts";
import { verifies } from "../../../support/requirements.ts";
import { backends, type World } from "./backends.ts";
import { nested, REFUSED } from "./refused.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

const PEOPLE: readonly JsonObject[] = [
  { id: 1, name: "Ann", age: 31, score: 1.5, active: true },
  { id: 2, name: "bob", age: 17, score: -2, active: false },
  { id: 3, name: "Émile", age: 64, active: true },
  { id: 4, name: "a%b_c", score: 0 },
  { id: 5, name: "😀", age: 31, active: null },
];

/** Rows of a table with a title that is short enough to read. */
function titled<T extends readonly unknown[]>(rows: readonly T[]): readonly { title: string; row: T }[] {
  return rows.map((row) => ({ title: JSON.stringify(row).slice(0, 80), row }));
}

describe.each(backends(server))("$name", (backend) => {
  let world: World;
  let bench: AdapterBench;
  beforeAll(async () => {
    world = await backend.open();
    bench = await world.run();
  });
  afterAll(async () => {
    await bench.end();
    await world.end();
  });

  const ids = async (...args: readonly unknown[]) =>
    ((await bench.call("F", "User", ...args)) as readonly { readonly id: number }[]).map((one) => one.id);
  async function people(): Promise<void> {
    for (const person of PEOPLE) await bench.call("C", "User", person);
  }

  it("objects that are larger than an answer can be are not read to their end", async () => {
    await world.reset();
    for (let id = 1; id <= 12; id++) await bench.call("C", "User", { id, meta: ["x".repeat(900_000)] });
    for (const options of [{}, { order_by: ["-id"] }, { fields: ["meta"] }]) {
      const refused = bench.call("F", "User", "*", options);
      await expect(refused).rejects.toMatchObject({
        code: "ADAPTER_TOO_LARGE",
        retryable: false,
        message: "the objects are larger than one call may read",
      });
    }
    expect(await ids("*", { fields: ["id"] })).toHaveLength(12);
    expect(await bench.call("G", "User", 12)).toMatchObject({ id: 12 });
  });

  describe("with five people", () => {
    beforeAll(async () => {
      await world.reset();
      await people();
    });

    it.each(
      titled<[filter: unknown, found: readonly number[]]>([
        ["*", [1, 2, 3, 4, 5]],
        [null, [1, 2, 3, 4, 5]],
        [{}, [1, 2, 3, 4, 5]],
        [{ age: 31 }, [1, 5]],
        [{ age: "31" }, [1, 5]],
        [{ age: { eq: 31 }, active: true }, [1]],
        [{ age: { ne: 31 } }, [2, 3, 4]],
        [{ age: null }, [4]],
        [{ age: { eq: null } }, [4]],
        [{ age: { ne: null } }, [1, 2, 3, 5]],
        [{ age: { null: true } }, [4]],
        [{ age: { null: false } }, [1, 2, 3, 5]],
        [{ age: { gt: 17, lt: 64 } }, [1, 5]],
        [{ age: { gte: 17, lte: 31 } }, [1, 2, 5]],
        [{ not: { age: { gt: 17 } } }, [2, 4]],
        [{ not: { not: { age: { gt: 17 } } } }, [1, 3, 5]],
        [{ age: { in: [17, 64, 99] } }, [2, 3]],
        [{ age: { in: [17, null] } }, [2, 4]],
        [{ age: { in: [] } }, []],
        [{ not: { age: { in: [17] } } }, [1, 3, 4, 5]],
        [{ or: [{ age: 17 }, { name: "Ann" }] }, [1, 2]],
        [{ or: [] }, []],
        [{ or: [{}] }, [1, 2, 3, 4, 5]],
        [{ or: [{ age: { gt: 60 } }, { not: { active: { null: false } } }], id: { lt: 5 } }, [3, 4]],
        [{ name: { prefix: "a" } }, [4]],
        [{ name: { prefix: "a%" } }, [4]],
        [{ name: { prefix: "É" } }, [3]],
        [{ name: { prefix: "😀" } }, [5]],
        [{ name: { prefix: "" } }, [1, 2, 3, 4, 5]],
        [{ name: { gt: "b" } }, [2, 3, 5]],
        [{ name: { lt: "a" } }, [1]],
        [{ score: { lt: 0.5 } }, [2, 4]],
        [{ active: false }, [2]],
        [{ name: "x' OR '1'='1" }, []],
        [{ id: { in: Array.from({ length: 1000 }, (_, i) => i) } }, [1, 2, 3, 4, 5]],
      ]),
    )("finds by $title", async ({ row: [filter, found] }) => {
      expect(await ids(filter)).toEqual(found);
    });

    it.each(
      titled<[options: unknown, found: readonly number[]]>([
        [{ order_by: ["name"] }, [1, 4, 2, 3, 5]],
        [{ order_by: ["-name"] }, [5, 3, 2, 4, 1]],
        [{ order_by: ["age"] }, [4, 2, 1, 5, 3]],
        [{ order_by: ["-age", "-id"] }, [3, 5, 1, 2, 4]],
        [{ order_by: ["active", "-score"] }, [4, 5, 2, 1, 3]],
        [{ limit: 2 }, [1, 2]],
        [{ limit: 2, offset: 3 }, [4, 5]],
        [{ offset: 9 }, []],
        [{ order_by: ["-id"], limit: 1, offset: 1 }, [4]],
      ]),
    )("orders and cuts by $title", async ({ row: [options, found] }) => {
      expect(await ids("*", options)).toEqual(found);
    });

    it("hands out the fields asked for", async () => {
      expect(await bench.call("F", "User", { id: 4 }, { fields: ["name", "age", "name"] })).toEqual([
        { name: "a%b_c", age: null },
      ]);
    });

    it.each(titled(REFUSED))("refuses $title", async ({ row: [verb, ...args] }) => {
      expect(await bench.code(verb, ...args)).toBe("ADAPTER_BAD_ARGS");
      expect(await bench.call("F", "User")).toHaveLength(PEOPLE.length);
    });

    it("says where an argument is wrong, and never what it was", async () => {
      const failure = await bench.call("F", "User", { age: { gt: "canary" } }).catch((error: unknown) => error);
      expect(failure).toMatchObject({ data: { issues: [{ path: "/1/age/gt", expected: "integer", got: "string" }] } });
      expect(String(failure)).not.toContain("canary");
    });

    it("takes filters at the bounds of nesting and members", async () => {
      expect(await ids(nested(8))).toEqual([1, 2, 3, 4, 5]);
      expect(await ids({ or: Array.from({ length: 99 }, () => ({ age: 1 })) })).toEqual([]);
      const long = { age: { in: Array.from({ length: 1000 }, (_, i) => i + 1000) } };
      expect(await ids({ or: Array.from({ length: 10 }, () => long) })).toEqual([]);
    });
  });

  describe("from an empty start", () => {
    beforeEach(() => world.reset());

    it("creates, finds, gets, changes and deletes", async () => {
      verifies("adapter.db.io");
      expect(await bench.call("F", "User")).toEqual([]);
      expect(await bench.call("C", "User", { name: "bob", age: 3 })).toMatchObject({ id: 1, name: "bob", age: 3 });
      expect(await bench.call("P", "User", { name: "al", id: null })).toMatchObject({ id: 2, name: "al", age: null });
      expect(await bench.call("G", "User", 2)).toMatchObject({ id: 2, name: "al" });
      expect(await bench.call("G", "User", "2")).toMatchObject({ id: 2, name: "al" });
      expect(await bench.call("G", "User", 9)).toBeNull();
      expect(await bench.call("U", "User", { name: "al" }, { age: 9 })).toBe(1);
      expect(await bench.call("U", "User", { id: 1, age: 4 })).toBe(1);
      expect(await bench.call("U", "User", { id: 9, age: 4 })).toBe(0);
      expect(await ids({ age: { gte: 4 } })).toEqual([1, 2]);
      expect(await bench.call("D", "User", 1)).toBe(true);
      expect(await bench.call("D", "User", 1)).toBe(false);
      expect(await bench.call("D", "User", { age: 9 })).toBe(1);
      expect(await bench.call("F", "User", "*")).toEqual([]);
    });

    it("assigns new ids, continuing after the greatest", async () => {
      if (!backend.tables) {
        await bench.call("C", "User", { id: 77, name: "al" });
        expect(await bench.call("C", "User", { name: "bo" })).toMatchObject({ id: 78 });
      }
      await bench.call("C", "User", { name: "cy" });
      const { id } = (await bench.call("C", "User", { name: "di" })) as { id: number };
      await bench.call("D", "User", id);
      expect(await bench.call("C", "User", { name: "ed" })).toMatchObject({ id: id + 1 });
    });

    it("keeps what is stored for the next run", async () => {
      await bench.call("C", "User", { name: "bob" });
      const later = await world.run();
      expect(await later.call("G", "User", 1)).toMatchObject({ name: "bob" });
      await later.end();
    });

    it("finds 50 objects where the entity's default says so, and no more than its bound", async () => {
      for (let i = 1; i <= 51; i++) await bench.call("C", "User", { name: `n${i}` });
      expect(await ids()).toHaveLength(50);
      expect(await ids(null, { limit: 200 })).toHaveLength(51);
      expect(await bench.code("F", "User", null, { limit: 201 })).toBe("ADAPTER_BAD_ARGS");
    });

    it("changes and deletes everything when that is said", async () => {
      await people();
      expect(await bench.call("U", "User", "*", { age: 1 }, { allow_all: true })).toBe(5);
      expect(await bench.call("D", "User", null, { allow_all: true })).toBe(5);
    });

    it("counts what matched and what became another", async () => {
      await people();
      const change = ["User", { id: { lte: 3 } }, { age: 31, meta: { a: [1, null] } }, { detail: true }];
      expect(await bench.call("U", ...change)).toEqual({ matched: 3, changed: 3 });
      expect(await bench.call("U", ...change)).toEqual({ matched: 3, changed: 0 });
      expect(await bench.call("U", "User", { id: { lte: 4 } }, { age: 31 }, { detail: true })).toEqual({
        matched: 4,
        changed: 1,
      });
    });

    it("changes nothing when the count is another than expected", async () => {
      await people();
      const wrong = { code: "ADAPTER_CONFLICT", retryable: false, data: { expected: 1, count: 2 } };
      await expect(bench.call("U", "User", { age: 31 }, { score: 9 }, { expected_count: 1 })).rejects.toMatchObject(
        wrong,
      );
      await expect(bench.call("D", "User", { age: 31 }, { expected_count: 1 })).rejects.toMatchObject(wrong);
      expect(await bench.code("D", "User", 9, { expected_count: 1 })).toBe("ADAPTER_CONFLICT");
      expect(await ids({ score: 9 })).toEqual([]);
      expect(await bench.call("U", "User", { age: 31 }, { score: 9 }, { expected_count: 2 })).toBe(2);
      expect(await bench.call("D", "User", { age: 31 }, { expected_count: 2 })).toBe(2);
    });

    it("hands values out in the one form of their type", async () => {
      const given = {
        id: 7,
        name: "nul-free \u0001 “text” ' \" \\ %",
        age: "9007199254740993",
        score: 0.1,
        active: false,
        meta: { "a.b": [1, "x", null, { deep: true }], "": 1 },
        seen: "2024-02-29T23:30:00.25+02:30",
        photo: { $base64: "AP/+" },
      };
      const stored = { ...given, seen: "2024-02-29T21:00:00.250Z" };
      expect(await bench.call("C", "User", given)).toEqual(stored);
      expect(await bench.call("G", "User", 7)).toEqual(stored);
      expect(await ids({ seen: "2024-02-29T21:00:00.25Z" })).toEqual([7]);
      expect(await ids({ seen: { gt: "2024-02-29T20:00:00-00:59" } })).toEqual([7]);
      expect(await ids({ photo: { $base64: "AP/+" } })).toEqual([7]);
      expect(await ids({ age: "9007199254740993" })).toEqual([7]);
      expect(await ids({ age: "9007199254740992" })).toEqual([]);
      expect(await ids({ age: { gt: "9007199254740992" } })).toEqual([7]);
    });

    it.each([
      [0, 0],
      [-1.25, -1.25],
      [1e21, 1e21],
      [5e-7, 5e-7],
      [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
      ["12.50", 12.5],
      ["-0.1", -0.1],
    ])("keeps the number %s as it is", async (given, kept) => {
      await bench.call("C", "User", { id: 1, score: given });
      expect(await bench.call("G", "User", 1)).toMatchObject({ score: kept });
    });

    it.each([Number.MIN_SAFE_INTEGER, "9223372036854775807", "-9223372036854775808"])(
      "keeps the integer %s",
      async (n) => {
        // The check of the tables wants ages from 0 up, ids may be any.
        if (backend.tables) {
          await bench.call("C", "Pet", { tag: n, kind: "cat" });
          expect(await bench.call("G", "Pet", n)).toMatchObject({ tag: n });
        } else {
          await bench.call("C", "User", { id: 1, age: n });
          expect(await bench.call("G", "User", 1)).toMatchObject({ age: n });
        }
      },
    );

    it("takes names and values of hostile looks as what they are", async () => {
      const name = `Robert'); DROP TABLE users;-- \${x} $1 ? "`;
      await bench.call("C", "User", { name });
      expect(await ids({ name })).toEqual([1]);
      expect(await ids({ name: { prefix: "Robert')" } })).toEqual([1]);
      expect(await bench.call("U", "User", { name }, { name: "$1" })).toBe(1);
      expect(await bench.call("F", "User", { name: "$1" })).toHaveLength(1);
    });

    it.each<[settings: JsonObject, code: string, verb: string, ...args: unknown[]]>([
      [{ allow_entities: ["Pet"] }, "ADAPTER_TABLE_BLOCKED", "F", "User"],
      [{ allow_entities: [] }, "ADAPTER_TABLE_BLOCKED", "F", "User"],
      [{ allow_entities: ["user"] }, "ADAPTER_TABLE_BLOCKED", "F", "User"],
      [{ allow_entities: ["Nosuch"] }, "ADAPTER_NOT_FOUND", "F", "Nosuch"],
      [{}, "ADAPTER_NOT_FOUND", "F", "users"],
      [{}, "ADAPTER_NOT_FOUND", "F", "constructor"],
      [{}, "ADAPTER_NOT_FOUND", "F", "*"],
      [{ allow_write: false }, "ADAPTER_WRITE_FORBIDDEN", "C", "User", {}],
      [{ allow_write: false }, "ADAPTER_WRITE_FORBIDDEN", "P", "User", {}],
      [{ allow_write: false }, "ADAPTER_WRITE_FORBIDDEN", "U", "User", { id: 1, age: 1 }],
      [{ allow_write: false }, "ADAPTER_WRITE_FORBIDDEN", "D", "User", 1],
      [{}, "ADAPTER_WRITE_FORBIDDEN", "D", "Log", 1],
      [{}, "ADAPTER_NOT_ALLOWED", "G", "Log", 1],
    ])("under %j answers %s to %s %s", async (settings, code, ...call) => {
      const limited = await world.run(settings);
      await expect(limited.call(...call)).rejects.toMatchObject({ code, retryable: false });
      await limited.end();
    });

    it("creates once for one key", async () => {
      const create = (object: JsonObject, key = "k1") => bench.call("C", "User", object, { idempotency_key: key });
      const first = await create({ name: "bob", age: 1 });
      expect(await create({ age: 1, name: "bob" })).toEqual(first);
      expect(await bench.call("F", "User")).toHaveLength(1);
      await expect(create({ name: "al", age: 1 })).rejects.toMatchObject({
        code: "ADAPTER_CONFLICT",
        retryable: false,
      });
      expect(await create({ name: "al" }, "k2")).toMatchObject({ name: "al" });
    });

    it("forgets the key of a creation that was refused", async () => {
      await bench.call("C", "User", { id: 1, name: "bob" });
      const again = () => bench.call("C", "User", { id: 1, name: "al" }, { idempotency_key: "k" });
      await expect(again()).rejects.toMatchObject({ code: "ADAPTER_SQL_CONSTRAINT", data: { kind: "unique" } });
      await bench.call("D", "User", 1);
      expect(await again()).toMatchObject({ id: 1, name: "al" });
    });

    it.runIf(backend.tables)("tells which kind of constraint a value violates", async () => {
      await bench.call("C", "User", { id: 1, name: "bob" });
      for (const [kind, said, ...call] of [
        ["unique", /users[._](name|id|pkey)/, "C", "User", { name: "bob" }],
        ["check", /check constraint/i, "C", "User", { age: -1 }],
        ["not_null", /kind/, "C", "Pet", { tag: 1 }],
        ["foreign_key", /foreign key constraint/i, "C", "Pet", { tag: 1, kind: "cat", owner: 9 }],
      ] as const) {
        const failure = await bench.call(call[0], ...call.slice(1)).catch((error: unknown) => error);
        expect(failure).toMatchObject({ code: "ADAPTER_SQL_CONSTRAINT", retryable: false, data: { kind } });
        expect(String(failure)).toMatch(said);
        expect(String(failure)).not.toMatch(/bob|\bcat\b|-1|9/);
      }
    });

    it.runIf(backend.tables)("tells when the database has no such table or column", async () => {
      for (const section of [
        { table: "nosuch", columns: { id: "integer" } },
        { table: "users", columns: { id: "integer", nosuch: "text" } },
      ]) {
        const other = await world.run({ entities: { User: section } });
        const failure = await other.call("F", "User").catch((error: unknown) => error);
        expect(failure).toMatchObject({ code: "ADAPTER_SQL_ERROR", retryable: false });
        expect(String(failure)).toMatch(/no such (table|column): (\w+\.)?nosuch$|"?nosuch"? does not exist$/);
        expect(String(failure)).not.toMatch(/SELECT/i);
        await other.end();
      }
    });

    it.runIf(backend.tables)("tells when a value is not of the declared type", async () => {
      await bench.call("C", "User", { name: "text" });
      const columns = { id: "integer", name: "timestamp" };
      const other = await world.run({ entities: { User: { table: "users", columns } } });
      await expect(other.call("F", "User")).rejects.toMatchObject({
        code: "ADAPTER_BAD_DATA",
        data: { column: "name", type: "timestamp" },
      });
      await other.end();
    });
  });
});
