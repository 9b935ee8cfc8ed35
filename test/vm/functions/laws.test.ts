/** Laws of functions on hostile values. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FUNCTIONS, findFunction, maxArguments } from "../../../compiler/functions.ts";
import type { Json } from "../../../compiler/json.ts";
import { OperationFailure } from "../../../vm/errors/failures.ts";
import { compareLenient, compareStrict, compareText, equal } from "../../../vm/values/compare.ts";
import { roundHalfEven } from "../../../vm/values/numbers.ts";
import { sortedJsonText, testJsonLength, textOf } from "../../../vm/values/text.ts";
import { checkedJson, copyJson } from "../../../vm/values/values.ts";
import { call, failure, hostileNumber, hostileText, hostileValue, run } from "./calling-functions.ts";

const text = hostileText;
const value = hostileValue;
const position = fc.integer({ min: -6, max: 10 });
const wellFormed = text.filter((one) => !/\p{Surrogate}/u.test(one));

function loneSurrogates(of: Json): number {
  const found = JSON.stringify(of).match(/\\ud[89a-f][0-9a-f]{2}/g);
  return found === null ? 0 : found.length;
}

function holdsMinusZero(of: Json): boolean {
  if (typeof of !== "object" || of === null) return Object.is(of, -0);
  return Object.values(of).some((one: Json) => holdsMinusZero(one));
}

/** Equality in one slow line: the same after sorting the keys of every object. */
function sortKeys(of: Json): Json {
  if (Array.isArray(of)) return of.map(sortKeys);
  if (typeof of !== "object" || of === null) return of;
  const object = of as { readonly [key: string]: Json };
  return Object.keys(object)
    .sort()
    .map((key): Json => [key, sortKeys(object[key] as Json)])
    .concat("object");
}

const slowEqual = (a: Json, b: Json) => JSON.stringify(sortKeys(a)) === JSON.stringify(sortKeys(b));

function slowCompareText(a: string, b: string): number {
  const [x, y] = [Array.from(a), Array.from(b)].map((one) => one.map((c) => c.codePointAt(0) as number));
  for (let i = 0; x !== undefined && y !== undefined; i++) {
    if (x[i] === undefined || y[i] === undefined) return x.length - y.length;
    if (x[i] !== y[i]) return (x[i] as number) - (y[i] as number);
  }
  return 0;
}

describe("equality and ordering", () => {
  it("equality agrees with a slow definition", () => {
    fc.assert(fc.property(value, value, (a, b) => equal(a, b) === slowEqual(a, b)));
    fc.assert(
      fc.property(
        value,
        (a) => equal(a, copyJson(a)) && equal(a, checkedJson(a)) && equal(a, JSON.parse(JSON.stringify(a))),
      ),
    );
  });

  it("equal values have one sorted text, different ones two", () => {
    fc.assert(fc.property(value, value, (a, b) => (sortedJsonText(a) === sortedJsonText(b)) === equal(a, b)));
    fc.assert(fc.property(value, (a) => equal(JSON.parse(sortedJsonText(a)), a)));
  });

  it("text is ordered by code point, totally", () => {
    fc.assert(
      fc.property(text, text, (a, b) => Math.sign(compareText(a, b)) === Math.sign(slowCompareText(a, b))),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(
        text,
        text,
        text,
        (a, b, c) => !(compareText(a, b) <= 0 && compareText(b, c) <= 0) || compareText(a, c) <= 0,
      ),
      { numRuns: 2_000 },
    );
  });

  it("ordering is antisymmetric or fails both ways", () => {
    for (const compare of [compareStrict, compareLenient]) {
      const sign = (a: Json, b: Json) => {
        try {
          return Math.sign(compare(a, b)) + 0;
        } catch (thrown) {
          if (thrown instanceof OperationFailure) return "fails";
          throw thrown;
        }
      };
      fc.assert(
        fc.property(value, value, (a, b) => {
          const forth = sign(a, b);
          expect(sign(b, a)).toBe(forth === "fails" ? "fails" : -(forth as number) + 0);
        }),
      );
    }
  });
});

describe("every pure function", () => {
  const names = FUNCTIONS.filter((one) => !one.host).map((one) => one.name);

  it("gives JSON or an ordinary failure for any arguments, and changes none of them", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.constantFrom("call" as const, "verb" as const),
        fc.array(value, { maxLength: 4 }),
        (name, form, args) => {
          const before = JSON.stringify(args);
          try {
            const result = run(form, name, args);
            expect(equal(checkedJson(result), result)).toBe(true);
            expect(holdsMinusZero(result)).toBe(false);
          } catch (thrown) {
            if (!(thrown instanceof OperationFailure)) throw thrown;
          }
          expect(JSON.stringify(args)).toBe(before);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it("ignores arguments beyond its parameters", () => {
    const limited = names.filter((name) => Number.isFinite(maxArguments(findFunction(name) ?? FUNCTIONS[0]!)));
    fc.assert(
      fc.property(
        fc.constantFrom(...limited),
        fc.array(value, { minLength: 6, maxLength: 6 }),
        value,
        (name, args, extra) => {
          const count = maxArguments(findFunction(name) ?? FUNCTIONS[0]!);
          const outcome = (given: readonly Json[]) => {
            let result: Json = null;
            const message = failure(() => {
              result = run("verb", name, given);
            });
            return { result, message };
          };
          expect(outcome([...args.slice(0, count), extra])).toEqual(outcome(args.slice(0, count)));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("makes no new lone surrogate of well-formed texts", () => {
    const cutting = ["slice", "substr", "split", "replace", "reverse", "sort", "trim", "lower", "upper"];
    fc.assert(
      fc.property(
        fc.constantFrom(...cutting),
        wellFormed,
        fc.oneof(text, position),
        fc.oneof(wellFormed, position),
        (name, a, b, c) => {
          let result: Json = null;
          failure(() => {
            result = call(name, a, b, c);
          });
          expect(loneSurrogates(result)).toBe(0);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

describe("laws", () => {
  it("slice", () => {
    fc.assert(
      fc.property(text, position, position, (a, start, end) => {
        const characters = Array.from(a);
        expect(call("slice", a, start, end)).toBe(characters.slice(start, end).join(""));
        expect(call("slice", characters, start, end)).toEqual(characters.slice(start, end));
        const cut = Math.max(0, start);
        expect(call("concat", call("slice", a, 0, cut), call("slice", a, cut))).toBe(a);
        expect(call("substr", a, cut, 3)).toBe(call("slice", a, cut, cut + 3));
      }),
    );
  });

  it("parse undoes stringify", () => {
    fc.assert(
      fc.property(value, (a) => {
        expect(call("parse", call("stringify", a))).toEqual(a);
      }),
    );
    fc.assert(fc.property(value, (a) => call("stringify", a) === JSON.stringify(a)));
  });

  it("the length of JSON text is known before it is built", () => {
    fc.assert(
      fc.property(value, (a) => {
        const length = JSON.stringify(a).length;
        expect(failure(() => testJsonLength(a, length))).toBe("no failure");
        expect(failure(() => testJsonLength(a, length - 1))).toBe("result too large (too_large)");
      }),
      { numRuns: 500 },
    );
  });

  it("join undoes split, reverse undoes itself, len agrees", () => {
    fc.assert(
      fc.property(
        text,
        text.filter((one) => one !== ""),
        (a, b) => call("join", b, call("split", a, b)) === a,
      ),
    );
    fc.assert(
      fc.property(fc.array(value), (list) => {
        expect(call("reverse", call("reverse", list))).toEqual(list);
      }),
    );
    fc.assert(
      fc.property(
        text,
        (a) =>
          call("len", a) === Array.from(a).length &&
          call("join", "", call("reverse", a)) === Array.from(a).reverse().join(""),
      ),
    );
  });

  it("replace replaces what split splits", () => {
    fc.assert(
      fc.property(
        text,
        text.filter((one) => one !== ""),
        text,
        (a, b, c) => call("replace", a, b, c) === call("join", c, call("split", a, b)),
      ),
    );
    fc.assert(
      fc.property(
        text,
        text,
        (a, b) =>
          call("replace", a, "", b) ===
          b +
            Array.from(a)
              .map((one) => one + b)
              .join(""),
      ),
    );
  });

  it("contains, startswith and endswith agree with code points", () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [hay, needle] = [Array.from(a), Array.from(b)];
        const at = (i: number) => needle.every((one, k) => hay[i + k] === one);
        expect(call("startswith", a, b)).toBe(at(0));
        expect(call("endswith", a, b)).toBe(hay.length >= needle.length && at(hay.length - needle.length));
        expect(call("contains", a, b)).toBe(needle.length === 0 || hay.some((_, i) => at(i)));
      }),
      { numRuns: 2_000 },
    );
  });

  it("sort is a stable, ordered rearrangement", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(value, fc.constantFrom<Json>(1, "1", 10, "a"))), (list) => {
        const sorted = call("sort", list) as Json[];
        const numbers = list.every((one) => typeof one === "number");
        const slow = [...list].sort((a, b) =>
          numbers ? (a as number) - (b as number) : slowCompareText(textOf(a), textOf(b)),
        );
        expect(sorted).toEqual(slow);
        expect(call("sort", sorted)).toEqual(sorted);
      }),
    );
  });

  it("unique keeps the first of each", () => {
    fc.assert(
      fc.property(fc.array(value), (half) => {
        const list = [...half, ...half.map(copyJson)];
        const slow = list.filter((one, i) => list.findIndex((other) => equal(other, one)) === i);
        expect(call("unique", list)).toEqual(slow);
      }),
    );
  });

  it("put then get gives the value, and other members stay", () => {
    const path = fc.array(fc.stringMatching(/^[a-z_0-9]{1,3}$/), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(value, path, value, (root, keys, put) => {
        expect(call("get", call("put", root, keys, put), keys)).toEqual(put);
      }),
    );
  });

  it("idiv and mod belong together, rounding is nearest", () => {
    const whole = fc.integer({ min: -1_000_000, max: 1_000_000 });
    fc.assert(
      fc.property(
        whole,
        whole.filter((b) => b !== 0),
        (a, b) => (call("idiv", a, b) as number) * b + (call("mod", a, b) as number) === a,
      ),
    );
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.integer({ min: 0, max: 8 }), (x, digits) => {
        const rounded = roundHalfEven(x + 0, digits);
        // toFixed is exact as well and differs for ties only, which it rounds away from zero.
        const tie = Number.isInteger(x * 2 ** (digits + 1)) && !Number.isInteger(x * 2 ** digits);
        if (!tie) expect(rounded).toBe(Number(x.toFixed(digits)) + 0);
      }),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(hostileNumber, fc.integer({ min: -30, max: 308 }), (x, digits) => {
        if (Math.abs(x) > 1e300) return;
        const rounded = roundHalfEven(x, digits);
        expect(roundHalfEven(rounded, digits)).toBe(rounded);
        expect(roundHalfEven(-x + 0, digits)).toBe(-rounded + 0);
      }),
      { numRuns: 500 },
    );
  });
});
