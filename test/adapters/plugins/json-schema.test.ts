/** Which schemas of plugins are made into schemas of ours. */
import { expect, it } from "vitest";
import { schemaFault } from "../../../adapters/content/json-schema.ts";
import type { JsonObject } from "../../../compiler/json.ts";

const LOOP = "it refers to itself without end";
const TWICE = "it refers to itself in two places for the same part of a value";
const MANY = "it stands for more than 10000 schemas";

/** Definitions of which each holds the next one twice. */
function doubling(levels: number, twice: (next: JsonObject) => JsonObject): JsonObject {
  const names = Array.from({ length: levels }, (_, level) => `d${level}`);
  const next = (level: number): JsonObject => ({ $ref: `#/$defs/d${level + 1}` });
  return {
    $defs: Object.fromEntries(
      names.map((name, level) => [name, level === levels - 1 ? { type: "string" } : twice(next(level))]),
    ),
    $ref: "#/$defs/d0",
  };
}

function nested(levels: number): JsonObject {
  let schema: JsonObject = {};
  for (let level = 1; level < levels; level++) schema = { type: "array", items: schema };
  return schema;
}

it.each<readonly [string, JsonObject, string | null]>([
  ["nothing", {}, null],
  ["a tree of itself", { type: "array", items: { $ref: "#" } }, null],
  [
    "a list of itself by name",
    {
      $defs: { "a/b": { anyOf: [{ type: "null" }, { properties: { next: { $ref: "#/$defs/a~1b" } } }] } },
      $ref: "#/$defs/a~1b",
    },
    null,
  ],
  [
    "any value",
    {
      anyOf: [
        { type: ["null", "number", "string"] },
        { type: "array", items: { $ref: "#" } },
        { type: "object", additionalProperties: { $ref: "#" } },
      ],
    },
    null,
  ],
  [
    "a tree of two branches",
    { properties: { left: { $ref: "#" }, right: { $ref: "#" } }, additionalProperties: { $ref: "#" } },
    null,
  ],
  ["a tree of places", { prefixItems: [{ $ref: "#" }, { $ref: "#" }], items: { $ref: "#" } }, null],
  ["lists of itself, twice", { anyOf: [{ items: { $ref: "#" } }, { items: { $ref: "#" } }] }, TWICE],
  [
    "lists of lists of itself, and lists",
    { items: { $ref: "#" }, anyOf: [{ items: { items: { $ref: "#" } } }] },
    TWICE,
  ],
  ["lists of itself, and lists of lists", { items: { items: { $ref: "#" } }, contains: { $ref: "#" } }, TWICE],
  [
    "alternatives with a member of the same name",
    { anyOf: ["a", "b"].map((op) => ({ properties: { op: { const: op }, left: { $ref: "#" } } })) },
    TWICE,
  ],
  ["members of some name", { properties: { a: { $ref: "#" } }, patternProperties: { "^a": { $ref: "#" } } }, TWICE],
  [
    "two that hold both",
    {
      $defs: {
        a: { items: { anyOf: [{ $ref: "#/$defs/b" }, { $ref: "#/$defs/a" }] } },
        b: { items: { $ref: "#/$defs/a" } },
      },
      $ref: "#/$defs/a",
    },
    TWICE,
  ],
  ["what is not there", { $ref: "#/$defs/none" }, null],
  ["a member that is not a schema", { properties: 7, items: "x", anyOf: null, $ref: 1 }, null],
  ["itself", { $ref: "#" }, LOOP],
  ["itself among others", { anyOf: [{ type: "null" }, { allOf: [{ $ref: "#" }] }] }, LOOP],
  [
    "two that are one another",
    { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" },
    LOOP,
  ],
  [
    "the same in an older notation",
    { definitions: { a: { not: { $ref: "#/definitions/a" } } }, properties: { x: { $ref: "#/definitions/a" } } },
    LOOP,
  ],
  ["few alternatives", doubling(8, (next) => ({ anyOf: [next, next] })), null],
  ["too many alternatives", doubling(25, (next) => ({ anyOf: [next, next] })), MANY],
  ["too many members", doubling(25, (next) => ({ properties: { a: next, b: next } })), MANY],
  ["deep ones", nested(512), null],
  ["too deep ones", nested(513), "it is nested deeper than 512 levels"],
])("a schema of %s", (_, schema, fault) => {
  expect(schemaFault(schema)).toBe(fault);
});
