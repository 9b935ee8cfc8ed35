/** The examples of definitions, written as calls of the indented form, compile to the same calls. */
import { describe, expect, it } from "vitest";
import { indentedCall } from "../../adapters/describe/indented-call.ts";
import { BUILTIN_LOADERS } from "../../adapters/registry.ts";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";

const callsOf = (source: string): unknown[] => {
  const { ir, diagnostics } = compile(source, { catalog: builtinCatalog, strict: true, inputs: ["txt", "page"] });
  return [
    ...diagnostics.map(({ code, message }) => `${code} ${message}`),
    ...(ir?.nodes ?? []).filter(({ op }) => op === "R").map(({ data }) => data),
  ];
};

describe("indentedCall", () => {
  it.each([
    ['R http.Get "https://a.example/" ->r', 'r = http.Get("https://a.example/")'],
    ['R db.F User {"age": {"gte": 18}} ->us', 'us = db.F(User, {"age": {"gte": 18}})'],
    ["R calendar.G ->coming", "coming = calendar.G()"],
    ['R cache.set "a b" [1, "]"]', 'cache.set("a b", [1, "]"])'],
    ["Set x 1", "Set x 1"],
  ])("%s", (source, expected) => {
    expect(indentedCall(source)).toBe(expected);
  });

  it.each(Object.entries(BUILTIN_LOADERS))("keeps what the examples of %s call", async (_name, load) => {
    const { verbs } = await load();
    for (const { source } of Object.values(verbs).flatMap(({ examples = [] }) => examples)) {
      if (!source.startsWith("R ")) continue;
      expect(callsOf(`main:\n  ${indentedCall(source)}\n  out null\n`), source).toEqual(
        callsOf(`L1:\n  ${source}\n  J null\n`),
      );
    }
  });
});
