/** Expressions in schemas of plugins: they say what they say, and no text holds them up, wherever in a schema they stand. */
import { describe, expect, it } from "vitest";
import { PatternedSchemas } from "../../../adapters/plugins/process/schema-patterns.ts";
import type { Json, JsonObject } from "../../../compiler/json.ts";

/** The engine's own expression would take longer than there is time for this. */
const SLOW = "^(a+)+$";
const FITS = "a".repeat(60);
const HOLDS = `${FITS}!`;

const text = (pattern: string): JsonObject => ({ type: "string", pattern });

const PLACES: readonly (readonly [string, JsonObject, (value: string) => Json])[] = [
  ["the value", text(SLOW), (value) => value],
  ["one with a default and a description", { ...text(SLOW), default: "a", description: "x" }, (value) => value],
  ["one that is only read", { ...text(SLOW), readOnly: true }, (value) => value],
  ["one of several types", { type: ["null", "string"], pattern: SLOW }, (value) => value],
  ["one with bounds", { ...text(SLOW), minLength: 1, maxLength: 1000 }, (value) => value],
  ["an alternative", { anyOf: [{ type: "null" }, text(SLOW)] }, (value) => value],
  ["one of which one holds", { oneOf: [{ type: "number" }, text(SLOW)] }, (value) => value],
  ["one of which all hold", { allOf: [{ type: "string" }, text(SLOW)] }, (value) => value],
  ["one next to alternatives", { ...text(SLOW), anyOf: [{ type: "string" }] }, (value) => value],
  ["what is referred to", { $defs: { a: text(SLOW) }, $ref: "#/$defs/a" }, (value) => value],
  ["a list", { type: "array", items: text(SLOW) }, (value) => [value]],
  ["a place of a list", { type: "array", prefixItems: [{}, text(SLOW)] }, (value) => [0, value]],
  ["something in a list", { type: "array", contains: text(SLOW) }, (value) => [0, value]],
  ["a member", { type: "object", properties: { m: text(SLOW) } }, (value) => ({ m: value })],
  ["any member", { type: "object", additionalProperties: text(SLOW) }, (value) => ({ m: value })],
  ["names", { type: "object", propertyNames: { pattern: SLOW } }, (value) => ({ [value]: 1 })],
  [
    "members by pattern",
    { type: "object", patternProperties: { "^m": text(SLOW) } },
    (value) => ({ m: value, other: HOLDS }),
  ],
  [
    "names of members",
    { type: "object", patternProperties: { [SLOW]: { type: "number" } }, additionalProperties: false },
    (value) => ({ [value]: 1 }),
  ],
  [
    "names of members next to others",
    {
      type: "object",
      properties: { known: {}, more: {} },
      patternProperties: { [SLOW]: {} },
      additionalProperties: false,
    },
    (value) => ({ known: 1, [value]: 1 }),
  ],
  [
    "names under two rules",
    {
      type: "object",
      propertyNames: { minLength: 2 },
      patternProperties: { [SLOW]: {} },
      additionalProperties: false,
    },
    (value) => ({ [value]: 1 }),
  ],
  [
    "a tree of itself",
    { type: "object", properties: { t: text(SLOW), below: { $ref: "#" } } },
    (value) => ({ below: { below: { t: value } } }),
  ],
];

describe("a pattern of", () => {
  it.each(PLACES)("%s", (_, schema, value) => {
    const made = new PatternedSchemas().made(schema);
    expect(made.safeParse(value(FITS)).success).toBe(true);
    expect(made.safeParse(value(HOLDS)).success).toBe(false);
  });
});

it("members that have a name or fit a pattern, and no others", () => {
  const made = new PatternedSchemas().made({
    type: "object",
    properties: { known: { type: "number" } },
    patternProperties: { "^x-": { type: "string" } },
    additionalProperties: false,
  });
  expect(made.safeParse({ known: 1, "x-a": "b" }).success).toBe(true);
  expect(made.safeParse({}).success).toBe(true);
  for (const wrong of [{ known: "1" }, { "x-a": 1 }, { other: 1 }]) expect(made.safeParse(wrong).success).toBe(false);
});

it.each<readonly [string, JsonObject, JsonObject, JsonObject]>([
  ["no name at all", { patternProperties: {} }, {}, { a: 1 }],
  ["a forbidden name", { patternProperties: { a: {} }, propertyNames: false }, {}, { a: 1 }],
  ["any name", { patternProperties: { a: {} }, propertyNames: true }, { a: 1 }, { b: 1 }],
])("closed objects with %s", (_, members, right, wrong) => {
  const made = new PatternedSchemas().made({ type: "object", additionalProperties: false, ...members });
  expect(made.safeParse(right).success).toBe(true);
  expect(made.safeParse(wrong).success).toBe(false);
});

it("what else a schema says of itself stays with it", () => {
  const made = new PatternedSchemas().made({ ...text("^a$"), title: "T", description: "D" });
  expect(made.meta()).toEqual({ title: "T", description: "D" });
});

it("patterns that cannot be had, one by one or together, are refused", () => {
  const schemas = new PatternedSchemas();
  expect(() => schemas.made(text("(a)\\1"))).toThrow("it refers back to what a group has matched");
  expect(() => schemas.made(text("a{5001}"))).toThrow("it stands for more than 5000 steps");
  const many = { type: "array", prefixItems: Array.from({ length: 30 }, () => text("a{2000}")) };
  expect(() => schemas.made(many)).toThrow("all patterns stand for more than 100000 steps");
});
