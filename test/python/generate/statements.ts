/** Statements of generated programs, as lines without their indentation. Every loop ends, and values in loops stay small. */
import { anyType, argument, bounded, callOf, expression, keyType } from "./expressions.ts";
import type { Scope, Variable } from "./scope.ts";
import {
  BINDS,
  BOOL,
  dictOf,
  type Expression,
  FLOAT,
  INT,
  inside,
  listOf,
  STR,
  setOf,
  type Type,
  tupleOf,
} from "./types.ts";

type Statement = (scope: Scope, depth: number) => readonly string[];

const EXPRESSION_DEPTH = 3;
/** Lists that a loop walks over and its body may append to. */
const MAX_WALKED = 12;
const EXCEPTIONS = [
  "ValueError",
  "KeyError",
  "IndexError",
  "TypeError",
  "ZeroDivisionError",
  "LookupError",
  "ArithmeticError",
  "Exception",
  "AttributeError",
];

const deeper = (lines: readonly string[]): string[] => lines.map((line) => `    ${line}`);
const value = (scope: Scope, type: Type): Expression => expression(scope, type, EXPRESSION_DEPTH);
const stored = (scope: Scope, type: Type): string => bounded(scope, type, value(scope, type));

export function block(scope: Scope, depth: number, min = 1, max = 3): string[] {
  const lines: string[] = [];
  for (let left = min + scope.draw.below(max - min + 1); left > 0; left -= 1) lines.push(...statement(scope, depth));
  return lines;
}

function statement(scope: Scope, depth: number): readonly string[] {
  const made = scope.draw.weighted(depth > 0 ? [...SIMPLE, ...COMPOUND] : SIMPLE)(scope, depth);
  // A name that has no value of the needed type.
  return made.length === 0 ? assign(scope, depth) : made;
}

/** A variable that the scope may assign to; in an inner scope only those that are known. */
function target(scope: Scope, kinds: readonly Type["kind"][]): Variable | null {
  const known = scope.variables.filter(({ name, type }) => kinds.includes(type.kind) && name.startsWith("v"));
  return known.length === 0 ? null : scope.draw.pick(known);
}

const assign: Statement = (scope) => {
  const known = target(scope, ["int", "float", "bool", "str", "list", "dict", "tuple", "set"]);
  if (known !== null && scope.draw.chance(0.4)) return [`${known.name} = ${stored(scope, known.type)}`];
  const type = anyType(scope.draw);
  const text = stored(scope, type);
  return [`${scope.add(scope.freshName(), type).name} = ${text}`];
};

const augmented: Statement = (scope) => {
  const known = target(scope, ["int", "float", "str", "list", "set", "dict"]);
  if (known === null) return [];
  const { name, type } = known;
  const { kind } = type;
  const operators = {
    int: ["+=", "-=", "*=", "//=", "%=", "|=", "^="],
    float: ["+=", "-=", "*=", "/="],
    str: ["+="],
    list: ["+="],
    set: ["|=", "&=", "-="],
    dict: ["|="],
  };
  const line = `${name} ${scope.draw.pick(operators[kind as keyof typeof operators])} ${value(scope, type).text}`;
  if (!scope.isRepeated) return [line];
  if (kind === "int") return [line, `${name} %= 10007`];
  if (kind === "str") return [line, `${name} = ${name}[:30]`];
  return kind === "list" ? [line, `del ${name}[8:]`] : [line];
};

const unpacked: Statement = (scope) => {
  const { draw } = scope;
  const types = draw.many(2, 3, () => anyType(draw, 1));
  if (draw.chance(0.25)) {
    const item = anyType(draw, 0);
    const list = value(scope, listOf(item)).text;
    const [first, rest] = [scope.freshName(), scope.freshName()];
    scope.add(first, item);
    scope.add(rest, listOf(item));
    return [draw.chance(0.5) ? `${first}, *${rest} = ${list}` : `*${rest}, ${first} = ${list}`];
  }
  const same = target(scope, ["int", "str"]);
  if (same !== null && draw.chance(0.4)) {
    const other = draw.pick(scope.of(same.type).filter(({ name }) => name.startsWith("v")));
    return [`${same.name}, ${other.name} = ${other.name}, ${stored(scope, same.type)}`];
  }
  const text = draw.chance(0.5)
    ? types.map((type) => value(scope, type).text).join(", ")
    : value(scope, tupleOf(...types)).text;
  const names = types.map((type) => scope.add(scope.freshName(), type).name);
  return [`${names.join(", ")} = ${text}`];
};

const written: Statement = (scope) => {
  const known = target(scope, ["list", "dict"]);
  if (known === null) return [];
  const { name, type } = known;
  const item = type.kind === "list" || type.kind === "dict" ? type.item : INT;
  const at = value(scope, type.kind === "dict" ? type.key : INT).text;
  if (scope.draw.chance(0.15)) return [`del ${name}[${at}]`];
  if ((item.kind === "int" || item.kind === "str") && scope.draw.chance(0.35)) {
    const line = `${name}[${at}] += ${value(scope, item).text}`;
    return scope.isRepeated && item.kind === "str" ? [line.replace("+=", "=")] : [line];
  }
  if (type.kind === "list" && scope.draw.chance(0.15))
    return [`${name}[${scope.draw.pick([":1", "1:2", "1:", "::2", "5:"])}] = ${stored(scope, type)}`];
  return [`${name}[${at}] = ${stored(scope, item)}`];
};

const changed: Statement = (scope) => {
  const known = target(scope, ["list", "dict", "set"]);
  if (known === null) return [];
  const { name, type } = known;
  const { draw } = scope;
  const item = "item" in type ? type.item : INT;
  const one = () => stored(scope, item);
  if (type.kind === "set") return [`${name}.${draw.pick(["add", "discard", "remove"])}(${one()})`];
  if (type.kind === "dict") {
    const key = () => value(scope, type.key).text;
    return [
      draw.weighted<() => string>([
        [2, () => `${name}.update(${stored(scope, type)})`],
        [2, () => `${name}.setdefault(${key()}, ${one()})`],
        [1, () => `${name}.pop(${key()})`],
        [1, () => `${name}.pop(${key()}, None)`],
        [0.5, () => `${name}.popitem()`],
        [0.3, () => `${name}.clear()`],
      ])(),
    ];
  }
  const lines = [
    draw.weighted<() => string>([
      [4, () => `${name}.append(${one()})`],
      [1, () => `${name}.insert(${value(scope, INT).text}, ${one()})`],
      [1.5, () => `${name}.extend(${stored(scope, type)})`],
      [1.5, () => `${name}.pop(${draw.pick(["", "0", "-1", "1"])})`],
      [1, () => `${name}.remove(${one()})`],
      [1, () => `${name}.reverse()`],
      [
        1.5,
        () =>
          item.kind === "dict" || item.kind === "set"
            ? `${name}.clear()`
            : `${name}.sort(${draw.pick(["", "reverse=True", "key=str", "key=lambda q: t(0, q)"])})`,
      ],
    ])(),
  ];
  return scope.isRepeated ? [...lines, `del ${name}[8:]`] : lines;
};

const called: Statement = (scope) => {
  const { functions } = scope.shared;
  return functions.length === 0 ? [] : [callOf(scope, scope.draw.pick(functions), 2)];
};

const raised: Statement = (scope) => {
  const text = scope.draw.pick([
    () => value(scope, STR).text,
    () => `f"at {${value(scope, INT).text.replaceAll('"', "'").replaceAll("\\", "")}}"`,
  ])();
  const isPlain = !/['\\{}]/.test(text.slice(2, -1));
  return [
    `if ${value(scope, BOOL).text}:`,
    ...deeper([
      scope.draw.chance(0.2)
        ? `assert ${value(scope, BOOL).text}, "no"`
        : `raise ${scope.draw.pick(["ValueError", "KeyError", "RuntimeError", "Odd"])}(${text.startsWith("f") && !isPlain ? '"x"' : text})`,
    ]),
  ];
};

const left: Statement = (scope) => {
  if (!scope.isInLoop) return [];
  return [`if ${value(scope, BOOL).text}:`, ...deeper([scope.draw.pick(["break", "continue"])])];
};

const printed: Statement = (scope) => {
  const known = scope.variables.filter(({ type }) => !JSON.stringify(type).includes('"set"'));
  if (known.length === 0) return [];
  return [
    `print(${scope.draw.pick(known).name}, ${scope.draw.pick(known).name}${scope.draw.pick(["", ', sep="-"', ', end=";"'])})`,
  ];
};

const branch: Statement = (scope, depth) => {
  const inner = () => deeper(block(scope.inner(), depth - 1, 1, 2));
  const lines = [`if ${value(scope, BOOL).text}:`, ...inner()];
  if (scope.draw.chance(0.3))
    lines.push(`elif ${value(scope, scope.draw.pick([BOOL, INT, listOf(INT), STR])).text}:`, ...inner());
  return scope.draw.chance(0.5) ? [...lines, "else:", ...inner()] : lines;
};

const loop: Statement = (scope, depth) => {
  const { draw } = scope;
  const inner = scope.inner({ isInLoop: true, isRepeated: true });
  const name = scope.freshName();
  const known = target(scope, ["list"]);
  const first: string[] = [];
  const head = draw.weighted<() => string>([
    [
      3,
      () => {
        if (known === null || !("item" in known.type)) return `for ${inner.add(name, INT).name} in range(3):`;
        // The body may change the list that it walks over.
        first.push(`if len(${known.name}) > ${MAX_WALKED}: break`);
        inner.add(name, known.type.item);
        return `for ${name} in ${known.name}:`;
      },
    ],
    [
      2,
      () => {
        const item = anyType(draw, 1);
        const text = inside(value(scope, listOf(item)), BINDS.or);
        inner.add(name, item);
        return `for ${name} in ${text}:`;
      },
    ],
    [1.5, () => `for ${inner.add(name, INT).name} in range(${draw.pick(["4", "1, 4", "5, 0, -2", "0"])}):`],
    [
      1.5,
      () => {
        const [key, item] = [draw.pick([STR, INT]), anyType(draw, 1)];
        const text = inside(value(scope, dictOf(key, item)), BINDS.atom);
        inner.add(name, key);
        return `for ${name}, ${inner.add(scope.freshName(), item).name} in ${text}.items():`;
      },
    ],
    [
      1,
      () => {
        const item = anyType(draw, 0);
        const text = value(scope, listOf(item)).text;
        inner.add(name, INT);
        return `for ${name}, ${inner.add(scope.freshName(), item).name} in enumerate(${text}):`;
      },
    ],
    [
      1,
      () => {
        const [one, two] = [anyType(draw, 0), anyType(draw, 0)];
        const text = `${value(scope, listOf(one)).text}, ${value(scope, listOf(two)).text}`;
        inner.add(name, one);
        return `for ${name}, ${inner.add(scope.freshName(), two).name} in zip(${text}):`;
      },
    ],
    [1, () => `for ${name} in ${inside(value(scope, STR), BINDS.or)}[:4]:`],
    [0.7, () => `for ${inner.add(name, STR).name} in sorted(${value(scope, setOf(STR)).text}):`],
  ])();
  const lines = [head, ...deeper([...first, ...block(inner, depth - 1, 1, 3)])];
  return draw.chance(0.2) ? [...lines, "else:", ...deeper(block(scope.inner(), 0, 1, 1))] : lines;
};

const whileLoop: Statement = (scope, depth) => {
  const name = `w${scope.freshName()}`;
  const inner = scope.inner({ isInLoop: true, isRepeated: true });
  const test = scope.draw.chance(0.5) ? `${name} < 4` : `${name} < 4 and ${inside(value(scope, BOOL), BINDS.not)}`;
  const lines = [`${name} = 0`, `while ${test}:`, ...deeper([`${name} += 1`, ...block(inner, depth - 1, 1, 2)])];
  return scope.draw.chance(0.2) ? [...lines, "else:", ...deeper(block(scope.inner(), 0, 1, 1))] : lines;
};

const tried: Statement = (scope, depth) => {
  const { draw } = scope;
  const lines = ["try:", ...deeper(block(scope.inner(), depth - 1, 1, 3))];
  const hasFinally = draw.chance(0.35);
  const handlers = hasFinally && draw.chance(0.3) ? 0 : 1 + draw.below(2);
  for (let index = 0; index < handlers; index += 1) {
    const one = draw.chance(0.25) ? `(${draw.pick(EXCEPTIONS)}, Odd)` : draw.pick(EXCEPTIONS);
    const isNamed = draw.chance(0.6);
    lines.push(`except ${one}${isNamed ? " as error" : ""}:`);
    if (isNamed) lines.push(...deeper(["log.append(type(error).__name__)"]));
    lines.push(...deeper(draw.chance(0.12) ? ["raise"] : block(scope.inner(), 0, 1, 2)));
  }
  if (handlers > 0 && draw.chance(0.25)) lines.push("else:", ...deeper(block(scope.inner(), 0, 1, 1)));
  if (!hasFinally) return lines;
  const end =
    scope.isInFunction && draw.chance(0.08)
      ? ["return 77"]
      : scope.isInLoop && draw.chance(0.1)
        ? [draw.pick(["break", "continue"])]
        : [];
  return [...lines, "finally:", ...deeper([`log.append("f${scope.freshTrace()}")`, ...end])];
};

const matched: Statement = (scope, depth) => {
  const { draw } = scope;
  const type = draw.pick<Type>([INT, STR, listOf(INT), dictOf(STR, INT), tupleOf(INT, STR)]);
  const name = scope.freshName();
  const inner = (bound: readonly [string, Type][] = []) => {
    const made = scope.inner();
    for (const [one, of] of bound) made.add(one, of);
    return deeper(deeper(block(made, depth - 1, 1, 1)));
  };
  const patterns: readonly (readonly [string, readonly [string, Type][]])[] = {
    int: [
      ["0 | 1", []],
      ["-1", []],
      [`${name} if ${name} > 2`, [[name, INT]]],
      ["_", []],
    ] as const,
    str: [
      ['"a" | "b"', []],
      [`${name} if ${name}`, [[name, STR]]],
      ["_", []],
    ] as const,
    list: [
      ["[]", []],
      [`[${name}]`, [[name, INT]]],
      [`[${name}, *_]`, [[name, INT]]],
      ["_", []],
    ] as const,
    dict: [
      [`{"a": ${name}}`, [[name, INT]]],
      ['{"key": 1, **rest}', []],
      ["{}", []],
      ["_", []],
    ] as const,
    tuple: [
      [`(0, ${name})`, [[name, STR]]],
      [`(${name}, "a")`, [[name, INT]]],
      ["_", []],
    ] as const,
  }[type.kind as "int"] as never;
  const cases = patterns.flatMap(([pattern, bound]) => deeper([`case ${pattern}:`]).concat(inner(bound)));
  return [`match ${value(scope, type).text}:`, ...cases];
};

const nested: Statement = (scope, depth) => {
  const { draw } = scope;
  const name = `n${scope.freshName()}`;
  const owned = target(scope, ["int", "str"]);
  const param = scope.freshName();
  const type = anyType(draw, 1);
  const result = anyType(draw, 1);
  const inner = scope.inner({ isInFunction: true, isInLoop: false, isRepeated: true });
  const lines: string[] = [];
  if (owned !== null && scope.isInFunction && draw.chance(0.6)) {
    lines.push(`nonlocal ${owned.name}`, `${owned.name} = ${stored(inner, owned.type)}`);
  }
  inner.add(param, type);
  const fallback = draw.chance(0.4) ? `=${value(scope, type).text}` : "";
  lines.push(`return ${expression(inner.inner({ isPure: true }), result, 2).text}`);
  const uses = draw.many(1, 2, () => {
    const text = `${name}(${fallback !== "" && draw.chance(0.4) ? "" : argument(scope, type, 1)})`;
    return `${scope.add(scope.freshName(), result).name} = ${text}`;
  });
  return depth < 0 ? [] : [`def ${name}(${param}${fallback}):`, ...deeper(lines), ...uses];
};

const SIMPLE: readonly (readonly [number, Statement])[] = [
  [6, assign],
  [2.5, augmented],
  [1.5, unpacked],
  [2.5, written],
  [3, changed],
  [1, called],
  [0.6, raised],
  [0.6, left],
  [0.4, printed],
];

const COMPOUND: readonly (readonly [number, Statement])[] = [
  [2.5, branch],
  [3, loop],
  [0.8, whileLoop],
  [2, tried],
  [0.6, matched],
  [1, nested],
];

/** The types that parameters of functions have. */
export function parameterType(scope: Scope): Type {
  return scope.draw.weighted<Type>([
    [3, INT],
    [3, STR],
    [1, FLOAT],
    [2, listOf(INT)],
    [1, listOf(STR)],
    [1, dictOf(keyType(scope.draw), INT)],
  ]);
}
