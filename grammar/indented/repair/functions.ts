/** Functions of other languages and of their libraries, and what gives the same here with the same arguments. */
import { type Argument, fieldOf, functionOf, grouped, listOf, literalOf } from "./arguments.ts";

type Write = (args: readonly string[], named: ReadonlyMap<string, string>) => string | null;

/** The names that types have in values of `type`. */
export const TYPES: Readonly<Record<string, readonly string[]>> = {
  str: ["string"],
  int: ["int"],
  float: ["float"],
  bool: ["bool"],
  list: ["list"],
  tuple: ["list"],
  dict: ["dict"],
  NoneType: ["null"],
  number: ["int", "float"],
  integer: ["int"],
  boolean: ["bool"],
  array: ["list"],
  object: ["dict"],
  text: ["string"],
};

const call =
  (fn: string, from: number, to: number = from): Write =>
  (args, named) =>
    named.size > 0 || args.length < from || args.length > to ? null : `${fn}(${args.join(", ")})`;

const one =
  (write: (first: string) => string | null): Write =>
  ([first, ...more], named) =>
    first === undefined || more.length > 0 || named.size > 0 ? null : write(first);

/** `sorted(rows, key=lambda r: r["price"], reverse=True)` */
const sorted: Write = ([list, ...more], named) => {
  if (list === undefined || more.length > 0 || [...named.keys()].some((name) => name !== "key" && name !== "reverse"))
    return null;
  const [key, reverse = "False"] = [named.get("key"), named.get("reverse")];
  if (!/^(?:True|False|true|false)$/.test(reverse)) return null;
  const isDown = /^[Tt]rue$/.test(reverse);
  if (key === undefined) return isDown ? `reverse(sort(${listOf(list)}))` : `sort(${listOf(list)})`;
  const field = fieldOf(key);
  if (field === null) return null;
  return `sort_by(${list}, "${field.field}"${isDown !== field.isNegative ? ', "desc"' : ""})`;
};

const most =
  (fn: "min" | "max"): Write =>
  (args, named) => {
    const [list, ...more] = args;
    const [key, fallback] = [named.get("key"), named.get("default")];
    if (named.size !== 1 || list === undefined || more.length > 0) return null;
    if (fallback !== undefined) return `(${fn}(${list}) if ${list} else ${fallback})`;
    const field = key === undefined ? null : fieldOf(key);
    if (field === null) return null;
    return `${field.isNegative === (fn === "max") ? "min_by" : "max_by"}(${list}, "${field.field}")`;
  };

const isinstance: Write = ([value, type, ...more], named) => {
  if (value === undefined || type === undefined || more.length > 0 || named.size > 0) return null;
  const names = type.replace(/^[([]|[)\]]$/g, "").split(/\s*,\s*/);
  const own = names.flatMap((name) => (Object.hasOwn(TYPES, name) ? (TYPES[name] ?? []) : [""]));
  if (own.includes("")) return null;
  return own.length === 1
    ? `(type(${value}) == "${own[0]}")`
    : `(type(${value}) in [${[...new Set(own)].map((name) => `"${name}"`).join(", ")}])`;
};

const next: Write = ([list, fallback, ...more], named) => {
  if (list === undefined || !/^\[.* for /s.test(list) || more.length > 0 || named.size > 0) return null;
  const isNull = fallback === undefined || /^(?:None|null|False|false)$/.test(fallback);
  if (fallback === undefined) return null;
  return isNull && !/^[Ff]alse$/.test(fallback) ? `first(${list})` : `coalesce(first(${list}), ${fallback})`;
};

const ITEM = "each_one";
const mapped: Write = ([fn, list, ...more], named) => {
  if (fn === undefined || list === undefined || more.length > 0 || named.size > 0) return null;
  const own = functionOf(fn);
  if (own !== null) return `[${own.value} for ${own.item} in ${list}]`;
  return /^(?:str|int|float|len|bool)$/.test(fn) ? `[${fn}(${ITEM}) for ${ITEM} in ${list}]` : null;
};

const filtered: Write = ([fn, list, ...more], named) => {
  if (fn === undefined || list === undefined || more.length > 0 || named.size > 0) return null;
  const own = functionOf(fn);
  if (own !== null) return `[${own.item} for ${own.item} in ${list} if ${own.value}]`;
  return fn === "None" || fn === "bool" ? `[${ITEM} for ${ITEM} in ${list} if ${ITEM}]` : null;
};

const enumerated: Write = ([list, ...more], named) =>
  list !== undefined && more.length === 0 && named.size === 1 && named.has("start")
    ? `enumerate(${list}, ${named.get("start")})`
    : null;

const dict: Write = (args, named) =>
  args.length > 0 || named.size === 0
    ? null
    : `{${[...named].map(([name, value]) => `"${name}": ${value}`).join(", ")}}`;

/** `format(n, ".2f")`: the template comes first here. */
const formatted: Write = ([value, spec, ...more], named) => {
  const written = literalOf(spec);
  if (value === undefined || written === null || more.length > 0 || named.size > 0 || /^f?["']/.test(value))
    return null;
  return /^[<>^]?[-+]?0?[0-9]*,?(?:\.[0-9]+)?[dfx%]?$/.test(written) && /[.,dfx%]/.test(written)
    ? `format("{:${written}}", ${value})`
    : null;
};

const FUNCTIONS: Readonly<Record<string, Write>> = {
  sorted,
  reversed: one((list) => `reverse(${listOf(list)})`),
  set: (args, named) => (args.length === 0 ? "[]" : one((list) => `unique(${listOf(list)})`)(args, named)),
  min: most("min"),
  max: most("max"),
  isinstance,
  next,
  map: mapped,
  filter: filtered,
  enumerate: enumerated,
  dict,
  format: formatted,
  divmod: ([a, b, ...more], named) =>
    a === undefined || b === undefined || more.length > 0 || named.size > 0
      ? null
      : `[${grouped(a)} // ${grouped(b)}, ${grouped(a)} % ${grouped(b)}]`,
  sum: ([list, start, ...more]) => (list !== undefined && start === "0" && more.length === 0 ? `sum(${list})` : null),
  parseInt: ([text, base, ...more]) =>
    text !== undefined && (base === undefined || base === "10") && more.length === 0 ? `int(${text})` : null,
  parseFloat: call("float", 1),
  Number: call("float", 1),
  String: call("str", 1),
  Boolean: call("bool", 1),
  "json.dumps": call("stringify", 1),
  "json.loads": call("parse", 1),
  "JSON.stringify": call("stringify", 1),
  "JSON.parse": call("parse", 1),
  "math.floor": call("floor", 1),
  "math.ceil": call("ceil", 1),
  "math.trunc": call("int", 1),
  "math.fabs": call("abs", 1),
  "math.pow": call("pow", 2),
  "math.sqrt": one((value) => `${grouped(value)} ** 0.5`),
  "Math.floor": call("floor", 1),
  "Math.ceil": call("ceil", 1),
  "Math.trunc": call("int", 1),
  "Math.abs": call("abs", 1),
  "Math.pow": call("pow", 2),
  "Math.sqrt": one((value) => `${grouped(value)} ** 0.5`),
  "Math.round": one((value) => `floor(${value} + 0.5)`),
  "Math.max": (args) =>
    args.length < 2 || args.some((one) => one.startsWith("...")) ? null : `max(${args.join(", ")})`,
  "Math.min": (args) =>
    args.length < 2 || args.some((one) => one.startsWith("...")) ? null : `min(${args.join(", ")})`,
  "Object.keys": call("keys", 1),
  "Object.values": call("values", 1),
  "Object.entries": call("entries", 1),
  "Object.fromEntries": call("from_entries", 1),
  "Array.isArray": one((value) => `(type(${value}) == "list")`),
  "Array.from": call("each", 1),
  "re.sub": ([pattern, by, text, ...more], named) =>
    pattern === undefined || by === undefined || text === undefined || more.length + named.size > 0 || /[\\$]/.test(by)
      ? null
      : `replace_all(${text}, ${pattern}, ${by})`,
  "re.split": ([pattern, text, ...more], named) =>
    pattern === undefined || text === undefined || more.length + named.size > 0 || pattern.includes("(")
      ? null
      : `split_by(${text}, ${pattern})`,
  "re.findall": ([pattern, text, ...more], named) =>
    pattern === undefined || text === undefined || more.length + named.size > 0 || pattern.includes("(")
      ? null
      : `find_all(${text}, ${pattern})`,
};

/** Names that the language has, too: only some forms of their calls are foreign. */
const OWN: ReadonlySet<string> = new Set(["min", "max", "set", "enumerate", "dict", "format", "sum"]);

export function isForeignFunction(name: string): boolean {
  return Object.hasOwn(FUNCTIONS, name);
}

export function isOwnFunction(name: string): boolean {
  return OWN.has(name);
}

/** What gives the same as `name(args)` here; null where nothing is certain to. */
export function functionAsCall(name: string, args: readonly Argument[]): string | null {
  if (!Object.hasOwn(FUNCTIONS, name)) return null;
  const named = new Map(args.flatMap((one) => (one.name === null ? [] : [[one.name, one.text] as const])));
  const texts = args.filter((one) => one.name === null).map(({ text }) => text);
  return FUNCTIONS[name]?.(texts, named) ?? null;
}
