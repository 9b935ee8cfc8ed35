/** Numbers, truth values and texts. */
import { anyType, argument, expression, type Maker, type Weighted, walked } from "./expressions.ts";
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
  listOf,
  STR,
  setOf,
  type Type,
} from "./types.ts";

const binary = (left: Expression, operator: string, right: Expression, binds: number): Expression => ({
  text: `${inside(left, binds)} ${operator} ${inside(right, binds + 1)}`,
  binds,
});

/** A number; a truth value counts as one. */
function number(scope: Scope, kind: "int" | "float", depth: number): Expression {
  const other =
    kind === "float"
      ? scope.draw.pick([FLOAT, FLOAT, INT])
      : scope.draw.weighted([
          [9, INT],
          [1, BOOL],
        ]);
  return expression(scope, other, depth);
}

const arithmetic =
  (kind: "int" | "float"): Maker =>
  (scope, depth) => {
    const left = number(scope, kind, depth);
    const right = number(scope, kind, depth);
    const operator = scope.draw.pick(["+", "+", "-", "*", "//", "%"]);
    return binary(left, operator, right, operator === "+" || operator === "-" ? BINDS.add : BINDS.multiply);
  };

const power: Maker = (scope, depth) => {
  const base = inside(expression(scope, INT, depth), BINDS.number);
  const small = scope.isRepeated ? `(${base} % 100)` : `(${base} % 10007)`;
  return { text: `${small} ** ${scope.draw.pick(["0", "1", "2", "3", "5"])}`, binds: BINDS.power };
};

const bits: Maker = (scope, depth) => {
  const [operator, binds] = scope.draw.pick([
    ["&", BINDS.bitAnd],
    ["|", BINDS.bitOr],
    ["^", BINDS.bitXor],
  ] as const);
  return binary(number(scope, "int", depth), operator, number(scope, "int", depth), binds);
};

const shift: Maker = (scope, depth) => {
  const operator = scope.draw.pick(["<<", ">>"]);
  return {
    text: `${inside(expression(scope, INT, depth), BINDS.shift)} ${operator} ${scope.draw.pick(["0", "1", "3", "8"])}`,
    binds: BINDS.shift,
  };
};

const unary =
  (kind: "int" | "float"): Maker =>
  (scope, depth) => {
    const operator = scope.draw.pick(kind === "int" ? ["-", "+", "~"] : ["-", "+"]);
    return { text: `${operator}${inside(number(scope, kind, depth), BINDS.unary)}`, binds: BINDS.unary };
  };

const text = (scope: Scope, type: Type, depth: number) => inside(expression(scope, type, depth), BINDS.atom);

function sizedType(scope: Scope): Type {
  return scope.draw.pick([STR, listOf(anyType(scope.draw, 1)), dictOf(STR, INT), setOf(INT)]);
}

export function ofNumber(kind: "int" | "float"): readonly Weighted[] {
  const shared: Weighted[] = [
    [6, arithmetic(kind)],
    [1, unary(kind)],
    [0.5, (scope, depth) => atom(`abs(${number(scope, kind, depth).text})`)],
    [1, sum(kind)],
    [
      0.7,
      (scope, depth) =>
        atom(
          `${scope.draw.pick(["max", "min"])}(${number(scope, kind, depth).text}, ${number(scope, kind, depth).text})`,
        ),
    ],
  ];
  return [...shared, ...(kind === "int" ? INTS : FLOATS)];
}

const sum =
  (kind: "int" | "float"): Maker =>
  (scope, depth) => {
    const type: Type = { kind };
    if (scope.draw.chance(0.5)) return atom(`sum(${argument(scope, listOf(type), depth)})`);
    const { item, source } = walked(scope, type, depth);
    const test = scope.draw.chance(0.3) ? " if True" : "";
    if (scope.draw.chance(0.8)) return atom(`sum(${item} for ${source}${test})`);
    return atom(`sum((${item} for ${source}${test}), ${argument(scope, type, depth)})`);
  };

const INTS: readonly Weighted[] = [
  [0.7, power],
  [0.8, bits],
  [0.5, shift],
  [1.5, (scope, depth) => atom(`len(${argument(scope, sizedType(scope), depth)})`)],
  [
    0.7,
    (scope, depth) =>
      atom(
        `int(${argument(
          scope,
          scope.draw.weighted([
            [1, STR],
            [3, FLOAT],
            [2, BOOL],
            [2, INT],
          ]),
          depth,
        )})`,
      ),
  ],
  [0.5, (scope, depth) => atom(`round(${argument(scope, FLOAT, depth)})`)],
  [0.3, (scope, depth) => atom(`round(${argument(scope, INT, depth)}, ${scope.draw.pick(["-1", "-2", "1"])})`)],
  [0.4, (scope, depth) => atom(`ord(${text(scope, STR, depth)}[:1] or "a")`)],
  [
    0.8,
    (scope, depth) =>
      atom(
        `${text(scope, STR, depth)}.${scope.draw.pick(["count", "find", "find", "index", "rfind", "count"])}(${argument(scope, STR, depth)})`,
      ),
  ],
  [
    0.6,
    (scope, depth) => {
      const item = anyType(scope.draw, 1);
      return atom(
        `${text(scope, listOf(item), depth)}.${scope.draw.pick(["count", "count", "index"])}(${argument(scope, item, depth)})`,
      );
    },
  ],
  [
    0.4,
    (scope, depth) =>
      atom(`divmod(${argument(scope, INT, depth)}, ${argument(scope, INT, depth)})[${scope.draw.pick(["0", "1"])}]`),
  ],
  [0.3, (scope, depth) => atom(`(${argument(scope, INT, depth)}).bit_length()`)],
  [0.4, (scope, depth) => atom(`bump(${argument(scope, INT, depth)})`)],
];

const FLOATS: readonly Weighted[] = [
  [2, (scope, depth) => binary(number(scope, "float", depth), "/", number(scope, "float", depth), BINDS.multiply)],
  [
    1,
    (scope, depth) =>
      atom(
        `float(${argument(
          scope,
          scope.draw.weighted([
            [4, INT],
            [1, STR],
            [2, FLOAT],
            [1, BOOL],
          ]),
          depth,
        )})`,
      ),
  ],
  [
    1,
    (scope, depth) => atom(`round(${argument(scope, FLOAT, depth)}, ${scope.draw.pick(["0", "1", "2", "3", "-1"])})`),
  ],
];

const compared: Maker = (scope, depth) => {
  const type = anyType(scope.draw, 1);
  const isOrdered = type.kind !== "dict";
  const operator = () => scope.draw.pick(isOrdered ? ["==", "!=", "<", "<=", ">", ">="] : ["==", "!="]);
  const side = () => inside(expression(scope, type, depth), BINDS.bitOr);
  const more = scope.draw.chance(0.25) ? ` ${operator()} ${side()}` : "";
  return { text: `${side()} ${operator()} ${side()}${more}`, binds: BINDS.compare };
};

const contained: Maker = (scope, depth) => {
  const item = scope.draw.pick([INT, STR]);
  const whole = scope.draw.pick([listOf(item), setOf(item), dictOf(item, INT), ...(item === STR ? [STR] : [])]);
  const word = scope.draw.pick(["in", "not in"]);
  const left = inside(expression(scope, item, depth), BINDS.bitOr);
  return { text: `${left} ${word} ${inside(expression(scope, whole, depth), BINDS.bitOr)}`, binds: BINDS.compare };
};

export const ofBool: readonly Weighted[] = [
  [4, compared],
  [2, contained],
  [
    1,
    (scope, depth) => ({
      text: `not ${inside(expression(scope, anyType(scope.draw, 1), depth), BINDS.not)}`,
      binds: BINDS.not,
    }),
  ],
  [0.6, (scope, depth) => atom(`bool(${argument(scope, anyType(scope.draw, 1), depth)})`)],
  [
    1.2,
    (scope, depth) => {
      const { item, source } = walked(scope, BOOL, depth);
      return atom(`${scope.draw.pick(["any", "all"])}(${item} for ${source})`);
    },
  ],
  [
    0.6,
    (scope, depth) =>
      atom(
        `isinstance(${argument(scope, anyType(scope.draw, 1), depth)}, ${scope.draw.pick(["int", "str", "float", "bool", "list", "(int, float)", "dict", "tuple", "set"])})`,
      ),
  ],
  [
    0.7,
    (scope, depth) =>
      atom(`${text(scope, STR, depth)}.${scope.draw.pick(["startswith", "endswith"])}(${argument(scope, STR, depth)})`),
  ],
  [
    0.4,
    (scope, depth) =>
      atom(
        `${text(scope, STR, depth)}.${scope.draw.pick(["isdigit", "isalpha", "isupper", "islower", "isspace", "isalnum", "isnumeric"])}()`,
      ),
  ],
  [
    0.4,
    (scope, depth) => ({
      text: `${inside(expression(scope, anyType(scope.draw, 1), depth), BINDS.bitOr)} is${scope.draw.pick(["", " not"])} None`,
      binds: BINDS.compare,
    }),
  ],
];

const SPECS: Readonly<Record<string, readonly string[]>> = {
  int: ["5", "05d", ",", "+d", "x", "b", "<6", "^7", "*>8", ".2f", "e", "_", "08.3f", "%", "#x", "=+6"],
  float: [".2f", "8.3f", "e", "g", ".3g", ",.1f", "+.0f", "%", "010.2f", "<9", ".1%", "", "_.2f", "n^12"],
  str: ["5", "<6", ">6", "^7", "*^9", ".2", "<5.1", "s"],
  bool: ["5", "d", "", "<7"],
};

/** A literal has no quotes, braces or backslashes inside the braces of an f-string. */
const formatted: Maker = (scope) => {
  const { draw } = scope;
  const parts = draw.many(1, 3, () => {
    const known = scope.variables;
    if (known.length === 0 || draw.chance(0.2)) return draw.pick(["a", " ", "{{", "}}", "-", "%"]);
    const { name, type } = draw.pick(known);
    const specs = SPECS[type.kind];
    const convert = draw.chance(0.3) ? draw.pick(["!r", "!s", "!a"]) : "";
    const spec = convert === "" && specs !== undefined && draw.chance(0.6) ? `:${draw.pick(specs)}` : "";
    const isShown = draw.chance(0.1) ? "=" : "";
    return type.kind === "set" ? "s" : `{${name}${isShown}${convert}${spec}}`;
  });
  return atom(`f"${parts.join(draw.pick(["", " ", "|"]))}"`);
};

const sliced: Maker = (scope, depth) => {
  const bound = () =>
    scope.draw.chance(0.4)
      ? ""
      : scope.draw.chance(0.8)
        ? scope.draw.pick(["0", "1", "2", "-1", "-2", "5"])
        : argument(scope, INT, depth);
  const step = scope.draw.chance(0.3) ? `:${scope.draw.pick(["-1", "2", "", "-2"])}` : "";
  return atom(`${text(scope, STR, depth)}[${bound()}:${bound()}${step}]`);
};

const method =
  (names: readonly string[], args: (scope: Scope, depth: number) => string): Maker =>
  (scope, depth) =>
    atom(`${text(scope, STR, depth)}.${scope.draw.pick(names)}(${args(scope, depth)})`);

export const ofText: readonly Weighted[] = [
  [2.5, (scope, depth) => binary(expression(scope, STR, depth), "+", expression(scope, STR, depth), BINDS.add)],
  [
    0.5,
    (scope, depth) => ({
      text: `${inside(expression(scope, STR, depth), BINDS.multiply)} * ${scope.draw.pick(["0", "2", "-1", "True"])}`,
      binds: BINDS.multiply,
    }),
  ],
  [2.5, formatted],
  [2, sliced],
  [
    1.5,
    method(["upper", "lower", "strip", "title", "capitalize", "swapcase", "lstrip", "rstrip", "casefold"], () => ""),
  ],
  [
    0.5,
    method(["strip", "lstrip", "rstrip", "removeprefix", "removesuffix"], (scope, depth) =>
      argument(scope, STR, depth),
    ),
  ],
  [
    0.6,
    method(
      ["replace"],
      (scope, depth) =>
        `${argument(scope, STR, depth)}, ${argument(scope, STR, depth)}${scope.draw.chance(0.2) ? ", 1" : ""}`,
    ),
  ],
  [
    0.5,
    method(
      ["center", "ljust", "rjust"],
      (scope) => `${scope.draw.pick(["0", "4", "5", "9"])}${scope.draw.chance(0.5) ? ', "*"' : ""}`,
    ),
  ],
  [0.2, method(["zfill"], (scope) => scope.draw.pick(["0", "4", "7"]))],
  [1, method(["join"], (scope, depth) => argument(scope, listOf(STR), depth))],
  [
    0.6,
    (scope, depth) => {
      const { item, source } = walked(scope, STR, depth);
      return atom(`${text(scope, STR, depth)}.join(${item} for ${source})`);
    },
  ],
  [1.2, (scope, depth) => atom(`str(${argument(scope, shownType(scope), depth)})`)],
  [0.8, (scope, depth) => atom(`repr(${argument(scope, shownType(scope), depth)})`)],
  [0.3, (scope, depth) => atom(`chr(${argument(scope, INT, depth)} % 500 + 32)`)],
  [0.3, (scope, depth) => atom(`${scope.draw.pick(["bin", "hex", "oct"])}(${argument(scope, INT, depth)})`)],
  [
    0.5,
    (scope, depth) => ({
      text: `"%s-%d" % (${argument(scope, shownType(scope), depth)}, ${argument(scope, INT, depth)})`,
      binds: BINDS.multiply,
    }),
  ],
  [
    0.5,
    (scope, depth) =>
      atom(
        `"{}:{:>4}".format(${argument(scope, shownType(scope), depth)}, ${argument(scope, scope.draw.pick([INT, STR]), depth)})`,
      ),
  ],
  [0.3, (scope, depth) => atom(`type(${argument(scope, anyType(scope.draw, 1), depth)}).__name__`)],
];

/** A type whose text is defined: the text of a set shows its order. */
function shownType(scope: Scope): Type {
  for (;;) {
    const type = anyType(scope.draw, 2);
    if (!JSON.stringify(type).includes('"set"')) return type;
  }
}
