/**
 * Methods of values in other languages, and what gives the same here. A method that is not in the table, or with other arguments, has no
 * equivalent that is certain.
 */
import {
  type Argument,
  functionOf,
  grouped,
  isList,
  isText,
  literalOf,
  mapOf,
  parted,
  same,
  taking,
  type Write,
} from "./arguments.ts";

/** `xs.map(x => …)`: a list that is built from the function written in place. */
function built(write: (of: string, item: string, value: string) => string): Write {
  return taking(2, 2, (of, first) => {
    const fn = functionOf(first);
    return fn === null ? null : write(of, fn.item, fn.value);
  });
}

const pattern = (text: string): Write => taking(1, 1, (of) => `match(${of}, "${text}").found`);
const padded = (side: string): Write =>
  taking(2, 3, (of, width, fill = '" "') => `pad(${of}, ${width}, ${fill}${side})`);
const element = taking(2, 2, (of, first) => `${grouped(of)}[${first}]`);

/** `d.get(k)`: the function `get` reads a key with dots in it as a path. */
const get = taking(2, 3, (of, key, fallback?: string) => {
  const literal = literalOf(key);
  if (literal !== null && !literal.includes(".")) return `get(${[of, key, fallback].filter(Boolean).join(", ")})`;
  const read = `${grouped(of)}[${key}]`;
  return fallback === undefined ? read : `(${read} if ${key} in ${of} else ${fallback})`;
});

/** `", ".join(xs)` and `xs.join(", ")`: which of two variables is the separator is not certain. */
const join = taking(2, 2, (of, first) => {
  if (isText(of) || isList(first)) return `join(${of}, ${first})`;
  return isText(first) || isList(of) ? `join(${first}, ${of})` : null;
});

const METHODS: Readonly<Record<string, Write>> = {
  upper: same("upper"),
  lower: same("lower"),
  strip: same("strip"),
  trim: same("strip"),
  lstrip: same("lstrip"),
  rstrip: same("rstrip"),
  trimStart: same("lstrip"),
  trimEnd: same("rstrip"),
  title: same("title"),
  capitalize: same("capitalize"),
  toUpperCase: same("upper"),
  toLowerCase: same("lower"),
  split: same("split", 1, 2),
  splitlines: same("lines"),
  replace: same("replace", 3),
  replaceAll: same("replace", 3),
  startswith: same("startswith", 2),
  endswith: same("endswith", 2),
  startsWith: same("startswith", 2),
  endsWith: same("endswith", 2),
  includes: same("contains", 2),
  has: same("contains", 2),
  contains: same("contains", 2),
  count: same("count", 2),
  format: same("format", 1, 21),
  toString: same("str"),
  keys: same("keys"),
  values: same("values"),
  items: same("entries"),
  entries: same("entries"),
  slice: same("slice", 1, 3),
  substring: same("slice", 2, 3),
  len: same("len"),
  length: same("len"),
  size: same("len"),
  sum: same("sum"),
  min: same("min"),
  max: same("max"),
  first: same("first"),
  last: same("last"),
  str: same("str"),
  unique: same("unique"),
  flat: same("flatten"),
  push: same("push", 2),
  append: same("push", 2),
  get,
  join,
  concat: taking(2, 2, (of, first) => `${of} + ${grouped(first)}`),
  charAt: element,
  at: element,
  copy: taking(1, 1, (of) => of),
  json: taking(1, 1, (of) => `${of}.body`),
  zfill: taking(2, 2, (of, width) => `pad(${of}, ${width}, "0", "start")`),
  ljust: padded(""),
  padEnd: padded(""),
  rjust: padded(', "start"'),
  padStart: padded(', "start"'),
  isdigit: pattern("^[0-9]+$"),
  isnumeric: pattern("^[0-9]+$"),
  isalpha: pattern("^\\p{L}+$"),
  isalnum: pattern("^[\\p{L}\\p{Nd}]+$"),
  isspace: pattern("^\\s+$"),
  toFixed: taking(2, 2, (of, digits) => (/^[0-9]$/.test(digits) ? `format("{:.${digits}f}", ${of})` : null)),
  map: built((of, item, value) => `[${value} for ${item} in ${of}]`),
  filter: built((of, item, value) => `[${item} for ${item} in ${of} if ${value}]`),
  find: built((of, item, value) => `first([${item} for ${item} in ${of} if ${value}])`),
  some: built((of, item, value) => `any([${value} for ${item} in ${of}])`),
  every: built((of, item, value) => `all([${value} for ${item} in ${of}])`),
};

export function isMethod(name: string): boolean {
  return Object.hasOwn(METHODS, name) || Object.hasOwn(CHANGES, name);
}

/** What gives the same as `of.name(args)`; null where nothing is certain to. */
export function methodAsCall(of: string, name: string, args: readonly Argument[]): string | null {
  return written(METHODS, of, name, args);
}

/** What may be written twice: a name, a member, a number, a string. */
const isPlain = (text: string): boolean => /^(?:-?[\p{L}\p{Nd}_.]+(?:\["[^"]*"\])*|"[^"]*")$/u.test(text);

/** `d.setdefault(key, [])` in front of a change. */
const WITH_DEFAULT = /^([^()]+)\.setdefault\(([^()]+), (\[\]|\{\})\)$/u;

/** `d.setdefault(key, []).append(x)` */
export function changeOfDefault(of: string, method: string, args: readonly Argument[]): string | null {
  const [whole, object = "", key = "", value = ""] = WITH_DEFAULT.exec(of) ?? [];
  const [first, ...more] = args;
  if (whole === undefined || !isPlain(key) || first === undefined || first.name !== null || more.length > 0)
    return null;
  const held = `${object}[${key}]`;
  const before = `(${held} if ${key} in ${object} else ${value})`;
  if (method === "append" || method === "push") return `${held} = push(${before}, ${first.text})`;
  if (method === "add") return `${held} = unique(push(${before}, ${first.text}))`;
  return method === "extend" ? `${held} = ${before} + ${grouped(first.text)}` : null;
}

/** Methods that change their value: the assignment that does the same. */
const CHANGES: Readonly<Record<string, Write>> = {
  append: taking(2, 2, (of, first) => `${of} = push(${of}, ${first})`),
  push: taking(2, 2, (of, first) => `${of} = push(${of}, ${first})`),
  add: taking(2, 2, (of, first) => `${of} = unique(push(${of}, ${first}))`),
  extend: taking(2, 2, (of, first) => `${of} = ${of} + ${/^\[/.test(first) ? first : `each(${first})`}`),
  insert: taking(3, 3, (of, at, value) => {
    if (at === "0") return `${of} = [${value}] + ${of}`;
    return isPlain(at) ? `${of} = ${of}[:${at}] + [${value}] + ${of}[${at}:]` : null;
  }),
  setdefault: taking(3, 3, (of, key, value) =>
    isPlain(key) ? `${of}[${key}] = ${of}[${key}] if ${key} in ${of} else ${value}` : null,
  ),
  unshift: taking(2, 2, (of, first) => `${of} = [${first}] + ${of}`),
  reverse: taking(1, 1, (of) => `${of} = reverse(${of})`),
  clear: () => null,
  update: ([of, first, ...more], named) => {
    const other = named.size > 0 ? (first === undefined ? mapOf(named) : undefined) : first;
    return other === undefined || more.length > 0 ? null : `${of} = merge(${of}, ${other})`;
  },
  sort: () => null,
  pop: taking(1, 2, (of, key?: string) => taken(of, key)?.rest ?? null),
  shift: taking(1, 1, (of) => `${of} = ${of}[1:]`),
  // Such an answer fails by itself.
  raise_for_status: taking(1, 1, () => "pass"),
};

export function methodAsChange(of: string, name: string, args: readonly Argument[]): string | null {
  return written(CHANGES, of, name, args);
}

function written(table: Readonly<Record<string, Write>>, of: string, name: string, args: readonly Argument[]) {
  const { texts, named } = parted(args);
  return Object.hasOwn(table, name) ? (table[name]?.([of, ...texts], named) ?? null) : null;
}

/** `xs.pop()`: the value that it gives, and the assignment that takes it out. */
export function taken(of: string, key = "-1"): { readonly value: string; readonly rest: string } | null {
  if (key === "-1") return { value: `${of}[-1]`, rest: `${of} = ${of}[:-1]` };
  if (key === "0") return { value: `${of}[0]`, rest: `${of} = ${of}[1:]` };
  const literal = literalOf(key);
  return literal === null || literal.includes(".")
    ? null
    : { value: `${of}[${key}]`, rest: `${of} = omit(${of}, ${key})` };
}
