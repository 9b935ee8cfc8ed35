/**
 * Methods of values in other languages, and what gives the same here. A method that is not in the table, or with other arguments, has no
 * equivalent that is certain.
 */
import { type Argument, functionOf, grouped, isList, isText, literalOf } from "./arguments.ts";

type Write = (of: string, args: readonly string[]) => string | null;

/** With `from` to `to` arguments, the function of that name, which takes the value first. */
function same(fn: string, from = 0, to: number = from): Write {
  return (of, args) => (args.length < from || args.length > to ? null : `${fn}(${[of, ...args].join(", ")})`);
}

const none =
  (write: (of: string) => string): Write =>
  (of, args) =>
    args.length === 0 ? write(of) : null;
const one =
  (write: (of: string, first: string) => string | null): Write =>
  (of, [first, ...more]) =>
    first === undefined || more.length > 0 ? null : write(of, first);

/** `xs.map(x => …)`: a list that is built from the function written in place. */
function built(write: (of: string, item: string, value: string) => string): Write {
  return one((of, first) => {
    const fn = functionOf(first);
    return fn === null ? null : write(of, fn.item, fn.value);
  });
}

const pattern = (text: string): Write => none((of) => `match(${of}, "${text}").found`);
const padded =
  (side: string): Write =>
  (of, [width, fill, ...more]) =>
    width === undefined || more.length > 0 ? null : `pad(${of}, ${width}, ${fill ?? '" "'}${side})`;

/** `d.get(k)`: the function `get` reads a key with dots in it as a path. */
const get: Write = (of, [key, fallback, ...more]) => {
  if (key === undefined || more.length > 0) return null;
  const literal = literalOf(key);
  if (literal !== null && !literal.includes(".")) return `get(${[of, key, fallback].filter(Boolean).join(", ")})`;
  const read = `${grouped(of)}[${key}]`;
  return fallback === undefined ? read : `(${read} if ${key} in ${of} else ${fallback})`;
};

/** `", ".join(xs)` and `xs.join(", ")`: which of two variables is the separator is not certain. */
const join: Write = one((of, first) => {
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
  split: same("split", 0, 1),
  splitlines: same("lines"),
  replace: same("replace", 2),
  replaceAll: same("replace", 2),
  startswith: same("startswith", 1),
  endswith: same("endswith", 1),
  startsWith: same("startswith", 1),
  endsWith: same("endswith", 1),
  includes: same("contains", 1),
  has: same("contains", 1),
  contains: same("contains", 1),
  count: same("count", 1),
  format: same("format", 0, 20),
  toString: same("str"),
  keys: same("keys"),
  values: same("values"),
  items: same("entries"),
  entries: same("entries"),
  slice: same("slice", 0, 2),
  substring: same("slice", 1, 2),
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
  push: same("push", 1),
  append: same("push", 1),
  get,
  join,
  concat: one((of, first) => `${of} + ${grouped(first)}`),
  charAt: one((of, first) => `${grouped(of)}[${first}]`),
  at: one((of, first) => `${grouped(of)}[${first}]`),
  copy: none((of) => of),
  zfill: one((of, width) => `pad(${of}, ${width}, "0", "start")`),
  ljust: padded(""),
  padEnd: padded(""),
  rjust: padded(', "start"'),
  padStart: padded(', "start"'),
  isdigit: pattern("^[0-9]+$"),
  isnumeric: pattern("^[0-9]+$"),
  isalpha: pattern("^\\p{L}+$"),
  isalnum: pattern("^[\\p{L}\\p{Nd}]+$"),
  isspace: pattern("^\\s+$"),
  toFixed: one((of, digits) => (/^[0-9]$/.test(digits) ? `format("{:.${digits}f}", ${of})` : null)),
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
  if (args.some((argument) => argument.name !== null)) return null;
  return Object.hasOwn(METHODS, name)
    ? (METHODS[name]?.(
        of,
        args.map(({ text }) => text),
      ) ?? null)
    : null;
}

type Change = (of: string, args: readonly Argument[]) => string | null;

const plain =
  (write: (of: string, first: string) => string | null): Change =>
  (of, [first, ...more]) =>
    first === undefined || first.name !== null || more.length > 0 ? null : write(of, first.text);

/** Methods that change their value: the assignment that does the same. */
const CHANGES: Readonly<Record<string, Change>> = {
  append: plain((of, first) => `${of} = push(${of}, ${first})`),
  push: plain((of, first) => `${of} = push(${of}, ${first})`),
  add: plain((of, first) => `${of} = unique(push(${of}, ${first}))`),
  extend: plain((of, first) => `${of} = ${of} + ${/^\[/.test(first) ? first : `each(${first})`}`),
  insert: (of, [at, value, ...more]) =>
    at?.text === "0" && value !== undefined && more.length === 0 ? `${of} = [${value.text}] + ${of}` : null,
  unshift: plain((of, first) => `${of} = [${first}] + ${of}`),
  reverse: (of, args) => (args.length === 0 ? `${of} = reverse(${of})` : null),
  clear: () => null,
  update: (of, args) => {
    const named = args.filter(({ name }) => name !== null);
    const [first] = args;
    if (named.length > 0 && named.length === args.length)
      return `${of} = merge(${of}, {${named.map(({ name, text }) => `"${name}": ${text}`).join(", ")}})`;
    return first === undefined || args.length > 1 ? null : `${of} = merge(${of}, ${first.text})`;
  },
  sort: () => null,
  pop: (of, args) => taken(of, args)?.rest ?? null,
  shift: (of, args) => (args.length === 0 ? `${of} = ${of}[1:]` : null),
};

export function methodAsChange(of: string, name: string, args: readonly Argument[]): string | null {
  return Object.hasOwn(CHANGES, name) ? (CHANGES[name]?.(of, args) ?? null) : null;
}

/** `xs.pop()`: the value that it gives, and the assignment that takes it out. */
export function taken(of: string, args: readonly Argument[]): { readonly value: string; readonly rest: string } | null {
  const [first, ...more] = args;
  if (more.length > 0 || first?.name != null) return null;
  if (first === undefined || first.text === "-1") return { value: `${of}[-1]`, rest: `${of} = ${of}[:-1]` };
  if (first.text === "0") return { value: `${of}[0]`, rest: `${of} = ${of}[1:]` };
  const key = literalOf(first.text);
  return key === null || key.includes(".")
    ? null
    : { value: `${of}[${first.text}]`, rest: `${of} = omit(${of}, ${first.text})` };
}
