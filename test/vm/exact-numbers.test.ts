/** Numbers of a JSON text that a double cannot hold. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../compiler/json.ts";
import { hashOf } from "../../vm/recording/record.ts";
import { lostIntegers, numbersOf } from "../../vm/values/exact-numbers.ts";

const BIG = "9007199254740993";
const exactHash = (text: string): string => hashOf((numbersOf(text)?.exact ?? JSON.parse(text)) as Json);

describe("numbers of a text", () => {
  it.each([
    ["1", []],
    ["9007199254740991", []],
    ["9007199254740992", []],
    ["1152921504606846976", []],
    [BIG, [BIG]],
    [`-${BIG}`, [`-${BIG}`]],
    [`{"a":[1,${BIG}],"b":{"c":12345678901234567890}}`, [BIG, "12345678901234567890"]],
    [`["${BIG}"]`, []],
    [`["\\\\\\"${BIG}", ${BIG}]`, [BIG]],
    ["0.30000000000000004", []],
    ["0.1000000000000000055511", []],
    ["1e23", []],
  ])("whole numbers that lose digits in %s", (text, lost) => {
    expect(lostIntegers(text)).toEqual(lost);
    expect((numbersOf(text)?.lost ?? []).map(({ written }) => written)).toEqual(lost);
  });

  it("have a place, and are cut", () => {
    const text = `{"frame":{"a/b":[0,${BIG}],"n":${"9".repeat(300)}}}`;
    expect(numbersOf(text)?.lost).toEqual([
      { path: "/frame/a~1b/1", written: BIG, becomes: 9007199254740992 },
      { path: "/frame/n", written: "9".repeat(41), becomes: 1e300 },
    ]);
  });

  it.each([
    [`{"n":${BIG}}`, '{"n":9007199254740992}', false],
    [`{"a":${BIG},"b":9007199254740992}`, `{"a":9007199254740992,"b":${BIG}}`, false],
    ['{"n":1152921504606846976}', '{"n":1152921504606847000}', false],
    ['{"n":0.1000000000000000055511}', '{"n":0.1}', false],
    ['{"n":0.10000000000000000000}', '{"n":1e-1}', true],
    ['{"n":1.00000000000000000000}', '{"n":1}', true],
    [`{"a":1,"n":${BIG}}`, `{ "n" : ${BIG}, "a": 1.0 }`, true],
  ])("make %s and %s the same: %s", (one, other, same) => {
    expect(exactHash(one) === exactHash(other)).toBe(same);
  });

  it("are distinguished by the whole text when they are very many", () => {
    const text = `[${Array.from({ length: 20_000 }, () => BIG).join(",")}]`;
    expect(numbersOf(text)).toMatchObject({ exact: text });
    expect(numbersOf(text)?.lost).toHaveLength(5);
  });
});
