import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../compiler/json.ts";
import { jsonBytes, numberBytes, sharedJsonBytes, textBytes } from "../../../vm/values/json-size.ts";
import { hostileNumber, hostileText, hostileValue, nested } from "../functions/calling-functions.ts";

const slow = (value: Json) => Buffer.byteLength(JSON.stringify(value), "utf8");

describe("frame size", () => {
  it.each<readonly [Json, number]>([
    [{}, 2],
    [[], 2],
    [{ a: 1, s: "é" }, 16],
    ["\ud83d", 8],
    ["😀", 6],
    ['\u007f\u0000\b\t\n\v\f\r"\\', 1 + 6 + 2 + 2 + 2 + 6 + 2 + 2 + 2 + 2 + 2],
    [null, 4],
    [true, 4],
    [false, 5],
    [-0.5, 4],
    [1e21, 5],
  ])("%j has %i bytes", (value, bytes) => {
    expect(jsonBytes(value)).toBe(bytes);
    expect(slow(value)).toBe(bytes);
  });

  it("measures every unit as JSON.stringify writes it", () => {
    for (let unit = 0; unit <= 0xffff; unit++) {
      const text = `a${String.fromCharCode(unit)}`;
      if (textBytes(text) !== slow(text)) expect.unreachable(`unit ${unit}`);
    }
  });

  it("is the same for values that share parts, below and above the bound of their measuring", () => {
    fc.assert(
      fc.property(hostileValue, fc.integer({ min: 0, max: 300 }), (part, most) => {
        const value = [part, { a: part, é: [part, part] }, "x".repeat(80), "x".repeat(80)];
        expect(sharedJsonBytes(value, most)).toBe(slow(value));
      }),
    );
  });

  it("measures a part once, however often it stands somewhere", () => {
    let value: Json = ["é".repeat(100)];
    let bytes = slow(value);
    for (let level = 0; level < 40; level++) {
      value = [value, value];
      bytes = 2 * bytes + 3;
    }
    expect(sharedJsonBytes(value, 1_000_000)).toBe(bytes);
  });

  it("measures whole numbers at every length", () => {
    for (let figures = 1, number = 1; figures <= 17; figures++, number *= 10) {
      for (const one of [number, -number, number - 1, 1 - number]) expect(numberBytes(one + 0)).toBe(slow(one + 0));
    }
    expect(numberBytes(-(2 ** 31))).toBe(11);
  });

  it("measures decimals at every length", () => {
    for (const whole of [0, 1, 9, 10, 99, 1000, 123_456, 21_474_835, 21_474_836, 21_474_837, 99_999_999_999]) {
      for (let thousandths = 0; thousandths < 1000; thousandths++) {
        const number = Number(`${whole}.${String(thousandths).padStart(3, "0")}`);
        for (const one of [number, -number + 0]) if (numberBytes(one) !== slow(one)) expect.unreachable(`${one}`);
      }
    }
    for (const tiny of [0.001, 0.005, 1e-7, 5e-324]) expect(numberBytes(tiny)).toBe(slow(tiny));
  });

  it("agrees with the serialised length of hostile values", () => {
    fc.assert(
      fc.property(hostileValue, (value) => jsonBytes(value) === slow(value)),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(hostileText, (text) => textBytes(text) === slow(text)),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(hostileNumber, (number) => numberBytes(number) === slow(number)),
      { numRuns: 500 },
    );
  });

  it("measures values deeper than operations may walk", () => {
    expect(jsonBytes(nested(100_000))).toBe(200_004);
  });
});
