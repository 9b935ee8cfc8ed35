/**
 * Makes calls of a row of the library with drawn arguments. What CPython says of the first calls teaches which kinds of arguments fit, so that
 * most calls get past the checks of kinds, and some do not.
 */
import type { Row } from "../../../compiler/python/library/row.ts";
import type { Draw } from "../generate/draw.ts";
import { parametersOf } from "../library/support/binding.ts";
import { drawn, KINDS, type Kind, kindsOfType } from "./values.ts";

const LEARNED = 0.75;
const CHANGED = new Set(["list", "dict", "set", "collections.deque", "collections.Counter", "collections.defaultdict"]);
/** How a value of a type of a module is written. */
const RECEIVERS: { readonly [type: string]: readonly string[] } = {
  frozenset: ["frozenset()", "frozenset([1, 2])", "frozenset('ab')"],
  "collections.Counter": ["Counter('abca')", "Counter()", "Counter({'a': 2, 'b': -1})"],
  "datetime.date": ["datetime.date(2024, 2, 29)", "datetime.date(1999, 12, 31)"],
  "datetime.datetime": [
    "datetime.datetime(2024, 2, 29, 13, 5, 9)",
    "datetime.datetime(2000, 1, 1, 0, 0, 0, 250000)",
    "datetime.datetime(2024, 7, 1, 12, tzinfo=datetime.timezone.utc)",
  ],
  "datetime.time": ["datetime.time(13, 5)", "datetime.time(0, 0, 0, 5)"],
  "datetime.timedelta": [
    "datetime.timedelta(days=1, hours=2)",
    "datetime.timedelta(seconds=-1)",
    "datetime.timedelta(0)",
  ],
};

/** CPython itself does not end with large numbers. */
const EXPLOSIVE = /^(math\.(factorial|comb|perm)|pow|hashlib\.pbkdf2_hmac|int\.__pow__|operator\.i?(pow|lshift|mul))$/;

/** One way to call a row: the kind of every argument, and how it is passed. */
type Way = readonly { readonly name: string | null; readonly kind: Kind }[];
export type Call = { readonly text: string; readonly way: string };

export class RowCalls {
  readonly row: Row;
  readonly #ways = new Map<string, { readonly way: Way; fits: number; fails: number }>();

  constructor(row: Row) {
    this.row = row;
  }

  /** Null when no value of the type that it belongs to can be made. */
  call(draw: Draw): Call | null {
    const { name } = this.row;
    const fitting = [...this.#ways.values()].filter(({ fits }) => fits > 0);
    const way = fitting.length > 0 && draw.chance(LEARNED) ? draw.pick(fitting).way : this.#randomWay(draw);
    const args = way.map(({ name: word, kind }) => `${word === null ? "" : `${word}=`}${drawn(draw, kind)}`).join(", ");
    const key = JSON.stringify(way);
    if (!this.#ways.has(key)) this.#ways.set(key, { way, fits: 0, fails: 0 });
    if (!this.#isMethod()) return { text: `${name}(${args})`, way: key };
    const type = name.slice(0, name.lastIndexOf("."));
    const method = name.slice(name.lastIndexOf(".") + 1);
    const receiver = receiverOf(draw, type);
    if (receiver === null) return null;
    const text = CHANGED.has(type)
      ? `(lambda it: (it.${method}(${args}), it))(${receiver})`
      : `(${receiver}).${method}(${args})`;
    return { text, way: key };
  }

  /** Whether CPython took the arguments of a call. */
  learn(way: string, isTaken: boolean): void {
    const known = this.#ways.get(way);
    if (known === undefined) return;
    if (isTaken) known.fits += 1;
    else known.fails += 1;
  }

  #isMethod(): boolean {
    return parametersOf(this.row)[0]?.name === "self";
  }

  #randomWay(draw: Draw): Way {
    const way: { name: string | null; kind: Kind }[] = [];
    const parameters = parametersOf(this.row).slice(this.#isMethod() ? 1 : 0);
    let isByName = false;
    for (const parameter of parameters) {
      const isOptional = "initial" in parameter;
      // Only some numbers are flags.
      if (parameter.name === "flags") {
        isByName = true;
        continue;
      }
      const drawnKind = () => (draw.chance(0.8) ? draw.pick(likely(parameter.name)) : draw.pick(KINDS));
      const kind = (): Kind => {
        const one = drawnKind();
        return one === "bigInt" && EXPLOSIVE.test(this.row.name) ? "int" : one;
      };
      if (parameter.kind === "args") {
        if (!isByName) for (const one of draw.many(0, 3, kind)) way.push({ name: null, kind: one });
        isByName = true;
      } else if (parameter.kind === "kwargs") {
        if (draw.chance(0.3)) way.push({ name: draw.pick(["a", "zz"]), kind: kind() });
      } else if (isOptional && draw.chance(0.5)) {
        isByName = true;
      } else if (!isByName && parameter.kind !== "keyword") {
        const isNamed = parameter.kind === "both" && draw.chance(0.15);
        isByName ||= isNamed;
        way.push({ name: isNamed ? parameter.name : null, kind: kind() });
      } else if (parameter.kind !== "positional") way.push({ name: parameter.name, kind: kind() });
    }
    // Too many arguments.
    if (draw.chance(0.02) && !isByName) way.push({ name: null, kind: draw.pick(KINDS) });
    return way;
  }
}

function receiverOf(draw: Draw, type: string): string | null {
  const known = RECEIVERS[type];
  if (known !== undefined) return draw.pick(known);
  const kinds = kindsOfType(type);
  return kinds === null ? null : drawn(draw, draw.pick(kinds));
}

const TEXTS: readonly Kind[] = ["str", "str", "edgeStr", "digits"];
const COUNTS: readonly Kind[] = ["int", "int", "none", "bigInt", "bool"];
const NUMBERS: readonly Kind[] = ["int", "float", "edgeFloat", "bigInt", "bool"];
const ITERABLES: readonly Kind[] = ["list", "list", "str", "tuple", "dict", "set", "range"];

/** Kinds of parameters by their names; the others can be anything. */
const BY_NAME: readonly (readonly [RegExp, readonly Kind[]])[] = [
  [
    /^(sub|old|new|prefix|suffix|sep|chars|fillchar|string|s|text|pattern|repl|fmt|format|spec|encoding|errors|key_?name|name|delimiter|from|to|url|data)$/,
    TEXTS,
  ],
  [
    /^(start|end|stop|step|count|maxsplit|width|n|k|i|r|index|ndigits|tabsize|base|limit|repeat|times|lo|hi|maxlen|indent|days|seconds|hours|weeks|minutes|year|month|day|hour|minute|second|microsecond)$/,
    COUNTS,
  ],
  [/^(x|y|z|a|b|number|value|num|den|mod|exp|p|q)$/, [...NUMBERS, ...NUMBERS, "str", "list"]],
  [/^(iterable|iterables|seq|xs|items|args|table|others?|values|population|heap|lst|it)$/, ITERABLES],
  [/^(key|func|function|predicate)$/, ["function1", "function1", "function2", "none"]],
  [/^(keepends|reverse|strict|sort_keys|ensure_ascii|allow_nan|skipkeys)$/, ["bool", "int"]],
];

function likely(name: string): readonly Kind[] {
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? KINDS;
}
