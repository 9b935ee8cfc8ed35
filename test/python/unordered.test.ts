/** Walks over sets are exact where their result shows nothing of the order, and end with NOT_EXACT where it might. */
import { expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { hostWith } from "./support/weft.ts";

const HEAD = `# surface: python
def main():
    ints = {3, 1, 2}
    words = {"B", "a"}
    mixed = {1, "a"}
    floats = {0.1, 0.2, 0.3}
    prices = {"a": 1}
    pairs = {("b", 2), ("a", 1), ("b", 3)}
    shapes = {(1, 2), (1, "a"), (3,)}
    return `;

async function result(expression: string, warned: readonly string[] = []): Promise<unknown> {
  const { ir, diagnostics } = compile(`${HEAD}${expression}\n`, { catalog: builtinCatalog });
  expect(diagnostics.map(({ code }) => code).filter((code) => !warned.includes(code))).toEqual([]);
  const answer = await hostWith().run({ ir: ir as Ir });
  return answer.ok ? answer.out : answer.error.code;
}

it.each([
  ["sorted(n for n in ints if n > 1)", [2, 3]],
  ["sorted([w.lower() for w in words], reverse=True)", ["b", "a"]],
  ["sum(n * 2 for n in ints)", 12],
  ["sum(1 for w in words if w not in prices)", 1],
  ["any(n > 2 for n in ints)", true],
  ["all(w.isupper() for w in words)", false],
  ["len([n for n in ints if n != 2])", 2],
  ["sorted({n + 1 for n in ints})", [2, 3, 4]],
  ["sorted(set(f'{w}!' for w in words))", ["B!", "a!"]],
  ["max(len(w) for w in words)", 1],
  ["sorted(k for k in prices.keys() | words if prices.get(k) != 2)", ["B", "a"]],
  ["sum(n for n in {5} if n)", 5],
  ["sorted({*ints, *words, 7} - words)", [1, 2, 3, 7]],
  ["sorted({*ints, *[2, 9]})", [1, 2, 3, 9]],
  ["sorted(list(ints | {9}), reverse=True)", [9, 3, 2, 1]],
  ["sorted(tuple(words))", ["B", "a"]],
  ["[len(list(mixed - {1})), max(list(ints)), set(list(words)) == words]", [1, 3, true]],
  ["sorted(list('ba'))", ["a", "b"]],
  ["sorted({p[0] for p in pairs})", ["a", "b"]],
  ["sorted(name for name, n in pairs if n > 1)", ["b", "b"]],
  ["sum(n for _, n in pairs)", 6],
  ["sum(1 for p in pairs if p[0] == 'b' and p != ('b', 3))", 1],
  ["any(p[1] > 2 for p in pairs)", true],
  [
    "sorted((p[-1], p[0]) for p in pairs)",
    [
      [1, "a"],
      [2, "b"],
      [3, "b"],
    ],
  ],
  ["sorted({w[0].lower() for w in words})", ["a", "b"]],
])("%s", async (expression, expected) => {
  expect(await result(expression)).toEqual(expected);
});

it.each([
  ["[n for n in ints]", "a list shows the order"],
  ["sorted(list(ints), key=lambda n: 1)", "equal keys keep the order of a list"],
  ["sorted(list(mixed))", "of members of several types the first comparison that fails depends on it"],
  ["{n: 1 for n in ints}", "a dict does, too"],
  ["list(n for n in ints)", "and so does what list makes of them"],
  ["sorted(str(m) for m in mixed)", "members of several types may fail in another order"],
  ["sum(f for f in floats)", "a sum of floats depends on the order"],
  ["sum(n * 0.1 for n in ints)", "also when they come of ints"],
  ["sorted(ints, key=lambda n: n % 2)", "equal keys keep the order"],
  ["sorted((n for n in ints), key=lambda n: 1)", "also those of a generator"],
  ["any(prices[w] for w in words)", "a key may be missing for some"],
  ["any(p[1] == 2 for p in shapes)", "a part may be missing for some"],
  ["sorted(a for a, b in shapes)", "or there may be more parts"],
  ["any(w[1] == 'x' for w in words | {'ab'})", "and so may a letter"],
  ["any(a == 'a' for a, b in {'ab', 'c'})", "texts have letters for some"],
  ["any(p < ('b', 'x') for p in pairs if p[0])", "tuples are in an order with some others only"],
  ["any((n, 'a') < (1, 1) for n in ints)", "also those that the walk makes"],
  ["sum(p[0] for p in {(0.1, 1), (0.2, 1), (0.3, 1)})", "parts that are floats"],
  ["sum(prices[w] for w in words)", "a sum stops at the first that is missing"],
  ["any(print(n) for n in ints)", "what is printed shows it"],
  ["''.join(w for w in words)", "a text shows it"],
])("%s is not exact: %s", async (expression) => {
  expect(await result(expression, ["WF6030"])).toBe("RUNTIME_NOT_EXACT");
});

it.each([
  ["keys of dicts", "for k in a.keys() - b.keys():\n        seen.append(k)"],
  ["a set with an annotation", "s: set[str] = set()\n    for k in s:\n        seen.append(k)"],
  ["what an operator made of one", "s = set(a) & set(b)\n    for k in s:\n        seen.append(k)"],
  ["what an operator makes with one", "for k in b['s'] | {9}:\n        seen.append(k)"],
])("warns of a loop over %s", (_what, lines) => {
  const source = `def main(a: dict, b: dict):\n    seen = []\n    ${lines}\n    return seen\n`;
  const { diagnostics } = compile(source, { catalog: builtinCatalog });
  expect(diagnostics.map(({ code }) => code)).toEqual(["WF6030"]);
});

it("warns of no loop over what may be an int or a list", () => {
  const source =
    "def main(a, b):\n    seen = [n for n in range(a & b)]\n    for k in sorted(a.keys() - b.keys()):\n        seen.append(k)\n    for k in a - b:\n        seen.append(k)\n    return seen\n";
  expect(compile(source, { catalog: builtinCatalog }).diagnostics).toEqual([]);
});
