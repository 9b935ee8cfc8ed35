/** Host patterns: spelling, and that the meet of two admits exactly what both admit. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { admitsHost, foldHostPattern, meetHostPatterns } from "../../vm/grant/host-patterns.ts";

const PATTERNS = [
  "example.com",
  "*.example.com",
  "a.example.com",
  "*.a.example.com",
  "b.a.example.com:443",
  "example.com:80",
  "10.0.0.0/8",
  "10.1.0.0/16",
  "10.1.2.3",
  "10.1.2.3:80",
  "0.0.0.0/0",
  "[fd00::]/8",
  "[fd00::1]",
  "[::]/0",
];
const HOSTS = [
  "example.com",
  "a.example.com",
  "b.a.example.com",
  "notexample.com",
  "10.1.2.3",
  "10.2.0.1",
  "11.0.0.1",
  "fd00::1",
  "fe80::1",
];

describe("host patterns", () => {
  it.each([
    ["Example.COM.", "example.com"],
    ["*.Example.com:443", "*.example.com:443"],
    ["10.1.2.3/8", "10.0.0.0/8"],
    ["[FD00::1]/8", "[fd00:0:0:0:0:0:0:0]/8"],
    ["::ffff:1.2.3.4", "[0:0:0:0:0:ffff:102:304]"],
    ["localhost", "localhost"],
  ])("%s is %s", (text, folded) => {
    expect(foldHostPattern(text)).toBe(folded);
    expect(foldHostPattern(folded)).toBe(folded);
  });

  it.each([
    "",
    " ",
    "http://a",
    "a/b",
    "*",
    "*.",
    "a.*.b",
    "1.2.3",
    "256.0.0.1",
    "10.0.0.0/33",
    "a:0",
    "a:99999",
    "[::1",
    ":::",
    "a b",
    "[fd00::]/129",
  ])("%j is not a pattern", (text) => expect(foldHostPattern(text)).toBeNull());

  it.each([
    ["example.com", "*.example.com", null],
    ["a.example.com", "*.example.com", "a.example.com"],
    ["h", "h:443", "h:443"],
    ["h:80", "h:443", null],
    ["10.1.2.3", "10.0.0.0/8", "10.1.2.3"],
    ["10.0.0.0/8", "10.1.0.0/16", "10.1.0.0/16"],
    ["10.0.0.0/8", "11.0.0.0/8", null],
    ["*.example.com", "*.a.example.com", "*.a.example.com"],
    ["*.ample.com", "*.example.com", null],
  ])("%s and %s have %j in common", (a, b, both) => {
    expect(meetHostPatterns(a, b)).toBe(both);
    expect(meetHostPatterns(b, a)).toBe(both);
  });

  it("meet exactly where both admit", () => {
    const pattern = fc.constantFrom(...PATTERNS).map((text) => foldHostPattern(text) ?? "");
    fc.assert(
      fc.property(pattern, pattern, fc.constantFrom(...HOSTS), fc.constantFrom(80, 443), (a, b, host, port) => {
        const both = meetHostPatterns(a, b);
        expect(both !== null && admitsHost(both, host, port)).toBe(
          admitsHost(a, host, port) && admitsHost(b, host, port),
        );
      }),
      { numRuns: 2000 },
    );
  });
});
