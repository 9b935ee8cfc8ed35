import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../compiler/json.ts";
import { adopt } from "../../../vm/memory/copy-in.ts";
import { SIZE, type Sized } from "../../../vm/values/values.ts";
import { hostileValue } from "../functions/calling-functions.ts";

const sizeOf = (copy: Json) => (copy as Sized)[SIZE];
const jsonSize = (value: Json) => Buffer.byteLength(JSON.stringify(value), "utf8");

describe("copies of frame values", () => {
  it.each<[string, readonly unknown[]]>([
    [
      "the same keys",
      [
        { id: 1, é: "a" },
        { id: 22, é: "b" },
      ],
    ],
    [
      "as many other keys",
      [
        { id: 1, é: "a" },
        { id: 1, name: "a" },
      ],
    ],
    [
      "the same keys in another order",
      [
        { aa: 1, b: 2 },
        { b: 2, aa: 1 },
        { aa: 1, b: 2 },
      ],
    ],
    ["fewer keys", [{ a: 1, b: 2 }, { a: 1 }, {}, { a: 1 }]],
    [
      "members without a value",
      [
        { a: 1, b: 2 },
        { a: undefined, b: 2 },
        { a: undefined, b: undefined },
        { a: 1, b: 2 },
      ],
    ],
    [
      "records in records",
      [
        { a: { a: 1, b: { a: 1 } }, b: 2 },
        { a: { a: 1, b: { a: 1 } }, b: 2 },
      ],
    ],
    ["keys of any length", [{ ["k".repeat(5000)]: 1 }, { ["k".repeat(5000)]: 1 }, { k: 1 }]],
    ["the key __proto__", [JSON.parse('{"__proto__": 1, "a": 2}'), { a: 2 }, JSON.parse('{"__proto__": 1, "a": 2}')]],
  ])("carry their sizes when records follow each other with %s", (_, records) => {
    const copy = adopt(records as readonly Json[]) as readonly Json[];
    expect(JSON.stringify(copy)).toBe(JSON.stringify(records));
    expect(sizeOf(copy)).toBe(jsonSize(records as readonly Json[]));
    for (const [at, record] of copy.entries()) expect(sizeOf(record)).toBe(jsonSize(records[at] as Json));
  });

  it("carry the size of their JSON, whatever they hold", () => {
    fc.assert(
      fc.property(fc.array(hostileValue), (values) => {
        const copy = adopt(values);
        expect(JSON.stringify(copy)).toBe(JSON.stringify(values));
        expect(sizeOf(copy)).toBe(jsonSize(values));
      }),
      { numRuns: 300 },
    );
  });
});
