/** Schemas that programs, operators and servers wrote: what they admit, and how often a value is read for it. */
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { schemaCheck } from "../../../adapters/content/untrusted-schema.ts";
import type { Json, JsonObject } from "../../../compiler/json.ts";

async function faultsOf(schema: JsonObject, value: unknown): Promise<readonly string[] | undefined> {
  return (await schemaCheck(schema))?.(value as Json);
}

/** Objects of which no two are equal, and how often their members were read. */
function watched(count: number) {
  const seen = { reads: 0 };
  const values = Array.from({ length: count }, (_, at) => ({
    get at() {
      seen.reads += 1;
      return at;
    },
  }));
  return { seen, values };
}

describe("no value is read once for every other value", () => {
  const COUNT = 3000;
  const READS = 4 * COUNT;

  it.each<readonly [string, JsonObject, readonly string[]]>([
    ["uniqueItems", { uniqueItems: true }, []],
    ["enum of objects", { items: { not: { enum: Array.from({ length: COUNT }, (_, at) => ({ at: -1 - at })) } } }, []],
    ["uniqueItems inside each other", { uniqueItems: true, items: { not: { uniqueItems: true, type: "array" } } }, []],
  ])("%s", async (_what, schema, faults) => {
    const { seen, values } = watched(COUNT);
    expect(await faultsOf(schema, values)).toEqual(faults);
    expect(seen.reads).toBeLessThanOrEqual(READS);
  });

  it("in lists that are nested", async () => {
    const { seen, values } = watched(50);
    let nested: unknown = values;
    for (let level = 0; level < 100; level++) nested = [level, nested];
    const schema = { uniqueItems: true, items: { $ref: "#" } };
    expect(await faultsOf(schema, nested)).toEqual([]);
    expect(seen.reads).toBeLessThanOrEqual(4 * 50);
  });
});

it("comparing keywords admit what Ajv's own admit", async () => {
  const part = fc.oneof(
    fc.constantFrom(null, true, false, 0, -0, 1, "1", "", "a", "[", "{"),
    fc.array(fc.constantFrom(0, "0", null, ","), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "b", "1"), fc.constantFrom(0, "0", null), { noNullPrototype: true }),
  );
  const value = fc.oneof(
    part,
    fc.array(part, { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("a", "b"), part, { noNullPrototype: true }),
  );
  const values = fc.array(value, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(values, values, async (choices, given) => {
      for (const schema of [{ uniqueItems: true }, { uniqueItems: false }, { items: { enum: choices } }]) {
        const right = new Ajv2020({ strict: false }).validate(schema, given);
        expect((await faultsOf(schema as JsonObject, given))?.length === 0).toBe(right);
      }
    }),
    { numRuns: 40 },
  );
});

it("a fault names the place, the choices and the pair", async () => {
  expect(await faultsOf({ items: { enum: ["a", { b: 1 }] } }, ["a", "b"])).toEqual([
    '/1 must be equal to one of the allowed values: ["a",{"b":1}]',
  ]);
  expect(await faultsOf({ uniqueItems: true }, [{ a: 1, b: [2] }, 3, { b: [2], a: 1 }])).toEqual([
    "/ must NOT have duplicate items (items 0 and 2 are identical)",
  ]);
});

it.each<readonly [string, JsonObject]>([
  ["$dynamicRef", { $dynamicAnchor: "a", allOf: [{ $dynamicRef: "#a" }] }],
  ["$dynamicRef to the whole", { items: { $dynamicRef: "#" } }],
  ["$recursiveRef", { $recursiveAnchor: true, items: { $recursiveRef: "#" } }],
  ["an anchor", { $defs: { a: { $anchor: "a" } }, items: { $ref: "#a" } }],
  ["$dynamicRef in a definition", { $defs: { a: { not: { $dynamicRef: "#" } } }, items: { $ref: "#/$defs/a" } }],
  ["2,000 names that must be there together", { dependentRequired: named(2000, ["z"]) }],
  ["2,000 properties that are false", { properties: named(2000, false) }],
  ["2,000 alternatives that are false", { anyOf: Array.from({ length: 2000 }, () => false) }],
])("a schema is refused before it is used: %s", async (_what, schema) => {
  expect(await schemaCheck(schema)).toBeNull();
});

it("a list whose elements must differ is compared up to a tenth of the length of others", async () => {
  const numbers = Array.from({ length: 600_000 }, () => 1);
  expect(await faultsOf({ items: { type: "number" } }, numbers)).toEqual([]);
  const differ = { uniqueItems: true, items: { type: "number" } };
  expect(await faultsOf(differ, numbers.slice(0, 60_000))).toEqual([expect.stringMatching(/duplicate/)]);
  expect(await faultsOf({ uniqueItems: true, not: { minItems: 1 } }, [...numbers, ...numbers])).toEqual([
    "/ is too large to be compared",
  ]);
});

function named(count: number, value: Json): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, value]));
}
