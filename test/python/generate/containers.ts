/** Lists, dicts, sets and tuples. */
import { argument, expression, type Maker, type Weighted, walked } from "./expressions.ts";
import { literalOf } from "./literals.ts";
import type { Scope } from "./scope.ts";
import { atom, BINDS, BOOL, dictOf, INT, inside, isSame, listOf, STR, setOf, type Type, tupleOf } from "./types.ts";

const text = (scope: Scope, type: Type, depth: number) => inside(expression(scope, type, depth), BINDS.atom);

/** How lists of a type can be ordered: `key=`, with a function that may leave a trace. */
function ordering(scope: Scope, item: Type, depth: number): string {
  const { draw } = scope;
  const name = scope.freshName();
  const inner = scope.inner({ isPure: true, isRepeated: true });
  inner.add(name, item);
  const key = draw.chance(0.5) ? `, key=lambda ${name}: ${argument(inner, draw.pick([INT, STR, item]), depth)}` : "";
  return `${key}${draw.chance(0.3) ? `, reverse=${draw.pick(["True", "False", "1"])}` : ""}`;
}

export function ofList(item: Type): readonly Weighted[] {
  const type = listOf(item);
  const items: Maker = (scope, depth) => {
    const parts = scope.draw.many(scope.draw.chance(0.1) ? 0 : 1, 4, () =>
      scope.draw.chance(0.12)
        ? `*${inside(expression(scope, type, depth), BINDS.bitOr)}`
        : argument(scope, item, depth),
    );
    return atom(`[${parts.join(", ")}]`);
  };
  const comprehension: Maker = (scope, depth) => {
    const { item: made, source, inner } = walked(scope, item, depth);
    const second = scope.draw.chance(0.15) ? ` for ${scope.freshName()} in range(2)` : "";
    const test = scope.draw.chance(0.4) ? ` if ${inside(expression(inner, BOOL, depth), BINDS.or)}` : "";
    return atom(`[${made} for ${source}${second}${test}]`);
  };
  const sliced: Maker = (scope, depth) =>
    atom(
      `${text(scope, type, depth)}[${scope.draw.pick(["1:", ":2", ":", "::-1", "-2:", "::2", "1:-1", "5:", ":-1", "3:0:-1"])}]`,
    );
  const added: Maker = (scope, depth) => ({
    text: `${inside(expression(scope, type, depth), BINDS.add)} + ${inside(expression(scope, type, depth), BINDS.multiply)}`,
    binds: BINDS.add,
  });
  const repeated: Maker = (scope, depth) => ({
    text: `${inside(expression(scope, type, depth), BINDS.multiply)} * ${scope.draw.pick(["0", "1", "2", "-1"])}`,
    binds: BINDS.multiply,
  });
  const filtered: Maker = (scope, depth) => {
    const name = scope.freshName();
    const inner = scope.inner({ isPure: true, isRepeated: true });
    inner.add(name, item);
    return atom(`list(filter(lambda ${name}: ${argument(inner, BOOL, depth)}, ${argument(scope, type, depth)}))`);
  };
  const mapped: Maker = (scope, depth) => {
    const name = scope.freshName();
    const inner = scope.inner({ isPure: true, isRepeated: true });
    const given = scope.draw.pick([INT, STR]);
    inner.add(name, given);
    return atom(`list(map(lambda ${name}: ${argument(inner, item, depth)}, ${argument(scope, listOf(given), depth)}))`);
  };
  const makers: Weighted[] = [
    [4, items],
    [3, comprehension],
    [1.2, sliced],
    [1, added],
    [0.4, repeated],
    [0.8, (scope, depth) => atom(`list(${argument(scope, type, depth)})`)],
    [0.4, (scope, depth) => atom(`list(reversed(${argument(scope, type, depth)}))`)],
    [0.5, filtered],
    [0.5, mapped],
    [0.4, (scope, depth) => atom(`list(${text(scope, dictOf(STR, item), depth)}.values())`)],
    [0.3, (scope, depth) => atom(`${text(scope, type, depth)}.copy()`)],
  ];
  if (item.kind !== "dict" && item.kind !== "set")
    makers.push([
      1.5,
      (scope, depth) => atom(`sorted(${argument(scope, type, depth)}${ordering(scope, item, depth)})`),
    ]);
  if (item.kind === "int")
    makers.push([0.7, (scope) => atom(`list(range(${scope.draw.pick(["3", "1, 4", "5, 0, -2", "0"])}))`)]);
  if (item.kind === "int" || item.kind === "str")
    makers.push(
      [0.6, (scope, depth) => atom(`sorted(${argument(scope, setOf(item), depth)})`)],
      [0.4, (scope, depth) => atom(`list(${argument(scope, dictOf(item, INT), depth)})`)],
    );
  if (item.kind === "str") {
    makers.push(
      [
        1,
        (scope, depth) =>
          atom(`${text(scope, STR, depth)}.split(${scope.draw.pick(["", '","', '" "', '",", 1', "None, 1", '"X"'])})`),
      ],
      [0.3, (scope, depth) => atom(`${text(scope, STR, depth)}.splitlines()`)],
      [0.3, (scope, depth) => atom(`list(${argument(scope, STR, depth)})`)],
    );
  }
  if (item.kind === "tuple" && item.items.length === 2) {
    const [left = INT, right = INT] = item.items;
    makers.push([
      2,
      (scope, depth) =>
        atom(`list(zip(${argument(scope, listOf(left), depth)}, ${argument(scope, listOf(right), depth)}))`),
    ]);
    if (isSame(left, INT))
      makers.push([1.5, (scope, depth) => atom(`list(enumerate(${argument(scope, listOf(right), depth)}))`)]);
    if (isSame(left, STR))
      makers.push([1.5, (scope, depth) => atom(`list(${text(scope, dictOf(STR, right), depth)}.items())`)]);
  }
  return makers;
}

export function ofDict(key: Type, item: Type): readonly Weighted[] {
  const type = dictOf(key, item);
  const members: Maker = (scope, depth) => {
    const parts = scope.draw.many(0, 3, () =>
      scope.draw.chance(0.1)
        ? `**${inside(expression(scope, type, depth), BINDS.bitOr)}`
        : `${argument(scope, key, depth)}: ${argument(scope, item, depth)}`,
    );
    return atom(`{${parts.join(", ")}}`);
  };
  const comprehension: Maker = (scope, depth) => {
    const { item: made, source, inner } = walked(scope, item, depth);
    return atom(`{${argument(inner, key, depth)}: ${made} for ${source}}`);
  };
  return [
    [4, members],
    [2, comprehension],
    [
      0.7,
      (scope, depth) =>
        atom(`dict(zip(${argument(scope, listOf(key), depth)}, ${argument(scope, listOf(item), depth)}))`),
    ],
    [0.5, (scope, depth) => atom(`dict(${argument(scope, type, depth)})`)],
    [
      0.6,
      (scope, depth) => ({
        text: `${inside(expression(scope, type, depth), BINDS.bitOr)} | ${inside(expression(scope, type, depth), BINDS.bitXor)}`,
        binds: BINDS.bitOr,
      }),
    ],
    [0.3, (scope, depth) => atom(`${text(scope, type, depth)}.copy()`)],
    [
      0.3,
      (scope, depth) => atom(`dict.fromkeys(${argument(scope, listOf(key), depth)}, ${literalOf(scope.draw, item)})`),
    ],
  ];
}

export function ofSet(item: Type): readonly Weighted[] {
  const type = setOf(item);
  const operation: Maker = (scope, depth) => {
    const [operator, binds] = scope.draw.pick([
      ["|", BINDS.bitOr],
      ["&", BINDS.bitAnd],
      ["^", BINDS.bitXor],
      ["-", BINDS.add],
    ] as const);
    const left = inside(expression(scope, type, depth), binds);
    return { text: `${left} ${operator} ${inside(expression(scope, type, depth), binds + 1)}`, binds };
  };
  return [
    [3, (scope, depth) => atom(`set(${argument(scope, listOf(item), depth)})`)],
    [2, operation],
    [
      1,
      (scope, depth) => {
        const { item: made, source } = walked(scope, item, depth);
        return atom(`{${made} for ${source}}`);
      },
    ],
    [
      0.5,
      (scope, depth) =>
        atom(
          `${text(scope, type, depth)}.${scope.draw.pick(["union", "intersection", "difference"])}(${argument(scope, listOf(item), depth)})`,
        ),
    ],
  ];
}

export function ofTuple(items: readonly Type[]): readonly Weighted[] {
  const makers: Weighted[] = [
    [
      5,
      (scope, depth) => {
        const parts = items.map((item) => argument(scope, item, depth));
        return atom(`(${parts.join(", ")}${parts.length === 1 ? "," : ""})`);
      },
    ],
  ];
  if (items.length === 2 && items.every((item) => item.kind === "int"))
    makers.push([2, (scope, depth) => atom(`divmod(${argument(scope, INT, depth)}, ${argument(scope, INT, depth)})`)]);
  if (items.length === 3 && items.every((item) => item.kind === "str"))
    makers.push([
      2,
      (scope, depth) =>
        atom(
          `${text(scope, STR, depth)}.${scope.draw.pick(["partition", "rpartition"])}(${argument(scope, STR, depth)})`,
        ),
    ]);
  if (items.length === 1)
    makers.push([1, (scope, depth) => atom(`tuple([${argument(scope, items[0] ?? tupleOf(), depth)}])`)]);
  return makers;
}
