/** Where in the inputs keys stand. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { flowOf, jobFlow } from "../../../../service/jobs/flow/flow-of.ts";
import { keyOf } from "../../../../service/jobs/flow/keys.ts";
import { Flow } from "../../../../service/jobs/flow/members.ts";
import { ServiceFault } from "../../../../service/wire/errors.ts";

it("T.F-1: keys are the same for the same values, and for no others", () => {
  const value = fc.oneof(fc.string({ maxLength: 20 }), fc.integer(), fc.boolean());
  fc.assert(
    fc.property(value, value, value, value, (a, b, c, d) => {
      const of = (x: typeof a, y: typeof a) => keyOf(["x", "y.z"], { x, y: { z: y } }, "concurrency");
      expect(of(a, b) === of(c, d)).toBe(a === c && b === d);
    }),
  );
});

it("T.F-1: a key never reaches what an input does not have of its own", () => {
  const frame = fc.object({ maxDepth: 3 });
  const path = fc
    .array(fc.constantFrom("a", "b", "__proto__", "constructor", "length", "0", "toString"), {
      minLength: 1,
      maxLength: 4,
    })
    .map((names) => names.join("."));
  fc.assert(
    fc.property(frame, path, (given, at) => {
      try {
        expect(typeof keyOf(at, given as never, "fair")).toBe("string");
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(ServiceFault);
      }
    }),
  );
});

it("T.F-1: jobs pass rules in one order, whatever the order in which they are said", () => {
  const rule = (limit: number, key?: string, scope: "all" | "program" = "program") => ({
    limit,
    scope,
    ...(key === undefined ? {} : { key }),
  });
  const rules = [rule(1), rule(2, "a"), rule(3, "b", "all"), rule(4, undefined, "all")];
  const ids = (concurrency: typeof rules) => {
    const asked = flowOf({
      program: "p",
      layers: [Flow.parse({ concurrency, rate: { limit: 1, per_s: 1 } })],
      runAtMs: null,
      ageMs: 1,
    });
    return asked === null ? [] : jobFlow(asked, { a: 1, b: 1 }, 0)?.gates.map(({ limit, kind }) => `${kind} ${limit}`);
  };
  expect(ids(rules)).toEqual(["places 2", "places 1", "places 3", "places 4", "tokens 1"]);
  expect(ids([...rules].reverse())).toEqual(ids(rules));
});

it("T.F-1: the same rule said twice is one rule with the lower limit", () => {
  const layers = [Flow.parse({ concurrency: { limit: 3 } }), Flow.parse({ concurrency: { limit: 9 } })];
  const asked = flowOf({ program: "p", layers, runAtMs: null, ageMs: 1 });
  expect(asked === null ? [] : jobFlow(asked, {}, 0)?.gates.map(({ limit }) => limit)).toEqual([3]);
});
