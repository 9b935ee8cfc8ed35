/** Expressions of a wanted type. Every operand may be a call that leaves a trace, so that the order of evaluation shows. */

import { ofDict, ofList, ofSet, ofTuple } from "./containers.ts";
import type { Draw } from "./draw.ts";
import { literalOf } from "./literals.ts";
import { ofBool, ofNumber, ofText } from "./scalars.ts";
import type { Scope } from "./scope.ts";
import {
  atom,
  BINDS,
  BOOL,
  dictOf,
  type Expression,
  FLOAT,
  INT,
  inside,
  isSame,
  listOf,
  STR,
  setOf,
  type Type,
  tupleOf,
} from "./types.ts";

export type Maker = (scope: Scope, depth: number) => Expression;
export type Weighted = readonly [weight: number, make: Maker];

const TRACED = 0.12;
const MISTYPED = 0.012;

/** A type whose values can be keys. */
export function keyType(draw: Draw): Type {
  return draw.weighted<Type>([
    [6, STR],
    [4, INT],
    [1, BOOL],
    [0.5, FLOAT],
    [1, tupleOf(INT, STR)],
  ]);
}

export function anyType(draw: Draw, depth = 2): Type {
  if (depth === 0) return draw.pick([INT, INT, STR, STR, FLOAT, BOOL]);
  return draw.weighted<Type>([
    [6, INT],
    [5, STR],
    [3, FLOAT],
    [2, BOOL],
    [4, listOf(anyType(draw, depth - 1))],
    [2.5, dictOf(keyType(draw), anyType(draw, depth - 1))],
    [1.5, tupleOf(...draw.many(1, 3, () => anyType(draw, depth - 1)))],
    [1, setOf(draw.pick([INT, STR]))],
  ]);
}

export function expression(scope: Scope, type: Type, depth: number): Expression {
  const { draw } = scope;
  const wanted = draw.chance(MISTYPED) ? anyType(draw, 1) : type;
  const made =
    depth <= 0 ? leaf(scope, wanted) : draw.weighted([...common(wanted), ...special(wanted)])(scope, depth - 1);
  if (draw.chance(TRACED)) return atom(`t(${scope.freshTrace()}, ${made.text})`);
  return draw.chance(0.03) ? atom(`(${made.text})`) : made;
}

/** The text of an expression that stands between brackets or commas. */
export function argument(scope: Scope, type: Type, depth: number): string {
  return expression(scope, type, depth).text;
}

function leaf(scope: Scope, type: Type): Expression {
  const known = scope.of(type);
  if (known.length > 0 && scope.draw.chance(0.7)) return atom(scope.draw.pick(known).name);
  const text = literalOf(scope.draw, type);
  return {
    text,
    binds: text.startsWith("-")
      ? BINDS.unary
      : text.includes("**")
        ? BINDS.power
        : /^\d/.test(text)
          ? BINDS.number
          : BINDS.atom,
  };
}

function special(type: Type): readonly Weighted[] {
  if (type.kind === "int" || type.kind === "float") return ofNumber(type.kind);
  if (type.kind === "bool") return ofBool;
  if (type.kind === "str") return ofText;
  if (type.kind === "list") return ofList(type.item);
  if (type.kind === "dict") return ofDict(type.key, type.item);
  if (type.kind === "set") return ofSet(type.item);
  return ofTuple(type.items);
}

/** What can have any type. */
function common(type: Type): readonly Weighted[] {
  return [
    [3, leaf],
    [1, ternary],
    [0.8, either],
    [0.7, fromList],
    [0.8, fromDict],
    [0.4, fromTuple],
    [1.2, called],
    [0.3, calledLambda],
    [0.4, assigned],
    [0.3, next],
    [0.3, ofMany],
  ].map(([weight, make]) => [weight as number, (scope, depth) => (make as Typed)(scope, type, depth)]);
}

type Typed = (scope: Scope, type: Type, depth: number) => Expression;

function ternary(scope: Scope, type: Type, depth: number): Expression {
  const made = inside(expression(scope, type, depth), BINDS.or);
  const test = inside(expression(scope, BOOL, depth), BINDS.or);
  return { text: `${made} if ${test} else ${expression(scope, type, depth).text}`, binds: BINDS.ternary };
}

function either(scope: Scope, type: Type, depth: number): Expression {
  const [word, binds] = scope.draw.pick([
    ["or", BINDS.or],
    ["and", BINDS.and],
  ] as const);
  const left = inside(expression(scope, type, depth), binds);
  return { text: `${left} ${word} ${inside(expression(scope, type, depth), binds + 1)}`, binds };
}

function fromList(scope: Scope, type: Type, depth: number): Expression {
  const list = inside(expression(scope, listOf(type), depth), BINDS.atom);
  const index = scope.draw.chance(0.85)
    ? scope.draw.pick(["0", "0", "0", "-1", "-1", "1", "-2"])
    : argument(scope, INT, depth);
  return atom(`${list}[${index}]`);
}

function fromDict(scope: Scope, type: Type, depth: number): Expression {
  const key = scope.draw.chance(0.8) ? STR : INT;
  const dict = inside(expression(scope, dictOf(key, type), depth), BINDS.atom);
  const at = argument(scope, key, depth);
  return scope.draw.weighted([
    [0.7, () => atom(`${dict}[${at}]`)],
    [3, () => atom(`${dict}.get(${at}, ${argument(scope, type, depth)})`)],
    [1, () => atom(`${dict}.setdefault(${at}, ${argument(scope, type, depth)})`)],
    [0.7, () => atom(`${dict}.pop(${at}, ${argument(scope, type, depth)})`)],
  ])();
}

function fromTuple(scope: Scope, type: Type): Expression {
  const known = scope.variables.filter(
    (one) => one.type.kind === "tuple" && one.type.items.some((item) => isSame(item, type)),
  );
  if (known.length === 0) return leaf(scope, type);
  const { name, type: held } = scope.draw.pick(known);
  const items = held.kind === "tuple" ? held.items : [];
  return atom(`${name}[${items.findIndex((item) => isSame(item, type))}]`);
}

function called(scope: Scope, type: Type, depth: number): Expression {
  const known = scope.shared.functions.filter(({ result }) => isSame(result, type));
  if (known.length === 0) return leaf(scope, type);
  return atom(callOf(scope, scope.draw.pick(known), depth));
}

/** A call with some arguments by name, and some of those with defaults left out. */
export function callOf(scope: Scope, { name, params }: Scope["shared"]["functions"][number], depth: number): string {
  const { draw } = scope;
  const args: string[] = [];
  let isByName = false;
  for (const param of params) {
    if (param.hasDefault && draw.chance(0.5)) {
      isByName = true;
      continue;
    }
    isByName ||= draw.chance(0.25);
    args.push(`${isByName ? `${param.name}=` : ""}${argument(scope, param.type, depth)}`);
  }
  return `${name}(${args.join(", ")})`;
}

function calledLambda(scope: Scope, type: Type, depth: number): Expression {
  const given = anyType(scope.draw, 1);
  const name = scope.freshName();
  const inner = scope.inner();
  inner.add(name, given);
  return atom(`(lambda ${name}: ${argument(inner, type, depth)})(${argument(scope, given, depth)})`);
}

/** `(name := value)` for a name that is set already. */
function assigned(scope: Scope, type: Type, depth: number): Expression {
  const known = scope.of(type).filter(({ name }) => name.startsWith("v"));
  if (scope.isPure || known.length === 0) return leaf(scope, type);
  return atom(`(${scope.draw.pick(known).name} := ${bounded(scope, type, expression(scope, type, depth))})`);
}

function next(scope: Scope, type: Type, depth: number): Expression {
  const { item, source, inner } = walked(scope, type, depth);
  const test = scope.draw.chance(0.6) ? ` if ${inside(expression(inner, BOOL, depth), BINDS.or)}` : "";
  return atom(`next((${item} for ${source}${test}), ${argument(scope, type, depth)})`);
}

function ofMany(scope: Scope, type: Type, depth: number): Expression {
  if (!["int", "str", "float", "tuple"].includes(type.kind)) return leaf(scope, type);
  const { item, source } = walked(scope, type, depth);
  const fallback = scope.draw.chance(0.6) ? `, default=${argument(scope, type, depth)}` : "";
  return atom(
    `${scope.draw.pick(["max", "min"])}(${fallback === "" ? `${item} for ${source}` : `(${item} for ${source})`}${fallback})`,
  );
}

/** An element of a comprehension with the wanted type, and what it walks over. */
export function walked(scope: Scope, type: Type, depth: number): { item: string; source: string; inner: Scope } {
  const { draw } = scope;
  const name = scope.freshName();
  const inner = scope.inner({ isPure: true, isRepeated: true });
  const outer = scope.inner({ isPure: true });
  const given = draw.weighted<() => [string, string]>([
    [
      4,
      () => {
        const item = draw.chance(0.4) ? type : anyType(draw, 1);
        inner.add(name, item);
        return [name, inside(expression(outer, listOf(item), depth), BINDS.or)];
      },
    ],
    [
      2,
      () => {
        inner.add(name, INT);
        return [name, `range(${draw.pick(["0", "1", "2", "3", "4", "-1, 2", "3, 0, -1"])})`];
      },
    ],
    [
      1,
      () => {
        const item = anyType(draw, 0);
        const index = scope.freshName();
        inner.add(index, INT);
        inner.add(name, item);
        const start = draw.chance(0.3) ? `, ${draw.pick(["1", "start=1", "-1"])}` : "";
        return [`${index}, ${name}`, `enumerate(${argument(outer, listOf(item), depth)}${start})`];
      },
    ],
    [
      1,
      () => {
        const key = draw.pick([STR, INT]);
        const item = anyType(draw, 0);
        const at = scope.freshName();
        inner.add(at, key);
        inner.add(name, item);
        return [`${at}, ${name}`, `${inside(expression(outer, dictOf(key, item), depth), BINDS.atom)}.items()`];
      },
    ],
    [
      1,
      () => {
        inner.add(name, STR);
        return [name, inside(expression(outer, STR, depth), BINDS.or)];
      },
    ],
  ])();
  return { item: argument(inner, type, depth), source: `${given[0]} in ${given[1]}`, inner };
}

/** The expression, cut to a small value where it could grow with every pass of a loop. */
export function bounded(scope: Scope, type: Type, made: Expression): string {
  if (!scope.isRepeated) return made.text;
  if (type.kind === "int") return `${inside(made, BINDS.multiply)} % 10007`;
  if (type.kind === "str") return `${inside(made, BINDS.atom)}[:30]`;
  if (type.kind === "list") return `${inside(made, BINDS.atom)}[:6]`;
  return made.text;
}
