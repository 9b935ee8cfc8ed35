/** What an adapter may answer: JSON values of bounded size, taken over as copies. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../compiler/json.ts";
import { isLargeAnswer, takenAnswer as takenInOneGo, takenInPieces } from "../../../vm/calls/take-answer.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { completed, Pace } from "../../../vm/tasks/task.ts";
import { unmetered } from "../../../vm/tasks/work-meter.ts";
import { jsonBytes } from "../../../vm/values/json-size.ts";
import { MAX_NESTING } from "../../../vm/values/values.ts";

/** In one go and in pieces, which must come to the same. */
function takenAnswer(answer: unknown, maxBytes: number | null): Json {
  const inPieces = () => completed(takenInPieces(answer, maxBytes, new Pace(unmetered)));
  let taken: Json;
  try {
    taken = takenInOneGo(answer, maxBytes);
  } catch (thrown) {
    expect(inPieces).toThrow(thrown as Error);
    throw thrown;
  }
  expect(inPieces()).toStrictEqual(taken);
  return taken;
}

function failure(answer: unknown, maxBytes: number | null = null): { code: string; message: string; data: unknown } {
  try {
    takenAnswer(answer, maxBytes);
  } catch (thrown) {
    if (thrown instanceof AdapterError && !thrown.retryable) return thrown;
    throw thrown;
  }
  throw new Error("was taken");
}

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

describe("an answer", () => {
  it.each([
    [undefined, null],
    [null, null],
    [true, true],
    [-0, 0],
    ["é😀", "é😀"],
    [
      [undefined, 1],
      [null, 1],
    ],
    [
      { a: undefined, b: [{}] },
      { a: null, b: [{}] },
    ],
    [Object.assign(Object.create(null), { x: 1 }), { x: 1 }],
  ])("%j is %j", (given, expected) => {
    const taken = takenAnswer(given, null);
    expect(taken).toStrictEqual(expected);
    expect(Object.is(taken, -0)).toBe(false);
  });

  it("keeps __proto__ as data", () => {
    const taken = takenAnswer(JSON.parse('{"__proto__": {"admin": true}, "a": 1}'), null) as object;
    expect(Object.keys(taken)).toEqual(["__proto__", "a"]);
    expect((taken as { admin?: boolean }).admin).toBeUndefined();
  });

  const cyclic: unknown[] = [1];
  cyclic.push({ back: cyclic });
  const wide = Array.from({ length: 2000 }, (): unknown => null);
  wide.fill(wide);

  it.each([
    ["not a number", Number.NaN],
    ["infinity", { n: Number.NEGATIVE_INFINITY }],
    ["a big integer", 1n],
    ["a symbol", Symbol("s")],
    ["a function", [() => 1]],
    ["a date", new Date(0)],
    ["a map", new Map()],
    ["an error", new Error("secret words")],
    ["bytes", new Uint8Array(2)],
    ["an instance of a class", new (class Point {})()],
    ["a boxed text", new String("x")],
    ["a list within itself", cyclic],
    ["a list of itself many times", wide],
  ])("that is %s is not a JSON value", (_what, given) => {
    const { code, message, data } = failure(given);
    expect(code).toBe("ADAPTER_BAD_DATA");
    expect(`${message}${JSON.stringify(data)}`).not.toContain("secret");
  });

  it("may be nested as deeply as values may", () => {
    expect(takenAnswer(nested(MAX_NESTING), null)).toEqual(nested(MAX_NESTING));
    expect(failure(nested(MAX_NESTING + 1)).code).toBe("ADAPTER_TOO_LARGE");
    expect(failure(nested(100_000)).code).toBe("ADAPTER_TOO_LARGE");
  });

  it("may have as many bytes of JSON as the verb says, to the byte", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        if (typeof value !== "object" || value === null) return;
        // The bound counts what the value takes as JSON here, signs included.
        const size = jsonBytes(JSON.parse(JSON.stringify(value)));
        expect(takenAnswer(value, size)).toEqual(JSON.parse(JSON.stringify(value)));
        if (size > 0) expect(failure(value, size - 1)).toMatchObject({ code: "ADAPTER_TOO_LARGE" });
      }),
      { numRuns: 300 },
    );
    expect(failure("x".repeat(100), 50).data).toEqual({ max_result_bytes: 50 });
  });

  it("that holds one part very often costs no more than its bound", () => {
    let shared: unknown = "x".repeat(50);
    for (let level = 0; level < 60; level++) shared = [shared, shared];
    expect(failure(shared, 10_000)).toMatchObject({ code: "ADAPTER_TOO_LARGE" });
    expect(failure(new Array(4_000_000_000), 10_000)).toMatchObject({ code: "ADAPTER_TOO_LARGE" });
  });

  it("is a copy: nothing an adapter holds is shared", () => {
    const inner = { n: 1 };
    const taken = takenAnswer({ a: inner, b: inner }, null) as { a: { n: number }; b: { n: number } };
    inner.n = 2;
    taken.a.n = 3;
    expect(taken).toEqual({ a: { n: 3 }, b: { n: 1 } });
  });
});

describe("an answer is large", () => {
  const rows = (count: number): object[] => Array.from({ length: count }, (_, at) => ({ at, tags: ["a"] }));

  it.each([
    ["a scalar", 5, false],
    ["a long text", "x".repeat(1_000_000), false],
    ["some rows", rows(1000), false],
    ["many rows", rows(20_000), true],
    ["many rows inside of an object", { body: { rows: rows(20_000) } }, true],
    ["one long list", new Array(30_000).fill(0), true],
  ])("when it has many values: %s", (_what, answer, isLarge) => {
    expect(isLargeAnswer(answer)).toBe(isLarge);
  });
});
