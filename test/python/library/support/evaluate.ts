/** Evaluates the trees that `record.py` writes, with the natives of the library and the shared operations. */
import type { Row } from "../../../../compiler/python/library/row.ts";
import {
  BASE_EXCEPTION,
  EXCEPTION_TYPES,
  NAME_ERROR,
  PyException,
  Raised,
  raised,
  TYPE_ERROR,
} from "../../../../vm/python/exceptions.ts";
import { PyBytes } from "../../../../vm/python/kinds/bytes.ts";
import { PyBoundMethod, PyBuiltin, PyCallable } from "../../../../vm/python/kinds/callable.ts";
import { DICT_TYPE, PyDict } from "../../../../vm/python/kinds/dict.ts";
import { floatOf, intOf, PyFloat } from "../../../../vm/python/kinds/float.ts";
import { PyList, PyTuple } from "../../../../vm/python/kinds/list.ts";
import { PySet } from "../../../../vm/python/kinds/set.ts";
import { PySlice } from "../../../../vm/python/kinds/slice.ts";
import { Library, type Part } from "../../../../vm/python/library/registry.ts";
import {
  type Calling,
  type CallRequest,
  type Context,
  END,
  isCalling,
  type Key,
  type Native,
  type Operator,
  type Order,
  PyType,
  setType,
  typeOf,
  type Value,
} from "../../../../vm/python/object.ts";
import { attribute, contains, item, iterate } from "../../../../vm/python/operators/access.ts";
import { binary, unary } from "../../../../vm/python/operators/binary.ts";
import { equals, order } from "../../../../vm/python/operators/compare.ts";
import { keyOf } from "../../../../vm/python/operators/keys.ts";
import { repr, text } from "../../../../vm/python/operators/text.ts";
import { bind } from "./binding.ts";

// biome-ignore lint/suspicious/noExplicitAny: trees are data of many shapes.
type Tree = any;
export type Recorded = { text: string; tree: Tree; gives?: Tree; raises?: string; message?: string };

const OPERATORS: { readonly [name: string]: Operator } = {
  Add: "+",
  Sub: "-",
  Mult: "*",
  Div: "/",
  FloorDiv: "//",
  Mod: "%",
  Pow: "**",
  LShift: "<<",
  RShift: ">>",
  BitOr: "|",
  BitXor: "^",
  BitAnd: "&",
}; // prettier-ignore
const ORDERS: { readonly [name: string]: Order } = { Lt: "<", LtE: "<=", Gt: ">", GtE: ">=" };

/** A lambda of a table. */
class Lambda extends PyCallable {
  declare readonly type: PyType;
  readonly #run: (args: readonly Value[]) => Value;
  constructor(run: (args: readonly Value[]) => Value) {
    super();
    this.#run = run;
  }
  invoke(args: readonly Value[]): Value {
    return this.#run(args);
  }
}
setType(Lambda, new PyType("function"));

const EXCEPTIONS: Part = {
  natives: {},
  types: Object.fromEntries(EXCEPTION_TYPES.map((type) => [type.name, type])),
};

export class Evaluator {
  readonly #library: Library;
  readonly #rows = new Map<string, Row>();
  readonly context: Context = { charge() {}, alloc() {}, room() {}, open: new Set() };

  constructor(parts: readonly Part[], rows: readonly Row[]) {
    this.#library = new Library([...parts, EXCEPTIONS]);
    for (const row of rows) this.#rows.set(row.name, row);
  }

  /** Names of natives without a row, and of rows without a native. */
  differences(): string[] {
    const natives = [...this.#library.natives.keys()];
    return [
      ...natives.filter((name) => !this.#rows.has(name)),
      ...[...this.#rows.keys()].filter((name) => !this.#library.natives.has(name)),
    ];
  }

  evaluate(tree: Tree, names: ReadonlyMap<string, Value> = new Map()): Value {
    const ctx = this.context;
    const all = (trees: readonly Tree[]): Value[] => trees.map((one) => this.evaluate(one, names));
    if ("constant" in tree) return decoded(tree.constant);
    if ("list" in tree) return new PyList(all(tree.list));
    if ("tuple" in tree) return new PyTuple(all(tree.tuple));
    if ("set" in tree) {
      const set = new PySet();
      for (const member of all(tree.set)) set.members.set(keyOf(member, ctx), member);
      return set;
    }
    if ("dict" in tree) {
      const dict = new PyDict();
      for (const pair of tree.dict) {
        const [key, value] = all(pair);
        dict.set(keyOf(key as Value, ctx), key as Value, value as Value);
      }
      return dict;
    }
    if ("name" in tree) {
      const value = (names.has(tree.name) ? names : this.#library.values).get(tree.name);
      if (value === undefined) throw raised(NAME_ERROR, `name '${tree.name}' is not defined`);
      return value;
    }
    if ("attribute" in tree) {
      const dotted = dottedName(tree);
      const known = dotted === null ? undefined : this.#library.values.get(dotted);
      return known ?? attribute(this.evaluate(tree.attribute[0], names), tree.attribute[1], ctx);
    }
    if ("item" in tree) {
      const [container, key] = all(tree.item) as [Value, Value];
      return this.#settled(item(container, key, ctx));
    }
    if ("slice" in tree) {
      const [start, stop, step] = all(tree.slice) as [Value, Value, Value];
      return new PySlice(start, stop, step);
    }
    if ("unary" in tree) {
      const value = this.evaluate(tree.unary[1], names);
      const [op] = tree.unary;
      return unary(op === "USub" ? "-" : op === "UAdd" ? "+" : "~", value, ctx);
    }
    if ("binary" in tree) {
      const [, left, right] = tree.binary;
      return binary(
        OPERATORS[tree.binary[0]] as Operator,
        this.evaluate(left, names),
        this.evaluate(right, names),
        ctx,
      );
    }
    if ("compare" in tree) {
      const [op, left, right] = tree.compare;
      const [a, b] = [this.evaluate(left, names), this.evaluate(right, names)];
      if (op === "Eq") return equals(a, b, ctx);
      if (op === "NotEq") return !equals(a, b, ctx);
      if (op === "Is") return a === b;
      if (op === "In" || op === "NotIn") return (this.#settled(contains(b, a, ctx)) as boolean) === (op === "In");
      return order(ORDERS[op] as Order, a, b, ctx);
    }
    if ("listed" in tree) {
      const [element, name, source] = tree.listed;
      const items: Value[] = [];
      for (const one of this.elements(this.evaluate(source, names)))
        items.push(this.evaluate(element, new Map([...names, [name, one]])));
      return new PyList(items);
    }
    if ("lambda" in tree) {
      const [parameters, body] = tree.lambda;
      return new Lambda((args) =>
        this.evaluate(body, new Map([...names, ...args.map((arg, index) => [parameters[index], arg] as const)])),
      );
    }
    return this.#call(tree.call, names);
  }

  /** The elements of an iterable, each when it is asked for. */
  *elements(value: Value): Generator<Value, void> {
    const iterator = iterate(value, this.context);
    for (;;) {
      const next = iterator.isDirect
        ? iterator.next(this.context)
        : this.#settled(iterator.pull(this.context) as Calling);
      if ((next as unknown) === END) return;
      yield next as Value;
    }
  }

  #call([callee, args, keywords]: [Tree, Tree[], { [name: string]: Tree }], names: ReadonlyMap<string, Value>): Value {
    const given = args.flatMap((arg) =>
      "star" in arg ? [...this.elements(this.evaluate(arg.star, names))] : [this.evaluate(arg, names)],
    );
    const named = new Map<string, Value>();
    for (const [name, tree] of Object.entries(keywords)) {
      const value = this.evaluate(tree, names);
      if (name !== "**") named.set(name, value);
      else for (const key of (value as PyDict).keys()) named.set(key as string, (value as PyDict).get(key) as Value);
    }
    return this.#invoke(this.evaluate(callee, names), given, named);
  }

  #invoke(callee: Value, args: readonly Value[], keywords: ReadonlyMap<string, Value> = new Map()): Value {
    if (callee instanceof PyBuiltin) return this.#run(callee.native, args, keywords);
    if (callee instanceof PyBoundMethod) return this.#run(callee.native, [callee.self, ...args], keywords);
    if (callee instanceof PyType && callee.constructs !== null) return this.#run(callee.constructs, args, keywords);
    if (callee instanceof PyType && callee.isA(BASE_EXCEPTION)) return new PyException(callee, new PyTuple(args));
    if (callee instanceof PyCallable) return this.#settled(callee.invoke(args, keywords, this.context));
    throw raised(TYPE_ERROR, `'${typeOf(callee).name}' object is not callable`);
  }

  #run(native: Native, args: readonly Value[], keywords: ReadonlyMap<string, Value>): Value {
    const row = this.#rows.get(native.name);
    if (row === undefined) throw new Error(`no row for ${native.name}`);
    return this.#settled(native.run(this.context, ...bind(row, args, keywords)));
  }

  #settled<T extends Value>(result: T | Calling<T>): T {
    if (!isCalling(result as Value | Calling)) return result as T;
    const calling = result as Generator<CallRequest | null, T, Value>;
    let step = calling.next(null);
    while (step.done !== true) {
      if (step.value === null) step = calling.next(null);
      else {
        let value: Value;
        try {
          value = this.#invoke(step.value.callee, step.value.args, step.value.keywords);
        } catch (error) {
          step = calling.throw(error);
          continue;
        }
        step = calling.next(value);
      }
    }
    return step.value;
  }

  /** What CPython gave for a record and what we give, in the same form. */
  outcome(record: Recorded): { expected: unknown; actual: unknown } {
    const { raises, message, gives } = record;
    try {
      const actual = this.encoded(this.evaluate(record.tree));
      return { expected: raises === undefined ? gives : { raises, message }, actual };
    } catch (error) {
      if (!(error instanceof Raised)) {
        const failure = error as Error & { code?: string };
        if (failure.code === "RUNTIME_NOT_EXACT")
          return { expected: "not exact", actual: `not exact: ${failure.message}` };
        throw new Error(`${record.text}: ${failure.stack}`);
      }
      const { exception } = error;
      const name = exception.type.name;
      if (raises === undefined) return { expected: gives, actual: { raises: name, message: exception.args.items[0] } };
      // A text that is not known is not compared.
      if (exception.isTextUnknown) return { expected: { raises }, actual: { raises: name } };
      return { expected: { raises, message }, actual: { raises: name, message: text(exception, this.context) } };
    }
  }

  encoded(value: Value): unknown {
    if (value === null || typeof value === "boolean" || typeof value === "string") return value;
    if (typeof value === "bigint")
      return { int: value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}` };
    if (typeof value === "number" && Number.isInteger(value)) return value;
    if (typeof value === "number" || value instanceof PyFloat) return { float: repr(value, this.context) };
    if (value instanceof PyList) return { list: value.items.map((one) => this.encoded(one)) };
    if (value.type.name === "tuple") return { tuple: (value as PyTuple).items.map((one) => this.encoded(one)) };
    if (value instanceof PyDict && value.type === DICT_TYPE)
      return {
        dict: [...value.keys()].map((key: Key) => [
          this.encoded(value.spelling(key)),
          this.encoded(value.get(key) as Value),
        ]),
      };
    if (value instanceof PyBytes) return { bytes: Buffer.from(value.bytes).toString("hex") };
    return { repr: repr(value, this.context), type: value.type.name.slice(value.type.name.lastIndexOf(".") + 1) };
  }
}

function dottedName(tree: Tree): string | null {
  if ("name" in tree) return tree.name;
  if (!("attribute" in tree)) return null;
  const base = dottedName(tree.attribute[0]);
  return base === null ? null : `${base}.${tree.attribute[1]}`;
}

function decoded(value: Tree): Value {
  if (value === null || typeof value !== "object") return value;
  if ("int" in value) return value.int.startsWith("-") ? intOf(-BigInt(value.int.slice(1))) : intOf(BigInt(value.int));
  if ("float" in value) return floatOf(value.float === "inf" ? Infinity : Number(value.float));
  if ("bytes" in value) return new PyBytes(Uint8Array.from(Buffer.from(value.bytes, "hex")));
  throw new Error(`unknown constant ${JSON.stringify(value)}`);
}
