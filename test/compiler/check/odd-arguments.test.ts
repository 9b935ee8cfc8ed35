/** Arguments of cache as other languages write them, which would be taken for a key or a value. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";

const codes = (call: string, strict = true): readonly string[] =>
  compile(`main(k, d):\n  r = ${call}\n  return r\n`, { catalog: builtinCatalog, strict }).diagnostics.map(
    ({ code, severity }) => `${code} ${severity}`,
  );

describe("an argument that would be taken for another", () => {
  it.each([
    'cache.set("k", "v", {"ttl_s": 60})',
    'cache.set(k, d, {"if_absent": True})',
    "cache.incr(k, 5)",
    'cache.incr("visits", 5)',
    "cache.get(k, 0)",
    "cache.get(k, False)",
    'cache.get(k, "none")',
    "cache.has(k, 1)",
  ])("is an error: %s", (call) => {
    for (const strict of [true, false]) expect(codes(call, strict)).toContain("WF5022 error");
  });

  it.each([
    'cache.set("n", k, {"ttl_s": 60}, 60)',
    'cache.set("n", "k", {"name": "Ada"})',
    'cache.set("n", k, d, {"ttl_s": 60})',
    "cache.set(k, d, 300)",
    'cache.incr("visits", k)',
    'cache.incr(k, {"by": 5})',
    'cache.get("rates", "USD")',
    'cache.get(k, {"default": "none"})',
    'cache.get("users", d)',
    'cache.get("users", d, {"default": 0})',
    'cache.incr("visits", d, {"by": 2})',
  ])("is not reported in %s", (call) => {
    expect(codes(call).filter((one) => one.startsWith("WF5022"))).toEqual([]);
  });
});
