/**
 * The stub of adapters for CPython knows verbs by `oracle/verbs.json`, which is made from the catalog: the positional parameters of each, its options, and whether
 * its answer is always an object. `WEFT_DOCS=write` writes it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { builtinAdapters } from "../../compiler/catalog/builtin.ts";
import { readValueType } from "../../compiler/catalog/value-types.ts";
import type { VerbEntry } from "../../compiler/catalog.ts";

const file = join(dirname(fileURLToPath(import.meta.url)), "oracle/verbs.json");

function row({ parameters, options, result }: VerbEntry): unknown {
  const type = options === undefined ? null : readValueType(options);
  const own = (parameters ?? []).filter(({ name }) => name !== "options");
  return [
    own.map(({ name, optional, repeat }) => `${name}${repeat ? "*" : optional ? "?" : "!"}`),
    type?.k === "object" ? [...type.members.keys()] : [],
    result !== undefined && readValueType(result).k === "object",
  ];
}

test("the stub of the oracle has the verbs of the catalog", () => {
  const adapters = builtinAdapters.filter(({ name }) => name !== "core");
  const verbs = Object.fromEntries(
    adapters.map((entry) => [entry.name, Object.fromEntries(entry.verbs.map((verb) => [verb.name, row(verb)]))]),
  );
  const lines = Object.entries(verbs).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const text = `{\n${lines.join(",\n")}\n}\n`;
  if (process.env["WEFT_DOCS"] === "write") writeFileSync(file, text);
  expect(readFileSync(file, "utf8")).toBe(text);
});
