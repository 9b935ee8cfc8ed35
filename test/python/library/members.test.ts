/** Every public member that CPython 3.11 has of a module (`support/members.py`) is built, or refused with words that do not offer another name for it. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";
import { KNOWN_MODULES } from "../../../compiler/python/library/known.ts";

const MEMBERS = JSON.parse(readFileSync(new URL("./members.json", import.meta.url), "utf8")) as {
  readonly [module: string]: readonly string[];
};

function refusal(
  module: string,
  member: string,
): { readonly message: string; readonly suggestion: string | null } | null {
  const source = `import ${module}\n\ndef main():\n    return ${module}.${member}\n`;
  return compile(source, { catalog: builtinCatalog }).diagnostics[0] ?? null;
}

it("no module is left out of the record", () => {
  const unrecorded = [...KNOWN_MODULES].filter((name) => MEMBERS[name] === undefined);
  expect(unrecorded).toEqual(["typing", "__future__"]);
});

it("no member of CPython is taken for a misspelt one, or is refused without a reason", () => {
  const wrong: string[] = [];
  for (const [module, names] of Object.entries(MEMBERS))
    for (const name of names) {
      const found = refusal(module, name);
      if (found !== null && (found.suggestion === null || found.suggestion.startsWith("did you mean")))
        wrong.push(`${module}.${name}: ${found.message}, ${found.suggestion}`);
    }
  expect(wrong).toEqual([]);
});

it.each([
  ["hashlib", "sha265", "did you mean 'sha256'?"],
  ["statistics", "meen", "did you mean 'mean'?"],
  ["enum", "Enmu", null],
  ["math", "gamma", "math.gamma of CPython is not built here; the C library of each machine gives other last bits"],
  ["enum", "Enum", 'enum.Enum of CPython is not built here; use constants of the file, as in RED = "red"'],
])("%s.%s", (module, member, suggestion) => {
  expect(refusal(module, member)?.suggestion).toBe(suggestion);
});

it.each([
  ["import decimal", "decimal.getcontext().prec = 10"],
  ["from decimal import getcontext", "getcontext().prec = 10"],
  ["import decimal", "decimal.DefaultContext.prec = 10"],
])("%s: %s is refused for what it sets, and no dict is offered", (line, statement) => {
  const { diagnostics } = compile(`${line}\n\ndef main():\n    ${statement}\n`, { catalog: builtinCatalog });
  expect(diagnostics.map(({ suggestion }) => suggestion)).toEqual([
    "quantize(exp, rounding=...) rounds as it is asked to; operators keep 28 digits",
  ]);
});

it("an import of a member that is not built is refused only where it is used", () => {
  const unused = "from math import gamma\n\ndef main():\n    return 1\n";
  expect(compile(unused, { catalog: builtinCatalog }).diagnostics).toEqual([]);
});
