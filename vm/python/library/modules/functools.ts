/** The module functools. */
import { raised, TYPE_ERROR } from "../../exceptions.ts";
import { isCallable, PyBuiltin, PyCallable, PyFunction } from "../../kinds/callable.ts";
import { PyComparedKey } from "../../kinds/compared-key.ts";
import { PyDict } from "../../kinds/dict.ts";
import { PyTuple } from "../../kinds/list.ts";
import { notExact } from "../../not-exact.ts";
import {
  Bytes,
  type Calling,
  type CallRequest,
  type Context,
  END,
  type Key,
  type Natives,
  nextOf,
  PyType,
  setType,
  typeOf,
  type Value,
} from "../../object.ts";
import { asIndex, compoundKey, identityKey, iterate, keyOf } from "../../operations.ts";
import { setMember } from "../../types/dict.ts";
import { nameElements } from "../../types/named-tuple.ts";
import type { Part } from "../registry.ts";

type Keywords = ReadonlyMap<string, Value>;

/** `partial(f, 1, a=2)`. */
class PyPartial extends PyCallable {
  declare readonly type: PyType;
  readonly callee: Value;
  readonly args: PyTuple;
  readonly keywords: PyDict;
  constructor(callee: Value, args: PyTuple, keywords: PyDict) {
    super();
    this.callee = callee;
    this.args = args;
    this.keywords = keywords;
  }
  *invoke(args: readonly Value[], keywords: Keywords | undefined): Calling {
    return yield this.through(args, keywords);
  }
  override through(args: readonly Value[], keywords: Keywords | undefined): CallRequest {
    const all = new Map<string, Value>();
    for (const key of this.keywords.keys()) {
      // A program can write into the dict.
      if (typeof key !== "string") throw raised(TYPE_ERROR, "keywords must be strings");
      all.set(key, this.keywords.get(key) as Value);
    }
    for (const [name, value] of keywords ?? []) all.set(name, value);
    const request = { callee: this.callee, args: [...this.args.items, ...args] };
    return all.size === 0 ? request : { ...request, keywords: all };
  }
}
const PARTIAL_TYPE = setType(
  PyPartial,
  new PyType("functools.partial", [], {
    key: identityKey,
    attribute(self: PyPartial, name: string) {
      return name === "func" ? self.callee : name === "args" || name === "keywords" ? self[name] : undefined;
    },
  }),
);

/** A function whose results are remembered by its arguments: `lru_cache`. */
class PyCached extends PyCallable {
  declare readonly type: PyType;
  readonly callee: Value;
  readonly max: number;
  readonly isTyped: boolean;
  readonly results = new Map<Key, Value>();
  hits = 0;
  misses = 0;
  constructor(callee: Value, max: number, isTyped: boolean) {
    super();
    this.callee = callee;
    this.max = max;
    this.isTyped = isTyped;
  }
  invoke(args: readonly Value[], keywords: Keywords | undefined, ctx: Context): Value | Calling {
    if (this.max === 0) return this.#call(null, args, keywords, ctx);
    const key = this.#keyOf(args, keywords, ctx);
    const found = this.results.get(key);
    if (found === undefined) return this.#call(key, args, keywords, ctx);
    this.hits += 1;
    if (this.max !== Number.POSITIVE_INFINITY) {
      // The one that was used last comes last.
      this.results.delete(key);
      this.results.set(key, found);
    }
    return found;
  }
  *#call(key: Key, args: readonly Value[], keywords: Keywords | undefined, ctx: Context): Calling {
    this.misses += 1;
    const result = yield keywords === undefined
      ? { callee: this.callee, args }
      : { callee: this.callee, args, keywords };
    if (this.max === 0 || this.results.has(key)) return result;
    if (this.results.size >= this.max)
      for (const oldest of this.results.keys()) {
        this.results.delete(oldest);
        break;
      }
    ctx.alloc(Bytes.Entry);
    this.results.set(key, result);
    return result;
  }
  /** A single int or text is its own key, as in CPython, so that `f(3)` and `f(3.0)` are two results. */
  #keyOf(args: readonly Value[], keywords: Keywords | undefined, ctx: Context): Key {
    const [first] = args;
    const isNamed = keywords !== undefined && keywords.size > 0;
    if (args.length === 1 && !isNamed && !this.isTyped && (typeof first === "string" || Number.isInteger(first)))
      return keyOf(first as Value, ctx);
    const parts: Key[] = args.map((arg) => keyOf(arg, ctx));
    const types = this.isTyped ? args.map((arg) => typeOf(arg).name) : [];
    if (!isNamed) return compoundKey("p", [...parts, ...types]);
    const named = [...keywords].flatMap(([name, value]) => [
      name,
      keyOf(value, ctx),
      ...(this.isTyped ? [typeOf(value).name] : []),
    ]);
    return compoundKey("k", [compoundKey("p", parts), ...named, ...types]);
  }
}
const CACHED_TYPE = setType(
  PyCached,
  new PyType("functools._lru_cache_wrapper", [], {
    key: identityKey,
    attribute(self: PyCached, name: string) {
      if (name === "__name__") return nameOf(self.callee)?.replace(/^.*\./, "");
      return name === "__wrapped__" ? self.callee : undefined;
    },
  }),
);

function maxsizeOf({ max }: PyCached): Value {
  return max === Number.POSITIVE_INFINITY ? null : max;
}

/** What `cache_info()` gives. */
class PyCacheInfo extends PyTuple {}
nameElements(PyCacheInfo, "functools.CacheInfo", ["hits", "misses", "maxsize", "currsize"]);

/** `lru_cache(maxsize=…)`: makes the function that it is called with remember. */
class PyCaching extends PyCallable {
  declare readonly type: PyType;
  readonly max: number;
  readonly isTyped: boolean;
  constructor(max: number, isTyped: boolean) {
    super();
    this.max = max;
    this.isTyped = isTyped;
  }
  invoke([callee]: readonly Value[]): Value {
    return new PyCached(callee as Value, this.max, this.isTyped);
  }
}
setType(PyCaching, new PyType("function"));

/** The `__qualname__` of a function; null: such a value has none. */
function nameOf(value: Value): string | null {
  if (value instanceof PyFunction) return value.name;
  if (value instanceof PyBuiltin) return value.native.name.slice(value.native.name.lastIndexOf(".") + 1);
  return value instanceof PyCached ? nameOf(value.callee) : null;
}

/** `wraps(f)`: gives the function that it is called with the name of another one. */
class PyWrapping extends PyCallable {
  declare readonly type: PyType;
  readonly #name: string | null;
  constructor(name: string | null) {
    super();
    this.#name = name;
  }
  invoke([wrapper]: readonly Value[]): Value {
    if (!(wrapper instanceof PyFunction)) throw notExact("functools.wraps is for functions of the file");
    const { name, routine, cells, defaults, keywordDefaults } = wrapper;
    return new PyFunction(this.#name ?? name, routine, cells, defaults, keywordDefaults);
  }
}
setType(PyWrapping, new PyType("functools.partial"));

/** `cmp_to_key(compare)`: makes keys. */
class PyKeyMaker extends PyCallable {
  declare readonly type: PyType;
  readonly #compare: Value;
  constructor(compare: Value) {
    super();
    this.#compare = compare;
  }
  invoke([value]: readonly Value[]): Value {
    return new PyComparedKey(this.#compare, value as Value);
  }
}
setType(PyKeyMaker, new PyType("functools.KeyWrapper"));

function* reduce(ctx: Context, callee: Value, iterable: Value, initial: Value | undefined): Calling {
  if (typeOf(iterable).slots.iterate === undefined) throw raised(TYPE_ERROR, "reduce() arg 2 must support iteration");
  const source = iterate(iterable, ctx);
  let total = initial === undefined ? yield* nextOf(source, ctx) : initial;
  if (total === END) throw raised(TYPE_ERROR, "reduce() of empty iterable with no initial value");
  for (let item = yield* nextOf(source, ctx); item !== END; item = yield* nextOf(source, ctx))
    total = yield { callee, args: [total as Value, item] };
  return total as Value;
}

const natives: Natives = {
  "functools.reduce": reduce,
  "functools.partial"(ctx, callee: Value, args: PyTuple, keywords: PyDict) {
    if (!isCallable(callee)) throw raised(TYPE_ERROR, "the first argument must be callable");
    ctx.alloc(Bytes.Object);
    if (!(callee instanceof PyPartial)) return new PyPartial(callee, args, keywords);
    // A partial of a partial is one of the function itself.
    const all = new PyDict();
    for (const dict of [callee.keywords, keywords])
      for (const key of dict.keys()) setMember(all, key as string, dict.get(key) as Value, ctx);
    return new PyPartial(callee.callee, new PyTuple([...callee.args.items, ...args.items]), all);
  },
  "functools.wraps": (_, wrapped: Value) => new PyWrapping(nameOf(wrapped)),
  "functools.cmp_to_key": (_, compare: Value) => new PyKeyMaker(compare),
  "functools.cache": (_, callee: Value) => new PyCached(callee, Number.POSITIVE_INFINITY, false),
  "functools.lru_cache"(_, maxsize: Value, typed: Value) {
    if (isCallable(maxsize)) return new PyCached(maxsize, DEFAULT_CACHE, typed === true);
    if (maxsize === null) return new PyCaching(Number.POSITIVE_INFINITY, typed === true);
    if (typeof maxsize !== "number" && typeof maxsize !== "boolean")
      throw raised(TYPE_ERROR, "Expected first argument to be an integer, a callable, or None");
    return new PyCaching(Math.max(0, asIndex(maxsize)), typed === true);
  },
  "functools._lru_cache_wrapper.cache_info"(ctx, self: PyCached) {
    ctx.alloc(Bytes.Object + 4 * Bytes.Element);
    return new PyCacheInfo([self.hits, self.misses, maxsizeOf(self), self.results.size]);
  },
  "functools._lru_cache_wrapper.cache_parameters"(ctx, self: PyCached) {
    ctx.alloc(Bytes.Object + 2 * Bytes.Entry);
    const made = new PyDict();
    made.set("maxsize", "maxsize", maxsizeOf(self));
    made.set("typed", "typed", self.isTyped);
    return made;
  },
  "functools._lru_cache_wrapper.cache_clear"(_, self: PyCached) {
    self.results.clear();
    self.hits = self.misses = 0;
    return null;
  },
};
const DEFAULT_CACHE = 128;

export const FUNCTOOLS: Part = {
  natives,
  types: {
    "functools.partial": PARTIAL_TYPE,
    "functools._lru_cache_wrapper": CACHED_TYPE,
  },
};
