/** Functions of docs/functions.md that Python lacks: callable in the Python form, strict about kinds, and never in the way of Python's names. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { findAdapter } from "../../compiler/catalog.ts";
import { compile } from "../../compiler/compile.ts";
import { FUNCTIONS } from "../../compiler/functions.ts";
import { REFUSED_BUILTINS } from "../../compiler/python/library/known.ts";
import { PRELUDE, PRELUDE_NAMES, preludeFunction } from "../../compiler/python/library/prelude.ts";
import { LIBRARY_ROWS } from "../../compiler/python/library/rows.ts";
import { compiled, hostWith, ran } from "./support/weft.ts";

const host = hostWith();

async function result(source: string, frame = "{}"): Promise<unknown> {
  const made = compiled(source);
  if ("refused" in made) return { refused: made.refused };
  const run = await ran(host, made.ir, frame);
  return run.kind === "value" ? run.value : `${run.exception}: ${run.message}`;
}

/** What the language has under these names is coercion, or a word of Python's grammar. */
const LEFT_OUT = new Set("and or not if toint tofloat tostring string".split(" "));

describe("functions without an import", () => {
  it.each(PRELUDE.map(({ name, example }) => [name, example]))("%s does what its row says", async (_name, example) => {
    expect(await result(`def main():\n    return ${example}\n`)).toBe(true);
  });

  it("every name of docs/functions.md is one of them, Python's own, or left out", () => {
    const missing = FUNCTIONS.flatMap(({ name, aliases }) => [name, ...aliases]).filter(
      (name) =>
        preludeFunction(name) === undefined &&
        !LIBRARY_ROWS.has(name) &&
        !REFUSED_BUILTINS.has(name) &&
        !LEFT_OUT.has(name),
    );
    expect(missing).toEqual([]);
  });

  it("no name of Python and no adapter is among them", () => {
    expect(PRELUDE_NAMES.filter((name) => LIBRARY_ROWS.has(name) || REFUSED_BUILTINS.has(name))).toEqual([]);
    expect(PRELUDE_NAMES.filter((name) => findAdapter(builtinCatalog, name) !== undefined)).toEqual([]);
  });

  it.each([
    ["upper(None)", "upper() argument 'text' must be str, not NoneType"],
    ["upper(5)", "upper() argument 'text' must be str, not int"],
    ["first(None)", "first() argument 'v' must be list or str, not NoneType"],
    ["concat('a', 4)", "concat() argument 'texts' must be str, not int"],
    ["join('-', ['a', 1])", "sequence item 1: expected str instance, int found"],
    ["sub('2', 1)", "sub() argument 'a' must be int or float, not str"],
    ["sub(True, 1)", "sub() argument 'a' must be int or float, not bool"],
    ["add(1, 'a')", "unsupported operand type(s) for +: 'int' and 'str'"],
    ["take([1], 1.0)", "take() argument 'count' must be int, not float"],
    ["unique({1, 2})", "unique() argument 'list' must be list, not set"],
    ["keys([1])", "keys() argument 'object' must be dict, not list"],
    ["merge({}, None)", "merge() argument 'objects' must be dict, not NoneType"],
    ["sort([1, 'a'])", "'<' not supported between instances of 'str' and 'int'"],
    ["sort_by([{'n': 1}, {}], 'n')", "'<' not supported between instances of 'NoneType' and 'int'"],
    ["sort_by([1], 'n')", "sort_by() needs a list of dict or list, and an element is int"],
    ["group_by([{'k': [1]}], 'k')", "unhashable type: 'list'"],
    ["avg(['1'])", "avg() needs numbers, and an element is str"],
    ["put({'a': 1}, 'a.b', 2)", "'int' object has no members to put a value at"],
    ["date_add('2024-01-31', '1', 'day')", "date_add() argument 'count' must be int, not str"],
  ])("%s raises TypeError", async (call, message) => {
    expect(await result(`def main():\n    return ${call}\n`)).toContain(`TypeError: ${message}`);
  });

  it.each([
    ["date_parse('yesterday')", "ValueError"],
    ["match('a', '(')", "ValueError"],
    ["pad('a', 3, '')", "ValueError"],
    ["chunk([1], 0)", "ValueError"],
    ["sort_by([], 'a', 'down')", "ValueError"],
    ["parse('{')", "JSONDecodeError"],
    ["div(1, 0)", "ZeroDivisionError"],
    ["put_at([1], 1, 2)", "IndexError"],
    ["fail('no stock')", "RuntimeError"],
  ])("%s raises %s", async (call, exception) => {
    expect(await result(`def main():\n    return ${call}\n`)).toMatch(new RegExp(`^${exception}: `));
  });

  it("results share their elements with the argument, and keep what JSON does not have", async () => {
    const source = `
def main(rows):
    ranked = sort_by(rows, "n")
    ranked[0]["seen"] = True
    by = group_by(rows, "n")
    by[1][0]["times"] = 5.0
    return [rows, str(first([5.0])), str(group_by([{"k": 1.5}, {"k": None}], "k"))]
`;
    expect(await result(source, '{"rows": [{"n": 2}, {"n": 1}]}')).toEqual([
      [{ n: 2 }, { n: 1, seen: true, times: 5 }],
      "5.0",
      "{1.5: [{'k': 1.5}], None: [{'k': None}]}",
    ]);
  });

  it("elements may come from a generator, and None at a path is a value", async () => {
    expect(
      await result("def main():\n    return [unique(x % 2 for x in range(5)), get({'a': None}, 'a', 1)]\n"),
    ).toEqual([[0, 1], null]);
  });

  it("a function is a value, and a function of the file or a variable hides it", async () => {
    expect(await result("def main():\n    return list(map(first, [[1], 'ab']))\n")).toEqual([1, "a"]);
    expect(await result("def first(v):\n    return 'own'\n\ndef main():\n    return first([1])\n")).toBe("own");
    expect(await result("def main(values):\n    return values[0]\n", '{"values": [3]}')).toBe(3);
  });

  it("in a script a name is an input where it is not called", async () => {
    expect(await result("first(values) + count\n", '{"values": [3], "count": 4}')).toBe(7);
  });

  it("functions come from weft as well", async () => {
    expect(
      await result("from weft import sort_by as ranked\n\ndef main():\n    return ranked([[2], [1]], 0)\n"),
    ).toEqual([[1], [2]]);
  });

  it("the clock, an identifier and the environment are calls of core", async () => {
    const made = compiled("def main():\n    sleep(5)\n    return [now() > 0, uuid(), env('REGION', 'eu')]\n");
    expect("ir" in made && made.ir.nodes.filter(({ op }) => op === "R").map(({ data }) => data)).toMatchObject([
      { adapter: "core", verb: "SLEEP" },
      { adapter: "core", verb: "NOW" },
      { adapter: "core", verb: "UUID" },
      { adapter: "core", verb: "ENV" },
    ]);
    expect(await result("def main():\n    return [now() > 0, len(uuid()), env('REGION', 'eu')]\n")).toEqual([
      true,
      36,
      "eu",
    ]);
    expect(await result("def main():\n    return now\n")).toMatchObject({ refused: [{ code: "WF6005" }] });
  });

  it("a call of a name that is nearly one of them is refused with it", () => {
    const { diagnostics } = compile("# surface: python\ndef main(xs):\n    return sortby(xs, 'a')\n");
    expect(diagnostics).toMatchObject([{ code: "WF6001", suggestion: "did you mean 'sort_by'?" }]);
  });
});
