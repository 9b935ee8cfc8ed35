/** The module operator. */
import { raised, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { PyBytes } from "../../kinds/bytes.ts";
import { PyCallable } from "../../kinds/callable.ts";
import { PyDeque } from "../../kinds/collections.ts";
import type { PyDict } from "../../kinds/dict.ts";
import { PyList, PyTuple } from "../../kinds/list.ts";
import {
  type Calling,
  type Context,
  isCalling,
  type Natives,
  type Operator,
  type Order,
  PyType,
  setType,
  typeOf,
  type Value,
} from "../../object.ts";
import {
  attribute,
  binary,
  contains,
  deleteItem,
  each,
  equals,
  inPlace,
  isSame,
  item,
  order,
  repr,
  setItem,
  truth,
  unary,
} from "../../operations.ts";
import type { Part } from "../registry.ts";
import { indexOf, tuple } from "../values/iterators.ts";
import { absolute } from "../values/numbers.ts";

/** `itemgetter(1)`, `itemgetter("a", "b")`. */
class PyItemGetter extends PyCallable {
  declare readonly type: PyType;
  readonly keys: readonly Value[];
  constructor(keys: readonly Value[]) {
    super();
    this.keys = keys;
  }
  invoke(args: readonly Value[], keywords: Keywords, ctx: Context): Value | Calling {
    const [value] = one("itemgetter", args, keywords);
    if (this.keys.length === 1) return item(value, this.keys[0] as Value, ctx);
    const items: Value[] = [];
    for (const key of this.keys) {
      const found = item(value, key, ctx);
      if (isCalling(found)) return this.#rest(found, items, value, ctx);
      items.push(found);
    }
    return tuple(ctx, items);
  }
  *#rest(first: Calling, items: Value[], value: Value, ctx: Context): Calling {
    items.push(yield* first);
    for (const key of this.keys.slice(items.length)) {
      const found = item(value, key, ctx);
      items.push(isCalling(found) ? yield* found : found);
    }
    return tuple(ctx, items);
  }
}
const ITEM_GETTER = setType(
  PyItemGetter,
  new PyType("operator.itemgetter", [], {
    repr: (self: PyItemGetter, ctx: Context) => `operator.itemgetter(${texts(self.keys, ctx)})`,
  }),
);

function texts(values: readonly Value[], ctx: Context): string {
  return values.map((value) => repr(value, ctx)).join(", ");
}

type Keywords = ReadonlyMap<string, Value> | undefined;

function one(name: string, args: readonly Value[], keywords: Keywords): readonly [Value] {
  if (keywords !== undefined && keywords.size > 0) throw raised(TYPE_ERROR, `${name}() takes no keyword arguments`);
  if (args.length !== 1) throw raised(TYPE_ERROR, `${name} expected 1 argument, got ${args.length}`);
  return args as unknown as readonly [Value];
}

/** `attrgetter("real")`, `attrgetter("date.year", "name")`. */
class PyAttributeGetter extends PyCallable {
  declare readonly type: PyType;
  readonly names: readonly string[];
  constructor(names: readonly string[]) {
    super();
    this.names = names;
  }
  invoke(args: readonly Value[], keywords: Keywords, ctx: Context): Value {
    const [value] = one("attrgetter", args, keywords);
    const found = this.names.map((name) =>
      name.split(".").reduce<Value>((inner, part) => attribute(inner, part, ctx), value),
    );
    return found.length === 1 ? (found[0] as Value) : tuple(ctx, found);
  }
}
const ATTRIBUTE_GETTER = setType(
  PyAttributeGetter,
  new PyType("operator.attrgetter", [], {
    repr: (self: PyAttributeGetter, ctx: Context) => `operator.attrgetter(${texts(self.names, ctx)})`,
  }),
);

/** `methodcaller("strip", "x")`. */
class PyMethodCaller extends PyCallable {
  declare readonly type: PyType;
  readonly name: string;
  readonly args: readonly Value[];
  readonly keywords: PyDict;
  constructor(name: string, args: readonly Value[], keywords: PyDict) {
    super();
    this.name = name;
    this.args = args;
    this.keywords = keywords;
  }
  *invoke(args: readonly Value[], given: Keywords, ctx: Context): Calling {
    const [value] = one("methodcaller", args, given);
    const callee = attribute(value, this.name, ctx);
    const keywords = new Map<string, Value>();
    for (const key of this.keywords.keys()) keywords.set(key as string, this.keywords.get(key) as Value);
    return yield keywords.size === 0 ? { callee, args: this.args } : { callee, args: this.args, keywords };
  }
}
const METHOD_CALLER = setType(
  PyMethodCaller,
  new PyType("operator.methodcaller", [], {
    repr(self: PyMethodCaller, ctx: Context) {
      const named = [...self.keywords.keys()].map((key) => `${key}=${repr(self.keywords.get(key) as Value, ctx)}`);
      return `operator.methodcaller(${[repr(self.name, ctx), ...self.args.map((arg) => repr(arg, ctx)), ...named].join(", ")})`;
    },
  }),
);

const BINARY: { readonly [name: string]: Operator } = {
  add: "+",
  sub: "-",
  mul: "*",
  truediv: "/",
  floordiv: "//",
  mod: "%",
  pow: "**",
  lshift: "<<",
  rshift: ">>",
  and_: "&",
  or_: "|",
  xor: "^",
};
const ORDER: { readonly [name: string]: Order } = { lt: "<", le: "<=", gt: ">", ge: ">=" };

function table(): Natives {
  const natives: { [name: string]: Natives[string] } = {};
  for (const [name, op] of Object.entries(BINARY)) {
    natives[`operator.${name}`] = (ctx, a: Value, b: Value) => binary(op, a, b, ctx);
    natives[`operator.i${name.replace("_", "")}`] = (ctx, a: Value, b: Value) => inPlace(op, a, b, ctx);
  }
  for (const [name, op] of Object.entries(ORDER))
    natives[`operator.${name}`] = (ctx, a: Value, b: Value) => order(op, a, b, ctx);
  return natives;
}

/** A sequence that has an operator + in CPython: neither a range nor a dict. */
function sequence(value: Value): Value {
  const isOne =
    typeof value === "string" ||
    value instanceof PyList ||
    value instanceof PyTuple ||
    value instanceof PyBytes ||
    value instanceof PyDeque;
  if (!isOne) throw raised(TYPE_ERROR, `'${typeOf(value).name}' object can't be concatenated`);
  return value;
}

const natives: Natives = {
  ...table(),
  "operator.eq": (ctx, a: Value, b: Value) => equals(a, b, ctx),
  "operator.ne": (ctx, a: Value, b: Value) => !equals(a, b, ctx),
  "operator.neg": (ctx, a: Value) => unary("-", a, ctx),
  "operator.pos": (ctx, a: Value) => unary("+", a, ctx),
  "operator.invert": (ctx, a: Value) => unary("~", a, ctx),
  "operator.inv": (ctx, a: Value) => unary("~", a, ctx),
  "operator.abs": (ctx, a: Value) => absolute(a, ctx),
  "operator.truth": (ctx, a: Value) => truth(a, ctx),
  "operator.not_": (ctx, a: Value) => !truth(a, ctx),
  "operator.index": (_, a: Value) => indexOf(a),
  "operator.concat": (ctx, a: Value, b: Value) => binary("+", sequence(a), b, ctx),
  "operator.iconcat": (ctx, a: Value, b: Value) => inPlace("+", sequence(a), b, ctx),
  "operator.contains": (ctx, a: Value, b: Value) => contains(a, b, ctx) as Value | Calling,
  "operator.getitem": (ctx, a: Value, b: Value) => item(a, b, ctx),
  "operator.setitem"(ctx, a: Value, b: Value, c: Value) {
    setItem(a, b, c, ctx);
    return null;
  },
  "operator.delitem"(ctx, a: Value, b: Value) {
    deleteItem(a, b, ctx);
    return null;
  },
  "operator.countOf"(ctx, a: Value, b: Value) {
    let count = 0;
    const step = (found: Value): void => {
      if (isSame(found, b, ctx)) count += 1;
    };
    return each(a, ctx, step, () => count);
  },
  "operator.indexOf"(ctx, a: Value, b: Value) {
    let index = 0;
    let isFound = false;
    const step = (found: Value): boolean => {
      isFound = isSame(found, b, ctx);
      if (!isFound) index += 1;
      return isFound;
    };
    return each(a, ctx, step, () => {
      if (!isFound) throw raised(VALUE_ERROR, "sequence.index(x): x not in sequence");
      return index;
    });
  },
  "operator.itemgetter"(_, items: PyTuple) {
    if (items.items.length === 0) throw raised(TYPE_ERROR, "itemgetter expected 1 argument, got 0");
    return new PyItemGetter(items.items);
  },
  "operator.attrgetter"(_, names: PyTuple) {
    if (names.items.length === 0) throw raised(TYPE_ERROR, "attrgetter expected 1 argument, got 0");
    if (!names.items.every((name) => typeof name === "string"))
      throw raised(TYPE_ERROR, "attribute name must be a string");
    return new PyAttributeGetter(names.items as readonly string[]);
  },
  "operator.methodcaller"(_, name: Value, args: PyTuple, keywords: PyDict) {
    if (typeof name !== "string") throw raised(TYPE_ERROR, "method name must be a string");
    return new PyMethodCaller(name, args.items, keywords);
  },
};

export const OPERATOR: Part = {
  natives,
  types: {
    "operator.itemgetter": ITEM_GETTER,
    "operator.attrgetter": ATTRIBUTE_GETTER,
    "operator.methodcaller": METHOD_CALLER,
  },
};
