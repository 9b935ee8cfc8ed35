/** Functions of other languages and of their libraries, and what gives the same here with the same arguments. */
import {
  type Argument,
  fieldOf,
  functionOf,
  grouped,
  isText,
  listOf,
  literalOf,
  mapOf,
  parted,
  same,
  taking,
  type Write,
} from "./arguments.ts";

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

const isinstance = taking(2, 2, (value, type) => {
  const names = type.replace(/^[([]|[)\]]$/g, "").split(/\s*,\s*/);
  const own = names.flatMap((name) => (Object.hasOwn(TYPES, name) ? (TYPES[name] ?? []) : [""]));
  if (own.includes("")) return null;
  return own.length === 1
    ? `(type(${value}) == "${own[0]}")`
    : `(type(${value}) in [${[...new Set(own)].map((name) => `"${name}"`).join(", ")}])`;
});

const next = taking(2, 2, (list, fallback) => {
  if (!/^\[.* for /s.test(list)) return null;
  return /^(?:None|null)$/.test(fallback) ? `first(${list})` : `coalesce(first(${list}), ${fallback})`;
});

const ITEM = "each_one";
const mapped = taking(2, 2, (fn, list) => {
  const own = functionOf(fn);
  if (own !== null) return `[${own.value} for ${own.item} in ${list}]`;
  return /^(?:str|int|float|len|bool)$/.test(fn) ? `[${fn}(${ITEM}) for ${ITEM} in ${list}]` : null;
});

const filtered = taking(2, 2, (fn, list) => {
  const own = functionOf(fn);
  if (own !== null) return `[${own.item} for ${own.item} in ${list} if ${own.value}]`;
  return fn === "None" || fn === "bool" ? `[${ITEM} for ${ITEM} in ${list} if ${ITEM}]` : null;
});

const enumerated: Write = ([list, ...more], named) =>
  list !== undefined && more.length === 0 && named.size === 1 && named.has("start")
    ? `enumerate(${list}, ${named.get("start")})`
    : null;

const dict: Write = (args, named) => (args.length > 0 || named.size === 0 ? null : mapOf(named));

/** `format(n, ".2f")`: the template comes first here. */
const formatted = taking(2, 2, (value, spec) => {
  const written = literalOf(spec);
  if (written === null || isText(value)) return null;
  return /^[<>^]?[-+]?0?[0-9]*,?(?:\.[0-9]+)?[dfx%]?$/.test(written) && /[.,dfx%]/.test(written)
    ? `format("{:${written}}", ${value})`
    : null;
});

const extreme = (fn: string): Write =>
  taking(2, Infinity, (...args) => (args.some((one) => one.startsWith("...")) ? null : `${fn}(${args.join(", ")})`));
const root = taking(1, 1, (value) => `${grouped(value)} ** 0.5`);
/** A pattern with groups gives other lists there. */
const matched = (fn: string): Write =>
  taking(2, 2, (pattern, text) => (pattern.includes("(") ? null : `${fn}(${text}, ${pattern})`));

const FUNCTIONS: Readonly<Record<string, Write>> = {
  sorted,
  reversed: taking(1, 1, (list) => `reverse(${listOf(list)})`),
  set: taking(0, 1, (list?: string) => (list === undefined ? "[]" : `unique(${listOf(list)})`)),
  min: most("min"),
  max: most("max"),
  isinstance,
  next,
  map: mapped,
  filter: filtered,
  enumerate: enumerated,
  dict,
  format: formatted,
  divmod: taking(2, 2, (a, b) => `[${grouped(a)} // ${grouped(b)}, ${grouped(a)} % ${grouped(b)}]`),
  sum: taking(2, 2, (list, start) => (start === "0" ? `sum(${list})` : null)),
  parseInt: taking(1, 2, (text, base = "10") => (base === "10" ? `int(${text})` : null)),
  parseFloat: same("float"),
  Number: same("float"),
  String: same("str"),
  Boolean: same("bool"),
  "json.dumps": same("stringify"),
  "json.loads": same("parse"),
  "JSON.stringify": same("stringify"),
  "JSON.parse": same("parse"),
  "math.floor": same("floor"),
  "math.ceil": same("ceil"),
  "math.trunc": same("int"),
  "math.fabs": same("abs"),
  "math.pow": same("pow", 2),
  "math.sqrt": root,
  "Math.floor": same("floor"),
  "Math.ceil": same("ceil"),
  "Math.trunc": same("int"),
  "Math.abs": same("abs"),
  "Math.pow": same("pow", 2),
  "Math.sqrt": root,
  "Math.round": taking(1, 1, (value) => `floor(${value} + 0.5)`),
  "Math.max": extreme("max"),
  "Math.min": extreme("min"),
  "Object.keys": same("keys"),
  "Object.values": same("values"),
  "Object.entries": same("entries"),
  "Object.fromEntries": same("from_entries"),
  "Array.isArray": taking(1, 1, (value) => `(type(${value}) == "list")`),
  "Array.from": same("each"),
  "re.sub": taking(3, 3, (pattern, by, text) => (/[\\$]/.test(by) ? null : `replace_all(${text}, ${pattern}, ${by})`)),
  "re.split": matched("split_by"),
  "re.findall": matched("find_all"),
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
  const { texts, named } = parted(args);
  return Object.hasOwn(FUNCTIONS, name) ? (FUNCTIONS[name]?.(texts, named) ?? null) : null;
}
